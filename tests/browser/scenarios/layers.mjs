/**
 * Materials with extensions look as the reference formulas say, alone and together, with factors, textures, transforms
 * and both UV sets. In a room with light 1 from everywhere, none returns more light than it gets.
 */

import assert from "node:assert/strict";

import { boardFile, boardPoints, valuesAt } from "../material_board.mjs";
import { DEFAULTS, GLOSSY_DEFAULTS, layeredLight, sheenIntegral, sheenShare } from "../reference_layers.mjs";
import { pixelOf, unit } from "../reference_light.mjs";

/** Tolerance, in steps of 255: half a step of rounding to 8 bits, and the single precision of the shader. */
const TOLERANCE = 1;

const RED = { color: [0.6, 0.05, 0.02], metallic: 0, roughness: 0.6, emissive: [0.1, 0.2, 0] };
const BLUE = { color: [0.1, 0.2, 0.5], metallic: 0, roughness: 0.3 };
const GOLD = { color: [0.9, 0.6, 0.2], metallic: 1, roughness: 0.4 };
const ACROSS = ["across", 1, { offset: [0.25, 0], scale: [0.5, 1] }];
const DOWN = ["down", 0, { offset: [0.1, 0.3], rotation: 0.4, scale: [1.5, 0.7] }];

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
      specular: { specularFactor: 0.9, specularTexture: ACROSS, specularColorFactor: [1, 4, 8], specularColorTexture: DOWN },
    }),
  },
  { normal: TILTED, base: { ...GOLD, metallic: 0.5 }, extensions: KHR({ specular: { specularFactor: 0 } }) },
  { normal: STRAIGHT, base: BLUE, extensions: KHR({ ior: { ior: 2.4 } }) },
  { normal: TILTED, base: RED, extensions: KHR({ ior: { ior: 1 } }) },
  // The text of the extension gives 0 this meaning: everything is reflected.
  { normal: STRAIGHT, base: BLUE, extensions: KHR({ ior: { ior: 0 }, specular: { specularColorFactor: [0.2, 0.5, 0.1] } }) },
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
  {
    normal: STRAIGHT,
    base: BLUE,
    extensions: KHR({
      pbrSpecularGlossiness: { diffuseFactor: [0.5, 0.1, 0.2, 1], specularFactor: [0.3, 0.2, 0.6], glossinessFactor: 0.7 },
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

/** White materials of every kind, and the ones above. */
const WHITE = [0.05, 0.4, 1].flatMap((roughness) => [
  { normal: TILTED, base: { color: [1, 1, 1], roughness } },
  { normal: TILTED, base: { color: [1, 1, 1], metallic: 1, roughness }, extensions: KHR({ ior: { ior: 2 } }) },
  {
    normal: TILTED,
    base: { color: [1, 1, 1], roughness },
    extensions: KHR({ ior: { ior: 2 }, specular: { specularColorFactor: [20, 1, 0] }, clearcoat: { clearcoatFactor: 1 } }),
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
    extensions: KHR({ pbrSpecularGlossiness: { specularFactor: [1, 0.5, 0], glossinessFactor: 1 - roughness } }),
  },
]).map((patch) => ({ ...patch, normal: unit(patch.normal) }));

export default async function ({ page, backend }) {
  sheenIsNearItsIntegral();
  const look = (patches) =>
    page.evaluate(
      async (backend, text, points) => {
        const file = new File([text], "board.gltf");
        const player = await stage.openModel(backend, file, { css: "width:500px;height:300px" });
        await player.setEnvironment("flat");
        player.ground = false;
        player.camera.target = [0, 0, 0];
        player.camera.eye = [0.6, 0.9, 5.5];
        const image = await stage.look(player);
        const seen = points.map(({ patch, point }) => {
          const [x, y] = player.camera.project(point).slice(0, 2).map(Math.floor);
          // The point on the board that the centre of the pixel shows.
          const [near, far] = [1, 10].map((depth) => player.camera.unproject(x + 0.5, y + 0.5, depth));
          const share = near[2] / (near[2] - far[2]);
          const shown = near.map((value, i) => value + (far[i] - value) * share);
          const at = 4 * (y * image.width + x);
          return { patch, point: shown, pixel: [...image.data.slice(at, at + 4)] };
        });
        const { eye } = player.camera;
        const { warnings } = player;
        player.dispose();
        return { seen, eye, size: [image.width, image.height], warnings };
      },
      backend,
      boardFile(patches),
      boardPoints(patches),
    );

  const told = await look(PATCHES);
  assert.deepEqual(told.warnings, []);
  assert.deepEqual(told.size, [500, 300]);
  const [compared, changed] = [new Map(), new Map()];
  for (const { patch, point, pixel } of told.seen) {
    const { base, normal } = PATCHES[patch];
    const isGlossy = PATCHES[patch].extensions?.KHR_materials_pbrSpecularGlossiness;
    const values = valuesAt(PATCHES, patch, point, { ...DEFAULTS, ...(isGlossy ? GLOSSY_DEFAULTS : {}) });
    if (!values) continue;
    const surface = { base, normal, view: unit(told.eye.map((value, i) => value - point[i])) };
    const [bare, expected] = [DEFAULTS, values].map((values) => pixelOf(layeredLight(surface, values)));
    const far = expected.map((value, i) => Math.abs(value - pixel[i]));
    const about = `patch ${patch} at ${point}: ${pixel}, not ${expected.map(Math.round)}`;
    assert.ok(Math.max(...far) <= TOLERANCE && pixel[3] === 255, about);
    compared.set(patch, (compared.get(patch) ?? 0) + 1);
    const change = Math.max(...expected.map((value, i) => Math.abs(value - bare[i])));
    changed.set(patch, Math.max(changed.get(patch) ?? 0, change));
  }
  assert.equal(compared.size, PATCHES.length);
  for (const [patch, count] of compared) assert.ok(count >= 12, `only ${count} points of patch ${patch}`);
  // Without its extensions, each patch would be refused, but that of a metal, which has no refractive index.
  for (const [patch, change] of changed) {
    const { base, extensions } = PATCHES[patch];
    const isSame = !extensions || (base === GOLD && extensions.KHR_materials_ior);
    assert.ok(isSame ? change === 0 : change > 4 * TOLERANCE, `patch ${patch} changes by ${change}`);
  }

  const white = Math.round(pixelOf([1, 1, 1])[0]);
  for (const { patch, pixel } of (await look(WHITE)).seen) {
    assert.ok(Math.max(...pixel.slice(0, 3)) <= white + TOLERANCE, `patch ${patch} returns ${pixel} of ${white}`);
    // The metal loses nothing.
    if (WHITE[patch].base.metallic) assert.ok(Math.min(...pixel) >= white - TOLERANCE, `patch ${patch} returns ${pixel}`);
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
