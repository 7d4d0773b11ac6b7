/**
 * Poses per second of the shipped wasm, and main-thread time per frame, for one character and many.
 *
 * A pose here is what reading one character costs: sample, hierarchy, and a few floats copied out. Each round
 * measures every size once, so that a busy moment of the machine falls on all of them; medians of the rounds count.
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
    for (const model of models) {
      for (const backend of ["webgpu", "webgl2"]) {
        const page = await browser.newPage();
        await page.goto(server.url);
        await page.waitForFunction(() => window.stage);
        report(model, backend, await page.evaluate(measure, { backend, model, counts: COUNTS, rounds: ROUNDS }));
        await page.close();
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** In the page. */
async function measure({ backend, model, counts, rounds }) {
  const players = [];
  for (const count of counts) {
    const player = await stage.openModel(backend, model, { clip: 0 });
    player.crowd(count, { clip: 0 });
    player.render();
    players.push(player);
  }
  const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
  const times = counts.map(() => ({ poseMicros: [], advanceMicros: [], frameMillis: [] }));
  for (let round = 0; round < rounds; round++) {
    counts.forEach((count, at) => {
      const player = players[at];
      // Some thousand poses a measurement: the browser's clock ticks in tenths of milliseconds.
      const frames = Math.ceil(2000 / count);
      let poseMillis = 0;
      let advanceMillis = 0;
      for (let frame = 0; frame < frames; frame++) {
        const before = performance.now();
        player.advance(1 / 60);
        const between = performance.now();
        for (let character = 0; character < count; character++) player.morphWeights(0, character);
        poseMillis += performance.now() - between;
        advanceMillis += between - before;
      }
      times[at].poseMicros.push((poseMillis * 1000) / (frames * count));
      times[at].advanceMicros.push((advanceMillis * 1000) / (frames * count));
      const before = performance.now();
      player.advance(1 / 60);
      player.render();
      times[at].frameMillis.push(performance.now() - before);
    });
  }
  return {
    nodes: players[0].nodes.length,
    joints: players[0].stats.joints,
    rows: counts.map((count, at) => ({
      count,
      poseMicros: median(times[at].poseMicros),
      advanceMicros: median(times[at].advanceMicros),
      frameMillis: median(times[at].frameMillis),
    })),
  };
}

function report(model, backend, { nodes, joints, rows }) {
  console.log(`\n${model.split("/").pop()} (${nodes} nodes, ${joints} joints), ${backend}`);
  for (const { count, poseMicros, advanceMicros, frameMillis } of rows) {
    const perSecond = Math.round(1e6 / poseMicros).toLocaleString("en-US");
    console.log(
      `  ${String(count).padStart(4)} × pose ${poseMicros.toFixed(2)} µs (${perSecond} poses a second), ` +
        `advance ${advanceMicros.toFixed(3)} µs each; a frame with drawing ${frameMillis.toFixed(2)} ms`,
    );
  }
}

if (process.argv[1]?.endsWith("wasm.mjs")) await benchWasm();
