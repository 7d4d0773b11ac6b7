/** Minifies scripts with terser, which reduces esbuild's output by another 2 %. */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { shorten } from "./glue.mjs";

/** Minifies a script that esbuild has minified. `more` are further options of terser. */
export async function squeeze(files, more = {}) {
  const { minify } = await import("terser");
  // Functions at the start of their scope leave less between the variables, which compresses better.
  return minify(files, { module: true, ecma: 2020, compress: { passes: 2, hoist_funs: true }, ...more });
}

/** `node www/minify.mjs IN OUT` shortens and minifies the glue. `cargo xtask build` calls it. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [input, output] = process.argv.slice(2);
  const { transformSync } = await import("esbuild");
  const { code } = transformSync(shorten(readFileSync(input, "utf8")), { minify: true, format: "esm" });
  // The functions of the glue are never constructors.
  writeFileSync(output, (await squeeze(code, { compress: { passes: 2, unsafe_methods: true } })).code);
}
