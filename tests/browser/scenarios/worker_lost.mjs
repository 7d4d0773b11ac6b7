/** GPU loss in a worker is a state of the player too: the page gets the event, and the picture comes back. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  // Uses the other backend, so that the worker still has to start the tested one.
  const other = backend === "webgpu" ? "webgl2" : "webgpu";
  await page.evaluate((other) => stage.open(other, { worker: true }), other);
  const [worker] = page.workers();
  await worker.evaluate(() => {
    globalThis.contexts = [];
    globalThis.devices = [];
    const { getContext } = OffscreenCanvas.prototype;
    OffscreenCanvas.prototype.getContext = function (kind, ...options) {
      const context = getContext.call(this, kind, ...options);
      if (kind === "webgl2" && !contexts.includes(context)) contexts.push(context);
      return context;
    };
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (...options) {
      const device = await requestDevice.apply(this, options);
      devices.push(device);
      return device;
    };
  });
  await page.evaluate(async (backend) => {
    window.player = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing", time: 0.5 });
    player.camera.yaw = 0.4;
    window.before = await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 120 }));
    window.heard = stage.record(player, "contextlost", "contextrestored", "error");
    window.lost = stage.once(player, "contextlost");
    window.restored = stage.once(player, "contextrestored");
  }, backend);
  await worker.evaluate(async (backend) => {
    globalThis.loss = contexts.at(-1)?.getExtension("WEBGL_lose_context");
    if (backend === "webgl2") return loss.loseContext();
    devices.at(-1).destroy();
    await devices.at(-1).lost;
  }, backend);
  await page.evaluate(async () => {
    // The next draw detects the loss.
    const drawing = setInterval(() => player.render(), 20);
    await lost;
    clearInterval(drawing);
  });
  if (backend === "webgl2") await worker.evaluate(() => loss.restoreContext());
  const told = await page.evaluate(async () => {
    await restored;
    const after = await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 120 }));
    const yaw = Math.round(player.camera.yaw * 100) / 100;
    return {
      heard: heard.map(({ name }) => name),
      differing: stage.compare(before, after).differing,
      part: stage.coverage(after).part,
      time: player.currentTime,
      yaw,
    };
  });
  assert.deepEqual(
    { ...told, part: told.part > 0.01 },
    {
      heard: ["contextlost", "contextrestored"],
      differing: 0,
      part: true,
      time: 0.5,
      yaw: 0.4,
    },
  );
}
