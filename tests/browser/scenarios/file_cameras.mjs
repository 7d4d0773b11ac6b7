/**
 * Cameras of the file: the picture, `project` and `pick` are those of the camera's matrices, while a clip moves it, in
 * the page and in a worker. Also leaving it, names, and the element's attribute.
 */

import assert from "node:assert/strict";

/** A red square from −1 to 1, and two cameras on a node that a clip turns and moves. The second has no name. */
const TURN = 0.8;
const WAY = [0.5, 0.25, 0];
const FOV = 0.6;
const MIDDLE = [0, 0.5, 6];

function file() {
  const pieces = [
    [-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0],
    [0, 1],
    [0, 0, 0, 1, 0, Math.sin(TURN / 2), 0, Math.cos(TURN / 2)],
    [0, 0, 0, ...WAY],
  ].map((numbers) => Buffer.from(Float32Array.from(numbers).buffer));
  const buffer = Buffer.concat(pieces);
  const offset = (index) => Buffer.concat(pieces.slice(0, index)).length;
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_materials_unlit"],
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: "Square", mesh: 0 },
      { name: "Tripod", children: [2, 3] },
      { name: "Head", camera: 0, translation: MIDDLE },
      { name: "Plan", camera: 1, translation: MIDDLE, scale: [3, 3, 3] },
    ],
    cameras: [
      { name: "Shot", type: "perspective", perspective: { yfov: FOV, aspectRatio: 2, znear: 0.1, zfar: 50 } },
      { type: "orthographic", orthographic: { xmag: 4, ymag: 2, znear: 0.1, zfar: 50 } },
    ],
    materials: [
      {
        doubleSided: true,
        pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] },
        extensions: { KHR_materials_unlit: {} },
      },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 5, material: 0 }] }],
    animations: [
      {
        name: "Pan",
        samplers: [
          { input: 1, output: 2 },
          { input: 1, output: 3 },
        ],
        channels: [
          { sampler: 0, target: { node: 1, path: "rotation" } },
          { sampler: 1, target: { node: 1, path: "translation" } },
        ],
      },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, type: "VEC3", count: 4 },
      { bufferView: 1, componentType: 5126, type: "SCALAR", count: 2, min: [0], max: [1] },
      { bufferView: 2, componentType: 5126, type: "VEC4", count: 2 },
      { bufferView: 3, componentType: 5126, type: "VEC3", count: 2 },
    ],
    bufferViews: pieces.map((piece, index) => ({ buffer: 0, byteOffset: offset(index), byteLength: piece.length })),
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString("base64")}` }],
  });
}

/** Returns the pixels of the square's corners by the matrices of the specification. */
function cornersAt(time, isOrthographic, [width, height]) {
  const [sin, cos] = [Math.sin(TURN * time), Math.cos(TURN * time)];
  const turned = ([x, y, z]) => [cos * x + sin * z, y, cos * z - sin * x];
  const eye = turned(MIDDLE).map((part, axis) => part + WAY[axis] * time);
  // The whole frame, which is twice as wide as high, is visible.
  const half = (isOrthographic ? 2 : Math.tan(FOV / 2)) * Math.max(1, 2 / (width / height));
  return [-1, 1].flatMap((x) =>
    [-1, 1].map((y) => {
      const away = [x, y, 0].map((part, axis) => part - eye[axis]);
      const along = ([ax, ay, az]) => away[0] * ax + away[1] * ay + away[2] * az;
      const depth = -along(turned([0, 0, 1]));
      const scale = height / 2 / half / (isOrthographic ? 1 : depth);
      return [width / 2 + along(turned([1, 0, 0])) * scale, height / 2 - along([0, 1, 0]) * scale, depth];
    }),
  );
}

export default async function ({ page, backend }) {
  const text = file();
  for (const worker of [false, true]) await sees(page, backend, text, worker);
  await element(page, backend, text);
}

const CANVAS = [200, 120];
const SHOTS = [
  { camera: "Shot", time: 0.25, size: CANVAS },
  { camera: "Shot", time: 0.75, size: CANVAS },
  { camera: "Shot", time: 0.75, size: [60, 120] },
  { camera: 1, time: 0.5, size: CANVAS },
  { camera: 1, time: 0.5, size: [240, 80] },
];

async function sees(page, backend, text, worker) {
  const told = await page.evaluate(
    async (backend, text, worker, canvas, shots) => {
      const file = () => new File([text], "shots.gltf");
      const css = `width:${canvas[0]}px;height:${canvas[1]}px`;
      const empty = await stage.open(backend, { worker, css });
      const told = { early: [empty.cameras, empty.usedCamera, (await stage.failure(() => empty.useCamera(0))).code] };
      const player = await stage.openModel(backend, file(), { worker, css });
      player.ground = false;
      const own = player.camera.fov;
      await player.useCamera(null);
      told.listed = [player.cameras, player.usedCamera];
      player.play("Pan");
      player.pause();
      told.shots = [];
      for (const { camera, time, size } of shots) {
        await player.useCamera(camera);
        player.currentTime = time;
        await player.settled();
        const [width, height] = size;
        const drawn = edges(await stage.pixelsOfPng(await player.screenshot({ width, height })));
        await player.settled();
        const corners = [-1, 1].flatMap((x) => [-1, 1].map((y) => player.camera.project([x, y, 0])));
        const picks = [];
        for (const [x, y] of [
          [0, 0],
          [0.9, 0.9],
          [-0.9, 0.9],
          [1.1, 0],
          [0, -1.1],
        ]) {
          const [left, top] = player.camera.project([x, y, 0]);
          picks.push((await player.pick(left, top))?.point.map((part) => Math.round(part * 100) / 100) ?? null);
        }
        told.shots.push({ drawn, corners, picks, used: player.usedCamera?.index, eye: player.camera.eye });
      }
      // Moves go on from the view, and framing returns.
      await player.useCamera("Shot");
      await player.settled();
      const { yaw, fov, eye } = player.camera;
      player.camera.zoom(1);
      await player.settled();
      told.left = [player.usedCamera, player.camera.yaw - yaw, player.camera.fov - fov];
      told.left.push(Math.hypot(...player.camera.eye.map((part, axis) => part - eye[axis])));
      player.frame();
      await player.settled();
      told.framed = [player.camera.fov === own, player.camera.projection];
      await player.useCamera(1);
      await player.settled();
      told.again = [player.usedCamera?.name, player.camera.projection];
      player.camera.yaw = 1;
      told.set = [player.usedCamera];
      await player.settled();
      told.set.push(player.usedCamera, player.camera.yaw);
      const { code, message } = await stage.failure(() => player.useCamera("Side"));
      told.unknown = [code, message];
      await player.useCamera("Shot");
      await player.load(file());
      told.replaced = [player.usedCamera, player.camera.fov === own];
      stage.close();
      return told;

      function edges({ data, width, height }) {
        const points = [];
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const [red, , , alpha] = data.subarray((y * width + x) * 4);
            if (red > 128 && alpha > 128) points.push([x + 0.5, y + 0.5]);
          }
        }
        const [xs, ys] = [0, 1].map((lane) => points.map((point) => point[lane]));
        return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      }
    },
    backend,
    text,
    worker,
    CANVAS,
    SHOTS,
  );

  assert.deepEqual(told.early, [[], null, "NO_MODEL"]);
  const listed = [
    { index: 0, name: "Shot", node: 2 },
    { index: 1, name: "Plan", node: 3 },
  ];
  assert.deepEqual(told.listed, [listed, null]);
  for (const [nth, { camera, time, size }] of SHOTS.entries()) {
    const { drawn, corners, picks, used } = told.shots[nth];
    const expected = cornersAt(time, camera === 1, size);
    const [xs, ys] = [0, 1].map((lane) => expected.map((corner) => corner[lane]));
    const ends = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    near(drawn, ends, 2, `drawn at ${time} s by ${camera}`);
    near(corners.flat(), cornersAt(time, camera === 1, CANVAS).flat(), 0.05, `projected at ${time} s by ${camera}`);
    assert.deepEqual(picks, [[0, 0, 0], [0.9, 0.9, 0], [-0.9, 0.9, 0], null, null]);
    assert.equal(used, camera === "Shot" ? 0 : 1);
  }
  const [used, ...apart] = told.left;
  assert.equal(used, null);
  near(apart, [0, 0, 0], 1e-4, "a move goes on from the view");
  assert.deepEqual(told.framed, [true, "perspective"]);
  assert.deepEqual(told.again, ["Plan", "orthographic"]);
  assert.deepEqual(told.set, [null, null, 1]);
  assert.equal(told.unknown[0], "UNKNOWN_CAMERA");
  assert.match(told.unknown[1], /Side.*Shot, Plan/);
  assert.deepEqual(told.replaced, [null, true]);
}

async function element(page, backend, text) {
  const told = await page.evaluate(
    async (backend, text, [width, height]) => {
      const file = () => new File([text], "shots.gltf");
      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, camera: "Shot", cameraControls: true });
      element.style.cssText = `display:block;position:fixed;left:0;top:0;width:${width}px;height:${height}px`;
      document.body.append(element);
      const errors = [];
      element.addEventListener("error", (event) => {
        event.preventDefault();
        errors.push(event.detail.code);
      });
      await element.load(file());
      const { player } = element;
      const used = () => player.usedCamera?.name ?? null;
      const told = [used()];
      for (const camera of ["Plan", "Side", "", "Shot"]) {
        element.camera = camera;
        await untilSoon(() => (camera === "Side" ? errors.length > 0 : used() === (camera || null)));
        told.push(used());
      }
      await element.load(file());
      told.push(used(), ...errors);
      window.shown = element;
      return told;
    },
    backend,
    text,
    CANVAS,
  );
  assert.deepEqual(told, ["Shot", "Plan", "Plan", null, "Shot", "Shot", "UNKNOWN_CAMERA"]);
  const { before } = await page.evaluate(() => ({ before: shown.player.camera.yaw }));
  const [x, y] = CANVAS.map((side) => side / 2);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y, { steps: 4 });
  await page.mouse.up();
  const after = await page.evaluate(async () => {
    const { player } = shown;
    player.autoUpdate = false;
    player.advance(3);
    const told = { used: player.usedCamera, yaw: player.camera.yaw, fov: player.camera.fov };
    player.camera.reset();
    player.advance(3);
    const back = player.camera.fov;
    shown.remove();
    return { ...told, back };
  });
  assert.equal(after.used, null, "a gesture leaves the camera");
  near([after.yaw], [before - (20 / CANVAS[1]) * Math.PI], 1e-3, "and turns its view");
  near([after.back], [0.6], 1e-6, "a reset returns to the lens of the orbit");
}

function near(found, wanted, tolerance, what) {
  assert.equal(found.length, wanted.length);
  found.forEach((part, at) => assert.ok(Math.abs(part - wanted[at]) < tolerance, `${what}: ${found}, not ${wanted}`));
}
