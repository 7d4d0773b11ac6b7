/** Measures and prints the sizes of a page's downloads, and compares them with `size-budget.json`. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { root } from "./toolchain.mjs";

const ENCODINGS = ["raw", "gzip", "brotli"];

/** Prints the table of sizes. Throws if a size exceeds its budget. */
export function checkBudget({ dist = join(root, "dist"), budget = join(root, "size-budget.json") } = {}) {
  const limits = JSON.parse(readFileSync(budget, "utf8"));
  const sizes = measure(dist);
  console.log(table(sizes, limits));
  const found = overruns(sizes, limits);
  if (found.length > 0) throw new Error(`over the size budget:\n  ${found.join("\n  ")}`);
}

/** Returns the bytes by row and encoding. A page's row is the sum of its initial downloads. */
export function measure(dist) {
  const later = JSON.parse(readFileSync(join(dist, "scripts.json"), "utf8"));
  for (const name of AT_FIRST) delete later[name];
  const weighAll = (names) => sum(names.map((name) => weigh(join(dist, name))));
  const all = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const atFirst = all.filter((name) => !Object.values(later).flat().includes(name));
  const javascript = weighAll(atFirst);
  const flavour = (name) => ({
    wasm: weigh(join(dist, "wasm", name, "gambol_bg.wasm")),
    glue: weigh(join(dist, "wasm", name, "gambol.js")),
  });
  const part = (name, part) => weigh(join(dist, "wasm", name, `gambol_${part}.wasm`));
  const [webgpu, webgl, formats] = ["webgpu", "webgl", "formats"].map(flavour);
  return {
    "webgpu wasm": webgpu.wasm,
    "webgpu glue": webgpu.glue,
    "webgl wasm": webgl.wasm,
    "webgl glue": webgl.glue,
    JavaScript: javascript,
    "a WebGPU page": sum([webgpu.wasm, webgpu.glue, javascript]),
    "a WebGL2 page": sum([webgl.wasm, webgl.glue, javascript, weighAll(later.webgl_contexts)]),
    "webgpu late wasm": part("webgpu", "late"),
    "webgl late wasm": part("webgl", "late"),
    "webgpu import wasm": part("webgpu", "import"),
    "webgl import wasm": part("webgl", "import"),
    "webgpu still wasm": part("webgpu", "still"),
    "webgl still wasm": part("webgl", "still"),
    "webgpu tangents wasm": part("webgpu", "tangents"),
    "webgl tangents wasm": part("webgl", "tangents"),
    "formats wasm": formats.wasm,
    "formats glue": formats.glue,
    ...Object.fromEntries(
      readdirSync(join(dist, "wasm/decoders")).map((name) => [
        name.replace(".wasm", " wasm"),
        weigh(join(dist, "wasm/decoders", name)),
      ]),
    ),
    ...Object.fromEntries(Object.entries(later).map(([name, names]) => [`${name} JavaScript`, weighAll(names)])),
  };
}

/** Entries of `scripts.json` that a page downloads initially. Scripts missing from the file count with them. */
const AT_FIRST = ["index", "element"];

/** Returns a line for each size above its limit, and for each row that only one of the two tables has. */
export function overruns(sizes, limits) {
  const rows = new Set([...Object.keys(sizes), ...Object.keys(limits)].filter((row) => row !== "//"));
  return [...rows].flatMap((row) => {
    if (!sizes[row]) return [`${row}: has a budget but wasn't built`];
    if (!limits[row]) return [`${row}: has no budget`];
    return ENCODINGS.filter((encoding) => sizes[row][encoding] > limits[row][encoding]).map(
      (encoding) => `${row}: ${count(sizes[row][encoding])} bytes ${encoding}, budget ${count(limits[row][encoding])}`,
    );
  });
}

function weigh(path) {
  const bytes = readFileSync(path);
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }).length,
  };
}

function sum(weights) {
  return Object.fromEntries(
    ENCODINGS.map((encoding) => [encoding, weights.reduce((total, w) => total + w[encoding], 0)]),
  );
}

function table(sizes, limits) {
  const line = (cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join("");
  return [
    line(["bytes", ...ENCODINGS, "budget (br)"]),
    ...Object.entries(sizes).map(([row, size]) =>
      line([row, ...ENCODINGS.map((encoding) => count(size[encoding])), count(limits[row]?.brotli)]),
    ),
  ].join("\n");
}

function count(bytes) {
  return bytes === undefined ? "–" : bytes.toLocaleString("en-US");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const [dist, budget] = process.argv.slice(2);
    checkBudget({ ...(dist && { dist }), ...(budget && { budget }) });
  } catch (error) {
    console.error(`budget: ${error.message}`);
    process.exitCode = 1;
  }
}
