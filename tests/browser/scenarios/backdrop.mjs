/**
 * The environment is shown in place of the background, sharp or blurred: in the direction of each pixel, turned, dimmed
 * and toned as it lights the model, on the page and in a worker. Transparent screenshots leave it out.
 */

import assert from "node:assert/strict";

import { panoramaOf } from "../panorama.mjs";
import { pixelOf } from "../reference_light.mjs";

/** Light of the panorama, which changes with the direction. */
const directed = ([x, y, z]) => [0.4 + 0.3 * x, 0.4 + 0.2 * y - 0.1 * x, 0.4 - 0.3 * z];
/** Half of this one is black. */
const halved = ([x]) => (x < 0 ? [0, 0, 0] : [0.5, 0.5, 0.5]);

const SETTINGS = [
  { how: "sharp" },
  { how: "sharp", environmentRotation: 1, environmentIntensity: 0.5 },
  { how: "sharp", exposure: 1.6, toneMapping: "aces" },
  { how: "sharp", cameraProjection: "orthographic" },
  { how: "blurred" },
];

export default async function ({ page, backend }) {
  for (const worker of [false, true]) {
    const panoramas = [directed, halved].map((light) => panoramaOf(light).toString("base64"));
    const told = await page.evaluate(look, backend, worker, panoramas, SETTINGS);
    told.pictures.forEach((points, index) => {
      const { how, environmentRotation = 0, environmentIntensity = 1, exposure = 1, toneMapping } = SETTINGS[index];
      assert.equal(points.length, 12);
      for (const { direction, pixel } of points) {
        const [sin, cos] = [Math.sin(environmentRotation), Math.cos(environmentRotation)];
        const [x, y, z] = direction;
        const light = directed([cos * x - sin * z, y, cos * z + sin * x]);
        const scaled = light.map((value) => value * environmentIntensity * exposure);
        const expected = pixelOf(scaled, toneMapping);
        const far = Math.max(...expected.map((value, i) => Math.abs(value - pixel[i])));
        // Texels have 9 bits. Blurred, the light of neighbouring directions is averaged.
        const tolerance = how === "sharp" ? 3 : 8;
        const shown = `${pixel}, not ${expected.map(Math.round)}`;
        const about = `${JSON.stringify(SETTINGS[index])} towards ${direction}: ${shown}`;
        assert.ok(far <= tolerance && pixel[3] === 255, about);
      }
    });
    const [sharp, blurred] = told.steps;
    assert.ok(sharp > 40 && blurred < 10, `steps from pixel to pixel: ${sharp} sharp, ${blurred} blurred`);
    assert.deepEqual(told.none, [10, 20, 30, 255], "the background is back");
    if (!worker) assert.equal(told.transparent, 0, "a transparent picture has none");
  }
  assert.deepEqual(await page.evaluate(showInElement, backend), [255, 0]);
}

/** Returns the alpha of a corner in the first picture of an element with the attribute, and without it. */
async function showInElement(backend) {
  const element = document.createElement("gambol-player");
  Object.assign(element, { backend, src: "/gambol/viewer/character.glb", environmentBackground: "blurred" });
  element.shadow = "none";
  document.body.append(element);
  await stage.once(element, "load");
  const alpha = async () => (await stage.look(element.player)).data[3];
  const alphas = [await alpha()];
  element.environmentBackground = "";
  for (let left = 300; left > 0 && (await alpha()) > 0; left--) await new Promise(requestAnimationFrame);
  alphas.push(await alpha());
  element.remove();
  return alphas;
}

/** Returns the pixels of points beside the model and the directions that they show, for each of the settings. */
async function look(backend, worker, panoramas, settings) {
  const blobs = panoramas.map((text) => new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]));
  const css = "width:320px;height:240px";
  const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { css, worker });
  const defaults = { environmentRotation: 0, environmentIntensity: 1, exposure: 1, toneMapping: "neutral" };
  Object.assign(player, { ground: false, background: [10 / 255, 20 / 255, 30 / 255, 1] });
  Object.assign(player.camera, { yaw: 0.5, pitch: 0.3, fov: 1.2 });
  await player.setEnvironment(blobs[0]);
  const picture = async () => {
    await player.settled();
    const bitmap = await createImageBitmap(await player.screenshot({ width: 320, height: 240 }));
    return stage.pixelsOf(bitmap);
  };
  const pixelAt = (image, x, y) => [...image.data.slice(4 * (y * image.width + x), 4 * (y * image.width + x) + 4)];
  const pictures = [];
  for (const { how, cameraProjection = "perspective", ...others } of settings) {
    Object.assign(player, defaults, others);
    player.camera.projection = cameraProjection;
    await player.showEnvironment(how);
    const image = await picture();
    const points = [];
    for (const x of [4, 30, 290, 315])
      for (const y of [5, 120, 235]) {
        const [near, far] = [1, 10].map((depth) => player.camera.unproject(x + 0.5, y + 0.5, depth));
        const along = far.map((value, i) => value - near[i]);
        const direction = along.map((value) => value / Math.hypot(...along));
        points.push({ direction, pixel: pixelAt(image, x, y) });
      }
    pictures.push(points);
  }

  // Towards the edge between the halves, which is the plane x = 0.
  Object.assign(player, defaults);
  Object.assign(player.camera, { yaw: 0, pitch: 0, projection: "perspective" });
  await player.setEnvironment(blobs[1]);
  const steps = [];
  for (const how of ["sharp", "blurred"]) {
    await player.showEnvironment(how);
    const image = await picture();
    const row = Array.from({ length: 319 }, (_, x) => Math.abs(pixelAt(image, x + 1, 5)[1] - pixelAt(image, x, 5)[1]));
    steps.push(Math.max(...row));
  }
  const whole = await createImageBitmap(await player.screenshot({ width: 32, height: 24, transparent: true }));
  const transparent = pixelAt(stage.pixelsOf(whole), 0, 0)[3];
  await player.showEnvironment("none");
  const none = pixelAt(await picture(), 2, 2);
  player.dispose();
  return { pictures, steps, none, transparent };
}
