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
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".wasm")) begun.push(pathname);
    if (!pathname.endsWith("webgpu/gambol_bg.wasm")) request.continue();
  });
  const told = await page.evaluate(async () => {
    // An event about a stopped request is lost if it precedes the interception, so the page itself observes.
    const { fetch } = window;
    const stopped = [];
    window.fetch = (url, options) => {
      const response = fetch(url, options);
      response.catch(({ name }) => stopped.push([new URL(url, document.baseURI).pathname, name]));
      return response;
    };
    const adapter = (await navigator.gpu?.requestAdapter()) ?? null;
    const player = await stage.openModel("auto", "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const look = stage.coverage(await stage.look(player));
    const refused = await stage.failure(() => stage.open("webgpu"));
    await until(() => stopped.length === 2);
    return { adapter, backend: player.backend, look, refused, stopped };
  });
  assert.equal(told.adapter, null);
  assert.equal(told.backend, "webgl2");
  assert.ok(told.look.part > 0.03);
  assert.equal(told.refused.code, "NO_WEBGPU");
  const webgl = "/gambol/wasm/webgl/gambol_bg.wasm";
  assert.equal(begun.filter((path) => path === webgl).length, 1);
  const webgpu = "/gambol/wasm/webgpu/gambol_bg.wasm";
  assert.deepEqual(told.stopped, Array(2).fill([webgpu, "AbortError"]));
}
