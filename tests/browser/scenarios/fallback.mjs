/** A browser without WebGPU falls back to WebGL2; explicitly requesting WebGPU fails with `NO_WEBGPU`. */

import assert from "node:assert/strict";

export const backends = ["auto"];
export const webgpu = false;

export default async function ({ page }) {
  const told = await page.evaluate(async () => {
    const adapter = (await navigator.gpu?.requestAdapter()) ?? null;
    const player = await stage.openModel("auto", "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const look = stage.coverage(await stage.look(player));
    const refused = await stage.failure(() => stage.open("webgpu"));
    const fetched = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    return { adapter, backend: player.backend, look, refused, wasm: fetched.filter((path) => path.endsWith(".wasm")) };
  });
  assert.equal(told.adapter, null);
  assert.equal(told.backend, "webgl2");
  assert.ok(told.look.part > 0.03);
  assert.equal(told.refused.code, "NO_WEBGPU");
  assert.deepEqual(told.wasm, ["/gambol/wasm/webgl/gambol_bg.wasm"], "one flavour is fetched, the other never");
}
