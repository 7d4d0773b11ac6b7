/**
 * The wheel scrolls the page over a model until the player is clicked or focused, or Ctrl is held; a hint says how
 * to zoom.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const backends = ["webgl2"];
export const longestSecs = 180;

export default async function ({ page, backend, out }) {
  await page.evaluate(async (backend) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("body { height: 3000px } gambol-player { width: 600px; height: 400px }");
    document.adoptedStyleSheets = [sheet];
    const element = Object.assign(document.createElement("gambol-player"), {
      backend,
      src: "/fixtures/swing.glb",
      cameraControls: true,
    });
    document.body.append(element);
    await stage.once(element, "load");
    window.element = element;
    window.part = (name) => element.shadowRoot.querySelector(`.${name}`);
    /** Turns the wheel over the model. Returns the final camera distance and the scroll position. */
    window.heard = [];
    addEventListener("wheel", (event) => heard.push(event.defaultPrevented));
    window.resting = async () => {
      const { camera } = element.player;
      for (let [before, after] = [0, camera.distance]; before !== after; ) {
        for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
        [before, after] = [after, camera.distance];
      }
      return camera.distance;
    };
  }, backend);
  await page.mouse.move(300, 200);

  /** Turns the wheel by a notch. Returns the scroll distance and the change of the camera distance. */
  const wheel = async (deltaY = -100) => {
    const before = await page.evaluate(() => {
      heard.length = 0;
      return resting();
    });
    await page.mouse.wheel({ deltaY });
    await page.waitForFunction(() => heard.length > 0);
    return page.evaluate(async (before) => ({ taken: heard[0], zoomed: before / (await resting()) }), before);
  };
  const left = { taken: false, zoomed: 1 };
  const hint = () => page.evaluate(() => part("hint")?.classList.contains("seen") ?? false);

  // ── auto ──

  assert.deepEqual(await wheel(), left, "the page's");
  await page.waitForFunction(() => part("hint")?.classList.contains("seen"));
  await page.waitForFunction(() => getComputedStyle(part("hint")).opacity === "1");
  const told = await page.evaluate(() => ({
    words: part("hint").textContent,
    hidden: part("hint").ariaHidden,
    lang: part("hint").lang,
    pointer: getComputedStyle(part("hint")).pointerEvents,
  }));
  assert.deepEqual(told, {
    words: "To zoom with the wheel, click the model or hold Ctrl",
    hidden: "true",
    lang: "en",
    pointer: "none",
  });
  writeFileSync(
    join(out, "element_wheel.png"),
    await page.screenshot({ clip: { x: 0, y: 0, width: 600, height: 400 } }),
  );
  await page.waitForFunction(() => !part("hint").classList.contains("seen"));

  await page.keyboard.down("Control");
  const held = await wheel();
  await page.keyboard.up("Control");
  assert.ok(held.taken && held.zoomed > 1.05 && held.zoomed < 1.5, JSON.stringify(held));
  assert.deepEqual(await wheel(100), left, "it counts while it is held");
  assert.equal(await hint(), false, "who has zoomed by wheel knows how");

  await page.mouse.click(300, 200);
  const clicked = await wheel(100);
  assert.ok(clicked.taken && clicked.zoomed < 0.95, JSON.stringify(clicked));
  await page.mouse.click(700, 500);
  await page.mouse.move(300, 200);
  assert.deepEqual(await wheel(), left, "a click elsewhere gives it back");

  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.activeElement === element);
  const focused = await wheel();
  assert.ok(focused.taken && focused.zoomed > 1.05, `a focus by keyboard counts: ${JSON.stringify(focused)}`);
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.activeElement !== element);
  assert.deepEqual(await wheel(), left);

  // ── always, none ──

  await page.evaluate(() => (element.cameraZoom = "always"));
  const always = await wheel();
  assert.ok(always.taken && always.zoomed > 1.05, JSON.stringify(always));
  await page.evaluate(() => element.setAttribute("camera-zoom", "none"));
  await page.mouse.click(300, 200);
  await page.keyboard.down("Control");
  const pinch = await wheel();
  await page.keyboard.up("Control");
  assert.deepEqual(pinch, left, "with “none” no wheel zooms the model, and Ctrl zooms the page");
  const keys = await page.evaluate(() => resting());
  await page.keyboard.press("+");
  assert.equal(await page.evaluate(() => resting()), keys, "nor does a key");
  await page.keyboard.press("ArrowLeft");
  assert.ok(
    await page.evaluate(async () => (await resting()) && Math.abs(element.player.camera.yaw) > 0.1),
    "other keys go on",
  );

  // ── a picture, a player in a worker, a canvas of the page's own ──

  await page.evaluate(() => {
    element.removeAttribute("camera-zoom");
    element.cameraControls = false;
    part("hint").remove();
    document.activeElement.blur();
  });
  await page.waitForFunction(() => !element.player.cameraControls);
  assert.deepEqual(await wheel(), left);
  assert.equal(await hint(), false);
  const own = await page.evaluate(async (backend) => {
    element.remove();
    const turn = (player, options = {}) => {
      const event = new WheelEvent("wheel", { deltaY: -100, bubbles: true, cancelable: true, ...options });
      player.canvas.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const told = {};
    for (const worker of [false, true]) {
      const player = await stage.open(backend, { worker });
      told[worker] = [turn(player), turn(player, { ctrlKey: true })];
      player.canvas.focus();
      told[worker].push(turn(player));
      player.canvas.blur();
      player.cameraZoom = "always";
      told[worker].push(turn(player), (await stage.failure(() => (player.cameraZoom = "often"))).code);
    }
    const set = await stage.open(backend, { cameraZoom: "none" });
    told.none = [turn(set, { ctrlKey: true }), set.cameraZoom];
    stage.close();
    return told;
  }, backend);
  const each = [false, true, true, true, "OUT_OF_RANGE"];
  assert.deepEqual(own, { false: each, true: each, none: [false, "none"] });
}
