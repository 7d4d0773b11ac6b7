/**
 * The backend `auto` chooses WebGPU where it exists, and the larger WebGL2 build isn't fetched. Each player asks for an
 * adapter once, and all share one device.
 */

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
  for (const preloads of [false, true]) {
    await page.reload();
    await page.waitForFunction(() => window.stage);
    assert.deepEqual(await page.evaluate(requestsOf, preloads), { requestAdapter: 2, requestDevice: 1 });
  }
}

// ── in the page ──

/** Returns how often two players that start together request an adapter and a device. */
async function requestsOf(preloads) {
  const counts = { requestAdapter: 0, requestDevice: 0 };
  for (const [{ prototype }, name] of [
    [GPU, "requestAdapter"],
    [GPUAdapter, "requestDevice"],
  ]) {
    const request = prototype[name];
    prototype[name] = function (...args) {
      counts[name]++;
      return request.apply(this, args);
    };
  }
  if (preloads) await (await import("/gambol/index.js")).preload("webgpu");
  await Promise.all([stage.open("auto"), stage.open("auto")]);
  return counts;
}
