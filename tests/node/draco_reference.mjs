/** Draco's own encoder and decoder, and its results in the form that `tests/decode/draco.rs` compares with. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import draco from "draco3dgltf";

/** Returns new options for a module, which adds its functions to them. */
const quiet = () => ({ print() {}, printErr() {} });
const decoderModule = await draco.createDecoderModule(quiet());

/** Draco's types of components: name and size. */
const TYPES = {
  1: ["DT_INT8", 1],
  2: ["DT_UINT8", 1],
  3: ["DT_INT16", 2],
  4: ["DT_UINT16", 2],
  5: ["DT_INT32", 4],
  6: ["DT_UINT32", 4],
  9: ["DT_FLOAT32", 4],
};

/** Returns a new instance of the encoder. One that has aborted must not be used again. */
export function encoderModule() {
  return draco.createEncoderModule(quiet());
}

/**
 * Returns what Draco decodes, in numbers of four bytes: number of points, number of indices, indices, number of
 * attributes, and for each attribute its id, type, number of components, whether it is normalised, kind, number of
 * bytes, and bytes. Returns nothing if Draco refuses the mesh.
 */
export function decoded(bytes) {
  const decoder = new decoderModule.Decoder();
  const mesh = new decoderModule.Mesh();
  const parts = [];
  const number = (value) => parts.push(Buffer.from(Uint32Array.of(value).buffer));
  /** Calls `fill` with an address, and adds the bytes that it wrote there. */
  const filled = (size, fill) => {
    const address = decoderModule._malloc(size + 1);
    if (!fill(address)) throw new Error("Draco can't return what it has decoded");
    parts.push(Buffer.from(decoderModule.HEAPU8.slice(address, address + size)));
    decoderModule._free(address);
  };
  const isDecoded = decoder.DecodeArrayToMesh(new Int8Array(bytes), bytes.length, mesh).ok();
  if (isDecoded) {
    const indices = mesh.num_faces() * 3;
    number(mesh.num_points());
    number(indices);
    filled(indices * 4, (address) => decoder.GetTrianglesUInt32Array(mesh, indices * 4, address));
    number(mesh.num_attributes());
    for (let index = 0; index < mesh.num_attributes(); index++) {
      const attribute = decoder.GetAttribute(mesh, index);
      const type = attribute.data_type();
      const [name, size] = TYPES[type];
      const length = mesh.num_points() * attribute.num_components() * size;
      number(attribute.unique_id());
      number(type);
      number(attribute.num_components());
      number(attribute.normalized() ? 1 : 0);
      number(attribute.attribute_type());
      number(length);
      filled(length, (address) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, decoderModule[name], length, address),
      );
    }
  }
  decoderModule.destroy(mesh);
  decoderModule.destroy(decoder);
  return isDecoded ? Buffer.concat(parts) : null;
}

/** Returns meshes one after the other, each with what Draco decodes, and each of the two with its length before it. */
export function packed(meshes) {
  const withLength = (bytes) => [Buffer.from(Uint32Array.of(bytes.length).buffer), bytes];
  return Buffer.concat(meshes.flatMap((mesh) => [mesh, decoded(mesh) ?? Buffer.alloc(0)].flatMap(withLength)));
}

/** Returns the compressed meshes of a glTF file. */
export function meshesOf(path) {
  const file = readFileSync(path);
  const isBinary = file.toString("latin1", 0, 4) === "glTF";
  const length = isBinary ? file.readUInt32LE(12) : file.length;
  const json = JSON.parse(file.subarray(isBinary ? 20 : 0).subarray(0, length));
  const buffers = (json.buffers ?? []).map(({ uri }) => {
    if (!uri) return file.subarray(20 + length + 8);
    return uri.startsWith("data:")
      ? Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64")
      : readFileSync(join(dirname(path), decodeURIComponent(uri)));
  });
  const primitives = (json.meshes ?? []).flatMap((mesh) => mesh.primitives);
  return primitives.flatMap(({ extensions }) => {
    const view = json.bufferViews?.[extensions?.KHR_draco_mesh_compression?.bufferView];
    const start = view?.byteOffset ?? 0;
    return view ? [buffers[view.buffer].subarray(start, start + view.byteLength)] : [];
  });
}
