/**
 * Five hundred loads in one player: the memory in the end exceeds that after a hundred by 2 % at most.
 *
 * The WebAssembly's memory grows by pages, and may need one more when the GPU is late. Four hundred further loads then
 * must not need a second one.
 */

import assert from "node:assert/strict";

export const alone = true;
export const longestSecs = 400;

const MODELS = ["swing.glb", "stroll.glb", "swing.gltf"];
const CHECKPOINTS = [100, 200, 500];
const LAST_CHECKPOINT = 900;
const PAGE_BYTES = 65_536;

export default async function ({ page, backend }) {
  await page.evaluate(() => import("/gpu_watch.js"));
  const session = await page.createCDPSession();
  await page.evaluate(async (backend) => {
    // Empties the browser's list of fetched resources.
    performance.setResourceTimingBufferSize(0);
    window.player = await stage.open(backend);
  }, backend);

  const checkpoints = [];
  let loads = 0;
  for (const end of [...CHECKPOINTS, LAST_CHECKPOINT]) {
    if (end === LAST_CHECKPOINT && checkpoints.at(-1).wasm - checkpoints[0].wasm !== PAGE_BYTES) break;
    await page.evaluate(
      async (models, from, to) => {
        for (let nth = from; nth < to; nth++) {
          await player.load(`/fixtures/${models[nth % models.length]}`);
          player.play(0);
          player.advance(0.1);
          player.render();
        }
        // Each checkpoint measures the same state.
        await player.load("/fixtures/swing.glb");
        player.render();
      },
      MODELS,
      loads,
      end,
    );
    loads = end;
    // Collects twice, since finalizers of the first collection release more objects.
    for (let round = 0; round < 2; round++) {
      await session.send("HeapProfiler.collectGarbage");
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
    const heap = await javaScriptBytes(session);
    const held = await page.evaluate(() => ({ gpu: player.stats.gpuBytes, ...gpuHeld() }));
    // The heap contains the WebAssembly's memory.
    checkpoints.push({ javaScript: heap - held.wasm, ...held });
  }
  await session.detach();
  console.log(`# after ${CHECKPOINTS.join(", ")} loads: ${JSON.stringify(checkpoints)}`);
  const [first] = checkpoints;
  const needsPage = checkpoints.length > CHECKPOINTS.length;
  const early = needsPage ? { ...first, wasm: checkpoints.at(-2).wasm } : first;
  const late = checkpoints.at(-1);
  for (const [what, bytes] of Object.entries(late)) {
    // A quantity that is absent at the first checkpoint counts as unbounded growth.
    const growth = bytes / (early[what] ?? 0) - 1;
    assert.ok(!(growth > 0.02), `${what} grew by ${(growth * 100).toFixed(1)} %: ${JSON.stringify(checkpoints)}`);
  }
  assert.ok(first.gpu > 0 && first.wasm > 0 && first.javaScript > 0);
}

/** Memory of the browser's own records: fetches for developer tools, compiled code, long tasks. */
const RECORDS = /NetworkResourcesData|HashTableBacking|WasmNativeModule|^Performance|^TaskAttribution|ScriptTimingInfo/;

/** Memory of scripts without code, since the engine recompiles functions that run often. */
async function javaScriptBytes(session) {
  const pieces = [];
  const take = ({ chunk }) => pieces.push(chunk);
  session.on("HeapProfiler.addHeapSnapshotChunk", take);
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  session.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes, strings } = JSON.parse(pieces.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ["type", "name", "self_size"].map((field) => fields.indexOf(field));
  let total = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    const kind = types[type][nodes[node + type]];
    const isOurs =
      !["code", "hidden"].includes(kind) && !(kind === "native" && RECORDS.test(strings[nodes[node + name]]));
    if (isOurs) total += nodes[node + size];
  }
  return total;
}
