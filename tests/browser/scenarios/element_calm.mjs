/**
 * Reduced motion: visitors who prefer it see a still pose and a button, others can stop any automatic motion, and
 * both follow a change of the preference.
 */

import assert from "node:assert/strict";

/** Many players are created in turn. */
export const longestSecs = 240;

export default async function ({ page, backend }) {
  /** Waits until the page has seen the change: an emulated preference that reverts between two frames has no effect. */
  const prefer = async (value) => {
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value }]);
    await page.waitForFunction((value) => preference === value, {}, value);
  };
  await page.evaluate(async (backend) => {
    window.preference = "no-preference";
    window.query = matchMedia("(prefers-reduced-motion: reduce)");
    query.addEventListener("change", () => (preference = query.matches ? "reduce" : "no-preference"));
    window.show = async (properties) => {
      window.element?.remove();
      window.element = document.createElement("gambol-player");
      Object.assign(element, { backend, src: "/fixtures/swing.glb", clip: "Swing", ...properties });
      document.body.append(element);
      await stage.once(element, "load");
      await untilSoon(() => element.shadowRoot.querySelector("canvas.shown"));
    };
    window.part = (name) => element.shadowRoot.querySelector(`[part=${name}]`);
    window.seen = (part) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    window.state = () => {
      const big = part("big-play-button");
      const { player } = element;
      const turns = player.autoRotate > 0;
      const button = big.hidden ? "no button" : big.getAttribute("aria-label");
      return `${element.paused ? "stands" : "plays"}${turns ? ", turns" : ""}; ${button}`;
    };
    // The model is still if two pictures a few frames apart are equal.
    window.moves = async () => {
      const before = await stage.look(element.player);
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      return stage.compare(before, await stage.look(element.player)).count > 0;
    };
  }, backend);
  const show = (properties) => page.evaluate((properties) => show(properties), properties);
  const state = () => page.evaluate(() => state());
  const moves = () => page.evaluate(() => moves());
  const click = () => page.evaluate(() => part("big-play-button").click());

  // Without the preference, automatic motion can be stopped by pointer and by keyboard.
  await show({ autoplay: true, autoRotate: 40 });
  assert.equal(await state(), "plays, turns; Pause");
  assert.equal(await moves(), true);
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => {
    const big = part("big-play-button");
    const { width, height } = big.getBoundingClientRect();
    // On devices without hover, the button is always visible.
    return [element.shadowRoot.activeElement === big, Math.min(width, height) >= 24, seen(big)];
  });
  assert.deepEqual(focused, [true, true, true]);
  await page.keyboard.press("Enter");
  assert.equal(await state(), "stands; Play");
  assert.equal(await moves(), false);
  await page.keyboard.press(" ");
  assert.equal(await state(), "plays, turns; Pause");

  // Automatic rotation is stopped too, and starting it again starts no clip.
  await show({ autoRotate: 40 });
  assert.equal(await state(), "stands, turns; Pause");
  await click();
  assert.equal(await state(), "stands; Play");
  await click();
  assert.equal(await state(), "stands, turns; Pause");
  // Also with controls, whose button controls the clip and the rotation.
  await show({ autoRotate: 40, controls: true });
  await page.waitForFunction(() => part("play-button"));
  assert.equal(await state(), "stands, turns; Pause");
  await page.evaluate(() => part("play-button").click());
  assert.equal(await state(), "plays, turns; no button");
  await page.evaluate(() => part("play-button").click());
  assert.equal(await state(), "stands; no button");

  // On the canvas, Space and K act like the button, if there is one.
  for (const controls of [false, true]) {
    await show({ autoplay: true, autoRotate: 40, cameraControls: true, controls });
    await page.waitForFunction((controls) => !controls || part("controls")?.hidden === false, {}, controls);
    await page.evaluate(() => part("canvas").focus());
    await page.keyboard.press(" ");
    assert.equal(await state(), controls ? "stands; no button" : "stands; Play");
    await page.keyboard.press("k");
    assert.equal(await state(), controls ? "plays, turns; no button" : "plays, turns; Pause");
    await page.keyboard.down("Control");
    await page.keyboard.press("k");
    await page.keyboard.up("Control");
    assert.equal(await state(), controls ? "plays, turns; no button" : "plays, turns; Pause");
  }
  await show({ cameraControls: true });
  await page.evaluate(() => part("canvas").focus());
  await page.keyboard.press("k");
  assert.equal(await state(), "stands; no button", "playing is the page's business");

  // The preference is set during playback, and removed again.
  await show({ autoplay: true, autoRotate: 40 });
  await prefer("reduce");
  assert.equal(await state(), "stands; Play");
  assert.equal(await moves(), false);
  await prefer("no-preference");
  assert.equal(await state(), "plays, turns; Pause");
  // This doesn't start motion that the visitor or the page has stopped.
  await click();
  await prefer("reduce");
  assert.equal(await state(), "stands; Play");
  await prefer("no-preference");
  assert.equal(await state(), "stands, turns; Pause");
  await page.evaluate(() => element.pause());

  // The preference is set before the element is created.
  await prefer("reduce");
  await show({ autoplay: true, autoRotate: 40 });
  assert.equal(await state(), "stands; Play");
  assert.equal(await moves(), false);
  const pose = await page.evaluate(async () => [
    element.player.clip.name,
    stage.coverage(await stage.look(element.player)).part > 0.02,
  ]);
  assert.deepEqual(pose, ["Swing", true], "a pose of the clip, not of the file");
  await click();
  assert.equal(await state(), "plays, turns; Pause");
  assert.equal(await moves(), true);
  await click();
  assert.equal(await state(), "stands; Play");
  // Another clip or a controller is shown as a still pose too.
  await show({ clip: "" });
  const set = (properties) => page.evaluate((properties) => Object.assign(element, properties), properties);
  await set({ clip: "Raise" });
  await page.waitForFunction(() => element.player.clip?.name === "Raise");
  assert.equal(await state(), "stands; no button");
  await show({ clip: "" });
  await set({ controller: "/fixtures/up_and_down.json" });
  await page.waitForFunction(() => element.player.layer("base").stateName === "Down");
  assert.equal(await state(), "stands; no button");
  await show({ autoplay: true, autoRotate: 40 });
  // The page can play explicitly. Automatic rotation stays stopped.
  await page.evaluate(() => element.play());
  assert.equal(await state(), "plays; Pause");
  // Requested motion continues with another model, until the preference changes.
  await click();
  await click();
  await page.evaluate(async () => {
    element.src = "/fixtures/stroll.glb";
    await stage.once(element, "load");
    await stage.once(element, "timeupdate");
  });
  assert.equal(await state(), "plays, turns; Pause");
  await prefer("no-preference");
  await prefer("reduce");
  assert.equal(await state(), "stands; Play");
  await page.evaluate(() => element.remove());
  await prefer("no-preference");
}
