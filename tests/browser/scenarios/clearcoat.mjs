/** Clear coats look as the reference formula says, with factors, textures, transforms and both UV sets. */

import assert from "node:assert/strict";

import { lookAtBoard, readerAt, tangentOf } from "../material_board.mjs";
import { coatedLight, gradientFile, pixelOf, unit } from "../reference_light.mjs";

/**
 * Tolerance, in steps of 255: half a step of rounding to 8 bits, and what maps and tables with few texels leave of the
 * integrals.
 */
const TOLERANCE = 3;

const coated = (KHR_materials_clearcoat) => ({ KHR_materials_clearcoat });
const RED = { color: [0.6, 0.05, 0.02], metallic: 0.2, roughness: 0.6, emissive: [0.1, 0.2, 0] };
const BLACK = { color: [0.01, 0.01, 0.01], metallic: 0, roughness: 0.5 };
const VIOLET = { color: [0.2, 0.01, 0.2], metallic: 0.5, roughness: 0.4 };

const PATCHES = [
  { normal: [0, 0, 1], base: RED },
  { normal: [0, 0, 1], base: RED, extensions: coated({ clearcoatFactor: 1 }) },
  {
    normal: [-0.2, 0.45, 0.87],
    base: { color: [0.02, 0.1, 0.3], metallic: 1, roughness: 0.8 },
    extensions: coated({ clearcoatFactor: 0.7, clearcoatRoughnessFactor: 0.35 }),
  },
  {
    normal: [0.1, 0.55, 0.83],
    base: { color: [0.05, 0.05, 0.05], metallic: 0, roughness: 1, emissive: [0.2, 0.25, 0.3] },
    extensions: coated({ clearcoatFactor: 1, clearcoatRoughnessFactor: 0.6 }),
  },
  {
    normal: [-0.2, 0.3, 0.93],
    base: BLACK,
    extensions: coated({
      clearcoatFactor: 0.9,
      clearcoatTexture: ["across", 1, { offset: [0.25, 0], scale: [0.5, 1] }],
    }),
  },
  {
    normal: [-0.2, 0.3, 0.93],
    base: BLACK,
    extensions: coated({
      clearcoatFactor: 1,
      clearcoatRoughnessFactor: 0.8,
      clearcoatRoughnessTexture: ["down", 0, { offset: [0.1, 0.3], rotation: 0.4, scale: [1.5, 0.7] }],
    }),
  },
  {
    normal: [0.3, 0.2, 0.9],
    base: VIOLET,
    extensions: coated({
      clearcoatFactor: 1,
      clearcoatRoughnessFactor: 0.2,
      clearcoatNormalTexture: ["tilt", 1, {}, { scale: 0.7 }],
    }),
  },
  {
    normal: [0.3, 0.2, 0.9],
    base: { ...VIOLET, normalTexture: ["tilt", 0, {}] },
    extensions: coated({ clearcoatFactor: 0.8, clearcoatRoughnessFactor: 0.1 }),
  },
].map((patch) => ({ ...patch, normal: unit(patch.normal) }));

export default async function (context) {
  const { eye, pictures } = await lookAtBoard(context, PATCHES, [{ panorama: gradientFile() }]);
  const [compared, changed] = [new Map(), new Map()];
  for (const { patch, point, pixel } of pictures[0]) {
    const expected = referenceOf(patch, point, eye);
    if (!expected) continue;
    const { bare, coated } = expected;
    const far = coated.map((value, i) => Math.abs(value - pixel[i]));
    const about = `patch ${patch} at ${point}: ${pixel}, not ${coated.map(Math.round)}`;
    assert.ok(Math.max(...far) <= TOLERANCE && pixel[3] === 255, about);
    compared.set(patch, (compared.get(patch) ?? 0) + 1);
    const change = Math.max(...coated.map((value, i) => Math.abs(value - bare[i])));
    changed.set(patch, Math.max(changed.get(patch) ?? 0, change));
  }
  assert.equal(compared.size, PATCHES.length);
  for (const [patch, count] of compared) assert.ok(count >= 12, `only ${count} points of patch ${patch}`);
  // Without its coat, each patch but the first would be refused.
  for (const [patch, change] of changed)
    assert.ok(patch === 0 ? change === 0 : change > 2 * TOLERANCE, `patch ${patch} changes by ${change}`);
}

/** Returns the pixel of a point with and without the coat, seen from `eye`; `null` next to the edge of a texel. */
function referenceOf(patch, point, eye) {
  const { normal, base, extensions } = PATCHES[patch];
  const coat = extensions?.KHR_materials_clearcoat;
  const texel = readerAt(PATCHES, patch, point);
  const factor = (name, channel) => {
    const texture = coat[name.replace("Factor", "Texture")];
    const read = texture ? texel(texture) : [1, 1, 1, 1];
    return read && (coat[name] ?? 0) * read[channel];
  };
  const surface = {
    ...base,
    emissive: base.emissive ?? [0, 0, 0],
    normal: tilted(normal, texel, base.normalTexture),
    view: unit(eye.map((value, i) => value - point[i])),
    occlusion: 1,
    clearcoat: 0,
  };
  const bare = pixelOf(coatedLight(surface));
  if (!coat) return { bare, coated: bare };
  const [clearcoat, clearcoatRoughness] = [factor("clearcoatFactor", 0), factor("clearcoatRoughnessFactor", 1)];
  if (clearcoat === null || clearcoatRoughness === null) return null;
  const clearcoatNormal = tilted(normal, texel, coat.clearcoatNormalTexture);
  return { bare, coated: pixelOf(coatedLight({ ...surface, clearcoat, clearcoatRoughness, clearcoatNormal })) };
}

/** Returns the normal that a normal map tilts. */
function tilted(normal, texel, texture) {
  if (!texture) return normal;
  const [x, y, z] = texel(texture).map((value) => value * 2 - 1);
  const scale = texture[3]?.scale ?? 1;
  const tangent = tangentOf(normal);
  const bitangent = [
    normal[1] * tangent[2] - normal[2] * tangent[1],
    normal[2] * tangent[0] - normal[0] * tangent[2],
    normal[0] * tangent[1] - normal[1] * tangent[0],
  ];
  return unit(normal.map((value, i) => tangent[i] * x * scale + bitangent[i] * y * scale + value * z));
}
