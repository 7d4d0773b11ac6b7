/** Reads from a skinned .glb the names of its clips, and its box from the bounds of its position accessors. */

/** Greatest value of a normalized accessor, by its component type. */
const NORMALIZED = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

/**
 * Returns the lowest and the highest corner of the model in the pose in which it was skinned. The measured models have
 * one skin, and every joint moves all vertices alike in that pose, so the first joint stands for all.
 */
export function boxOf(glb) {
  const { gltf, length } = documentOf(glb);
  const { meshes, accessors, bufferViews, skins, nodes } = gltf;
  const bounds = meshes.flatMap(({ primitives }) => primitives.map(({ attributes }) => accessors[attributes.POSITION]));
  const [{ joints, inverseBindMatrices }] = skins;
  const { bufferView, byteOffset = 0 } = accessors[inverseBindMatrices];
  const at = 20 + length + 8 + (bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
  const jointFromMesh = Array.from({ length: 16 }, (_, entry) => glb.readFloatLE(at + entry * 4));
  const modelFromMesh = multiply(modelFromNode(nodes, joints[0]), jointFromMesh);
  const corners = bounds.flatMap(({ min, max, normalized, componentType }) => {
    const unit = normalized ? NORMALIZED[componentType] : 1;
    return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
      const corner = [0, 1, 2].map((axis) => (bits & (1 << axis) ? max : min)[axis] / unit);
      return transform(modelFromMesh, corner);
    });
  });
  return [Math.min, Math.max].map((pick) => [0, 1, 2].map((axis) => pick(...corners.map((corner) => corner[axis]))));
}

/** Returns the names of the clips, in the file's order. */
export function clipsOf(glb) {
  return documentOf(glb).gltf.animations.map(({ name }) => name);
}

function documentOf(glb) {
  const length = glb.readUInt32LE(12);
  return { gltf: JSON.parse(glb.toString("utf8", 20, 20 + length)), length };
}

function modelFromNode(nodes, index) {
  const parent = nodes.findIndex(({ children }) => children?.includes(index));
  const local = localOf(nodes[index]);
  return parent < 0 ? local : multiply(modelFromNode(nodes, parent), local);
}

function localOf({ matrix, translation = [0, 0, 0], rotation: [x, y, z, w] = [0, 0, 0, 1], scale = [1, 1, 1] }) {
  if (matrix) return matrix;
  const axes = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  return [...axes.flatMap((axis, column) => [...axis.map((along) => along * scale[column]), 0]), ...translation, 1];
}

/** Multiplies column-major matrices. */
function multiply(left, right) {
  return right.map((_, at) => {
    const column = at - (at % 4);
    return [0, 1, 2, 3].reduce((sum, inner) => sum + left[inner * 4 + (at % 4)] * right[column + inner], 0);
  });
}

function transform(matrix, [x, y, z]) {
  return [0, 1, 2].map((row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row]);
}
