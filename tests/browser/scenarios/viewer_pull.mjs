/** The viewer's mark of a node pulls it: with the pointer, with the arrow keys, and back when it is let go. */

import assert from "node:assert/strict";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const webgpu = false;

export default async function ({ page }) {
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.readyState === 4);
  await page.evaluate(() => {
    window.player = document.querySelector("gambol-player").player;
    player.pause();
    window.placeOf = (name) => player.camera.project(player.node(name).worldMatrix.slice(12, 15));
  });
  await page.focus("#nodes-section summary");
  await page.keyboard.press("Enter");
  const select = async (name) => {
    await page.focus("#node-search");
    await page.$eval("#node-search", (input) => input.select());
    await page.keyboard.type(name);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction((name) => document.querySelector("#node-mark-name").textContent === name, {}, name);
  };
  const place = (name) => page.evaluate((name) => placeOf(name), name);
  const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const settles = (name, goal, within) =>
    page.waitForFunction(
      (name, [x, y], within) => Math.hypot(placeOf(name)[0] - x, placeOf(name)[1] - y) < within,
      { polling: 100 },
      name,
      goal,
      within,
    );

  await select("LeftHand");
  const before = await place("LeftHand");
  const foot = await place("LeftFoot");
  const handle = await page.$("#node-pull");
  const { x, y, width, height } = await handle.boundingBox();
  const [startX, startY] = [x + width / 2, y + height / 2];
  await page.mouse.move(startX, startY);
  await page.mouse.down();
  await page.mouse.move(startX - 20, startY - 40, { steps: 4 });
  const goal = [before[0] - 20, before[1] - 40];
  await settles("LeftHand", goal, 3);
  assert.ok(apart(await place("LeftFoot"), foot) < 0.5, "the rest of the body stays");
  await page.mouse.up();
  await settles("LeftHand", before, 1);
  await page.waitForFunction(() => player.constraints.length === 0);

  await page.focus("#node-pull");
  for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowUp");
  const step = (await page.evaluate(() => player.canvas.clientHeight)) * 0.02;
  await settles("LeftHand", [before[0], before[1] - 3 * step], 3);
  await page.keyboard.press("Escape");
  await settles("LeftHand", before, 1);

  // Nothing is above the root that could bend.
  await select("Hips");
  assert.equal(await page.$eval("#node-pull", ({ hidden }) => hidden), true);
}
