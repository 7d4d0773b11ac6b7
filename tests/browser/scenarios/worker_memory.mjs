/** Replacing the model in a worker many times increases neither the worker's memory nor the page's. */

import assert from "node:assert/strict";

/** One backend is enough, since the wasm does the same with and without a worker. */
export const alone = true;
export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  // Uses the other backend, so that the worker still has to start the tested one.
  await page.evaluate(() => stage.open("webgl2", { worker: true }));
  const [worker] = page.workers();
  await worker.evaluate(() => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...args) => {
      const instance = await instantiate.apply(WebAssembly, args);
      // The part that the character needs has no memory of its own.
      globalThis.memory ??= Object.values(instance.exports).find((it) => it instanceof WebAssembly.Memory);
      return instance;
    };
  });
  await page.evaluate(async (backend) => (window.player = await stage.open(backend, { worker: true })), backend);
  const load = (count) =>
    page.evaluate(async (count) => {
      for (let turn = 0; turn < count; turn++) {
        const alternating = turn % 2 === 0 ? "/fixtures/swing.glb" : "/gambol/viewer/character.glb";
        await player.load(alternating);
        player.layer("upper").play(0, { loop: 2 });
        player.worldMatrices();
        player.play(0);
        player.advance(0.5);
        player.render();
        await player.settled();
      }
    }, count);
  const bytes = () => worker.evaluate(() => memory.buffer.byteLength);
  // How much is in use at once depends on when frames and downloads end, so the memory may grow once more. A leak of
  // 1 KB per load grows it in each round.
  const sizes = [];
  do {
    await load(70);
    sizes.push(await bytes());
  } while (sizes.at(-1) !== sizes.at(-2) && sizes.length < 6);
  assert.ok(sizes[0] > 1e6, `${sizes[0]} bytes`);
  assert.equal(sizes.at(-1), sizes.at(-2), `bytes after every 70 loads: ${sizes}`);
}
