/**
 * S60: while paused, the comma and full stop keys step a thirtieth of a second back and forth, and wrap at the
 * ends.
 */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const heard = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", clip: "Raise", controls: true });
    window.element = element;
    const loaded = stage.once(element, "pause");
    document.body.append(element);
    await loaded;
    window.heard = stage.record(element, "play", "pause", "loop", "finished");
    element.shadowRoot.querySelector("canvas").focus();
    return element.paused;
  }, backend);
  assert.equal(heard, true);
  const times = [];
  for (const key of [".", ".", ",", ",", ","]) {
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => element.currentTime));
  }
  const told = await page.evaluate(async () => {
    element.play();
    await stage.once(element, "play");
    const before = element.currentTime;
    element.shadowRoot
      .querySelector("canvas")
      .dispatchEvent(new KeyboardEvent("keydown", { key: ".", bubbles: true, composed: true }));
    const playing = element.currentTime === before;
    element.remove();
    return { playing, heard: heard.map(({ name }) => name) };
  });
  times.forEach((time, i) =>
    assert.ok(Math.abs(time - [1 / 30, 2 / 30, 1 / 30, 0, 29 / 30][i]) < 1e-6, `${i}: ${time}`),
  );
  assert.deepEqual(told, { playing: true, heard: ["play"] });
}
