/** The folder of results, `target/compare`. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { root } from "../../www/toolchain.mjs";

export const outFolder = join(root, "target/compare");

/** Writes the content of a data URL. Returns its path in the folder, as it was given. */
export function save(path, url) {
  const whole = join(outFolder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  return path;
}

/** Returns the address of a file in the folder, for pages. */
export function addressOf(path) {
  return `/out/${path}`;
}
