/** The WebAssembly may come from another folder, another origin or the page itself, set for one player or for all. */

import assert from "node:assert/strict";

import { serve } from "../../../www/serve.mjs";

const FOLDERS = { webgpu: "webgpu", webgl2: "webgl" };

/** Ways to pass the WebAssembly. Each runs in a fresh page, since a page keeps its started modules. */
const WAYS = {
  "another folder": (at) => ({ of: at.folder }),
  "another origin": (at) => ({ of: at.origin }),
  "a relative address": (at) => ({ of: at.folder, made: "relative" }),
  "a response": (at) => ({ of: at.folder, made: "response" }),
  // Browsers compile it only after it has arrived.
  "a response of another type": (at) => ({ of: at.folder, made: "untyped" }),
  bytes: (at) => ({ of: at.folder, made: "bytes" }),
  "a module": (at) => ({ of: at.folder, made: "module" }),
};

export default async function ({ page, backend, mounts }) {
  const elsewhere = { "/elsewhere/": `${mounts["/gambol/"]}/wasm` };
  const here = await serve({ mounts: { ...mounts, ...elsewhere } });
  const there = await serve({
    mounts: elsewhere,
    headers: { "Access-Control-Allow-Origin": new URL(here.url).origin },
  });
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  try {
    const at = { folder: `${here.url}elsewhere/`, origin: `${there.url}elsewhere/` };
    const fetched = async (ask, plan) => {
      await page.goto(here.url);
      await page.waitForFunction(() => window.stage);
      requests.length = 0;
      const joints = await page.evaluate(ask, { backend, ...plan });
      assert.ok(joints > 0);
      return requests.filter((address) => address.endsWith(".wasm"));
    };
    for (const [name, way] of Object.entries(WAYS)) {
      const plan = way(at);
      const address = `${plan.of}${FOLDERS[backend]}/gambol_bg.wasm`;
      assert.deepEqual(await fetched(playFrom, { ...plan, address }), [address], name);
    }
    const addresses = {
      [backend]: `${at.origin}${FOLDERS[backend]}/gambol_bg.wasm`,
      formats: `${at.folder}formats/gambol_bg.wasm`,
    };
    assert.deepEqual(
      await fetched(preloadThenPlay, { addresses }),
      Object.values(addresses),
      "ahead, and for an element",
    );
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}

// ── in the page ──

async function playFrom({ backend, address, made }) {
  const make = {
    relative: () => address.slice(location.origin.length + 1),
    response: () => fetch(address),
    untyped: async () =>
      new Response((await fetch(address)).body, { headers: { "Content-Type": "application/octet-stream" } }),
    bytes: async () => (await fetch(address)).arrayBuffer(),
    module: () => WebAssembly.compileStreaming(fetch(address)),
  };
  const source = made ? await make[made]() : new URL(address);
  const player = await stage.openModel(backend, "/fixtures/swing.glb", { wasm: { [backend]: source } });
  return player.stats.joints;
}

/** The element starts before the page sets URLs, as it does if both are in one script. */
async function preloadThenPlay({ backend, addresses }) {
  const { preload } = await import("/gambol/index.js");
  const element = Object.assign(document.createElement("gambol-player"), { backend, src: "/fixtures/swing.glb" });
  const shown = stage.once(element, "load");
  document.body.append(element);
  const opened = await preload(backend, addresses);
  if (opened !== backend) return 0;
  await shown;
  await preload("formats");
  await element.load("/formats/flag.x");
  return element.player.stats.joints;
}
