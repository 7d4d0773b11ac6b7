/** Elements in the slot `pin` follow nodes and surfaces, and are hidden when something covers them. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const longestSecs = 180;

const SIZE = { width: 320, height: 240 };

export default async function ({ page, backend, out }) {
  for (const worker of [false, true]) {
    const host = worker ? "worker" : "page";
    const told = await page.evaluate(show, backend, worker, SIZE);
    // Rounded to hundredths of a pixel.
    for (const [name, apart] of Object.entries(told.apart))
      assert.ok(apart < 0.02, `${host}, ${name}: ${apart} pixels`);
    assert.deepEqual(told.front, { nose: "visible", back: "covered", head: "visible" }, host);
    assert.deepEqual(told.behind, { nose: "covered", back: "visible", head: "visible" }, host);
    assert.deepEqual(told.seen, { nose: "hidden", back: "visible", focused: "visible" }, host);
    assert.deepEqual(told.errors, [
      ["unknown", "UNKNOWN_NODE"],
      ["wrong", "WRONG_TYPE"],
    ]);
    assert.deepEqual(told.wrong, ["nowhere", "hidden", "nowhere", "visible"], host);
    assert.deepEqual(told.missing, Array(7).fill("nowhere"), host);
    assert.deepEqual(told.moved, [true, "visible"], host);
    assert.deepEqual(told.actor, ["nowhere", "visible"], host);
    assert.ok(told.held < 0.02, `${host}: ${told.held} pixels from the held model`);
    assert.equal(told.many, 50, host);
    writeFileSync(join(out, `pins_${backend}_${host}.png`), await page.screenshot({ clip: { x: 0, y: 0, ...SIZE } }));

    // Fifty pins that move make the page compute no layout.
    const before = await page.metrics();
    const frames = await page.evaluate(play, worker);
    const after = await page.metrics();
    assert.ok(frames.moves > 100, `${host}: ${frames.moves} moves`);
    const layouts = after.LayoutCount - before.LayoutCount;
    assert.ok(layouts <= 2, `${host}: ${layouts} layouts in ${frames.count} frames`);
    assert.deepEqual(await page.evaluate(leave), ["nowhere", "hidden", "visible"], host);
  }
}

/** Shows a character with pins, and tells where they are. */
async function show(backend, worker, { width, height }) {
  const told = { apart: {}, errors: [] };
  const owner = document.createElement("gambol-player");
  window.owner = owner;
  owner.style.cssText = `position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px`;
  // Refined pictures would take the time of a software GPU in which pins are tested.
  const still = "plain";
  Object.assign(owner, { backend, worker, still, src: "/gambol/viewer/character.glb", clip: "Idle" });
  const pins = {};
  const pin = (name, data) => {
    const element = document.createElement("button");
    Object.assign(element, { slot: "pin", textContent: name });
    element.style.cssText = "font: 8px sans-serif; padding: 1px 3px; border: 1px solid; border-radius: 4px";
    Object.assign(element.dataset, data);
    element.addEventListener("error", (event) => {
      event.preventDefault();
      told.errors.push([name, event.detail.code]);
    });
    owner.append(element);
    pins[name] = element;
    return element;
  };
  window.pins = pins;
  pin("head", { node: "Head" });
  pin("hand", { node: "RightHand", offset: "0 0.05 0" });
  document.body.append(owner);
  await untilEvent(owner, "load");
  const { player } = owner;
  player.ground = false;

  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  /** Waits until each pin has been tested since the last change. */
  const settle = async () => {
    await player.settled();
    for (let left = 40; left > 0; left--) await frame();
  };
  const centre = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const apart = (element, [x, y]) => Math.hypot(centre(element)[0] - x, centre(element)[1] - y);
  const pointOf = async (node, [x, y, z] = [0, 0, 0]) => {
    // A worker tells a value once it has been asked for.
    void node.worldMatrix;
    await player.settled();
    const m = node.worldMatrix;
    return [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
  };
  const states = (...names) => Object.fromEntries(names.map((name) => [name, pins[name].dataset.pin]));
  const visibility = (element) => getComputedStyle(element).visibility;

  player.currentTime = 0.4;
  await settle();
  const compareNodes = async (suffix) => {
    const { camera } = player;
    told.apart[`head${suffix}`] = apart(pins.head, camera.project(await pointOf(player.node("Head"))));
    told.apart[`hand${suffix}`] = apart(
      pins.hand,
      camera.project(await pointOf(player.node("RightHand"), [0, 0.05, 0])),
    );
  };
  await compareNodes("");

  // Pins of surfaces are where they were picked, in front and behind.
  const head = player.camera.project(await pointOf(player.node("Head")));
  const place = [head[0], head[1] - 8];
  const front = await player.pick(...place);
  pin("nose", { surface: front.surface });
  await settle();
  // A pin that is covered keeps the focus.
  pins.nose.focus({ preventScroll: true });
  player.camera.yaw += Math.PI;
  await settle();
  const focused = visibility(pins.nose);
  pins.nose.blur();
  const back = await player.pick(...place);
  pin("back", { surface: back.surface });
  await settle();
  told.apart.back = apart(pins.back, place);
  told.behind = states("nose", "back", "head");
  told.seen = { nose: visibility(pins.nose), back: visibility(pins.back), focused };
  await compareNodes(" from behind");
  player.camera.yaw -= Math.PI;
  await settle();
  told.apart.nose = apart(pins.nose, place);
  told.front = states("nose", "back", "head");

  // A pin whose node doesn't exist isn't shown, and is mended by its attributes.
  const unknown = pin("unknown", { node: "Tentacle" });
  const wrong = pin("wrong", { node: "Head", offset: "up" });
  await settle();
  told.wrong = [unknown.dataset.pin, visibility(unknown), wrong.dataset.pin];
  wrong.dataset.offset = "0 0.3 0";
  await settle();
  told.wrong.push(wrong.dataset.pin);
  unknown.remove();
  // Points that don't exist.
  const [, node, primitive] = front.surface.split(" ");
  const missing = [
    `0 ${node} ${primitive} 4294967295 0.3 0.3`,
    `0 ${node} ${primitive} 1431655766 0.3 0.3`,
    `0 ${node} 1e9 0 0.3 0.3`,
    `0 1e300 ${primitive} 0 0.3 0.3`,
    `1e9 ${node} ${primitive} 0 0.3 0.3`,
    `0 ${node} ${primitive} 0 1e300 0.3`,
    `0 ${node} ${primitive} 0 0.3 0.3 77`,
  ];
  told.missing = [];
  for (const surface of missing) {
    wrong.dataset.surface = surface;
    await player.settled();
    await frame();
    told.missing.push(wrong.dataset.pin);
  }
  wrong.remove();

  // Pins follow what moves: the model, the camera and the size.
  const before = centre(pins.hand);
  player.currentTime = 1.1;
  player.camera.zoom(1.2);
  owner.style.width = `${width - 40}px`;
  await settle();
  told.moved = [apart(pins.hand, before) > 3, pins.hand.dataset.pin];
  await compareNodes(" moved");
  owner.style.width = `${width}px`;

  // Pins of an actor wait for it.
  const held = document.createElement("gambol-actor");
  Object.assign(held, { id: "held", src: "/fixtures/swing.glb" });
  for (const [name, value] of Object.entries({ "attach-to": "LeftHand", position: "0 0.1 0", scale: "0.1" }))
    held.setAttribute(name, value);
  const shown = untilEvent(held, "load");
  const handle = pin("held", { of: "held", offset: "0 0 5" });
  await settle();
  told.actor = [handle.dataset.pin];
  owner.append(held);
  await shown;
  handle.dataset.node = held.actor.nodes[0].name;
  await settle();
  told.actor.push(handle.dataset.pin);
  told.held = apart(handle, player.camera.project(await pointOf(held.actor.node(0), [0, 0, 5])));
  held.remove();
  handle.remove();

  // As many as a page may have.
  const nodes = player.nodes.filter(({ name }) => name).slice(0, 50);
  for (let nth = Object.keys(pins).length; owner.querySelectorAll("[slot=pin]").length < 50; nth++) {
    pin(`${nth}`, { node: nodes[nth % nodes.length].name, offset: `0 ${nth / 1000} 0` });
  }
  await settle();
  told.many = owner.querySelectorAll("[slot=pin][data-pin]").length;
  return told;
}

/** Plays for some frames, on a busy machine for more, and counts how often pins move. */
async function play() {
  const { owner, pins } = window;
  const elements = Object.values(pins).filter((element) => element.isConnected);
  const texts = elements.map(({ style }) => style.translate);
  let [moves, count] = [0, 0];
  await owner.play();
  while (count < 30 || (moves <= 100 && count < 1200)) {
    await new Promise(requestAnimationFrame);
    count++;
    elements.forEach(({ style }, nth) => {
      if (style.translate !== texts[nth]) moves++;
      texts[nth] = style.translate;
    });
  }
  owner.pause();
  return { moves, count };
}

/** Takes the element out of the page and puts it back. */
async function leave() {
  const { owner, pins } = window;
  owner.remove();
  await new Promise((resolve) => setTimeout(resolve, 700));
  const loaded = untilEvent(owner, "load");
  const starts = untilEvent(owner, "loadstart");
  document.body.append(owner);
  await starts;
  const told = [pins.head.dataset.pin, getComputedStyle(pins.head).visibility];
  await loaded;
  // A worker that a busy machine slows down tells later.
  for (let left = 600; left > 0 && pins.head.dataset.pin !== "visible"; left--)
    await new Promise(requestAnimationFrame);
  told.push(pins.head.dataset.pin);
  owner.remove();
  return told;
}
