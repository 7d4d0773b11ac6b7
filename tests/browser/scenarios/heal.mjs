/**
 * WebGPU that draws nothing is replaced by WebGL2, with the state that the page has set. It takes less than a second
 * for a model that plays. WebGPU that draws, however little, is not replaced.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const alone = true;
export const backends = ["auto"];
/** A page for each part, since the page remembers that WebGPU draws nothing. */
export const longestSecs = 240;

export default async function ({ page, out, url }) {
  const part = async (name, run, isBroken = true) => {
    await page.goto(url);
    await page.waitForFunction(() => window.stage);
    if (isBroken) await page.evaluate(() => import("/blank_gpu.js"));
    await page.evaluate(prepare);
    try {
      return await page.evaluate(run);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
  };

  /** Runs a part again if it took long: on a busy machine, a second is short. */
  const soon = async (...args) => {
    const took = [];
    while (took.length < 5) {
      const told = await part(...args);
      took.push(Math.round(told.millis));
      console.log(`# ${args[0]}: WebGL2 after ${took.at(-1)} ms`);
      if (told.millis < 1000) return told;
    }
    return assert.fail(`${args[0]}: WebGL2 after ${took} ms`);
  };

  assert.ok((await soon("the page's thread", () => playing())).isVisible);
  assert.ok((await soon("a worker", () => playing({ worker: "/blank_gpu_worker.js" }))).isVisible);
  const shown = await part("the page's state", inThePage);
  writeFileSync(join(out, "heal.png"), Buffer.from(shown.picture, "base64"));
  check(shown);
  assert.equal(shown.sameCanvas, false);
  assert.deepEqual(shown.later, ["webgl2", "webgl2"]);
  assert.equal(shown.width, 120, "the pixel ratio can be set on the new canvas");
  check(await part("a worker's state", inAWorker));
  const element = await soon("the element", inTheElement);
  assert.ok(element.part > 0.03, `${element.part}`);
  assert.deepEqual(element.events, [{ name: "backendchange", detail: { backend: "webgl2" } }]);
  assert.deepEqual(element.canvas, { count: 1, isPlayers: true, shown: true, movable: true, focused: true });
  assert.deepEqual([element.clip, element.moves, element.errors], ["Swing", true, []]);

  assert.deepEqual(await part("healthy", healthy, false), [
    ["webgpu", "drawn", 0],
    ["webgpu", "aimed away", 0],
    ["webgpu", "hidden", 0],
    ["webgpu", "one colour", 0],
    ["webgpu", "appears later", 0],
  ]);
  assert.equal(await part("appears later", appearsLater), "webgl2");
  assert.deepEqual(await part("several models", severalModels), {
    backend: "webgl2",
    actors: ["webgl2 Stroll 2", "webgl2 Swing -2"],
    gone: [false, "UNKNOWN_ACTOR"],
    seen: true,
  });
  assert.deepEqual(await part("pins", pins), { backend: "webgl2", state: "visible", follows: true, errors: [] });
  assert.deepEqual(await part("many", many), Array(8).fill(["webgl2", true, 0]));
  assert.deepEqual(await part("asked for", askedFor), ["webgpu", 0]);
  assert.deepEqual(await part("disposed of", disposed), { errors: [], canvases: 4, events: 0 });
  assert.deepEqual(await part("no WebGL2", withoutWebgl), ["webgpu", true, 0, "webgpu"]);
  assert.deepEqual(await part("loading", loading), ["Stroll", "webgl2", ["swing.glb", "stroll.glb"], 1]);
  assert.deepEqual(await part("by hand", byHand), ["webgpu", true, "webgl2", 0.25]);
}

function check({ coverage, events, state, expected, backend, loads, wasThere }) {
  assert.ok(coverage > 0.03, `${coverage}`);
  assert.equal(backend, "webgl2");
  assert.deepEqual(
    events.filter(({ name }) => name === "backendchange"),
    [{ name: "backendchange", detail: { backend: "webgl2" } }],
  );
  // Nothing is told twice.
  assert.deepEqual(
    events.map(({ name }) => name).filter((name) => ["play", "load", "clipchange", "marker", "error"].includes(name)),
    ["load", "play", "play", "clipchange", "marker"],
  );
  assert.equal(loads, 1);
  assert.deepEqual(state, expected);
  assert.ok(wasThere);
}

/** Defines what the parts share. Runs in the page. */
function prepare() {
  window.NAMES = ["load", "play", "clipchange", "marker", "finished", "backendchange", "error", "contextlost"];
  window.frame = () => new Promise(requestAnimationFrame);

  /** A page that sets everything before and while the backend is replaced. */
  window.setUp = (player) => {
    player.setMarkers("Swing", [{ name: "step", time: 0.01 }]);
    player.background = [0.2, 0.3, 0.4];
    player.exposure = 1.5;
    player.environmentRotation = 0.5;
    player.toneMapping = "agx";
    player.still = "plain";
    player.lightsIntensity = 0.7;
    player.viewing = player.setView("matcap");
    player.camera.limits = { pitch: [-0.5, 1] };
    player.playbackRate = 0.5;
    const run = player.play("Swing");
    player.layer("upper", { weight: 0.5 }).play("Raise");
    player.crowd(3, { place: (index) => [index - 1, 0, 0] });
    player.characters[1].tint = "red";
    player.frame();
    return run;
  };
  window.during = (player) => {
    player.camera.yaw = 0.5;
    player.characters[2].playbackRate = 2;
    player.layer("upper").weight = 0.75;
    player.ground = false;
  };
  /** Lets a model appear after its first pictures, as some animations do. */
  window.appear = (player) => {
    const roots = player.nodes.filter(({ parent }) => parent === -1).map(({ index }) => player.node(index));
    player.ground = false;
    for (const root of roots) root.scale([0, 0, 0]);
    setTimeout(() => {
      for (const root of roots) root.release();
    }, 700);
  };
  const rounded = (number) => Math.round(number * 1000) / 1000;
  window.stateOf = async (player) => {
    await player.viewing;
    const read = () => ({
      clip: player.clip.name,
      rate: player.playbackRate,
      layers: player.layers.map((name) => [name, player.layer(name).clip?.name, rounded(player.layer(name).weight)]),
      background: player.background.map(rounded),
      exposure: player.exposure,
      tone: player.toneMapping,
      still: player.still,
      light: [player.environmentRotation, player.environmentIntensity, player.lightsIntensity],
      camera: [player.camera.yaw, player.camera.pitch, player.camera.distance, ...player.camera.target].map(rounded),
      limits: player.camera.limits,
      characters: player.characters.map(({ place, tint, playbackRate }) => [place.position, tint, playbackRate]),
      ground: player.ground,
      view: player.view,
      markers: player.markers("Swing"),
      // On the page's thread, these are listed when they are first read.
      nodes: player.nodes.map(({ name, parent, restMatrix }) => [name, parent, ...restMatrix]),
      skins: player.skins.map(({ joints }) => joints.length),
      state: player.state,
    });
    read();
    await player.settled();
    return read();
  };

  /** Lets a player with a model that plays draw nothing, and returns when another backend has taken over. */
  window.playing = async (options) => {
    const player = await stage.open("auto", options);
    player.autoUpdate = true;
    const changed = stage.once(player, "backendchange");
    await player.load("/fixtures/swing.glb");
    player.play("Swing");
    const begin = performance.now();
    await changed;
    const millis = performance.now() - begin;
    return { millis, isVisible: stage.coverage(await stage.look(player)).part > 0.03 };
  };

  /** The same with all that a page can set. Returns what the page sees. */
  window.watch = async (options) => {
    const player = await stage.open("auto", { css: "width: 240px; height: 200px", ...options });
    const events = stage.record(player, ...NAMES);
    const changed = stage.once(player, "backendchange");
    const [before, first] = [player.canvas, player.backend];
    player.autoUpdate = true;
    await player.load("/fixtures/swing.glb");
    const { clips } = player;
    const run = setUp(player);
    await player.settled();
    await frame();
    during(player);
    const time = player.currentTime;
    await changed;
    await player.settled();
    const wasThere =
      first === "webgpu" && clips === player.clips && player.canvas.isConnected && player.currentTime >= time;
    player.pause();
    await player.settled();
    const state = await stateOf(player);
    const told = events.map(({ name, detail }) => ({ name, detail: name === "backendchange" ? detail : null }));
    // The same calls on a player that draws through WebGL2 from the start.
    const other = await stage.open("webgl2", { css: "width: 240px; height: 200px" });
    await other.load("/fixtures/swing.glb");
    setUp(other);
    during(other);
    other.pause();
    const expected = await stateOf(other);
    const image = await stage.pixelsOfPng(await player.screenshot({ width: 240, height: 200 }));
    const { finished } = run;
    player.stop();
    const reason = await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 3000, "never"))]);
    return {
      player,
      seen: {
        events: told,
        state,
        expected,
        backend: player.backend,
        sameCanvas: player.canvas === before,
        coverage: stage.coverage(image).part,
        loads: events.filter(({ name }) => name === "load").length,
        wasThere: wasThere && reason === "stopped" && !before.isConnected,
        picture: await stage.png(image),
      },
    };
  };
}

async function inThePage() {
  const { player, seen } = await watch({});
  // What is on the canvas itself.
  player.play("Swing");
  seen.coverage = Math.min(seen.coverage, stage.coverage(await stage.look(player)).part);
  seen.picture = await stage.png(await stage.look(player));
  player.pixelRatio = 0.5;
  await stage.look(player);
  seen.width = player.canvas.width;
  const later = await stage.open("auto");
  const { preload } = await import("/gambol/index.js");
  return { ...seen, later: [later.backend, await preload()] };
}

async function inAWorker() {
  return (await watch({ worker: "/blank_gpu_worker.js" })).seen;
}

async function inTheElement() {
  const element = document.createElement("gambol-player");
  Object.assign(element, { src: "/fixtures/swing.glb", clip: "Swing", autoplay: true, cameraControls: true });
  const events = stage.record(element, "backendchange");
  const errors = stage.record(element, "error");
  document.body.append(element);
  element.shadowRoot.querySelector("canvas").focus();
  // As in a window without the focus.
  const { matches } = Element.prototype;
  Element.prototype.matches = function (selector) {
    return selector !== ":focus" && matches.call(this, selector);
  };
  await stage.once(element, "load");
  const begin = performance.now();
  await until(() => events.length > 0);
  const millis = performance.now() - begin;
  await stage.once(element, "timeupdate");
  const { player } = element;
  const canvases = [...element.shadowRoot.querySelectorAll("canvas")];
  const [canvas] = canvases;
  const { yaw } = player.camera;
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  await until(() => player.camera.yaw !== yaw);
  return {
    millis,
    events,
    errors,
    part: stage.coverage(await stage.look(player)).part,
    clip: player.clip.name,
    moves: player.camera.yaw !== yaw,
    canvas: {
      count: canvases.length,
      isPlayers: canvas === player.canvas,
      shown: canvas.classList.contains("shown"),
      movable: canvas.classList.contains("movable"),
      focused: element.shadowRoot.activeElement === canvas,
    },
  };
}

/** Pins follow the model on the other canvas, with the second wasm file of the other backend. */
async function pins() {
  const element = document.createElement("gambol-player");
  element.style.cssText = "position: absolute; left: 0; top: 0; width: 320px; height: 240px";
  Object.assign(element, { src: "/fixtures/swing.glb", clip: "Swing", autoplay: true });
  const events = stage.record(element, "backendchange");
  const errors = stage.record(element, "error");
  const pin = Object.assign(document.createElement("span"), { slot: "pin", textContent: "here" });
  element.append(pin);
  document.body.append(element);
  await stage.once(element, "load");
  const { player } = element;
  pin.dataset.node = player.nodes[0].name;
  pin.dataset.offset = "0 0 1";
  await until(() => events.length > 0);
  await until(() => pin.dataset.pin === "visible");
  player.pause();
  player.camera.yaw += 0.3;
  const [x, y] = player.camera.project([0, 0, 1]);
  const follows = () => {
    const { left, top, width, height } = pin.getBoundingClientRect();
    return Math.hypot(left + width / 2 - x, top + height / 2 - y) < 0.02;
  };
  await until(follows);
  return { backend: player.backend, state: pin.dataset.pin, follows: follows(), errors };
}

async function healthy() {
  const told = [];
  const fetched = () => performance.getEntriesByType("resource").filter(({ name }) => /heal-|webgl/.test(name)).length;
  const open = async (what, prepare) => {
    const player = await stage.open("auto");
    const events = stage.record(player, "backendchange", "error");
    player.autoUpdate = true;
    await player.load("/fixtures/swing.glb");
    prepare(player);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    if (what === "drawn") events.push(...Array(fetched()));
    told.push([player.backend, what, events.length]);
    player.dispose();
    player.canvas.remove();
  };
  await open("drawn", () => undefined);
  await open("aimed away", (player) => {
    player.camera.target = [1000, 0, 0];
    player.ground = false;
  });
  await open("hidden", (player) => {
    for (const { index } of player.materials) player.material(index).visible = false;
    player.ground = false;
  });
  await open("one colour", (player) => {
    // From within a metre, black fills the canvas.
    for (const { index } of player.materials) player.material(index).color = [0, 0, 0];
    player.exposure = 0;
    player.ground = false;
    player.camera.distance = 0.01;
  });
  await open("appears later", appear);
  return told;
}

async function appearsLater() {
  const player = await stage.open("auto");
  player.autoUpdate = true;
  const changed = stage.once(player, "backendchange");
  await player.load("/fixtures/swing.glb");
  appear(player);
  await changed;
  return player.backend;
}

/** Actors that were added before and after the player's own model, and one that was removed. */
async function severalModels() {
  const player = await stage.open("auto", { css: "width: 240px; height: 200px" });
  player.ground = false;
  const changed = stage.once(player, "backendchange");
  const first = await player.add("/fixtures/stroll.glb");
  const gone = await player.add("/fixtures/swing.glb");
  first.position = [2, 0, 0];
  first.play("Stroll");
  gone.remove();
  await player.load("/fixtures/swing.glb");
  player.autoUpdate = true;
  const second = await player.add("/fixtures/swing.glb");
  second.position = [-2, 0, 0];
  second.play("Swing");
  await changed;
  player.frame();
  const actors = player.actors.map((actor) => {
    const [x] = actor.node(actor.nodes[0].name).worldMatrix.subarray(12);
    return `${player.backend} ${actor.clip.name} ${Math.round(x)}`;
  });
  const both = stage.coverage(await stage.look(player)).part;
  first.visible = second.visible = false;
  const alone = stage.coverage(await stage.look(player)).part;
  const { code } = await stage.failure(() => gone.play());
  return { backend: player.backend, actors, gone: [gone.alive, code], seen: both > 2 * alone && alone > 0.005 };
}

/** More players than have a context of their own. */
async function many() {
  const players = await Promise.all(
    Array.from({ length: 8 }, async (_, nth) => {
      const player = await stage.open("auto", { css: "width: 90px; height: 90px; float: left" });
      const errors = stage.record(player, "error");
      player.autoUpdate = true;
      const changed = stage.once(player, "backendchange");
      await player.load(`/fixtures/${nth % 2 ? "swing" : "stroll"}.glb`);
      player.play(0);
      return { player, errors, changed };
    }),
  );
  const told = [];
  for (const { player, errors, changed } of players) {
    await changed;
    told.push([player.backend, stage.coverage(await stage.look(player)).part > 0.03, errors.length]);
  }
  return told;
}

async function askedFor() {
  const player = await stage.open("webgpu");
  const events = stage.record(player, "backendchange", "error");
  player.autoUpdate = true;
  await player.load("/fixtures/swing.glb");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return [player.backend, events.length];
}

async function disposed() {
  const errors = [];
  addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
  let heard = 0;
  for (const [delay, options] of [
    [0, {}],
    [60, {}],
    [150, {}],
    [100, { worker: "/blank_gpu_worker.js" }],
  ]) {
    const player = await stage.open("auto", options);
    const events = stage.record(player, "backendchange", "error");
    player.autoUpdate = true;
    await player.load("/fixtures/swing.glb");
    await frame();
    await new Promise((resolve) => setTimeout(resolve, delay));
    const before = events.length;
    player.dispose();
    await new Promise((resolve) => setTimeout(resolve, 700));
    heard += events.length - before;
  }
  return { errors, canvases: document.querySelectorAll("canvas").length, events: heard };
}

async function withoutWebgl() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
    return kind === "webgl2" ? null : getContext.call(this, kind, ...options);
  };
  const player = await stage.open("auto");
  const { canvas } = player;
  const events = stage.record(player, "backendchange", "error");
  player.autoUpdate = true;
  await player.load("/fixtures/swing.glb");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  player.play("Swing");
  await stage.once(player, "timeupdate");
  const next = await stage.open("auto");
  return [player.backend, canvas.isConnected && player.canvas === canvas, events.length, next.backend];
}

/** Another model is requested while the backend is being replaced. */
async function loading() {
  const player = await stage.open("auto");
  const events = stage.record(player, "load", "backendchange", "error");
  player.autoUpdate = true;
  await player.load("/fixtures/swing.glb");
  const changed = stage.once(player, "backendchange");
  await frame();
  await frame();
  // Arrives after the change.
  const { fetch } = window;
  window.fetch = async (...args) => {
    const response = await fetch(...args);
    if (String(args[0]?.url ?? args[0]).includes("stroll")) await changed;
    return response;
  };
  await player.load("/fixtures/stroll.glb");
  const run = player.play("Stroll");
  await stage.once(player, "timeupdate");
  const loads = events.filter(({ name }) => name === "load").map(({ detail }) => detail.name);
  return [run.clip.name, player.backend, loads, events.length - loads.length];
}

/** A page that draws and advances by itself gets the picture without another call. */
async function byHand() {
  const player = await stage.open("auto");
  // The event is dispatched in the task of the draw.
  const drawn = new Promise((resolve) => {
    player.addEventListener("backendchange", () => resolve(stage.coverage(stage.pixelsOf(player.canvas)).part > 0.03));
  });
  await player.load("/fixtures/swing.glb");
  player.play("Swing");
  player.advance(0.25);
  player.render();
  return [player.backend, await drawn, player.backend, player.currentTime];
}
