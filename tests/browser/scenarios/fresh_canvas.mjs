/** If WebGPU fails after the canvas is claimed, the player falls back to WebGL2 on a copy of the canvas. */

import assert from "node:assert/strict";

export const backends = ["auto"];

export default async function ({ page, url }) {
  await page.evaluateOnNewDocument(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
      return kind === "webgpu" ? null : getContext.call(this, kind, ...options);
    };
  });
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  const told = await page.evaluate(async () => {
    const canvas = document.body.appendChild(document.createElement("canvas"));
    const player = await stage.Player.create(canvas);
    player.autoUpdate = false;
    await player.load("/fixtures/swing.glb");
    player.frame();
    const claimed = { backend: player.backend, inPage: player.canvas.isConnected, left: !canvas.isConnected };
    const look = await stage.look(player);
    player.dispose();
    player.canvas.remove();
    return { claimed, seen: stage.coverage(look).part };
  });
  assert.deepEqual(told.claimed, { backend: "webgl2", inPage: true, left: true });
  assert.ok(told.seen > 0.03);
}
