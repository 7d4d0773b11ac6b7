/**
 * Lights of files shine as the reference formulas say: directional, point and spot lights on plain, metallic, coated
 * and fibrous materials, moved and dimmed by clips. One casts a shadow, and `lightsIntensity` scales them.
 */

import assert from "node:assert/strict";

import { lookAtBoard, tangentOf, valuesAt } from "../material_board.mjs";
import { lampedLight } from "../reference_lamps.mjs";
import { DEFAULTS, layeredLight } from "../reference_layers.mjs";
import { pixelOf, unit } from "../reference_light.mjs";

/** Tolerance, in steps of 255: half a step of rounding to 8 bits, and the approximation of reflectances. */
const TOLERANCE = 2;

const KHR = (extensions) =>
  Object.fromEntries(Object.entries(extensions).map(([name, value]) => [`KHR_materials_${name}`, value]));

const PATCHES = [
  { normal: [0, 0, 1], base: { color: [0.8, 0.5, 0.2], roughness: 1 } },
  { normal: [0.1, 0.2, 0.97], base: { color: [0.1, 0.3, 0.6], roughness: 0.3 } },
  { normal: [0, 0.1, 0.99], base: { color: [0.9, 0.7, 0.4], metallic: 1, roughness: 0.5 } },
  { normal: [-0.1, 0.1, 0.98], base: { color: [0.9, 0.2, 0.4], metallic: 0.5, roughness: 0.7 } },
  {
    normal: [0.1, 0.1, 0.98],
    base: { color: [0.3, 0.05, 0.05], roughness: 0.8 },
    extensions: KHR({ clearcoat: { clearcoatFactor: 0.9, clearcoatRoughnessFactor: 0.3 } }),
  },
  {
    normal: [0.4, 0.1, 0.9],
    base: { color: [0.05, 0.05, 0.2], roughness: 1 },
    extensions: KHR({ sheen: { sheenColorFactor: [0.6, 0.7, 0.9], sheenRoughnessFactor: 0.6 } }),
  },
].map((patch) => ({ ...patch, normal: unit(patch.normal) }));

/** A rotation about x, which turns the axis of a light from −z. */
const turned = (angle) => ({
  rotation: [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)],
  axis: [0, Math.sin(angle), -Math.cos(angle)],
});

const LAMPS = [
  { light: { type: "directional", color: [1, 0.9, 0.8], intensity: 1.5 }, ...turned(-0.6) },
  { light: { type: "point", color: [0.4, 1, 0.6], intensity: 3, range: 5 }, place: [1.5, 0.5, 1.2], ...turned(0) },
  {
    light: { type: "spot", intensity: 9, spot: { innerConeAngle: 0.2, outerConeAngle: 0.5 } },
    place: [-1, 0.4, 2.5],
    ...turned(0.1),
  },
].map((lamp) => ({ place: [0, 0, 0], ...lamp }));

const DARK = { mirrored: () => [0, 0, 0], scattered: () => [0, 0, 0] };

export default async function (context) {
  const lamps = LAMPS.map(({ light, place, rotation }) => ({ light, node: { translation: place, rotation } }));
  const lights = [
    { room: "flat", environmentIntensity: 0 },
    { room: "flat", lightsIntensity: 0.5 },
    { room: "flat", environmentIntensity: 1, lightsIntensity: 0 },
  ];
  const { eye, pictures } = await lookAtBoard(context, PATCHES, lights, { lamps });
  const brightest = [0, 0, 0];
  pictures.forEach((points, index) => {
    const [factor, room] = [
      [1, DARK],
      [0.5, DARK],
      [0, undefined],
    ][index];
    for (const { patch, point, pixel } of points) {
      const expected = pixelAt(patch, point, eye, factor, room);
      const far = Math.max(...expected.map((value, i) => Math.abs(value - pixel[i])));
      assert.ok(far <= TOLERANCE, `patch ${patch} at ${point}: ${pixel}, not ${expected.map(Math.round)}`);
      brightest[index] = Math.max(brightest[index], ...expected);
    }
  });
  assert.ok(Math.min(...brightest) > 150, `every picture is lit: ${brightest}`);

  const { page, backend } = context;
  const told = await page.evaluate(seeShadow, backend, tableFile({}));
  assert.deepEqual(told.warnings, []);
  const [lit, shadowed, dimmed] = told.pixels;
  assert.ok(lit > 150 && shadowed < 10, `the table's shadow: ${shadowed} of ${lit}`);
  assert.ok(dimmed > 60 && dimmed < lit - 40, `a clip dims the light: ${dimmed} of ${lit}`);
  assert.ok(told.moved < 10, `and moves it: ${told.moved}`);
  const glass = { KHR_materials_transmission: { transmissionFactor: 1 } };
  const [beside, below] = (await page.evaluate(seeShadow, backend, tableFile(glass))).pixels;
  assert.ok(Math.abs(beside - below) < 10, `glass casts no shadow: ${below} of ${beside}`);
}

/** Returns the pixel of a point on the board, with a factor of the lamps' light and other light from everywhere. */
function pixelAt(patch, point, eye, factor, room) {
  const { base, normal } = PATCHES[patch];
  const values = valuesAt(PATCHES, patch, point, DEFAULTS);
  const view = unit(eye.map((value, i) => value - point[i]));
  const surface = { base, normal, tangent: tangentOf(normal), view, point };
  const lamps = LAMPS.map((lamp) => ({ ...lamp, light: { ...lamp.light, intensity: lamp.light.intensity * factor } }));
  const { light, onFibres, onCoat } = lampedLight(surface, values, lamps);
  return pixelOf(layeredLight(surface, values, room, { light, onFibres, onCoat }).light);
}

/**
 * Returns a .gltf of a floor with a table, below a directional light that a clip dims and then turns away. The table's
 * material has the given extensions.
 */
function tableFile(extensions) {
  const squares = [
    [4, 0],
    [0.5, 1],
  ];
  const floats = squares.flatMap(([half, y]) => [-half, y, half, half, y, half, -half, y, -half, half, y, -half]);
  const turn = (angle) => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
  // Times, intensities and rotations of the clip.
  floats.push(0, 1, 2, 3, 1, 1, ...turn(-Math.PI / 4), ...turn(-Math.PI / 4), ...turn(Math.PI / 4));
  const bytes = Buffer.from(new Float32Array(floats).buffer);
  const view = (first, count) => ({ buffer: 0, byteOffset: first * 4, byteLength: count * 4 });
  const indices = Buffer.from(new Uint16Array([0, 1, 2, 2, 1, 3]).buffer);
  const accessor = (bufferView, type, count, more = {}) => ({ bufferView, componentType: 5126, type, count, ...more });
  const bounds = ([half, y]) => ({ min: [-half, y, -half], max: [half, y, half] });
  const pointer = "/extensions/KHR_lights_punctual/lights/0/intensity";
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_lights_punctual", "KHR_animation_pointer", ...Object.keys(extensions)],
    extensions: { KHR_lights_punctual: { lights: [{ type: "directional", intensity: 3 }] } },
    scenes: [{ nodes: [0, 1, 2] }],
    scene: 0,
    nodes: [
      { mesh: 0 },
      { mesh: 1 },
      { rotation: turn(-Math.PI / 4), extensions: { KHR_lights_punctual: { light: 0 } } },
    ],
    meshes: [0, 1].map((at) => ({ primitives: [{ attributes: { POSITION: at }, indices: 5, material: at }] })),
    materials: [{}, extensions].map((extensions) => ({
      pbrMetallicRoughness: { metallicFactor: 0 },
      doubleSided: true,
      extensions,
    })),
    animations: [
      {
        samplers: [
          { input: 2, output: 3 },
          { input: 2, output: 4 },
        ],
        channels: [
          { sampler: 0, target: { path: "pointer", extensions: { KHR_animation_pointer: { pointer } } } },
          { sampler: 1, target: { node: 2, path: "rotation" } },
        ],
      },
    ],
    accessors: [
      accessor(0, "VEC3", 4, bounds(squares[0])),
      accessor(1, "VEC3", 4, bounds(squares[1])),
      accessor(2, "SCALAR", 3, { min: [0], max: [2] }),
      accessor(3, "SCALAR", 3),
      accessor(4, "VEC4", 3),
      { bufferView: 5, componentType: 5123, type: "SCALAR", count: 6 },
    ],
    bufferViews: [
      view(0, 12),
      view(12, 12),
      view(24, 3),
      view(27, 3),
      view(30, 12),
      { buffer: 1, byteLength: indices.length },
    ],
    buffers: [bytes, indices].map((data) => ({
      byteLength: data.length,
      uri: `data:application/octet-stream;base64,${data.toString("base64")}`,
    })),
  });
}

/** Returns the floor beside the table, in its shadow, and beside it while the light is dim; and where it moved. */
async function seeShadow(backend, text) {
  const player = await stage.openModel(backend, new File([text], "table.gltf"), { css: "width:300px;height:300px" });
  Object.assign(player, { ground: false, environmentIntensity: 0 });
  Object.assign(player.camera, { target: [0, 0, 0], eye: [0, 9, 4] });
  const at = async (x, y, z) => {
    const image = await stage.look(player);
    const [left, top] = player.camera.project([x, y, z]).map(Math.round);
    return image.data[4 * (top * image.width + left) + 1];
  };
  // The light comes from the front, so that the shadow lies behind the table.
  const pixels = [await at(1.5, 0, -1), await at(0, 0, -1.4)];
  player.play(0, { fade: 0 });
  player.currentTime = 1;
  player.frame();
  pixels.push(await at(1.5, 0, -1));
  player.currentTime = 2;
  player.frame();
  const moved = await at(0, 0, 1.4);
  const { warnings } = player;
  player.dispose();
  return { pixels, moved, warnings };
}
