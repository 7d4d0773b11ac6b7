/**
 * Announcements for screen readers: playing another clip and pausing are announced politely; loading and loops
 * aren't.
 */

import assert from "node:assert/strict";

export const backends = ["webgl2"];

export default async function ({ page, backend }) {
  await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", autoplay: true, controls: true, playbackRate: 2 });
    document.body.append(element);
    const status = element.shadowRoot.querySelector("[role=status]");
    window.said = [];
    new MutationObserver(() => status.textContent && said.push(status.textContent)).observe(status, {
      childList: true,
    });
    window.element = element;
    // Chromium's debugger sometimes loses a promise that nothing else holds.
    window.waiting = stage.once(element, "play");
    await window.waiting;
  }, backend);
  const heard = (count) => page.waitForFunction((count) => said.length >= count, {}, count);
  const live = await page.evaluate(() => element.shadowRoot.querySelector("[role=status]").ariaLive);
  assert.equal(live, "polite");

  // Several loops, which take longer than the delay of an announcement.
  await page.evaluate(async () => {
    window.waiting = untilEvent(element, "loop", ({ detail }) => detail.passes >= 2);
    await window.waiting;
  });
  assert.deepEqual(await page.evaluate(() => said), []);
  await page.evaluate(() => void element.play("Raise"));
  await heard(1);
  await page.evaluate(() => element.pause());
  await heard(2);
  await page.evaluate(() => (element.clip = "Swing"));
  await heard(3);
  // Of several changes in quick succession, only the last state is announced.
  await page.evaluate(() => {
    void element.play("Raise");
    void element.play("Swing");
    void element.play("Raise");
  });
  await heard(4);
  await page.evaluate(() => (element.loop = "once"));
  await page.evaluate(() => void element.play("Swing"));
  await page.waitForFunction(() => said.includes("Finished"));
  const told = await page.evaluate(() => said);
  assert.deepEqual(told.slice(0, 4), ["Playing Raise", "Paused", "Clip Swing", "Playing Raise"]);
  assert.equal(told.at(-1), "Finished");
}
