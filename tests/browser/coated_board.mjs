/** A board of square patches in the plane z = 0, each with a material of its own, and what the reference says. */

import { pngOf } from "./fixtures.mjs";
import { coatedLight, pixelOf, unit } from "./reference_light.mjs";

const COLUMNS = 4;
/** Side of a patch. The distance between patches is 1. */
const SIDE = 0.9;

/** Pixels of the images. The channels that the materials don't read have other values. */
const IMAGES = {
  strength: { size: [4, 1], at: (x) => [[60, 255, 130, 190][x], 255 - 60 * x, 17, 255] },
  roughness: { size: [1, 4], at: (_, y) => [255 - 50 * y, [40, 200, 120, 255][y], 90, 255] },
  tilt: { size: [1, 1], at: () => [190, 90, 220, 255] },
};
const NAMES = Object.keys(IMAGES);

/**
 * The patches. `base` and `coat` are in the words of glTF; `normal` is the vertices' normal. A texture is
 * `[image, texCoord, transform]`.
 */
const PATCHES = [
  { normal: [0, 0, 1], base: { color: [0.6, 0.05, 0.02], metallic: 0.2, roughness: 0.6, emissive: [0.1, 0.2, 0] } },
  {
    normal: [0, 0, 1],
    base: { color: [0.6, 0.05, 0.02], metallic: 0.2, roughness: 0.6, emissive: [0.1, 0.2, 0] },
    coat: { clearcoatFactor: 1 },
  },
  {
    normal: [-0.2, 0.45, 0.87],
    base: { color: [0.02, 0.1, 0.3], metallic: 1, roughness: 0.8 },
    coat: { clearcoatFactor: 0.7, clearcoatRoughnessFactor: 0.35 },
  },
  {
    normal: [0.1, 0.55, 0.83],
    base: { color: [0.05, 0.05, 0.05], metallic: 0, roughness: 1, emissive: [0.2, 0.25, 0.3] },
    coat: { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.6 },
  },
  {
    normal: [-0.2, 0.3, 0.93],
    base: { color: [0.01, 0.01, 0.01], metallic: 0, roughness: 0.5 },
    coat: { clearcoatFactor: 0.9, clearcoatTexture: ["strength", 1, { offset: [0.25, 0], scale: [0.5, 1] }] },
  },
  {
    normal: [-0.2, 0.3, 0.93],
    base: { color: [0.01, 0.01, 0.01], metallic: 0, roughness: 0.5 },
    coat: {
      clearcoatFactor: 1,
      clearcoatRoughnessFactor: 0.8,
      clearcoatRoughnessTexture: ["roughness", 0, { offset: [0.1, 0.3], rotation: 0.4, scale: [1.5, 0.7] }],
    },
  },
  {
    normal: [0.3, 0.2, 0.9],
    base: { color: [0.2, 0.01, 0.2], metallic: 0.5, roughness: 0.4 },
    coat: { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.2, clearcoatNormalTexture: ["tilt", 1, {}], scale: 0.7 },
  },
  {
    normal: [0.3, 0.2, 0.9],
    base: { color: [0.2, 0.01, 0.2], metallic: 0.5, roughness: 0.4, normalTexture: ["tilt", 0, {}] },
    coat: { clearcoatFactor: 0.8, clearcoatRoughnessFactor: 0.1 },
  },
].map((patch) => ({ ...patch, normal: unit(patch.normal) }));

/** Returns the board as a .gltf. */
export function boardFile() {
  const floats = [];
  const views = [];
  const accessors = [];
  const accessor = (type, values, bounds = {}) => {
    views.push({ buffer: 0, byteOffset: floats.length * 4, byteLength: values.length * 4 });
    floats.push(...values);
    const count = values.length / { VEC2: 2, VEC3: 3, VEC4: 4 }[type];
    accessors.push({ bufferView: views.length - 1, componentType: 5126, type, count, ...bounds });
    return accessors.length - 1;
  };
  const meshes = PATCHES.map(({ normal }, index) => {
    const [left, top] = cornerOf(index);
    const corners = [0, 2, 1, 1, 2, 3].map((corner) => [corner % 2, corner >> 1]);
    const attributes = {
      POSITION: accessor(
        "VEC3",
        corners.flatMap(([u, v]) => [left + u * SIDE, top - v * SIDE, 0]),
        { min: [left, top - SIDE, 0], max: [left + SIDE, top, 0] },
      ),
      NORMAL: accessor(
        "VEC3",
        corners.flatMap(() => normal),
      ),
      TANGENT: accessor(
        "VEC4",
        corners.flatMap(() => [...tangentOf(normal), 1]),
      ),
      TEXCOORD_0: accessor("VEC2", corners.flat()),
      TEXCOORD_1: accessor(
        "VEC2",
        corners.flatMap(([u, v]) => [v, u]),
      ),
    };
    return { primitives: [{ attributes, material: index }] };
  });
  const buffer = Buffer.from(new Float32Array(floats).buffer);
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_materials_clearcoat", "KHR_texture_transform"],
    extensionsRequired: ["KHR_materials_clearcoat"],
    nodes: meshes.map((_, mesh) => ({ mesh })),
    meshes,
    materials: PATCHES.map(materialOf),
    textures: NAMES.map((_, source) => ({ source, sampler: 0 })),
    samplers: [{ magFilter: 9728, minFilter: 9728 }],
    images: Object.values(IMAGES).map(({ size, at }) => ({ uri: dataUri("image/png", pngOf(...size, at)) })),
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: buffer.length, uri: dataUri("application/octet-stream", buffer) }],
  });
}

function materialOf({ base, coat }) {
  const texture = ([image, texCoord, transform], more = {}) => ({
    index: NAMES.indexOf(image),
    // The extension's set replaces the texture's own.
    texCoord: 1 - texCoord,
    extensions: { KHR_texture_transform: { ...transform, texCoord } },
    ...more,
  });
  const material = {
    pbrMetallicRoughness: {
      baseColorFactor: [...base.color, 1],
      metallicFactor: base.metallic,
      roughnessFactor: base.roughness,
    },
    emissiveFactor: base.emissive ?? [0, 0, 0],
  };
  if (base.normalTexture) material.normalTexture = texture(base.normalTexture);
  if (!coat) return material;
  const { scale, ...properties } = coat;
  const written = Object.entries(properties).map(([name, value]) => [
    name,
    Array.isArray(value) ? texture(value, scale ? { scale } : {}) : value,
  ]);
  return { ...material, extensions: { KHR_materials_clearcoat: Object.fromEntries(written) } };
}

const dataUri = (type, bytes) => `data:${type};base64,${bytes.toString("base64")}`;

/** Returns the upper left corner of a patch. The board's centre is the origin. */
function cornerOf(index) {
  const gap = 1 - SIDE;
  const rows = PATCHES.length / COLUMNS;
  return [(index % COLUMNS) - COLUMNS / 2 + gap / 2, rows / 2 - Math.floor(index / COLUMNS) - gap / 2];
}

/** Returns the unit vector along x, perpendicular to the normal. */
function tangentOf([x, y, z]) {
  return unit([1 - x * x, -x * y, -x * z]);
}

/** Returns points on the patches: `{ patch, point }`. */
export function boardPoints() {
  const offsets = [0.12, 0.3, 0.5, 0.68, 0.9];
  return PATCHES.flatMap((_, patch) => {
    const [left, top] = cornerOf(patch);
    return offsets.flatMap((u) => offsets.map((v) => ({ patch, point: [left + u * SIDE, top - v * SIDE, 0] })));
  });
}

/**
 * Returns the pixel of a point with and without the coat, seen from `eye`; `null` next to the edge of a texel, where
 * rounding decides.
 */
export function referenceOf(patch, point, eye) {
  const { normal, base, coat } = PATCHES[patch];
  const [left, top] = cornerOf(patch);
  const uv = [(point[0] - left) / SIDE, (top - point[1]) / SIDE];
  let isNearEdge = false;
  const texel = ([image, texCoord, { offset = [0, 0], rotation = 0, scale = [1, 1] }]) => {
    const [u, v] = [uv[texCoord] * scale[0], uv[1 - texCoord] * scale[1]];
    // Translation · rotation · scale of KHR_texture_transform.
    const [sin, cos] = [Math.sin(rotation), Math.cos(rotation)];
    const placed = [cos * u + sin * v + offset[0], -sin * u + cos * v + offset[1]];
    const { size, at } = IMAGES[image];
    const where = placed.map((value, i) => (value - Math.floor(value)) * size[i]);
    isNearEdge ||= size.some((count, i) => count > 1 && Math.abs(where[i] - Math.round(where[i])) < 0.05);
    return at(...where.map(Math.floor)).map((value) => value / 255);
  };
  const tilted = (texture, scale = 1) => {
    if (!texture) return normal;
    const [x, y, z] = texel(texture).map((value) => value * 2 - 1);
    const tangent = tangentOf(normal);
    const bitangent = [
      normal[1] * tangent[2] - normal[2] * tangent[1],
      normal[2] * tangent[0] - normal[0] * tangent[2],
      normal[0] * tangent[1] - normal[1] * tangent[0],
    ];
    return unit(normal.map((value, i) => tangent[i] * x * scale + bitangent[i] * y * scale + value * z));
  };
  const surface = {
    ...base,
    emissive: base.emissive ?? [0, 0, 0],
    normal: tilted(base.normalTexture),
    view: unit(eye.map((value, i) => value - point[i])),
    occlusion: 1,
    clearcoat: 0,
  };
  const bare = pixelOf(coatedLight(surface));
  if (!coat) return { bare, coated: bare };
  const coated = pixelOf(
    coatedLight({
      ...surface,
      clearcoat: coat.clearcoatFactor * (coat.clearcoatTexture ? texel(coat.clearcoatTexture)[0] : 1),
      clearcoatRoughness:
        (coat.clearcoatRoughnessFactor ?? 0) *
        (coat.clearcoatRoughnessTexture ? texel(coat.clearcoatRoughnessTexture)[1] : 1),
      clearcoatNormal: tilted(coat.clearcoatNormalTexture, coat.scale),
    }),
  );
  return isNearEdge ? null : { bare, coated };
}
