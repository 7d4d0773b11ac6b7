/**
 * Materials with extensions look as the reference formulas say, alone and together, with factors, textures, transforms
 * and both UV sets. In a room with light 1 from everywhere, none returns more light than it gets. Where light changes
 * with the direction, they return that of the right one.
 */

import assert from "node:assert/strict";

import { lookAtBoard, tangentOf, valuesAt } from "../material_board.mjs";
import { panoramaOf } from "../panorama.mjs";
import { DEFAULTS, GLOSSY_DEFAULTS, layeredPixel, sheenIntegral, sheenShare } from "../reference_layers.mjs";
import { pixelOf, unit } from "../reference_light.mjs";

/** Tolerance, in steps of 255: half a step of rounding to 8 bits, and the approximation of reflectances. */
const TOLERANCE = 2;
/** Least change by which an extension is seen, in the same steps. */
const CHANGE = 4;

const RED = { color: [0.6, 0.05, 0.02], metallic: 0, roughness: 0.6, emissive: [0.1, 0.2, 0] };
const BLUE = { color: [0.1, 0.2, 0.5], metallic: 0, roughness: 0.3 };
const GOLD = { color: [0.9, 0.6, 0.2], metallic: 1, roughness: 0.4 };
const ACROSS = ["across", 1, { offset: [0.25, 0], scale: [0.5, 1] }];
const DOWN = ["down", 0, { offset: [0.1, 0.3], rotation: 0.4, scale: [1.5, 0.7] }];
const WHITE_IMAGE = ["white", 0, {}];

const STRAIGHT = [0, 0, 1];
const TILTED = [0.75, 0.2, 0.63];

const KHR = (extensions) =>
  Object.fromEntries(Object.entries(extensions).map(([name, value]) => [`KHR_materials_${name}`, value]));

const PATCHES = [
  { normal: STRAIGHT, base: RED },
  { normal: TILTED, base: BLUE, extensions: KHR({ clearcoat: { clearcoatFactor: 0.8 } }) },
  { normal: TILTED, base: BLUE, extensions: KHR({ specular: { specularFactor: 0.3 } }) },
  { normal: STRAIGHT, base: RED, extensions: KHR({ specular: { specularColorFactor: [9, 3, 0.2] } }) },
  {
    normal: TILTED,
    base: RED,
    extensions: KHR({
      specular: {
        specularFactor: 0.9,
        specularTexture: ACROSS,
        specularColorFactor: [1, 4, 8],
        specularColorTexture: DOWN,
      },
    }),
  },
  { normal: TILTED, base: { ...GOLD, metallic: 0.5 }, extensions: KHR({ specular: { specularFactor: 0 } }) },
  { normal: STRAIGHT, base: BLUE, extensions: KHR({ ior: { ior: 2.4 } }) },
  { normal: TILTED, base: RED, extensions: KHR({ ior: { ior: 1 } }) },
  // The text of the extension gives 0 this meaning: everything is reflected.
  {
    normal: STRAIGHT,
    base: BLUE,
    extensions: KHR({ ior: { ior: 0 }, specular: { specularColorFactor: [0.2, 0.5, 0.1] } }),
  },
  { normal: STRAIGHT, base: GOLD, extensions: KHR({ ior: { ior: 1.8 } }) },
  {
    normal: TILTED,
    base: RED,
    extensions: KHR({ sheen: { sheenColorFactor: [0.2, 0.9, 1], sheenRoughnessFactor: 0.4 } }),
  },
  {
    normal: TILTED,
    base: GOLD,
    extensions: KHR({
      sheen: {
        sheenColorFactor: [0.9, 1, 0.8],
        sheenColorTexture: DOWN,
        sheenRoughnessFactor: 1,
        sheenRoughnessTexture: ACROSS,
      },
      clearcoat: { clearcoatFactor: 0.5 },
    }),
  },
  {
    normal: TILTED,
    base: { ...BLUE, roughness: 0.1 },
    extensions: KHR({ iridescence: { iridescenceFactor: 1, iridescenceThicknessMaximum: 450 }, ior: { ior: 1.8 } }),
  },
  {
    normal: STRAIGHT,
    base: { ...GOLD, metallic: 0.8 },
    extensions: KHR({
      iridescence: {
        iridescenceFactor: 0.9,
        iridescenceIor: 1.9,
        iridescenceTexture: ACROSS,
        iridescenceThicknessMinimum: 200,
        iridescenceThicknessMaximum: 800,
        iridescenceThicknessTexture: DOWN,
      },
    }),
  },
  // More textures than a shader reads: the last ones are as if they were white.
  {
    normal: TILTED,
    base: BLUE,
    extensions: KHR({
      clearcoat: { clearcoatFactor: 0.7, clearcoatTexture: ACROSS, clearcoatRoughnessTexture: DOWN },
      specular: { specularTexture: ACROSS, specularColorFactor: [1, 4, 8], specularColorTexture: DOWN },
      sheen: {
        sheenColorFactor: [0.5, 0.2, 0.9],
        sheenColorTexture: ACROSS,
        sheenRoughnessFactor: 0.9,
        sheenRoughnessTexture: WHITE_IMAGE,
      },
      iridescence: {
        iridescenceFactor: 0.5,
        iridescenceTexture: WHITE_IMAGE,
        iridescenceThicknessTexture: WHITE_IMAGE,
      },
      transmission: { transmissionFactor: 0.2, transmissionTexture: WHITE_IMAGE },
      diffuse_transmission: { diffuseTransmissionFactor: 0.3, diffuseTransmissionTexture: WHITE_IMAGE },
    }),
  },
  // Light from everywhere looks the same along every direction.
  {
    normal: TILTED,
    base: GOLD,
    extensions: KHR({ anisotropy: { anisotropyStrength: 1, anisotropyRotation: 0.5, anisotropyTexture: DOWN } }),
  },
  {
    normal: STRAIGHT,
    base: RED,
    extensions: KHR({
      diffuse_transmission: {
        diffuseTransmissionFactor: 0.9,
        diffuseTransmissionTexture: ACROSS,
        diffuseTransmissionColorFactor: [0.9, 0.8, 0.1],
        diffuseTransmissionColorTexture: DOWN,
      },
    }),
  },
  {
    normal: TILTED,
    base: BLUE,
    extensions: KHR({
      transmission: { transmissionFactor: 0.9, transmissionTexture: ACROSS },
      volume: {
        thicknessFactor: 0.5,
        thicknessTexture: DOWN,
        attenuationColor: [0.9, 0.2, 0.4],
        attenuationDistance: 0.25,
      },
      diffuse_transmission: { diffuseTransmissionFactor: 0.5 },
    }),
  },
  {
    normal: STRAIGHT,
    base: BLUE,
    extensions: KHR({
      pbrSpecularGlossiness: {
        diffuseFactor: [0.5, 0.1, 0.2, 1],
        specularFactor: [0.3, 0.2, 0.6],
        glossinessFactor: 0.7,
      },
    }),
  },
  {
    normal: TILTED,
    base: BLUE,
    extensions: KHR({
      pbrSpecularGlossiness: { diffuseTexture: DOWN, specularGlossinessTexture: ACROSS, specularFactor: [1, 0.8, 0.6] },
    }),
  },
].map((patch) => ({ ...patch, normal: unit(patch.normal) }));

/** What is behind the board, and the light that the screen shows there. */
const BACKGROUND = "#c8963c";
const BEHIND = [...[200, 150, 60].map((value) => ((value / 255 + 0.055) / 1.055) ** 2.4), 1];

/** White materials of every kind, and the ones above. */
const WHITE = [0.05, 0.4, 1]
  .flatMap((roughness) => [
    { normal: TILTED, base: { color: [1, 1, 1], roughness } },
    { normal: TILTED, base: { color: [1, 1, 1], metallic: 1, roughness }, extensions: KHR({ ior: { ior: 2 } }) },
    {
      normal: TILTED,
      base: { color: [1, 1, 1], roughness },
      extensions: KHR({
        ior: { ior: 2 },
        specular: { specularColorFactor: [20, 1, 0] },
        clearcoat: { clearcoatFactor: 1 },
      }),
    },
    {
      normal: TILTED,
      base: { color: [1, 1, 1], roughness },
      extensions: KHR({ sheen: { sheenColorFactor: [1, 1, 1], sheenRoughnessFactor: roughness } }),
    },
    {
      normal: TILTED,
      base: { color: [1, 1, 1], roughness },
      extensions: KHR({
        iridescence: { iridescenceFactor: 1, iridescenceIor: 2, iridescenceThicknessMaximum: 300 + 400 * roughness },
      }),
    },
    {
      normal: TILTED,
      base: { color: [1, 1, 1], roughness },
      extensions: KHR({
        transmission: { transmissionFactor: 1 },
        diffuse_transmission: { diffuseTransmissionFactor: 1 },
      }),
    },
    {
      normal: TILTED,
      base: { color: [1, 1, 1], roughness },
      extensions: KHR({ pbrSpecularGlossiness: { specularFactor: [1, 0.5, 0], glossinessFactor: 1 - roughness } }),
    },
  ])
  .map((patch) => ({ ...patch, normal: unit(patch.normal) }));

/** Materials that are seen before surroundings whose light changes with the direction. Mirrors are sharp. */
const DIRECTED = [
  { normal: STRAIGHT, base: { color: [1, 1, 1], metallic: 1, roughness: 0 }, extensions: KHR({ ior: { ior: 2 } }) },
  { normal: TILTED, base: { color: [0, 0, 0], roughness: 0 }, extensions: KHR({ clearcoat: { clearcoatFactor: 1 } }) },
  {
    normal: TILTED,
    base: { color: [0.2, 0.2, 0.2], roughness: 0 },
    extensions: KHR({
      sheen: { sheenColorFactor: [0.9, 0.6, 1], sheenRoughnessFactor: 0.5 },
      specular: { specularFactor: 0 },
    }),
  },
  {
    normal: TILTED,
    base: { color: [0.1, 0.5, 0.1], roughness: 0 },
    extensions: KHR({
      diffuse_transmission: { diffuseTransmissionFactor: 0.8, diffuseTransmissionColorFactor: [1, 0.7, 0.4] },
    }),
  },
  ...[0, 0.8, Math.PI / 2].map((anisotropyRotation) => ({
    normal: TILTED,
    base: { color: [1, 1, 1], metallic: 1, roughness: 0 },
    extensions: KHR({ anisotropy: { anisotropyStrength: 0.9, anisotropyRotation } }),
  })),
].map((patch) => ({ ...patch, normal: unit(patch.normal) }));

/** Light from a direction. Its average over directions is that of their average. */
const directed = ([x, y, z]) => [0.4 + 0.3 * x, 0.4 + 0.2 * y - 0.1 * x, 0.4 - 0.3 * z];
const ROOM = { mirrored: directed, scattered: (normal) => directed(normal.map((value) => (value * 2) / 3)) };

export default async function (context) {
  const { page, backend } = context;
  sheenIsNearItsIntegral();
  const { eye, pictures } = await lookAtBoard(context, PATCHES, [{ room: "flat", background: BACKGROUND }]);
  const [compared, changed] = [new Map(), new Map()];
  for (const { patch, point, pixel } of pictures[0]) {
    const { base, normal } = PATCHES[patch];
    const isGlossy = PATCHES[patch].extensions?.KHR_materials_pbrSpecularGlossiness;
    const values = valuesAt(PATCHES, patch, point, { ...DEFAULTS, ...(isGlossy ? GLOSSY_DEFAULTS : {}) });
    if (!values) continue;
    const view = unit(eye.map((value, i) => value - point[i]));
    const surface = { base, normal, tangent: tangentOf(normal), view };
    const [bare, expected] = [DEFAULTS, values].map((values) => layeredPixel(surface, values, { behind: BEHIND }));
    const far = expected.map((value, i) => Math.abs(value - pixel[i]));
    const about = `patch ${patch} at ${point}: ${pixel}, not ${expected.map(Math.round)}`;
    assert.ok(Math.max(...far) <= TOLERANCE && pixel[3] === 255, about);
    compared.set(patch, (compared.get(patch) ?? 0) + 1);
    const change = Math.max(...expected.map((value, i) => Math.abs(value - bare[i])));
    changed.set(patch, Math.max(changed.get(patch) ?? 0, change));
  }
  assert.equal(compared.size, PATCHES.length);
  for (const [patch, count] of compared) assert.ok(count >= 12, `only ${count} points of patch ${patch}`);
  // Without its extensions, each patch would be refused, but those of metals with extensions that don't change the
  // picture: metals have no refractive index.
  for (const [patch, change] of changed) {
    const { base, extensions } = PATCHES[patch];
    const isSame =
      !extensions || (base === GOLD && (extensions.KHR_materials_ior ?? extensions.KHR_materials_anisotropy));
    assert.ok(isSame ? change === 0 : change > CHANGE, `patch ${patch} changes by ${change}`);
  }

  // The picture of the surroundings is rounded by up to 0.4 percent, and again by the map that is made of it.
  // Reflectances are approximated. Steps of dark colours are small.
  compare(await lookAtBoard(context, DIRECTED, [{ panorama: panoramaOf(directed) }]), DIRECTED, 6);

  const barely = await page.evaluate(barelyExtended, backend);
  // A pixel's distance to the light may be rounded otherwise, just where the shadow map has the same one.
  assert.ok(barely.lit && barely.differing <= 2, JSON.stringify(barely));

  const white = Math.round(pixelOf([1, 1, 1])[0]);
  const background = `#${white.toString(16).repeat(3)}`;
  const whites = await lookAtBoard(context, WHITE, [{ room: "flat", background }]);
  for (const { patch, pixel } of whites.pictures[0]) {
    assert.ok(Math.max(...pixel.slice(0, 3)) <= white + TOLERANCE, `patch ${patch} returns ${pixel} of ${white}`);
    // The metal loses nothing.
    if (WHITE[patch].base.metallic)
      assert.ok(Math.min(...pixel) >= white - TOLERANCE, `patch ${patch} returns ${pixel}`);
  }
}

/**
 * Compares a model with a copy whose materials have an extension that changes almost nothing. The two have different
 * shaders, which must treat shadows, occlusion and the light of the environment alike.
 */
async function barelyExtended(backend) {
  const url = "/gambol/viewer/character.glb";
  const extensions = { KHR_materials_specular: { specularFactor: 0.99999 } };
  const extended = await stage.editedGlb(url, (json) => {
    json.materials = json.materials.map((material) => ({
      ...material,
      extensions: { ...material.extensions, ...extensions },
    }));
    json.extensionsUsed = [...(json.extensionsUsed ?? []), "KHR_materials_specular"];
  });
  const pictures = [];
  for (const source of [url, extended]) {
    const player = await stage.openModel(backend, source, { css: "width:400px;height:400px", clip: "Idle", time: 0.5 });
    pictures.push(await stage.look(player));
    player.dispose();
  }
  const lit = pictures[0].data.filter((value, at) => at % 4 === 1 && value > 60).length > 2000;
  return { lit, differing: stage.compare(...pictures, 1).count };
}

/** Fails if a pixel isn't near that of the reference. */
function compare({ eye, pictures }, patches, tolerance) {
  for (const { patch, point, pixel } of pictures[0]) {
    const { base, normal } = patches[patch];
    const values = valuesAt(patches, patch, point, DEFAULTS);
    const view = unit(eye.map((value, i) => value - point[i]));
    const surface = { base, normal, tangent: tangentOf(normal), view };
    const expected = layeredPixel(surface, values, { room: ROOM });
    const far = Math.max(...expected.map((value, i) => Math.abs(value - pixel[i])));
    assert.ok(far <= tolerance, `patch ${patch} at ${point}: ${pixel}, not ${expected.map(Math.round)}`);
  }
}

/** Tests the approximation that the shaders and the reference share. */
function sheenIsNearItsIntegral() {
  for (const roughness of [0.2, 0.3, 0.5, 0.75, 1])
    for (const facing of [0.1, 0.25, 0.4, 0.6, 0.8, 1]) {
      const [found, whole] = [sheenShare(roughness, facing), sheenIntegral(roughness, facing)];
      assert.ok(Math.abs(found - whole) < 0.04, `sheen of roughness ${roughness} at ${facing}: ${found}, not ${whole}`);
    }
}
