/** The backend `auto` chooses WebGPU where it exists, and the larger WebGL2 build isn't fetched. */

import assert from "node:assert/strict";

export const backends = ["auto"];

export default async function ({ page }) {
  const told = await page.evaluate(async () => {
    const player = await stage.open("auto");
    const fetched = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    return {
      backend: player.backend,
      wasm: fetched.map(({ pathname }) => pathname).filter((path) => path.endsWith(".wasm")),
      elsewhere: fetched.filter(({ origin }) => origin !== location.origin).map(String),
    };
  });
  assert.deepEqual(told, { backend: "webgpu", wasm: ["/gambol/wasm/webgpu/gambol_bg.wasm"], elsewhere: [] });
}
