/**
 * Prints what is in a flavour's wasm file: bytes by crate, and the largest functions. `docs/SIZE.md` explains them.
 *
 *     node www/weigh.mjs [webgpu|webgl|formats]
 *
 * Reads the files of the last `npm run build`. They are optimised again with their names, so that a function which the
 * optimiser has put into another counts there.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./toolchain.mjs";

/** Arguments of wasm-opt, as in `xtask/src/build/optimise.rs`, but names are kept. */
const PASSES = [
  "--enable-bulk-memory",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
  "--enable-simd",
  "-Oz",
  "--one-caller-inline-max-function-size=30",
  "--low-memory-unused",
  "--skip-pass=memory-packing",
  "--skip-pass=local-cse",
  "-g",
];
const SECTIONS = { 0: "custom", 1: "types", 2: "imports", 7: "exports", 9: "elements", 10: "code", 11: "data" };
const LARGEST = 10;

const flavour = process.argv[2] ?? "webgpu";
const named = join(root, "target/xtask", flavour, "gambol_bg.wasm");
const optimised = join(root, "target/xtask", flavour, "weighed.wasm");
const wasmOpt = join(root, "node_modules/binaryen/bin/wasm-opt");
execFileSync(process.execPath, [wasmOpt, ...PASSES, named, "-o", optimised]);

const { sections, functions } = read(readFileSync(optimised));
const total = Object.values(sections).reduce((sum, bytes) => sum + bytes, 0) - (sections.custom ?? 0);
console.log(`${flavour}: ${total.toLocaleString("en-US")} bytes without names\n\nsections`);
print(Object.entries(sections).filter(([name]) => name !== "custom"));
console.log("\ncode by crate");
print([...grouped(functions)].sort((a, b) => b[1] - a[1]));
console.log(`\nthe ${LARGEST} largest functions`);
print(
  functions
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST)
    .map(({ path, bytes }) => [path.join("::"), bytes]),
);

function print(rows) {
  for (const [name, bytes] of rows) {
    if (bytes / total >= 0.001) {
      const share = `${((bytes / total) * 100).toFixed(1)} %`;
      console.log(`  ${bytes.toLocaleString("en-US").padStart(9)}  ${share.padStart(6)}  ${name}`);
    }
  }
}

/** Rooms of the crate apart. Generic functions count where they are defined, if their name tells. */
function grouped(functions) {
  const crates = new Map();
  for (const { path, bytes } of functions) {
    const known = path.length > 1 ? path[0] : "generic functions and others";
    const crate = known === "gambol" ? `gambol::${path[1]}` : known;
    crates.set(crate, (crates.get(crate) ?? 0) + bytes);
  }
  return crates;
}

/** Returns the bytes of each section, and of each function with the path in its name. */
function read(bytes) {
  let at = 8;
  const number = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
      if (byte < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return bytes.toString("utf8", at - length, at);
  };
  const sections = {};
  const bodies = [];
  const names = new Map();
  let imported = 0;
  while (at < bytes.length) {
    const id = bytes[at++];
    const size = number();
    const end = at + size;
    const name = SECTIONS[id] ?? "others";
    sections[name] = (sections[name] ?? 0) + size;
    if (id === 2) imported = importedFunctions();
    if (id === 10) {
      for (let left = number(); left > 0; left--) {
        const length = number();
        bodies.push(length);
        at += length;
      }
    }
    if (id === 0 && text() === "name") readNames(end);
    at = end;
  }
  const functions = bodies.map((length, body) => ({ bytes: length, path: pathOf(names.get(imported + body) ?? "") }));
  return { sections, functions };

  function importedFunctions() {
    let count = 0;
    for (let left = number(); left > 0; left--) {
      text();
      text();
      const kind = bytes[at++];
      if (kind !== 0) throw new Error("only functions are imported");
      number();
      count++;
    }
    return count;
  }

  function readNames(end) {
    while (at < end) {
      const kind = bytes[at++];
      const size = number();
      const next = at + size;
      if (kind === 1) {
        for (let left = number(); left > 0; left--) {
          const index = number();
          names.set(index, text());
        }
      }
      at = next;
    }
  }
}

/** Returns the identifiers of a mangled name, whose lengths precede them. The first is a crate. */
function pathOf(mangled) {
  // wasm-bindgen names what it changes of an export after the export.
  const [, exported] = mangled.match(/^(\w+)(?: \w+ shim)+$/) ?? [];
  if (exported) return ["gambol", "web", exported];
  const path = [];
  for (let at = 0; at < mangled.length; ) {
    // Numbers that tell crates and implementations apart, and references to earlier parts.
    const skipped = mangled.slice(at).match(/^[sB][0-9A-Za-z]*_/)?.[0].length ?? 0;
    if (skipped > 0) {
      at += skipped;
      continue;
    }
    const [, digits, separator] = mangled.slice(at).match(/^(\d+)(_?)/) ?? [];
    const start = at + (digits?.length ?? 0) + (separator?.length ?? 0);
    const word = digits ? mangled.slice(start, start + Number(digits)) : "";
    if (/^[A-Za-z_]\w*$/.test(word) && word.length === Number(digits)) {
      path.push(word);
      at = start + word.length;
    } else at++;
  }
  // The last part of older names is a hash.
  return path.filter((word) => !/^h[0-9a-f]{16}$/.test(word));
}
