/**
 * The viewer's sample character greets once, looks at the pointer and at the last touch, and hops when it is clicked
 * or by keyboard. With reduced motion, and while it is paused, it does none of this.
 */

import assert from "node:assert/strict";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const webgpu = false;
export const longestSecs = 60;

export default async function ({ page }) {
  await page.setViewport({ width: 900, height: 700, deviceScaleFactor: 1, hasTouch: true });
  const open = async () => {
    await page.reload();
    await page.waitForFunction(() => document.querySelector("gambol-player").player?.readyState === 4);
    await page.evaluate(() => {
      window.player = document.querySelector("gambol-player").player;
      // Sine of the angle by which a node looks to the right in the picture.
      window.looks = (name) => {
        const [x, , z] = player.node(name).worldMatrix.slice(8, 11);
        return x * Math.cos(player.camera.yaw) - z * Math.sin(player.camera.yaw);
      };
    });
  };
  const plays = (name) => page.waitForFunction((name) => player.clip.name === name, {}, name);
  const turnsTo = (side) =>
    page.waitForFunction(
      (side) => looks("Head") * side > 0.15 && (looks("LeftEye") - looks("Head")) * side > 0.02,
      {},
      side,
    );

  await open();
  await page.mouse.move(450, 60);
  await plays("Wave");
  await plays("Idle");

  // ── the pointer ──

  const places = await page.evaluate(() => {
    const { left, top, width, height } = player.canvas.getBoundingClientRect();
    const [x, y] = player.camera.project(player.node("Head").worldMatrix.slice(12, 15));
    return {
      head: [x + left, y + top - 10],
      left: [left + 4, top + height / 3],
      right: [left + width - 4, top + height / 3],
    };
  });
  await page.mouse.move(...places.left);
  await turnsTo(-1);
  await page.mouse.move(...places.right);
  await turnsTo(1);
  // The eyes converge on what is near.
  await page.mouse.move(...places.head);
  await page.waitForFunction(() => looks("LeftEye") < looks("RightEye") - 0.01);
  await page.touchscreen.tap(...places.left);
  await turnsTo(-1);

  // ── the hop ──

  const onGround = () => page.evaluate(() => player.node("LeftToes").worldMatrix[13] < 0.06);
  const hops = async () => {
    await plays("Jump");
    await page.waitForFunction(() => player.node("LeftToes").worldMatrix[13] > 0.15);
    await plays("Idle");
    assert.ok(await onGround());
  };
  await page.mouse.click(...places.head);
  await hops();
  await page.waitForFunction(() => document.querySelector("#node-mark-name").textContent === "Head");
  await page.evaluate(() => player.canvas.focus());
  await page.keyboard.press("Enter");
  await hops();

  // A controller selects the clips, and a paused character stays as it is.
  await page.select("#controller", "controllers/locomotion.json");
  await page.waitForSelector("#states dd");
  await page.evaluate(() => player.canvas.focus());
  await page.keyboard.press("Enter");
  await page.evaluate(() => untilEvent(player, "timeupdate"));
  assert.equal(await page.$eval("#states dd", ({ textContent }) => textContent), "Move");
  await page.select("#controller", "");
  await page.evaluate(() => player.pause());
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => player.clip?.name === "Jump"), false);

  // ── reduced motion ──

  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await open();
  assert.equal(await page.evaluate(() => player.paused), true);
  await page.evaluate(() => player.play());
  await page.mouse.move(...places.left);
  // Longer than the time after which it greets.
  await page.waitForFunction(() => player.currentTime > 1.5);
  assert.deepEqual(await page.evaluate(() => [player.clip.name, player.constraints]), ["Idle", []]);
}
