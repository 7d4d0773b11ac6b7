/**
 * Poses per second of the wasm that ships, in Chromium, for one character and many, one clip and a crossfade of two.
 *
 * A pose here is all that a frame costs before drawing: playheads, sample, blend, hierarchy, palette. Nothing is drawn:
 * a player without a canvas poses as well. Each round measures every case once, so that a busy moment of the machine
 * falls on all of them; medians of the rounds count, with their quartiles.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";

import { launch } from "../tests/browser/browser.mjs";
import { serve } from "../www/serve.mjs";
import { root } from "../www/toolchain.mjs";

const COUNTS = [1, 100, 1000];
const ROUNDS = 15;

export async function benchWasm() {
  const shared = join(root, "../shared/models");
  const server = await serve({
    mounts: {
      "/": join(root, "tests/browser/page"),
      "/gambol/": join(root, "dist"),
      ...(existsSync(shared) && { "/shared/": shared }),
    },
  });
  const models = [
    "/gambol/viewer/character.glb",
    ...(existsSync(shared) ? ["/shared/gltf/khronos/Fox/glTF-Binary/Fox.glb", "/shared/gltf/kaykit/Knight.glb"] : []),
  ];
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    for (const model of models) report(model, await page.evaluate(measure, { model, counts: COUNTS, rounds: ROUNDS }));
  } finally {
    await browser.close();
    await server.close();
  }
}

/** In the page. */
async function measure({ model, counts, rounds }) {
  const wasm = await import("/gambol/wasm/webgpu/gambol.js");
  await wasm.default({ module_or_path: "/gambol/wasm/webgpu/gambol_bg.wasm" });
  const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
  const handle = wasm.importModel(bytes, [], []);
  const clips = handle.clipNames().length;
  const none = new Float32Array();

  const cases = counts.flatMap((count) => (clips > 1 ? [false, true] : [false]).map((fading) => ({ count, fading, micros: [] })));
  for (const one of cases) {
    one.player = new wasm.PlayerHandle();
    one.player.show(handle, []);
    one.player.play(0, 0, 0, false);
    one.player.crowd(one.count, -1, none, none);
    // A fade that outlasts the run keeps both clips at work.
    if (one.fading) one.player.play(1, 1e6, 0, false);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { player, count, micros } of cases) {
      // The browser's clock ticks in tenths of milliseconds: some thousand poses make it fine enough.
      const frames = Math.ceil(20000 / count);
      const before = performance.now();
      for (let frame = 0; frame < frames; frame++) {
        player.advance(1 / 60);
        player.drainEvents();
        player.pose();
      }
      micros.push(((performance.now() - before) * 1000) / (frames * count));
    }
  }
  return {
    nodes: handle.nodeNames().length,
    rows: cases.map(({ count, fading, micros }) => {
      micros.sort((a, b) => a - b);
      const at = (share) => micros[Math.floor(share * (micros.length - 1))];
      return { count, fading, quartiles: [at(0.25), at(0.5), at(0.75)] };
    }),
  };
}

function report(model, { nodes, rows }) {
  console.log(`\n${model.split("/").pop()} (${nodes} nodes)`);
  for (const { count, fading, quartiles } of rows) {
    const [low, median, high] = quartiles.map((micros) => micros.toFixed(3));
    const perSecond = Math.round(1e6 / quartiles[1]).toLocaleString("en-US");
    const what = fading ? "crossfade of two" : "one clip";
    console.log(`  ${String(count).padStart(4)} × ${what.padEnd(16)} ${median} µs a pose (${low}–${high}), ${perSecond} a second`);
  }
}

if (process.argv[1]?.endsWith("wasm.mjs")) await benchWasm();
