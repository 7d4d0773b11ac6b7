/**
 * The decoder of meshopt streams gives the bytes that the decoder of npm's meshoptimizer gives: for generated streams
 * of every mode, filter and version, and for those in models of other projects.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";

import { root } from "../../www/toolchain.mjs";

const MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
const FILTERS = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];

const module = new WebAssembly.Module(readFileSync(join(root, "dist/wasm/decoders/meshopt.wasm")));
const { memory, __heap_base, decode_stream } = new WebAssembly.Instance(module, {}).exports;
await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);

test("the module imports nothing", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test("generated elements", () => {
  const random = randomFrom(1);
  let compared = 0;
  for (let turn = 0; turn < 600; turn++) {
    const count = 1 + Math.floor(random() * random() * 3000);
    const stride = 4 * (1 + Math.floor(random() * random() * 20));
    const raw = new Uint8Array(count * stride);
    const spread = [1, 2, 4, 16, 256][turn % 6];
    for (let at = 0; at < raw.length; at++) {
      // The last kind changes seldom.
      const before = at < stride ? 0 : raw[at - stride];
      raw[at] = spread ? random() * spread : before + (random() < 0.1 ? random() * 256 : 0);
    }
    const filters = ["NONE", "EXPONENTIAL"];
    if (stride === 4 || stride === 8) filters.push("OCTAHEDRAL", "COLOR");
    if (stride === 8) filters.push("QUATERNION");
    for (const [version, level] of [[0, 2], ...[0, 1, 2, 3].map((level) => [1, level])]) {
      const stream = MeshoptEncoder.encodeVertexBufferLevel(raw, count, stride, level, version);
      for (const filter of filters) {
        compare(`turn ${turn}, version ${version}, level ${level}`, count, stride, stream, "ATTRIBUTES", filter);
        compared++;
      }
    }
  }
  assert.ok(compared > 6000);
});

test("elements with filters", () => {
  const random = randomFrom(2);
  for (let turn = 0; turn < 60; turn++) {
    const count = 4 * (1 + Math.floor(random() * 100));
    const numbers = new Float32Array(4 * count).map(() => random() * 2 - 1);
    for (let at = 0; at < numbers.length; at += 4) {
      const length = Math.hypot(...numbers.subarray(at, at + 4));
      for (let lane = 0; lane < 4; lane++) numbers[at + lane] /= length;
    }
    const check = (filter, stride, encoded) => {
      const stream = MeshoptEncoder.encodeVertexBuffer(encoded, count, stride);
      compare(`turn ${turn}`, count, stride, stream, "ATTRIBUTES", filter);
    };
    for (const [stride, bits] of [4, 8, 8, 12, 16].map((bits, at) => [at < 2 ? 4 : 8, bits])) {
      check("OCTAHEDRAL", stride, MeshoptEncoder.encodeFilterOct(numbers, count, stride, bits));
      check("COLOR", stride, MeshoptEncoder.encodeFilterColor(numbers.map(Math.abs), count, stride, bits));
    }
    for (const bits of [4, 8, 12, 16]) check("QUATERNION", 8, MeshoptEncoder.encodeFilterQuat(numbers, count, 8, bits));
    for (const bits of [8, 16, 24]) check("EXPONENTIAL", 16, MeshoptEncoder.encodeFilterExp(numbers, count, 16, bits));
  }
});

test("generated indices", () => {
  const random = randomFrom(3);
  for (let turn = 0; turn < 500; turn++) {
    const count = 3 * Math.floor(1 + random() * 400);
    const vertexCount = 3 + Math.floor(random() * (turn % 2 ? 100 : 100_000));
    const near = (at) => Math.min(vertexCount - 1, Math.floor(at / 3) + Math.floor(random() * 4));
    const far = () => Math.floor(random() * vertexCount);
    const indices = Uint32Array.from({ length: count }, (_, at) => (turn % 3 ? near(at) : far()));
    const bytes = new Uint8Array(indices.buffer);
    const triangles = MeshoptEncoder.encodeIndexBuffer(bytes, count, 4);
    const sequence = MeshoptEncoder.encodeIndexSequence(bytes, count, 4);
    for (const size of vertexCount < 65_536 ? [2, 4] : [4]) {
      compare(`turn ${turn}`, count, size, triangles, "TRIANGLES", "NONE");
      compare(`turn ${turn}`, count, size, sequence, "INDICES", "NONE");
    }
  }
});

const models = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");
const isMissing = !existsSync(models) && "there are no models of other projects";

test("models of other projects", { skip: process.env.REQUIRE_MODELS === "1" ? false : isMissing }, () => {
  let compared = 0;
  for (const name of readdirSync(join(models, "gltf"), { recursive: true })) {
    if (!/\.gl(b|tf)$/.test(name)) continue;
    const path = join(models, "gltf", name);
    const { json, buffer } = opened(path);
    for (const { extensions } of json.bufferViews ?? []) {
      const packed = extensions?.EXT_meshopt_compression ?? extensions?.KHR_meshopt_compression;
      if (!packed) continue;
      const { byteOffset = 0, byteLength, byteStride, count, mode, filter = "NONE" } = packed;
      const stream = new Uint8Array(buffer(packed.buffer).subarray(byteOffset, byteOffset + byteLength));
      compare(name, count, byteStride, stream, mode, filter);
      compared++;
    }
  }
  assert.ok(compared > 200, `${compared} buffer views compared`);
});

function compare(what, count, stride, stream, mode, filter) {
  const expected = new Uint8Array(count * stride);
  MeshoptDecoder.decodeGltfBuffer(expected, count, stride, stream, mode, filter);
  const source = __heap_base.value;
  const target = source + Math.ceil(stream.length / 16) * 16;
  const missing = target + expected.length - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 2 ** 16));
  new Uint8Array(memory.buffer).set(stream, source);
  const [modeAt, filterAt] = [MODES.indexOf(mode), FILTERS.indexOf(filter)];
  const problem = decode_stream(modeAt, filterAt, stride, source, stream.length, target, expected.length);
  assert.equal(problem, 0, what);
  const found = Buffer.from(memory.buffer, target, expected.length);
  if (found.compare(expected) !== 0) {
    const at = expected.findIndex((byte, at) => byte !== found[at]);
    assert.fail(`${what}: ${mode} ${filter}, ${count} × ${stride} bytes, differ from byte ${at} on`);
  }
}

function opened(path) {
  const file = readFileSync(path);
  if (!path.endsWith(".glb")) {
    const json = JSON.parse(file);
    return { json, buffer: (at) => readFileSync(join(dirname(path), decodeURIComponent(json.buffers[at].uri))) };
  }
  const end = 20 + file.readUInt32LE(12);
  return { json: JSON.parse(file.subarray(20, end)), buffer: () => file.subarray(end + 8) };
}

/** Returns a generator of numbers from 0 to 1, which are the same in each run. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
