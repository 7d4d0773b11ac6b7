/** Five hundred loads in one player: the memory in the end exceeds that after a hundred by 2 % at most. */

import assert from "node:assert/strict";

import { countGpuObjects } from "../gpu_objects.mjs";

export const alone = true;
export const longestSecs = 400;

const MODELS = ["swing.glb", "stroll.glb", "swing.gltf"];
const CHECKPOINTS = [100, 200, 500];

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
  for (const end of CHECKPOINTS) {
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
  const [early, , late] = checkpoints;
  console.log(`# after ${CHECKPOINTS.join(", ")} loads: ${JSON.stringify(checkpoints)}`);
  for (const [what, bytes] of Object.entries(late)) {
    // A quantity that is absent at the first checkpoint counts as unbounded growth.
    const growth = bytes / (early[what] ?? 0) - 1;
    assert.ok(growth <= 0.02, `${what} grew by ${(growth * 100).toFixed(1)} %: ${JSON.stringify(checkpoints)}`);
  }
  assert.ok(early.gpu > 0 && early.wasm > 0 && early.javaScript > 0);
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
