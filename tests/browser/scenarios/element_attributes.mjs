/**
 * Each attribute reflects a property and has its effect. An invalid value gives the default and one console
 * warning.
 */

import assert from "node:assert/strict";

import { inTime } from "../patience.mjs";

export default async function ({ page, backend }) {
  await reflects(page);
  await saysWhatMakesNoSense(page);
  await does(page, backend);
  for (const worker of [false, true]) await beginsWithDefaults(page, backend, worker);
  for (const worker of [false, true]) await keepsFraming(page, backend, worker);
}

/** For each attribute: a text and the resulting property value, then a property value and the resulting text. */
const ROWS = {
  src: ["/a.glb", "/a.glb", "/b.glb", "/b.glb", ""],
  poster: ["/a.png", "/a.png", "/b.png", "/b.png", ""],
  alt: ["A fox", "A fox", "A hare", "A hare", ""],
  clip: ["Run", "Run", "Walk", "Walk", ""],
  "clips-src": ["/a.glb /b.glb", "/a.glb /b.glb", "/c.glb", "/c.glb", ""],
  variant: ["Red", "Red", "Blue", "Blue", ""],
  camera: ["Shot", "Shot", "Plan", "Plan", ""],
  controller: ["/a.json", "/a.json", "/b.json", "/b.json", ""],
  autoplay: ["", true, true, "", false],
  loop: ["pingpong", "pingpong", 3, "3", "repeat"],
  "playback-rate": ["-0.5", -0.5, 2, "2", 1],
  crossfade: ["0", 0, 0.5, "0.5", 0.3],
  controls: ["false", true, true, "", false],
  "camera-controls": ["", true, true, "", false],
  "camera-zoom": ["none", "none", "always", "always", "auto"],
  "camera-orbit": ["30deg 10 120%", "30deg 10 120%", "0 auto 4m", "0 auto 4m", "auto auto auto"],
  "camera-limits": ["-1rad 0 1m / 1rad auto 4m", "-1rad 0 1m / 1rad auto 4m", "0 0 1 / 1 1 2", "0 0 1 / 1 1 2", ""],
  "camera-target": ["0 1 0", "0 1 0", "auto 1m auto", "auto 1m auto", "auto auto auto"],
  "field-of-view": ["60", 60, 20.5, "20.5", (0.6 * 180) / Math.PI],
  "auto-rotate": ["", 20, -30, "-30", 0],
  "pixel-ratio": ["0.5", 0.5, 2, "2", 0],
  exposure: ["0.5", 0.5, 2, "2", 1],
  "tone-mapping": ["aces", "aces", "agx", "agx", "neutral"],
  environment: ["soft", "soft", "/a.hdr", "/a.hdr", ""],
  "environment-background": ["blurred", "blurred", "sharp", "sharp", ""],
  "environment-rotation": ["90", 90, -30, "-30", 0],
  "environment-intensity": ["0.5", 0.5, 2, "2", 1],
  "lights-intensity": ["0.5", 0.5, 2, "2", 1],
  occlusion: ["0.5", 0.5, 1, "1", 0],
  "dynamic-range": ["high", "high", "standard", "standard", "standard"],
  view: ["uv", "uv", "toon", "toon", ""],
  guides: ["grid axes", "grid axes", "bounds", "bounds", ""],
  "view-joint": ["Head", "Head", "Hips", "Hips", ""],
  background: ["#336", "#336", "rgb(0 0 0 / 50%)", "rgb(0 0 0 / 50%)", ""],
  shadow: ["none", "none", "soft", "soft", "soft"],
  still: ["plain", "plain", "refined", "refined", "refined"],
  skeleton: ["", true, true, "", false],
  transparent: ["", true, true, "", false],
  loading: ["lazy", "lazy", "eager", "eager", "eager"],
  backend: ["webgl2", "webgl2", "webgpu", "webgpu", "auto"],
  worker: ["", true, true, "", false],
};

/** The attributes that are settings of a player. */
const SETTINGS = Object.keys(ROWS).filter((attribute) =>
  [
    /^(playback-rate|loop|controls|auto-rotate|pixel-ratio|still|exposure|tone-mapping|skeleton)$/,
    /^(camera-|environment-[ri]|lights|field|background|shadow|transparent)/,
  ].some((names) => names.test(attribute)),
);

async function reflects(page) {
  const told = await page.evaluate((rows) => {
    const told = {};
    for (const [attribute, [text, , value]] of Object.entries(rows)) {
      const element = document.createElement("gambol-player");
      const property = attribute.replace(/-./g, (dash) => dash[1].toUpperCase());
      const otherwise = element[property];
      element.setAttribute(attribute, text);
      const read = element[property];
      element[property] = value;
      const written = element.getAttribute(attribute);
      element[property] = undefined;
      told[attribute] = [text, read, value, written, otherwise, element.hasAttribute(attribute)];
    }
    const element = document.createElement("gambol-player");
    element.autoRotate = true;
    const turning = element.getAttribute("auto-rotate");
    element.autoRotate = false;
    const standing = element.hasAttribute("auto-rotate");
    element.setAttribute("current-time", "0.5");
    const start = element.currentTime;
    element.currentTime = 0.75;
    const time = [start, element.currentTime, element.getAttribute("current-time")];
    const observed = customElements.get("gambol-player").observedAttributes;
    const early = element.cloneNode();
    return { told, turning, standing, time, observed, early: early.currentTime };
  }, ROWS);
  const expected = Object.entries(ROWS).map(([attribute, row]) => [attribute, [...row, false]]);
  assert.deepEqual(told.told, Object.fromEntries(expected));
  assert.deepEqual([told.turning, told.standing], ["", false]);
  assert.deepEqual(told.time, [0.5, 0.75, "0.5"], "the attribute says where to begin, the property where it is");
  assert.deepEqual(told.observed.toSorted(), [...Object.keys(ROWS), "current-time"].toSorted());
}

const NONSENSE = {
  loop: ["twice", "0", "-1", "Infinity"],
  "playback-rate": ["fast", "1x", "NaN"],
  "current-time": ["0:30"],
  crossfade: ["-1", "short"],
  "camera-zoom": ["sometimes"],
  background: ["reddish", "#12"],
  "camera-orbit": ["30deg", "30deg 10deg", "30deg 10deg 0", "30deg 10deg -1m", "a b c", "30turns 0 auto", "1 2 3 4"],
  "camera-limits": ["0 0 1", "0 0 1 / 1 1", "0 0 50% / 1 1 100%", "0 0 1 / 1 1 2 / 3 3 3"],
  "camera-target": ["0 1", "0 1 up", "0,1,0"],
  "field-of-view": ["wide", "0", "-30", "180", "60°"],
  "auto-rotate": ["yes", "20mph"],
  "pixel-ratio": ["-1", "9", "sharp"],
  exposure: ["-1", "bright"],
  "tone-mapping": ["film"],
  "environment-rotation": ["left"],
  "environment-intensity": ["-1", "bright"],
  "lights-intensity": ["-1", "bright"],
  occlusion: ["-1", "1.5", "dark"],
  "dynamic-range": ["low"],
  shadow: ["hard"],
  still: ["rough"],
  loading: ["later"],
  backend: ["webgl", "WebGPU"],
};

async function saysWhatMakesNoSense(page) {
  const heard = [];
  const listen = (message) => message.type() === "warn" && heard.push(message.text());
  page.on("console", listen);
  const kept = await page.evaluate((nonsense) => {
    const kept = [];
    for (const [attribute, texts] of Object.entries(nonsense)) {
      const property = attribute.replace(/-./g, (dash) => dash[1].toUpperCase());
      const otherwise = document.createElement("gambol-player")[property];
      for (const text of texts) {
        const element = document.createElement("gambol-player");
        element.setAttribute(attribute, text);
        if (element[property] !== otherwise || element[property] !== otherwise) kept.push(`${attribute}="${text}"`);
        element.setAttribute(attribute, text);
        element.setAttribute(attribute, "");
        element.removeAttribute(attribute);
      }
    }
    console.warn("done");
    return kept;
  }, NONSENSE);
  while (heard.at(-1) !== "done")
    await inTime("the next console message", new Promise((resolve) => page.once("console", resolve)), 30);
  page.off("console", listen);
  assert.deepEqual(kept, []);
  const expected = Object.entries(NONSENSE).flatMap(([attribute, texts]) =>
    texts.map((text) => `${attribute}="${text}"`),
  );
  heard.pop();
  assert.equal(heard.length, expected.length, heard.join("\n"));
  heard.forEach((message, i) =>
    assert.ok(message.includes(expected[i]) && / expects .*; it uses /.test(message), message),
  );
}

/** Each setting is applied to the player, at first and when it changes. Values set by the page are kept. */
async function does(page, backend) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, {
      backend,
      src: "/fixtures/swing.glb",
      clip: "Swing",
      currentTime: 0.5,
      loop: "pingpong",
      playbackRate: -0.5,
      cameraOrbit: "30deg 0.2rad 150%",
      cameraTarget: "auto 3 auto",
      autoRotate: 30,
      pixelRatio: 0.5,
      still: "plain",
      exposure: 0.5,
      toneMapping: "agx",
      environment: "soft",
      environmentRotation: 90,
      environmentIntensity: 0.5,
      lightsIntensity: 0.5,
      transparent: true,
      skeleton: true,
    });
    const heard = stage.record(element, "error");
    document.body.append(element);
    await stage.once(element, "load");
    // In the task of the `load` event, the model is posed and drawn.
    await null;
    const { player } = element;
    const { camera } = player;
    player.autoUpdate = false;
    const state = () => ({
      time: player.currentTime,
      clip: player.clip?.name,
      loop: player.loop,
      playbackRate: player.playbackRate,
      turns: player.autoRotate,
      pixelRatio: player.pixelRatio,
      still: player.still,
      exposure: player.exposure,
      tone: player.toneMapping,
      intensity: player.environmentIntensity,
      lights: player.lightsIntensity,
      lightTurn: player.environmentRotation,
      skeleton: player.skeleton,
      ground: player.ground,
      background: player.background,
    });
    await untilSoon(() => player.clip !== null);
    const told = { start: state(), yaw: camera.yaw, pitch: camera.pitch, height: camera.target[1], heard };
    const far = camera.distance;
    const corner = (await stage.look(player)).data[3];

    element.removeAttribute("transparent");
    element.setAttribute("current-time", "1.5");
    Object.assign(element, {
      loop: 2,
      playbackRate: 2,
      autoRotate: 0,
      pixelRatio: 0,
      still: "refined",
      exposure: 1,
      environmentRotation: 0,
      skeleton: false,
    });
    await null;
    told.changed = state();
    element.shadow = "none";
    await null;
    told.groundless = player.ground;
    player.ground = true;
    player.background = [1, 0, 0, 1];
    element.exposure = 2;
    await null;
    told.ownKept = [player.ground, player.background];
    Object.assign(element, { transparent: true, shadow: "soft" });
    await null;
    told.transparentOnGround = [player.ground, player.background];

    // The camera moves there gradually.
    const before = [camera.yaw, camera.distance];
    element.cameraOrbit = "-1rad 0 100%";
    await null;
    told.jumped = Math.abs(camera.yaw - before[0]) > 1e-4;
    player.advance(0.05);
    const between = camera.yaw;
    player.advance(2);
    told.went = [between < before[0] && between > camera.yaw, camera.yaw, camera.pitch, far / camera.distance];
    element.cameraTarget = "1 2 3";
    await null;
    player.advance(2);
    told.target = [...camera.target];
    element.remove();
    return { ...told, corner };
  }, backend);

  const { start, changed } = told;
  assert.deepEqual(told.heard, []);
  near(start.time, 0.5);
  near(start.turns, Math.PI / 6);
  near(start.lightTurn, Math.PI / 2);
  assert.deepEqual(
    { ...start, time: 0, turns: 0, lightTurn: 0 },
    {
      time: 0,
      clip: "Swing",
      loop: "pingpong",
      playbackRate: -0.5,
      turns: 0,
      pixelRatio: 0.5,
      still: "plain",
      exposure: 0.5,
      tone: "agx",
      intensity: 0.5,
      lights: 0.5,
      lightTurn: 0,
      skeleton: true,
      ground: false,
      background: null,
    },
  );
  near(told.pitch, 0.2);
  near(told.height, 3);
  // It may have rotated slightly before the clock was stopped.
  assert.ok(told.yaw >= Math.PI / 6 - 1e-3 && told.yaw < Math.PI / 6 + 1, `${told.yaw}`);
  assert.equal(told.corner, 0);
  near(changed.time, 1.5);
  assert.deepEqual(
    { ...changed, time: 0 },
    {
      time: 0,
      clip: "Swing",
      loop: 2,
      playbackRate: 2,
      turns: 0,
      pixelRatio: 0,
      still: "refined",
      exposure: 1,
      tone: "agx",
      intensity: 0.5,
      lights: 0.5,
      lightTurn: 0,
      skeleton: false,
      ground: true,
      background: null,
    },
  );
  assert.equal(told.groundless, false);
  assert.deepEqual(told.ownKept, [true, [1, 0, 0, 1]], "a setting that didn't change is the page's own");
  assert.deepEqual(told.transparentOnGround, [true, null]);
  assert.equal(told.jumped, false);
  assert.equal(told.went[0], true, "on its way");
  near(told.went[1], -1);
  near(told.went[2], 0);
  assert.ok(told.went[3] > 1.2 && told.went[3] < 1.9, `once half as far again: ${told.went[3]}`);
  told.target.forEach((coordinate, at) => near(coordinate, at + 1));
}

/** A player whose element has no attributes has the settings that it gets when attributes are removed. */
async function beginsWithDefaults(page, backend, worker) {
  const [begun, reset] = await page.evaluate(
    async (backend, worker, rows) => {
      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, worker, src: "/fixtures/swing.glb" });
      document.body.append(element);
      await stage.once(element, "load");
      const { player } = element;
      const settings = async () => {
        await player.settled();
        const { camera, playbackRate, loop, cameraControls, cameraZoom, autoRotate, pixelRatio, still } = player;
        const { exposure, toneMapping, skeleton, background, ground } = player;
        const { environmentRotation, environmentIntensity, lightsIntensity } = player;
        const { fov, limits, home } = camera;
        const { yaw = null, pitch = null, distance = null, target = [null, null, null] } = home;
        return JSON.stringify([
          [playbackRate, loop, cameraControls, cameraZoom, autoRotate, pixelRatio, still],
          [exposure, toneMapping, skeleton, background, ground],
          [environmentRotation, environmentIntensity, lightsIntensity],
          [fov, limits, yaw, pitch, distance, target],
        ]);
      };
      const begun = await settings();
      for (const [attribute, text] of rows) {
        element.setAttribute(attribute, text);
        await null;
        element.removeAttribute(attribute);
        await null;
      }
      const reset = await settings();
      element.remove();
      return [begun, reset];
    },
    backend,
    worker,
    SETTINGS.map((attribute) => [attribute, ROWS[attribute][0]]),
  );
  assert.equal(begun, reset);
}

/** The field of view changes the camera's distance, so that the model stays about as large in the picture. */
async function keepsFraming(page, backend, worker) {
  const told = await page.evaluate(
    async (backend, worker) => {
      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, worker, src: "/fixtures/swing.glb", fieldOfView: 60 });
      document.body.append(element);
      await stage.once(element, "load");
      const { player } = element;
      const { camera } = player;
      const seen = async () => {
        await null;
        await player.settled();
        const [x, y, z] = camera.target;
        const metre = camera.project([x, y, z])[1] - camera.project([x, y + 1, z])[1];
        return { fov: camera.fov, distance: camera.distance, metre };
      };
      const told = [await seen()];
      element.fieldOfView = 20;
      told.push(await seen());
      element.removeAttribute("field-of-view");
      told.push(await seen());
      element.remove();
      return told;
    },
    backend,
    worker,
  );
  const [wide, narrow, usual] = told;
  near(wide.fov, Math.PI / 3);
  near(narrow.fov, Math.PI / 9);
  assert.equal(usual.fov, Math.fround(0.6), "the camera's own default");
  assert.ok(wide.distance < usual.distance && usual.distance < narrow.distance, JSON.stringify(told));
  // What is nearer than the target limits the size when the camera is close. Without framing they differ by 3 to 1.
  for (const { metre } of [wide, narrow]) assert.ok(Math.abs(metre / usual.metre - 1) < 0.3, JSON.stringify(told));
}

function near(number, expected) {
  assert.ok(Math.abs(number - expected) < 2e-3, `${number}, not ${expected}`);
}
