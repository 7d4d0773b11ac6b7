/**
 * Transmissive surfaces show the picture behind them: bent by Snell's law over their thickness, which their node
 * scales, blurred by roughness, tinted, and with the alpha of what is behind. Front faces show the back faces of
 * double-sided ones.
 */

import assert from "node:assert/strict";

import { DEFAULTS, layeredPixel } from "../reference_layers.mjs";
import { decoded, unit } from "../reference_light.mjs";

/** Tolerance in steps of 255: rounding of the wall's pixels, and of the glass's. */
const TOLERANCE = 2;

/** Light of the wall, which is the plane z = -1: linear in x and y. */
const wallLight = ([x, y]) => [0.45 + 0.09 * x, 0.45 - 0.1 * y, 0.45 + 0.05 * x + 0.05 * y];
const WALL_HALF = 4;

const DARK = { mirrored: () => [0, 0, 0], scattered: () => [0, 0, 0] };
const TILTED = unit([0.4, -0.3, 0.86]);

/** Panes in the plane z = 0, side by side. `scale` is that of their node. */
const PANES = [
  { ior: 1.5 },
  { normal: TILTED, ior: 1.5 },
  { normal: TILTED, ior: 1.5, thickness: 0.6 },
  { normal: TILTED, ior: 1.5, thickness: 0.15, scale: 4 },
  { normal: TILTED, ior: 1.8, thickness: 0.5, dispersion: 4, color: [0.9, 0.5, 0.8], transmission: 0.7 },
  { normal: TILTED, ior: 1.3, thickness: 0.5, attenuation: [[0.8, 0.4, 0.3], 0.4] },
];
const PANE = 0.8;
const leftOf = (index) => (index - PANES.length / 2) * 0.9;

/** A double-sided pane with a back face behind it, which is larger by the margin. */
const BOX = { ior: 1.5, color: [0.9, 0.5, 0.7], backs: -0.5 };
const MARGIN = 0.5;

export default async function (context) {
  const told = await context.page.evaluate(look, context.backend, sceneOf(PANES), pointsOf(PANES));
  assert.deepEqual(told.warnings, []);
  for (const { pane, point, pixel } of told.points) {
    const expected = paneAt(PANES[pane], point, told.eye);
    const far = Math.max(...expected.map((value, i) => Math.abs(value - pixel[i])));
    assert.ok(far <= TOLERANCE, `pane ${pane} at ${point}: ${pixel}, not ${expected.map(Math.round)}`);
  }
  assert.ok(told.points.length === 9 * PANES.length);
  checkBacks(await context.page.evaluate(look, context.backend, sceneOf([BOX]), pointsOfBox()));

  const { page, backend } = context;
  const edges = await page.evaluate(seeEdge, backend, sceneOf([{ ior: 1.5 }, { ior: 1.5, roughness: 0.5 }], true));
  const [clear, rough] = edges.rows.map((row) => Math.max(...row.slice(1).map((value, i) => Math.abs(value - row[i]))));
  assert.ok(
    clear > 60 && rough < clear / 3,
    `the edge behind is sharp by ${clear}, and by ${rough} behind rough glass`,
  );
  assert.ok(Math.abs(edges.rows[0][0] - edges.rows[1][0]) < 8, "far from the edge, both show the wall");
  const alpha = paneAt({ ior: 1.5 }, edges.point, edges.eye, [0, 0, 0, 0])[3];
  assert.ok(Math.abs(edges.alpha - alpha) <= 1 && alpha < 200, `the page shows through: ${edges.alpha}, not ${alpha}`);
}

/** Back faces show the wall. Front faces show both, and the back faces only once. */
function checkBacks({ points, eye }) {
  for (const { point, pixel } of points) {
    const onBack = point[2] < 0;
    const share = (BOX.backs - eye[2]) / (point[2] - eye[2]);
    const back = paneAt(
      BOX,
      eye.map((value, i) => value + (point[i] - value) * share),
      eye,
    );
    const expected = onBack ? back : paneAt(BOX, point, eye, [...decoded(back.slice(0, 3)), 1]);
    const far = Math.max(...expected.map((value, i) => Math.abs(value - pixel[i])));
    assert.ok(far <= TOLERANCE, `${onBack ? "back" : "front"} at ${point}: ${pixel}, not ${expected.map(Math.round)}`);
  }
}

/** Returns points on the front face, and on the margin of the back face. */
function pointsOfBox() {
  const aside = (x, y) => ({ pane: 0, point: [leftOf(0) + PANE / 2 + x, y, BOX.backs] });
  const reach = PANE / 2 + MARGIN * 0.6;
  return [...pointsOf([BOX]), aside(reach, 0), aside(reach, reach), aside(0, -reach)];
}

/** Returns what a pane shows at a point, before the wall or before something else. */
function paneAt(pane, point, eye, other) {
  const { normal = [0, 0, 1], ior, thickness = 0, scale = 1, color = [1, 1, 1], dispersion = 0 } = pane;
  const [attenuationColor, attenuationDistance] = pane.attenuation ?? [[1, 1, 1], Number.POSITIVE_INFINITY];
  const view = unit(eye.map((value, i) => value - point[i]));
  const facing = normal.reduce((sum, value, i) => sum + value * view[i], 0);
  const behind = [-1, 0, 1].map((side, channel) => {
    const index = ior + side * (ior - 1) * 0.025 * dispersion;
    const inside = Math.sqrt(1 - (1 - facing ** 2) / index ** 2);
    const exit = point.map(
      (value, i) => value + thickness * scale * (-view[i] / index + normal[i] * (facing / index - inside)),
    );
    // The ray from the eye through the exit meets the wall.
    const share = (-1 - eye[2]) / (exit[2] - eye[2]);
    return wallLight(eye.map((value, i) => value + (exit[i] - value) * share))[channel];
  });
  const values = {
    ...DEFAULTS,
    ior,
    transmissionFactor: pane.transmission ?? 1,
    thicknessFactor: thickness * scale,
    attenuationColor,
    attenuationDistance,
  };
  const surface = { base: { color, roughness: 0 }, normal, tangent: [1, 0, 0], view };
  return layeredPixel(surface, values, { room: DARK, behind: other ?? [...behind, 1] });
}

function pointsOf(panes) {
  const offsets = [0.2, 0.5, 0.8];
  return panes.flatMap((_, pane) =>
    offsets.flatMap((u) => offsets.map((v) => ({ pane, point: [leftOf(pane) + u * PANE, (v - 0.5) * PANE, 0] }))),
  );
}

/** Returns a .gltf of a wall and of panes before it. With `hasEdge`, the wall is black left of the plane x = 0. */
function sceneOf(panes, hasEdge = false) {
  const floats = [];
  const [accessors, bufferViews] = [[], []];
  const add = (type, rows) => {
    const values = rows.flat();
    bufferViews.push({ buffer: 0, byteOffset: floats.length * 4, byteLength: values.length * 4 });
    floats.push(...values);
    const bounds = [Math.min, Math.max].map((of) => rows[0].map((_, i) => of(...rows.map((row) => row[i]))));
    const [min, max] = bounds.map((bound) => bound.map(Math.fround));
    accessors.push({ bufferView: bufferViews.length - 1, componentType: 5126, type, count: rows.length, min, max });
    return accessors.length - 1;
  };
  const quad = ([left, bottom, right, top], z, normal, colorAt) => {
    const corners = [0, 1, 2, 2, 1, 3].map((corner) => [corner % 2 ? right : left, corner > 1 ? top : bottom]);
    return {
      POSITION: add(
        "VEC3",
        corners.map((corner) => [...corner, z]),
      ),
      NORMAL: add(
        "VEC3",
        corners.map(() => normal.map(Math.fround)),
      ),
      ...(colorAt && { COLOR_0: add("VEC3", corners.map(colorAt)) }),
    };
  };
  const unlit = { pbrMetallicRoughness: {}, extensions: { KHR_materials_unlit: {} } };
  const walls = hasEdge
    ? [
        quad([-WALL_HALF, -WALL_HALF, 0, WALL_HALF], -1, [0, 0, 1], () => [0.02, 0.02, 0.02]),
        quad([0, -WALL_HALF, WALL_HALF, WALL_HALF], -1, [0, 0, 1], () => [0.6, 0.6, 0.6]),
      ]
    : [quad([-WALL_HALF, -WALL_HALF, WALL_HALF, WALL_HALF], -1, [0, 0, 1], wallLight)];
  const meshes = walls.map((attributes) => ({ primitives: [{ attributes, material: 0 }] }));
  const nodes = walls.map((_, mesh) => ({ mesh }));
  const materials = [unlit];
  panes.forEach((pane, index) => {
    const { normal = [0, 0, 1], ior, thickness = 0, scale = 1, color = [1, 1, 1], roughness = 0 } = pane;
    const left = hasEdge ? -PANE / 2 : leftOf(index);
    const bottom = hasEdge ? index * 0.9 - 0.9 : -PANE / 2;
    const box = [left, bottom, left + PANE, bottom + PANE].map((value) => value / scale);
    const primitives = [{ attributes: quad(box, 0, normal), material: materials.length }];
    if (pane.backs) {
      const [right, lower, leftmost, upper] = [box[2] + MARGIN, box[1] - MARGIN, box[0] - MARGIN, box[3] + MARGIN];
      // With its sides exchanged, its triangles wind the other way.
      const attributes = quad([right, lower, leftmost, upper], pane.backs, [0, 0, -1]);
      primitives.push({ attributes, material: materials.length });
    }
    meshes.push({ primitives });
    nodes.push({ mesh: meshes.length - 1, scale: [scale, scale, scale] });
    const [attenuationColor, attenuationDistance] = pane.attenuation ?? [];
    materials.push({
      doubleSided: pane.backs !== undefined,
      pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: roughness },
      extensions: {
        KHR_materials_transmission: { transmissionFactor: pane.transmission ?? 1 },
        KHR_materials_ior: { ior },
        KHR_materials_volume: { thicknessFactor: thickness, attenuationColor, attenuationDistance },
        ...(pane.dispersion && { KHR_materials_dispersion: { dispersion: pane.dispersion } }),
      },
    });
  });
  const bytes = Buffer.from(new Float32Array(floats).buffer);
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: [...new Set(materials.flatMap(({ extensions }) => Object.keys(extensions)))],
    scenes: [{ nodes: nodes.map((_, index) => index) }],
    scene: 0,
    nodes,
    meshes,
    materials,
    accessors,
    bufferViews,
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
  });
}

/** Returns the pixels of points on the panes, and the points on the panes that the pixels' centres show. */
async function look(backend, text, points) {
  const file = new File([text], "glass.gltf");
  const player = await stage.openModel(backend, file, { css: "width:640px;height:300px" });
  Object.assign(player, { ground: false, background: "#000000", environmentIntensity: 0 });
  Object.assign(player.camera, { target: [0, 0, 0], eye: [0.4, 0.3, 5] });
  const image = await stage.look(player);
  const seen = points.map(({ pane, point }) => {
    const [x, y] = player.camera.project(point).slice(0, 2).map(Math.floor);
    const [near, far] = [1, 10].map((depth) => player.camera.unproject(x + 0.5, y + 0.5, depth));
    const share = (near[2] - point[2]) / (near[2] - far[2]);
    const shown = near.map((value, i) => value + (far[i] - value) * share);
    const at = 4 * (y * image.width + x);
    return { pane, point: shown, pixel: [...image.data.slice(at, at + 4)] };
  });
  const { warnings } = player;
  const { eye } = player.camera;
  player.dispose();
  return { points: seen, eye, warnings };
}

/** Returns a row of pixels through a clear and a rough pane before an edge, and what the page shows through glass. */
async function seeEdge(backend, text) {
  const file = new File([text], "edge.gltf");
  const player = await stage.openModel(backend, file, { css: "width:300px;height:300px" });
  Object.assign(player, { ground: false, environmentIntensity: 0 });
  Object.assign(player.camera, { target: [0, 0, 0], eye: [0, 0, 5] });
  const image = await stage.look(player);
  const rows = [-0.5, 0.4].map((y) => {
    const [left, right] = [-0.38, 0.38].map((x) => player.camera.project([x, y, 0]).map(Math.round));
    const row = [];
    for (let x = left[0]; x < right[0]; x += 2) row.push(image.data[4 * (left[1] * image.width + x) + 1]);
    return row;
  });
  // From the side, nothing but the page is behind a pane.
  Object.assign(player.camera, { eye: [4.9, 0, 0.6], target: [0, 0, 0] });
  const aside = await stage.look(player);
  const point = [0, -0.5, 0];
  const [x, y] = player.camera.project(point).map(Math.round);
  const alpha = aside.data[4 * (y * aside.width + x) + 3];
  const { eye } = player.camera;
  player.dispose();
  return { rows, alpha, point, eye };
}
