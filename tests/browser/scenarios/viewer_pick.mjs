/** A click on the viewer's model selects the node there; one beside the model selects none. Drags turn the camera. */

import assert from "node:assert/strict";
import { join } from "node:path";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const webgpu = false;

export default async function ({ page, out }) {
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.readyState === 4);
  const places = await page.evaluate(() => {
    window.player = document.querySelector("gambol-player").player;
    player.pause();
    const { left, top, width } = player.canvas.getBoundingClientRect();
    const placeOf = (name) => {
      const [x, y] = player.camera.project(player.node(name).worldMatrix.slice(12, 15));
      return [x + left, y + top];
    };
    return { head: placeOf("Head"), hand: placeOf("LeftHand"), beside: [left + width * 0.03, top + 90] };
  });
  const marked = () => page.$eval("#node-mark", (mark) => (mark.hidden ? null : mark.textContent.trim()));
  const named = (name) =>
    page.waitForFunction((name) => document.querySelector("#node-mark-name").textContent === name, {}, name);
  const rows = () =>
    page.$$eval("#nodes [aria-selected=true]", (rows) => rows.map((row) => row.querySelector(".name").textContent));

  // The list is closed, and shows the node when it is opened.
  await page.mouse.click(...places.head);
  await named("Head");
  assert.equal(await page.$eval("#nodes-section", ({ open }) => open), false, "the panel stays as it is");
  await page.click("#nodes-section summary");
  await page.waitForFunction(() => document.querySelector("#nodes [aria-selected=true] .name")?.textContent === "Head");

  // A search that doesn't list the node is cleared.
  await page.type("#node-search", "tail");
  await page.mouse.click(...places.hand);
  await page.waitForFunction(() => /Hand|Arm/.test(document.querySelector("#node-mark-name").textContent));
  assert.deepEqual(await rows(), [await marked()]);
  assert.equal(await page.$eval("#node-search", ({ value }) => value), "");
  await page.screenshot({ path: join(out, "viewer_pick.png") });

  // Once more, it stays selected. A drag turns the camera.
  await page.mouse.click(...places.hand);
  const before = await page.evaluate(() => player.camera.yaw);
  await page.mouse.move(...places.head);
  await page.mouse.down();
  await page.mouse.move(places.head[0] + 60, places.head[1], { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction((before) => player.camera.yaw !== before, {}, before);
  assert.match((await rows()).join(), /^(Left)?.*(Hand|Arm)/);

  await page.mouse.click(...places.beside);
  await page.waitForFunction(() => document.querySelector("#node-mark").hidden);
  assert.deepEqual(await rows(), []);
}
