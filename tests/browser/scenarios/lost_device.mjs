/** A lost WebGPU device is replaced, and the motion continues. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, url }) {
  await page.evaluateOnNewDocument(() => {
    const { requestDevice } = GPUAdapter.prototype;
    window.devices = [];
    GPUAdapter.prototype.requestDevice = async function (...options) {
      const device = await requestDevice.apply(this, options);
      window.devices.push(device);
      return device;
    };
  });
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  const told = await page.evaluate(async () => {
    const player = await stage.openModel("webgpu", "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    await player.setOcclusion(1);
    const before = await stage.look(player);
    const heard = stage.record(player, "contextlost", "contextrestored", "error");
    const restored = stage.once(player, "contextrestored");
    devices[0].destroy();
    await devices[0].lost;
    // The next draw detects the loss.
    const drawing = setInterval(() => player.render(), 20);
    await restored;
    clearInterval(drawing);
    const { differing } = stage.compare(before, await stage.look(player));
    return { devices: devices.length, heard: heard.map(({ name }) => name), differing, time: player.currentTime };
  });
  assert.deepEqual(told, { devices: 2, heard: ["contextlost", "contextrestored"], differing: 0, time: 0.5 });
}
