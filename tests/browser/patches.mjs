/** A row of square patches in the plane z = 0, each with a normal and a material of its own. */

/** Side of a patch. The distance between patches is 1. */
const SIDE = 0.9;

/** Returns the row as a .gltf. A patch is `{ normal, color, metallic, roughness }`. */
export function patchesFile(patches) {
  const floats = [];
  const accessors = [];
  const views = [];
  const accessor = (values, bounds = {}) => {
    views.push({ buffer: 0, byteOffset: floats.length * 4, byteLength: values.length * 4 });
    floats.push(...values);
    accessors.push({ bufferView: views.length - 1, componentType: 5126, type: "VEC3", count: 6, ...bounds });
    return accessors.length - 1;
  };
  const meshes = patches.map(({ normal }, index) => {
    const [x, y] = centerOf(patches, index).map((value) => value - SIDE / 2);
    const corners = [0, 1, 2, 2, 1, 3].map((corner) => [x + SIDE * (corner % 2), y + SIDE * (corner >> 1), 0]);
    const bounds = { min: corners[0], max: corners[5] };
    const attributes = {
      POSITION: accessor(corners.flat(), bounds),
      NORMAL: accessor(corners.flatMap(() => normal)),
    };
    return { primitives: [{ attributes, material: index }] };
  });
  const materials = patches.map(({ color, metallic, roughness }) => ({
    pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: metallic, roughnessFactor: roughness },
  }));
  const buffer = Buffer.from(new Float32Array(floats).buffer);
  return JSON.stringify({
    asset: { version: "2.0" },
    nodes: meshes.map((_, mesh) => ({ mesh })),
    meshes,
    materials,
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString("base64")}` }],
  });
}

/** Returns x and y of a patch's centre. */
export function centerOf(patches, index) {
  return [index - (patches.length - 1) / 2, 0];
}
