/** A GPU that is behind gets a bounded number of frames, and the motion's time still advances. */

import assert from "node:assert/strict";

export const alone = true;
export const backends = ["webgpu"];

/** Largest number of submitted frames that the GPU hasn't finished. */
const MOST_UNFINISHED = 3;
const FRAMES = 24;
const FRAME_SECS = 1 / 64;

export default async function ({ page, url }) {
  await page.evaluateOnNewDocument(() => {
    const channel = new BroadcastChannel("slow_gpu");
    window.tellGpu = (what) =>
      new Promise((resolve) => {
        channel.onmessage = ({ data }) => resolve(data.pictures);
        channel.postMessage(what);
      });
    window.frames = async (count) => {
      for (let nth = 0; nth < count; nth++) await new Promise(requestAnimationFrame);
    };
  });

  // Frames at exact intervals, so that the elapsed time is known.
  await page.evaluateOnNewDocument((frameSecs) => {
    const request = window.requestAnimationFrame.bind(window);
    let [count, last] = [0, null];
    window.requestAnimationFrame = (callback) =>
      request((now) => {
        if (now !== last) count++;
        last = now;
        callback(count * frameSecs * 1000);
      });
  }, FRAME_SECS);
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  await page.evaluate(() => import("/slow_gpu.js"));
  const here = await page.evaluate(async (count) => {
    const player = await stage.openModel("webgpu", "/fixtures/swing.glb", { clip: "Swing" });
    // Lets the GPU finish the submitted frames.
    await player.screenshot({ width: 1, height: 1 });
    await tellGpu("hold");
    player.autoUpdate = true;
    await frames(count);
    const [given, heldAt] = [await tellGpu("count"), player.currentTime];
    await tellGpu("finish");
    await stage.once(player, "timeupdate");
    const leap = player.currentTime - heldAt;
    await stage.once(player, "timeupdate");
    player.autoUpdate = false;
    // The frame that was requested before draws nothing new, but counts.
    await frames(2);
    // Explicit calls of `render()` always draw.
    await tellGpu("hold");
    for (let nth = 0; nth < count; nth++) player.render();
    const byHand = await tellGpu("count");
    await tellGpu("finish");
    stage.close();
    return { given, leap, byHand };
  }, FRAMES);
  assert.equal(here.given, MOST_UNFINISHED);
  // The duration of the skipped frames, plus some messages.
  assert.ok(
    here.leap >= (FRAMES - MOST_UNFINISHED - 1) * FRAME_SECS,
    `the motion's time stood still: it went on by ${here.leap} s`,
  );
  assert.equal(here.byHand, FRAMES);

  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  const inWorker = await page.evaluate(async (count) => {
    const player = await stage.openModel("webgpu", "/fixtures/swing.glb", {
      clip: "Swing",
      worker: "/slow_gpu_worker.js",
    });
    await player.screenshot({ width: 1, height: 1 });
    await tellGpu("hold");
    for (let nth = 0; nth < count; nth++) {
      player.currentTime = nth / count;
      player.render();
      await frames(1);
    }
    const given = await tellGpu("count");
    await player.settled();
    const settled = await tellGpu("count");
    player.currentTime = 0.5;
    player.render();
    await frames(2);
    const owing = await tellGpu("count");
    await tellGpu("finish");
    await until(async () => (await tellGpu("count")) > owing);
    await frames(4);
    const paid = await tellGpu("count");
    stage.close();
    return { given, settled, owing, paid };
  }, FRAMES);
  // A requested draw happens once, with the state at that time: when it is awaited, or after the GPU has caught up.
  assert.deepEqual(inWorker, {
    given: MOST_UNFINISHED,
    settled: MOST_UNFINISHED + 1,
    owing: MOST_UNFINISHED + 1,
    paid: MOST_UNFINISHED + 2,
  });
}
