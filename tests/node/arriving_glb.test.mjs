/** A `.glb` that arrives in pieces can be read when all has come but pictures at its end, and not before. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { root } from "../../www/toolchain.mjs";
import { glb } from "../browser/fixtures.mjs";

let ArrivingGlb;

before(async () => {
  const outfile = join(root, "target/arriving/arriving_glb.mjs");
  await build({ entryPoints: [join(root, "www/element/files/arriving_glb.ts")], format: "esm", outfile });
  ({ ArrivingGlb } = await import(pathToFileURL(outfile)));
});

/** Returns numbers from 0 up to a limit, the same ones for a seed. */
function random(seed) {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns a file with views and pictures in any order, some of them shared, compressed or without a type. */
function anyFile(pick) {
  const views = [];
  const images = [];
  const accessors = [];
  let length = 0;
  for (let count = 1 + pick(8); count > 0; count--) {
    const view = { buffer: 0, byteLength: 1 + pick(300), ...(length + pick(2) > 0 && { byteOffset: length }) };
    length += Math.ceil(view.byteLength / 4) * 4 + 4 * pick(2);
    const index = views.length;
    const kind = pick(8);
    if (kind < 4) images.push({ bufferView: index, ...(pick(5) > 0 && { mimeType: "image/png" }) });
    if (kind === 3) accessors.push({ bufferView: index });
    if (kind === 4) images.push({ bufferView: index, mimeType: "image/png" }, { bufferView: index, mimeType: "a/b" });
    if (kind > 4) accessors.push({ bufferView: index });
    if (kind === 7) {
      // Its bytes are those of an extension, and its own are nowhere.
      const { byteOffset = 0, byteLength } = view;
      Object.assign(view, { buffer: 1, byteOffset: 10_000 });
      view.extensions = { EXT_meshopt_compression: { buffer: 0, byteOffset, byteLength } };
    }
    views.push(view);
  }
  if (pick(4) === 0) images.push({ uri: "beside.png" });
  const json = { asset: { version: "2.0" }, buffers: [{ byteLength: length }], bufferViews: views, images, accessors };
  const data = Buffer.from(Array.from({ length }, () => 1 + pick(255)));
  return { json, file: new Uint8Array(glb(json, data)) };
}

/** Returns the place of each byte of the data that something other than a typed picture may read. */
function neededBytes({ bufferViews, images, accessors }) {
  const needed = new Set();
  bufferViews.forEach((view, index) => {
    const isRead = accessors.some(({ bufferView }) => bufferView === index);
    const users = images.filter(({ bufferView }) => bufferView === index);
    if (users.length > 0 && !isRead && users.every(({ mimeType }) => mimeType)) return;
    const { buffer, byteOffset = 0, byteLength } = view.extensions?.EXT_meshopt_compression ?? view;
    assert.equal(buffer, 0);
    for (let at = 0; at < byteLength; at++) needed.add(byteOffset + at);
  });
  return needed;
}

test("it can be read when the last byte has come that isn't a picture's", async () => {
  const kinds = { early: 0, late: 0 };
  for (let seed = 1; seed <= 2000; seed++) {
    const pick = random(seed);
    const { json, file } = anyFile(pick);
    const start = 28 + new DataView(file.buffer).getUint32(12, true);
    const last = Math.max(-1, ...neededBytes(json));
    const isKnown = pick(2) === 0;
    let length = start + pick(Math.min(40, file.length - start + 1));
    const arriving = ArrivingGlb.of(file.slice(0, length), isKnown ? file.length : 0);
    assert.ok(arriving, `seed ${seed}`);
    const come = new Set();
    arriving.pictures.forEach((picture, index) => picture?.then(() => come.add(index)));
    const endOf = ({ bufferView }) => {
      const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
      return start + byteOffset + byteLength;
    };
    for (;;) {
      assert.equal(arriving.isReadable, length >= start + last + 1, `seed ${seed}, ${length} bytes`);
      await Promise.resolve();
      json.images.forEach((image, index) => {
        const isInside = json.bufferViews[image.bufferView]?.buffer === 0;
        assert.equal(come.has(index), isInside && length >= endOf(image), `seed ${seed}, picture ${index}`);
      });
      assert.deepEqual(arriving.bytes.subarray(0, length), file.subarray(0, length));
      assert.ok(arriving.bytes.subarray(length).every((byte) => byte === 0));
      if (length === file.length) break;
      kinds[arriving.isReadable ? "early" : "late"]++;
      const piece = 1 + pick(200);
      arriving.add(file.subarray(length, length + piece));
      length = Math.min(length + piece, file.length);
    }
    for (const [index, picture] of arriving.pictures.entries()) {
      if (picture)
        assert.deepEqual(
          await picture,
          file.subarray(
            endOf(json.images[index]) - json.bufferViews[json.images[index].bufferView].byteLength,
            endOf(json.images[index]),
          ),
        );
    }
    assert.deepEqual(arriving.end(new Error("too late")), file);
  }
  assert.ok(kinds.early > 500 && kinds.late > 500, JSON.stringify(kinds));
});

test("pictures that never come fail", async () => {
  const json = {
    buffers: [{ byteLength: 40 }],
    bufferViews: [
      { buffer: 0, byteLength: 20 },
      { buffer: 0, byteOffset: 20, byteLength: 20 },
    ],
    images: [
      { bufferView: 0, mimeType: "image/png" },
      { bufferView: 1, mimeType: "image/png" },
    ],
  };
  const file = new Uint8Array(glb(json, Buffer.alloc(40, 1)));
  const arriving = ArrivingGlb.of(file.slice(0, -10), file.length);
  assert.ok(arriving.isReadable);
  const error = new Error("the network failed");
  assert.equal(arriving.end(error).length, file.length - 10);
  assert.equal((await arriving.pictures[0]).length, 20);
  await assert.rejects(arriving.pictures[1], error);
});

test("what isn't a whole and ordinary file is read when it has come", () => {
  const json = { buffers: [{}], bufferViews: [{ buffer: 0, byteLength: 4 }], images: [{ bufferView: 0 }] };
  const change = (json) => new Uint8Array(glb(json, Buffer.alloc(8)));
  const file = change(json);
  const refused = (bytes, expected = bytes.length) => assert.equal(ArrivingGlb.of(bytes, expected), undefined);
  assert.ok(ArrivingGlb.of(file, file.length));
  refused(file, file.length + 4);
  refused(file.slice(0, 20), file.length);
  refused(file.slice(1));
  refused(
    Uint8Array.from(file, (byte, at) => (at === 8 ? byte + 4 : byte)),
    0,
  );
  refused(new Uint8Array(0));
  refused(change({ ...json, buffers: [{ uri: "a.bin" }] }));
  refused(change({ ...json, buffers: undefined }));
  refused(change({ ...json, images: undefined }));
  refused(change({ ...json, images: [null] }));
  refused(change({ ...json, bufferViews: [null] }));
  // It says that it is very long, and so may the server.
  const long = change(json);
  const view = new DataView(long.buffer);
  view.setUint32(8, 2 ** 30, true);
  view.setUint32(20 + view.getUint32(12, true), 2 ** 30 - 28 - view.getUint32(12, true), true);
  refused(long, 0);
  refused(long, 2 ** 30);
});
