/**
 * Five hundred loads in one player: the memory in the end exceeds that after a hundred by 2 % at most. The WebAssembly
 * may need one page more when the GPU is late. Then four hundred further loads must need no other.
 */

import assert from "node:assert/strict";

import { countGpuObjects } from "../gpu_objects.mjs";

export const alone = true;
export const longestSecs = 400;

const MODELS = ["swing.glb", "stroll.glb", "swing.gltf"];
const CHECKPOINTS = [100, 200, 500];
const LAST_CHECKPOINT = 900;
/** Largest growth between two checkpoints, as a fraction. */
const LARGEST_GROWTH = 0.02;

export default async function ({ page, backend, url }) {
  await page.evaluateOnNewDocument(countGpuObjects);
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  const session = await page.createCDPSession();
  await page.evaluate(async (backend) => {
    // Empties the browser's list of fetched resources.
    performance.setResourceTimingBufferSize(0);
    window.player = await stage.open(backend);
  }, backend);

  const checkpoints = [];
  let loads = 0;
  for (const end of [...CHECKPOINTS, LAST_CHECKPOINT]) {
    if (end === LAST_CHECKPOINT && grown(checkpoints[0], checkpoints.at(-1)).length === 0) break;
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
    const javaScript = await javaScriptBytes(session);
    checkpoints.push(
      await page.evaluate(
        (javaScript) => ({
          javaScript,
          wasm: memories.at(-1).buffer.byteLength,
          gpu: player.stats.gpuBytes,
          ...gpuObjects(),
        }),
        javaScript,
      ),
    );
  }
  await session.detach();
  console.log(`# after ${CHECKPOINTS.join(", ")} loads: ${JSON.stringify(checkpoints)}`);
  const [first, , early, late] = checkpoints;
  assert.deepEqual(late ? grown(early, late) : [], [], JSON.stringify(checkpoints));
  assert.ok(first.gpu > 0 && first.wasm > 0 && first.javaScript > 0);
}

/** Returns what grew between two checkpoints. What is absent at the first has grown. */
function grown(early, late) {
  return Object.keys(late).filter((what) => late[what] / (early[what] ?? 0) - 1 > LARGEST_GROWTH);
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
