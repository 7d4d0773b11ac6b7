#!/usr/bin/env node
/**
 * Prints the elements of a page's head that let the browser fetch everything for the first picture at once:
 *
 *     npx gambol-hints [--element] [--backend webgpu|webgl2] [--base URL] [MODEL]
 *
 * `--element` is for pages that import `gambol/element`, and `--base` the address of the package's folder `dist`. A
 * page with `backend: "auto"` takes the hints for WebGPU: a browser without it then fetches one file in vain.
 */

import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const FLAVOURS = { webgpu: "webgpu", webgl2: "webgl" };
const BASE = "/node_modules/gambol/dist/";

/** Returns the elements, one a line. `dist` is the package's folder, and `base` its address in the page. */
export function hints({ dist, base = BASE, backend = "webgpu", element = false, model }) {
  const folder = base.endsWith("/") ? base : `${base}/`;
  if (!Object.hasOwn(FLAVOURS, backend)) {
    throw new Error(`--backend takes ${Object.keys(FLAVOURS).join(" or ")}, not ${backend}`);
  }
  const flavour = FLAVOURS[backend];
  const scripts = [
    ...withImports(dist, element ? "element.js" : "index.js"),
    ...(backend === "webgl2" ? readdirSync(dist).filter((name) => /^webgl_contexts-\w+\.js$/.test(name)) : []),
    `wasm/${flavour}/gambol.js`,
  ];
  const data = [`${folder}wasm/${flavour}/gambol_bg.wasm`, ...(model === undefined ? [] : [model])];
  return [
    ...scripts.map((script) => `<link rel="modulepreload" href="${escaped(folder + script)}">`),
    ...data.map((address) => `<link rel="preload" as="fetch" crossorigin href="${escaped(address)}">`),
  ];
}

/** Returns a script of the folder and those that it imports statically, in the order of the imports. */
function withImports(dist, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(dist, name), "utf8");
  for (const [, imported] of text.matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    withImports(dist, posix.join(posix.dirname(name), imported), found);
  }
  return found;
}

function escaped(address) {
  return address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

// npm starts it through a link.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { values, positionals } = parseArgs({
      options: { backend: { type: "string" }, base: { type: "string" }, element: { type: "boolean" } },
      allowPositionals: true,
    });
    const dist = fileURLToPath(new URL("../dist", import.meta.url));
    console.log(hints({ ...values, dist, model: positionals[0] }).join("\n"));
  } catch (error) {
    console.error(`gambol-hints: ${error.message}`);
    process.exitCode = 2;
  }
}
