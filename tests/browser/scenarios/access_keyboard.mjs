/** Every control of the element can be reached and used by keyboard alone, with a visible focus. */

import assert from "node:assert/strict";

import { fail, walkByTab } from "../access.mjs";

export const backends = ["webgl2"];
export const longestSecs = 180;

export default async function ({ page, backend, url }) {
  const judge = await page.browser().newPage();
  await judge.goto(url);
  await judge.waitForFunction(() => window.stage);
  await page.bringToFront();

  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", autoplay: true, controls: true });
    element.style.cssText = "width: 600px; height: 240px";
    const link = (text) => Object.assign(document.createElement("a"), { href: "#", textContent: text });
    document.body.append(link("before"), element, link("after"));
    await stage.once(element, "load");
    await until(() => element.shadowRoot.querySelector("[part~=timeline]:enabled"));
    window.element = element;
    window.part = (name) => element.shadowRoot.querySelector(`[part~=${name}]`);
    window.focused = () =>
      element.shadowRoot.activeElement?.part[0] ?? element.shadowRoot.activeElement?.className ?? "";
    // The damped camera has come to rest.
    window.resting = async () => {
      const state = () =>
        JSON.stringify([
          element.player.camera.yaw,
          element.player.camera.pitch,
          element.player.camera.distance,
          element.player.camera.target,
        ]);
      let [before, after] = ["", state()];
      await until(async () => {
        for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
        [before, after] = [after, state()];
        return before === after;
      }, "the camera to rest");
      const { yaw, pitch, distance, target } = element.player.camera;
      return { yaw, pitch, distance, target };
    };
  }, backend);

  // ── reachable controls ──

  const bar = ["Play", "Timeline", "Clip", "Speed", "Loop"];
  assert.deepEqual(await walkByTab(page), ["before", "3D character", ...bar, "after"]);
  await fail(page);
  const notice = ["Dismiss", "Start again", "Details"];
  assert.deepEqual(await walkByTab(page, judge), ["before", "3D character", ...notice, ...bar, "after"]);

  // ── the notice ──

  const goTo = (name) => page.evaluate((name) => part(name).focus(), name);
  await goTo("timeline");
  await page.keyboard.press("Escape");
  const hidden = () => page.evaluate(() => [part("error").hidden, focused()]);
  assert.deepEqual(await hidden(), [true, "timeline"]);
  await fail(page);
  await page.evaluate(() => part("error").querySelector("button").focus());
  await page.keyboard.press("Enter");
  assert.deepEqual(await hidden(), [true, "canvas"], "who was on it isn't thrown out of the player");

  // ── the camera ──

  const pressed = async (...keys) => {
    const before = await page.evaluate(() => resting());
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
    await page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1)) await page.keyboard.up(key);
    return { before, after: await page.evaluate(() => resting()) };
  };
  const close = (a, b) => Math.abs(a - b) < 1e-3;
  const home = await page.evaluate(() => resting());
  for (const [key, sign] of [
    ["ArrowLeft", -1],
    ["ArrowRight", 1],
  ]) {
    const { before, after } = await pressed(key);
    assert.ok(sign * (after.yaw - before.yaw) > 0.1, `${key}: ${before.yaw} → ${after.yaw}`);
    const panned = await pressed("Shift", key);
    assert.ok(
      close(panned.before.yaw, panned.after.yaw) && !close(panned.before.target[0], panned.after.target[0]),
      `Shift and ${key} pan`,
    );
  }
  for (const [key, sign] of [
    ["ArrowUp", 1],
    ["ArrowDown", -1],
  ]) {
    const { before, after } = await pressed(key);
    assert.ok(sign * (after.pitch - before.pitch) > 0.1, `${key}: ${before.pitch} → ${after.pitch}`);
  }
  for (const [key, sign] of [
    ["+", -1],
    ["-", 1],
  ]) {
    const { before, after } = await pressed(key);
    assert.ok(sign * (after.distance - before.distance) > 0.1, `${key}: ${before.distance} → ${after.distance}`);
  }
  for (const key of ["0", "Home"]) {
    await pressed("ArrowUp");
    const { after } = await pressed(key);
    assert.ok(
      close(after.pitch, home.pitch) && close(after.distance, home.distance) && close(after.yaw, home.yaw),
      `${key} goes back`,
    );
  }

  // ── playback ──

  const playing = () => page.evaluate(() => !element.paused);
  for (const name of ["canvas", "timeline"]) {
    await goTo(name);
    for (const [key, expected] of [
      ["Space", true],
      ["Space", false],
      ["k", true],
      ["k", false],
    ]) {
      await page.keyboard.press(key);
      await page.waitForFunction((expected) => element.paused !== expected, {}, expected);
    }
  }
  await goTo("play-button");
  for (const [key, expected] of [
    ["Enter", true],
    ["Space", false],
    ["k", true],
    ["Space", false],
  ]) {
    await page.keyboard.press(key);
    await page.waitForFunction((expected) => element.paused !== expected, {}, expected);
  }
  assert.equal(await playing(), false);

  // ── the timeline ──

  await goTo("timeline");
  const at = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return page.evaluate(() => [element.currentTime, part("timeline").getAttribute("aria-valuetext")]);
  };
  for (const dir of ["ltr", "rtl"]) {
    await page.evaluate((dir) => (element.dir = dir), dir);
    assert.deepEqual(await at("Home"), [0, "0.00 of 2.00 seconds"]);
    assert.deepEqual(
      (await at("ArrowRight", "ArrowUp", "ArrowRight"))[1],
      "0.10 of 2.00 seconds",
      `in ${dir} time goes to the right`,
    );
    assert.deepEqual((await at("ArrowLeft", "ArrowDown"))[1], "0.03 of 2.00 seconds");
    assert.deepEqual((await at("PageUp", "PageUp", "PageDown"))[1], "0.23 of 2.00 seconds");
    assert.deepEqual((await at("."))[1], "0.27 of 2.00 seconds");
    assert.deepEqual((await at(","))[1], "0.23 of 2.00 seconds");
    assert.deepEqual(await at("End"), [2, "2.00 of 2.00 seconds"]);
    const [box, value] = await page.evaluate(() => {
      const { left, width } = part("timeline").getBoundingClientRect();
      return [left + width * 0.25, part("timeline").getBoundingClientRect().top + 12];
    });
    await page.mouse.click(box, value);
    const clicked = await page.evaluate(() => element.currentTime);
    assert.ok(Math.abs(clicked - 0.5) < 0.05, `${dir}: a click a quarter from the left is at ${clicked}`);
  }

  // ── the select boxes ──

  await goTo("clip-select");
  await page.keyboard.press("r");
  await page.waitForFunction(() => element.player.clip.name === "Raise");
  await goTo("speed-select");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => element.playbackRate === 1.5);
  await goTo("loop-select");
  await page.keyboard.press("o");
  await page.waitForFunction(() => element.loop === "once");

  // ── without the bar ──

  await page.evaluate(() => {
    Object.assign(element, { controls: false, loop: "repeat" });
    element.pause();
  });
  await page.waitForFunction(() => !part("big-play-button").hidden);
  assert.equal(await page.evaluate(() => part("canvas").getAttribute("role")), "img");
  assert.deepEqual(await walkByTab(page, judge), ["before", "Play", "after"]);
  await goTo("big-play-button");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !element.paused);
  await judge.close();
}
