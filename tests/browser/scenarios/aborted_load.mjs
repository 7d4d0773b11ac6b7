/** A load that is aborted while its pictures are decoded leaves nothing on the GPU, and the model before it stays. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  await page.evaluate(() => import("/gpu_watch.js"));
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    // Everything that the first pictures make is there.
    await stage.look(player);
    const before = gpuHeld();
    const decode = window.createImageBitmap;
    const name = await new Promise((resolve) => {
      const stop = new AbortController();
      window.createImageBitmap = async (...args) => {
        // The model's copy on the GPU is made when this task ends.
        setTimeout(() => stop.abort());
        await new Promise((later) => setTimeout(later, 100));
        return decode(...args);
      };
      player.load("/fixtures/stroll.glb", { signal: stop.signal }).catch((error) => resolve(error.name));
    });
    window.createImageBitmap = decode;
    await stage.look(player);
    return { name, before, after: gpuHeld(), clips: player.clips.map(({ name }) => name) };
  }, backend);
  assert.equal(told.name, "AbortError");
  assert.ok(told.clips.includes("Swing"), `${told.clips}`);
  assert.ok(told.before.Buffer > 0);
  // The memory of the WebAssembly never shrinks.
  assert.deepEqual({ ...told.after, wasm: 0 }, { ...told.before, wasm: 0 });
}
