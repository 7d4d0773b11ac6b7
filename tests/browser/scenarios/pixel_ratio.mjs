/** The pixel ratio follows the screen, is lowered while frames are late, and is restored when that doesn't help. */

import assert from "node:assert/strict";

export const backends = ["webgl2"];

/** Width of the canvas in CSS pixels. */
const WIDTH = 60;

export default async function ({ page, url, backend }) {
  await page.setViewport({ width: 800, height: 600, deviceScaleFactor: 2 });
  // Frames whose times are known. `frameMillis` tells the time that the next one takes.
  await page.evaluateOnNewDocument(() => {
    const request = window.requestAnimationFrame.bind(window);
    let [now, last] = [0, null];
    window.frameMillis = () => 10;
    window.requestAnimationFrame = (callback) =>
      request((real) => {
        if (real !== last) now += window.frameMillis();
        last = real;
        callback(now);
      });
  });
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  await page.evaluate(async (backend) => {
    window.player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    window.canvas = player.canvas;
    canvas.style.cssText = "width: 60px; height: 60px";
    window.shown = async (count) => {
      const widths = [];
      for (let nth = 0; nth < count; nth++) {
        await new Promise(requestAnimationFrame);
        widths.push(canvas.width);
      }
      return widths;
    };
  }, backend);

  const chosen = await page.evaluate(() =>
    [1, 0.5, 3, 0].map((ratio) => {
      player.pixelRatio = ratio;
      player.render();
      return [player.pixelRatio, canvas.width];
    }),
  );
  assert.deepEqual(chosen, [
    [1, WIDTH],
    [0.5, WIDTH / 2],
    [3, WIDTH * 3],
    [0, WIDTH * 2],
  ]);
  const refused = await page.evaluate(async () =>
    Promise.all(
      [9, -1, Number.NaN].map(async (ratio) => (await stage.failure(() => (player.pixelRatio = ratio))).code),
    ),
  );
  assert.deepEqual(refused, ["OUT_OF_RANGE", "OUT_OF_RANGE", "NOT_FINITE"]);

  // In time: all pixels.
  const inTime = await page.evaluate(async () => {
    player.autoUpdate = true;
    return shown(40);
  });
  assert.deepEqual([...new Set(inTime)], [WIDTH * 2]);

  // Late because of the pixels: fewer, and more are tried from time to time.
  const late = await page.evaluate(async () => {
    window.frameMillis = () => (canvas.width > 100 ? 40 : 24);
    return shown(200);
  });
  const counted = (width) => late.filter((each) => each === width).length;
  assert.ok(
    Math.min(...late) >= WIDTH && Math.max(...late) === WIDTH * 2,
    `${Math.min(...late)}, ${Math.max(...late)}`,
  );
  assert.ok(counted(WIDTH * 2) < 80, `${counted(WIDTH * 2)} of 200 frames had all pixels`);
  assert.ok(late.at(-1) <= 100, `${late.at(-1)} pixels wide at last`);

  // A still picture has all pixels.
  await page.evaluate(() => {
    player.pause();
    return until(() => canvas.width === 120);
  });

  // A chosen ratio is kept, however late frames are.
  const kept = await page.evaluate(async () => {
    player.pixelRatio = 1.5;
    player.play("Swing", { loop: "repeat" });
    await shown(2);
    return shown(60);
  });
  assert.deepEqual([...new Set(kept)], [WIDTH * 1.5]);

  // Late for another reason: fewer pixels are tried, and given up.
  const futile = await page.evaluate(async () => {
    await player.load("/fixtures/swing.glb");
    player.play("Swing", { loop: "repeat" });
    player.pixelRatio = 0;
    window.frameMillis = () => 40;
    return shown(120);
  });
  assert.equal(Math.min(...futile), WIDTH);
  assert.deepEqual([...new Set(futile.slice(-40))], [WIDTH * 2]);
}
