/** Decodes the streams of the crate's meshopt encoder with meshoptimizer, and compares sizes with its encoder. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";

import { root } from "../../www/toolchain.mjs";

/** The options that `npm test` passes to cargo, so that nothing is compiled twice. */
const CARGO = ["--workspace", "--features", "gambol/render"];
const folder = join(root, "target/meshopt");
/** Name, mode, filter, stride, decoded and encoded bytes of each stream. */
let streams;

before(async () => {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync("cargo", ["test", "--quiet", "--test", "export", ...CARGO, "--", "streams_are_written"], {
    cwd: root,
    env: { ...process.env, GAMBOL_STREAMS_TO: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const files = readdirSync(folder).filter((name) => name.endsWith(".encoded"));
  streams = files.map((file) => {
    const [, mode, filter, stride, name] = file.replace(".encoded", "").split(",");
    const encoded = new Uint8Array(readFileSync(join(folder, file)));
    const decoded = new Uint8Array(readFileSync(join(folder, file.replace(".encoded", ".decoded"))));
    return { name, mode, filter, stride: Number(stride), encoded, decoded };
  });
});

test("meshoptimizer decodes every stream to the same bytes", () => {
  assert.ok(streams.length > 400, `only ${streams.length} streams`);
  for (const { name, mode, filter, stride, encoded, decoded } of streams) {
    const found = new Uint8Array(decoded.length);
    const what = `${name}, ${mode}, ${filter}, ${stride}`;
    try {
      MeshoptDecoder.decodeGltfBuffer(found, decoded.length / stride, stride, encoded, mode, filter);
    } catch (error) {
      assert.fail(`${what}: ${error}`);
    }
    if (mode === "TRIANGLES") assert.deepEqual(turned(found), turned(decoded), what);
    else if (filter === "OCTAHEDRAL") assertWithinOne(new Int8Array(found.buffer), new Int8Array(decoded.buffer));
    else if (filter === "QUATERNION") assertWithinOne(new Int16Array(found.buffer), new Int16Array(decoded.buffer));
    else assert.deepEqual(found, decoded, what);
  }
});

test("streams are hardly longer than those of meshoptimizer's encoder", (t) => {
  for (const [mode, version] of [["ATTRIBUTES", 0], ["ATTRIBUTES", 1], ["TRIANGLES"], ["INDICES"]]) {
    const ours = { length: 0 };
    const theirs = { length: 0 };
    for (const stream of streams) {
      const { name, stride, encoded, decoded } = stream;
      if (stream.mode !== mode || stream.filter !== "NONE" || decoded.length === 0) continue;
      if (version !== undefined && encoded[0] !== 0xa0 + version) continue;
      // Noise says nothing about a codec.
      if (name === "random" || name === "far") continue;
      const count = decoded.length / stride;
      const other =
        mode === "ATTRIBUTES"
          ? MeshoptEncoder.encodeVertexBufferLevel(decoded, count, stride, 3, version)
          : MeshoptEncoder.encodeGltfBuffer(decoded, count, stride, mode);
      ours.length += encoded.length;
      theirs.length += other.length;
    }
    t.diagnostic(`${mode} ${version ?? ""}: ${ours.length} bytes, meshoptimizer's ${theirs.length}`);
    assert.ok(ours.length <= theirs.length * 1.03, `${mode} ${version}: ${ours.length} of ${theirs.length}`);
  }
});

/** Begins each triangle with its least corner, since the codec may turn them. */
function turned(bytes) {
  const indices = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const triangles = [];
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = indices.subarray(at, at + 3);
    const least = Math.min(a, b, c);
    const turns = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ].filter(([first]) => first === least);
    triangles.push(turns.map((turn) => turn.join()).sort()[0]);
  }
  return triangles;
}

/** The filters are specified to one unit of the last place. */
function assertWithinOne(found, expected) {
  assert.ok(found.every((number, at) => Math.abs(number - expected[at]) <= 1));
}
