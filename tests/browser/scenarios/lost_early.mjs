/** The first context of a page is lost before the WebAssembly is there: the player waits until it is restored. */

import assert from "node:assert/strict";

export const backends = ["webgl2"];

export default async function ({ page }) {
  const restored = await page.evaluate(start, true);
  assert.deepEqual(restored.events, ["lost", "fetched", "restored"]);
  assert.ok(restored.part > 0.01, JSON.stringify(restored));

  await page.reload();
  await page.waitForFunction(() => window.stage);
  const gone = await page.evaluate(start, false);
  assert.deepEqual(gone, { events: ["lost", "fetched"], code: "NO_GPU" });
}

/** Opens a player whose context is lost while the WebAssembly is fetched. */
async function start(restores) {
  const events = [];
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...args) {
    HTMLCanvasElement.prototype.getContext = getContext;
    const context = getContext.apply(this, args);
    const loss = context.getExtension("WEBGL_lose_context");
    for (const name of ["lost", "restored"]) this.addEventListener(`webglcontext${name}`, () => events.push(name));
    setTimeout(() => loss.loseContext());
    if (restores) setTimeout(() => loss.restoreContext(), 1500);
    return context;
  };
  const { fetch } = window;
  window.fetch = async (...args) => {
    const response = await fetch(...args);
    if (String(args[0].url ?? args[0]).endsWith("gambol_bg.wasm")) {
      await new Promise((later) => setTimeout(later, 500));
      events.push("fetched");
    }
    return response;
  };
  try {
    const player = await stage.openModel("webgl2", "/fixtures/swing.glb", { clip: "Swing" });
    return { events, part: stage.coverage(await stage.look(player)).part };
  } catch ({ code }) {
    return { events, code };
  }
}
