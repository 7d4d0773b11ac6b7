/** Compresses models with meshopt. The encoder is npm's, the decoder of the player another one. */

import { MeshoptEncoder } from "meshoptimizer";

await MeshoptEncoder.ready;

const COMPONENT_BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/**
 * Compresses each buffer view that has one accessor. Returns the document and its bytes.
 *
 * @param options `extension`; `fallback`: the URI of an uncompressed copy, which makes the extension optional
 */
export function withMeshopt(document, bin, { extension = "EXT_meshopt_compression", fallback } = {}) {
  const json = structuredClone(document);
  const indices = new Set(json.meshes.flatMap(({ primitives }) => primitives.map(({ indices }) => indices)));
  const chunks = [];
  let length = 0;
  for (const [index, view] of json.bufferViews.entries()) {
    const at = json.accessors.findIndex(({ bufferView }) => bufferView === index);
    const { byteOffset = 0, byteLength } = view;
    const raw = new Uint8Array(bin.subarray(byteOffset, byteOffset + byteLength));
    const keep = (bytes) => {
      const offset = length;
      chunks.push(bytes, Buffer.alloc(-bytes.length & 3));
      length += bytes.length + (-bytes.length & 3);
      return { byteOffset: offset, byteLength: bytes.length };
    };
    if (at < 0) {
      Object.assign(view, keep(raw));
      continue;
    }
    const { componentType, count, type } = json.accessors[at];
    const stride = COMPONENT_BYTES[componentType] * COMPONENTS[type];
    const mode = indices.has(at) ? "TRIANGLES" : stride % 4 === 0 ? "ATTRIBUTES" : "INDICES";
    const stream = MeshoptEncoder.encodeGltfBuffer(raw, count, stride, mode, extension.startsWith("KHR") ? 1 : 0);
    const compressed = { buffer: 0, ...keep(stream), byteStride: stride, count, mode };
    Object.assign(view, { buffer: 1, extensions: { [extension]: compressed } });
  }
  const [{ byteLength }] = json.buffers;
  json.buffers = [{ byteLength: length }, { byteLength, extensions: { [extension]: { fallback: true } } }];
  if (fallback) json.buffers[1].uri = fallback;
  json.extensionsUsed = [...(json.extensionsUsed ?? []), extension];
  if (!fallback) json.extensionsRequired = [extension];
  return { json, bytes: Buffer.concat(chunks) };
}

/** Returns a square of `side` × `side` vertices, as a document and its bytes. */
export function largeSquare(side) {
  const positions = new Float32Array(3 * side * side);
  const indices = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const at = y * side + x;
      positions.set([x / side, y / side, 0], 3 * at);
      if (x > 0 && y > 0) indices.push(at, at - 1, at - side, at - 1, at - side - 1, at - side);
    }
  }
  const parts = [Buffer.from(positions.buffer), Buffer.from(Uint32Array.from(indices).buffer)];
  const json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, type: "VEC3", count: side * side, min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5125, type: "SCALAR", count: indices.length },
    ],
    bufferViews: [
      { buffer: 0, byteLength: parts[0].length },
      { buffer: 0, byteOffset: parts[0].length, byteLength: parts[1].length },
    ],
    buffers: [{ byteLength: parts[0].length + parts[1].length }],
  };
  return { json, bin: Buffer.concat(parts) };
}
