import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";
import { createTexture } from "../../src/webgpu/calls.js";

/** Returns the numbers that `src/webgpu/formats.rs` gives to formats, by wgpu's names. */
function numbers() {
  const source = readFileSync(join(root, "src/webgpu/formats.rs"), "utf8");
  return [...source.matchAll(/^ {8}Format::(\w+) => (\d+),/gm)].map(([, name, number]) => [name, Number(number)]);
}

/** Returns the names of formats for data in blocks, in the order of the table that pages fetch. */
function blocks() {
  const source = readFileSync(join(root, "www/element/files/blocks.ts"), "utf8");
  return [...source.matchAll(/^ {2}\["([\w-]+)", \d/gm)].map(([, name]) => name);
}

const formatOf = (number) => createTexture({ createTexture: ({ format }) => format }, 4, 4, 1, 1, number, 4);
const letters = (name) => name.replaceAll("-", "").toLowerCase();

test("numbers of formats stand for the formats of their names", () => {
  const known = numbers();
  assert.equal(known.length, 23);
  for (const [name, number] of known) assert.equal(letters(formatOf(number)), letters(name));
});

test("formats of blocks have WebGPU's names, for data and for colours", () => {
  const names = blocks();
  assert.equal(names.length, 21);
  const expected = names.flatMap((name) => [name, `${name}-srgb`]);
  assert.deepEqual(
    expected.map((_, index) => formatOf(10 + index)),
    expected,
  );
});
