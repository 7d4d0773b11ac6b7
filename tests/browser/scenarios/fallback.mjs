/**
 * A browser without WebGPU falls back to WebGL2, and stops the download for WebGPU, which begins while the browser
 * looks for an adapter. Explicitly requesting WebGPU fails with `NO_WEBGPU`.
 */

import assert from "node:assert/strict";

export const alone = true;
export const backends = ["auto"];
export const webgpu = false;

export default async function ({ page }) {
  // The file for WebGPU never arrives.
  await page.setRequestInterception(true);
  const begun = [];
  const stopped = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".wasm")) begun.push(pathname);
    if (!pathname.endsWith("webgpu/gambol_bg.wasm")) request.continue();
  });
  page.on("requestfailed", (request) => stopped.push(new URL(request.url()).pathname));
  const told = await page.evaluate(async () => {
    const adapter = (await navigator.gpu?.requestAdapter()) ?? null;
    const player = await stage.openModel("auto", "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const look = stage.coverage(await stage.look(player));
    const refused = await stage.failure(() => stage.open("webgpu"));
    return { adapter, backend: player.backend, look, refused };
  });
  assert.equal(told.adapter, null);
  assert.equal(told.backend, "webgl2");
  assert.ok(told.look.part > 0.03);
  assert.equal(told.refused.code, "NO_WEBGPU");
  const webgl = "/gambol/wasm/webgl/gambol_bg.wasm";
  assert.equal(begun.filter((path) => path === webgl).length, 1);
  // The browser reports the end of a download a little later.
  for (let tries = 0; stopped.length < begun.length - 1 && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(
    stopped,
    begun.filter((path) => path !== webgl),
  );
}
