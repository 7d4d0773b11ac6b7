/**
 * Models that meshopt compresses: they look as without compression, their decoder is fetched once and by no other
 * model, large ones are decoded in a worker, and damaged ones are refused.
 */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { glb } from "../fixtures.mjs";
import { largeSquare, withMeshopt } from "../meshopt_models.mjs";

export const longestSecs = 120;

const MODELS = ["ext.glb", "khr.glb", "fallback.gltf"];

export default async function ({ page, backend, mounts }) {
  const folder = join(mounts["/fixtures/"], `meshopt_${backend}`);
  writeModels(mounts["/fixtures/"], folder);
  const at = `/fixtures/meshopt_${backend}/`;
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url())));
  const fetched = (pattern) => requests.filter(({ pathname }) => pattern.test(pathname)).length;

  const plain = await page.evaluate(see, { backend, sources: ["/fixtures/swing.glb"] });
  assert.equal(fetched(/decode|meshopt/), 0, "a model without compression needs no decoder");
  const sources = MODELS.map((name) => at + name);
  const seen = await page.evaluate(see, { backend, sources });
  for (const [name, shown] of MODELS.map((name, at) => [name, seen[at]])) {
    assert.deepEqual(shown.warnings, [], name);
    assert.deepEqual(shown.poses, plain[0].poses, name);
    assert.deepEqual(shown.pixels, plain[0].pixels, name);
  }
  assert.equal(fetched(/meshopt\.wasm$/), 1, "models share the decoder");
  assert.equal(fetched(/raw\.bin$/), 0, "the uncompressed copy isn't fetched");
  assert.equal(fetched(/decode_worker/), 0, "small models need no worker");
  assert.deepEqual(new Set(requests.map(({ origin }) => origin)).size, 1, "nothing comes from elsewhere");

  await fetchedEarly(page, backend, readFileSync(join(folder, "ext.glb")));

  const inWorker = await page.evaluate(see, { backend, sources, options: { worker: true } });
  // The page's copy of the poses arrives later.
  const picture = ({ pixels, warnings }) => ({ pixels, warnings });
  assert.deepEqual(inWorker.map(picture), seen.map(picture));

  const [large] = await page.evaluate(see, { backend, sources: [`${at}large.glb`] });
  assert.equal(large.triangles, 2 * 299 * 299);
  assert.equal(fetched(/decode_worker/), 1);
  const decoders = () => page.workers().filter((worker) => worker.url().includes("decode_worker")).length;
  assert.equal(decoders(), 1);
  const ended = new Promise((resolve) => page.on("workerdestroyed", () => decoders() === 0 && resolve()));
  assert.deepEqual(await page.evaluate(abortLoad, { backend, source: `${at}large.glb` }), {
    name: "AbortError",
    clips: ["Swing", "Raise"],
  });
  // An idle one would end after ten seconds.
  const late = new Promise((_, failed) => setTimeout(() => failed(new Error("the decoder still runs")), 5000));
  await Promise.race([ended, late]);

  const [withoutWorker] = await page.evaluate(see, { backend, sources: [`${at}large.glb`], forbidsWorkers: true });
  assert.deepEqual(withoutWorker.pixels, large.pixels, "a policy may forbid workers");

  const saved = await page.evaluate(saveAgain, { backend, source: sources[1] });
  assert.deepEqual(saved.extensions, []);
  assert.deepEqual(saved.pixels, plain[0].pixels);

  const refused = await page.evaluate(refusalsOf, { backend, at, names: Object.keys(DAMAGE) });
  for (const [name, { code }] of Object.entries(DAMAGE)) assert.equal(refused[name].code, code, name);
  assert.match(refused.unknown_mode.message, /POINTS/);
  assert.equal(refused.header.place, "/bufferViews/0");
  assert.deepEqual(refused.after, plain[0].pixels, "the player goes on");
}

/** The decoder is fetched while the model arrives: the rest of the model comes only when the decoder was asked for. */
async function fetchedEarly(page, backend, model) {
  let ask;
  const asked = new Promise((resolve) => (ask = resolve));
  const server = createServer(async (_, response) => {
    response.writeHead(200, { "Access-Control-Allow-Origin": "*" });
    response.write(model.subarray(0, 4096));
    await asked;
    response.end(model.subarray(4096));
  });
  await new Promise((listening) => server.listen(0, listening));
  await page.reload();
  await page.waitForFunction(() => window.stage);
  const listen = (request) => request.url().endsWith("meshopt.wasm") && ask();
  page.on("request", listen);
  try {
    const sources = [`http://localhost:${server.address().port}/ext.glb`];
    const [{ warnings }] = await page.evaluate(see, { backend, sources });
    assert.deepEqual(
      warnings.map(([code]) => code),
      ["IMAGE_NOT_LOADED"],
      "its picture isn't there",
    );
  } finally {
    page.off("request", listen);
    ask();
    server.close();
  }
}

/** Ways to damage a model, and the codes of the errors. */
const DAMAGE = {
  header: { code: "COMPRESSED_DATA_INVALID", change: (_, bytes) => bytes.fill(0, 0, 1) },
  version: { code: "COMPRESSED_DATA_UNSUPPORTED", change: (_, bytes) => bytes.fill(0xaf, 0, 1) },
  truncated: { code: "COMPRESSED_DATA_INVALID", change: ({ packed }) => (packed.byteLength -= 20) },
  beyond_buffer: { code: "COMPRESSED_DATA_MISSING", change: ({ packed }) => (packed.byteLength += 1_000_000) },
  negative: { code: "COMPRESSED_DATA_INVALID", change: ({ packed }) => (packed.count = -1) },
  huge: { code: "MODEL_TOO_LARGE", change: ({ packed }) => (packed.count = 1e12) },
  unknown_mode: { code: "COMPRESSED_DATA_UNSUPPORTED", change: ({ packed }) => (packed.mode = "POINTS") },
  unknown_filter: { code: "COMPRESSED_DATA_UNSUPPORTED", change: ({ packed }) => (packed.filter = "SEPIA") },
  odd_stride: { code: "COMPRESSED_DATA_INVALID", change: ({ packed }) => (packed.byteStride = 6) },
};

function writeModels(fixtures, folder) {
  mkdirSync(folder, { recursive: true });
  const write = (name, content) => writeFileSync(join(folder, name), content);
  const swing = JSON.parse(readFileSync(join(fixtures, "swing.gltf"), "utf8"));
  const bin = readFileSync(join(fixtures, "swing.bin"));
  write("checks.png", readFileSync(join(fixtures, "checks.png")));
  for (const [name, extension] of [
    ["ext.glb", "EXT_meshopt_compression"],
    ["khr.glb", "KHR_meshopt_compression"],
  ]) {
    const { json, bytes } = withMeshopt(swing, bin, { extension });
    write(name, glb(json, bytes));
  }
  const { json, bytes } = withMeshopt(swing, bin, { fallback: "raw.bin" });
  json.buffers[0].uri = "packed.bin";
  write("packed.bin", bytes);
  write("raw.bin", bin);
  write("fallback.gltf", JSON.stringify(json));
  const square = largeSquare(300);
  const large = withMeshopt(square.json, square.bin);
  write("large.glb", glb(large.json, large.bytes));
  for (const [name, { change }] of Object.entries(DAMAGE)) {
    const { json, bytes } = withMeshopt(swing, bin);
    change({ packed: json.bufferViews[0].extensions.EXT_meshopt_compression }, bytes);
    write(`${name}.glb`, glb(json, bytes));
  }
}

// ── in the page ──

async function see({ backend, sources, options, forbidsWorkers = false }) {
  const { Worker } = window;
  if (forbidsWorkers) {
    window.Worker = class {
      constructor() {
        throw new DOMException("forbidden", "SecurityError");
      }
    };
  }
  const player = await stage.open(backend, options);
  const seen = [];
  for (const source of sources) {
    await player.load(source);
    const hasClip = player.clips.length > 0;
    if (hasClip) player.play("Swing");
    player.currentTime = 0.7;
    player.frame();
    player.render();
    const shot = await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 90 }));
    seen.push({
      poses: player.nodes.map(({ name }) => [name, [...player.node(name).worldMatrix]]),
      pixels: [...shot.data],
      triangles: player.stats.triangles,
      warnings: player.warnings.map(({ code, place }) => [code, place]),
    });
  }
  player.dispose();
  window.Worker = Worker;
  return seen;
}

async function abortLoad({ backend, source }) {
  const player = await stage.openModel(backend, "/fixtures/swing.glb");
  const stop = new AbortController();
  // Decoding begins when the file has arrived.
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...args) {
    post.apply(this, args);
    setTimeout(() => stop.abort());
  };
  const name = await player.load(source, { signal: stop.signal }).catch((error) => error.name);
  Worker.prototype.postMessage = post;
  return { name, clips: player.clips.map(({ name }) => name) };
}

async function saveAgain({ backend, source }) {
  const { toGlb } = await import("/gambol/index.js");
  const { glb } = await toGlb(source);
  const length = new DataView(glb.buffer).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  const player = await stage.openModel(backend, glb, { clip: "Swing", time: 0.7 });
  const shot = await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 90 }));
  return { extensions: json.extensionsUsed ?? [], pixels: [...shot.data] };
}

async function refusalsOf({ backend, at, names }) {
  const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.7 });
  const refused = {};
  for (const name of names) refused[name] = await stage.failure(() => player.load(`${at}${name}.glb`));
  const shot = await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 90 }));
  return { ...refused, after: [...shot.data] };
}
