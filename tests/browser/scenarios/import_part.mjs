/**
 * What few files need is in a wasm file of its own, which usual models don't fetch. A model that needs it loads all the
 * same. If it can't be fetched, the load fails, and the next one tries again. Other errors don't need it. With
 * `preload`, it is fetched beside the first wasm file.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { glb } from "../fixtures.mjs";

export const expectedErrors = [/net::ERR_FAILED .*gambol_import\.wasm/];

const USUAL = [
  "khronos/Fox/glTF-Binary/Fox.glb",
  "kaykit/Knight.glb",
  "robot-expressive/RobotExpressive.glb",
  "khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
  "khronos/CesiumMan/glTF/CesiumMan.gltf",
];

/** Returns a triangle whose buffer is in the text. `mode` 5 is a strip. */
function triangle(mode) {
  const bytes = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  return JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: `data:;base64,${bytes.toString("base64")}` }],
  });
}

/** Returns a triangle of cloth as a .glb. */
function cloth() {
  const json = JSON.parse(triangle(4));
  json.buffers = [{ byteLength: 36 }];
  json.extensionsUsed = ["KHR_materials_sheen"];
  const sheen = { sheenColorFactor: [1, 0, 0], sheenRoughnessFactor: 1 };
  const black = { baseColorFactor: [0, 0, 0, 1], metallicFactor: 0 };
  json.materials = [{ pbrMetallicRoughness: black, extensions: { KHR_materials_sheen: sheen } }];
  json.meshes[0].primitives[0].material = 0;
  return [...glb(json, Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer))];
}

/** Loads the sample character on a new page, which gets the first wasm file only when it has asked for the part. */
async function loadWithoutFirstFile(page, url, backend) {
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  const order = [];
  let release = () => {};
  const asked = new Promise((resolve) => (release = resolve));
  const late = setTimeout(release, 20_000);
  await page.setRequestInterception(true);
  const onRequest = async (request) => {
    const [name] = /gambol_\w+\.wasm$/.exec(new URL(request.url()).pathname) ?? [];
    if (name === "gambol_import.wasm") release();
    if (name === "gambol_bg.wasm") await asked;
    if (name) order.push(name);
    request.continue();
  };
  page.on("request", onRequest);
  await page.evaluate(async (backend) => {
    const preload = "/gambol/viewer/character.glb";
    const player = await stage.open(backend, { preload });
    await player.load(preload);
  }, backend);
  clearTimeout(late);
  page.off("request", onRequest);
  await page.setRequestInterception(false);
  return order;
}

export default async function ({ page, url, backend, shared }) {
  const flavour = backend === "webgpu" ? "webgpu" : "webgl";
  const asked = [];
  let isBroken = true;
  await page.setRequestInterception(true);
  const onRequest = (request) => {
    const { pathname } = new URL(request.url());
    const part = /gambol_(late|import)\.wasm$/.exec(pathname);
    if (part) asked.push(pathname);
    if (part && isBroken) request.abort();
    else request.continue();
  };
  page.on("request", onRequest);

  const found = shared ? USUAL.filter((path) => existsSync(join(shared, "gltf", path))) : [];
  await page.evaluate(
    async (backend, urls) => {
      window.player = await stage.openModel(backend, "/fixtures/swing.glb");
      for (const url of urls) {
        await player.load(url);
        await stage.look(player);
      }
    },
    backend,
    found.map((path) => `/shared/gltf/${path}`),
  );
  assert.deepEqual(asked, [], "usual models need no part");
  if (shared) assert.ok(found.length >= 4, `${found}`);

  const broken = await page.evaluate(async (strip) => {
    const bytes = (text) => new TextEncoder().encode(text).buffer;
    return [
      await stage.failure(() => player.load(bytes(strip))),
      await stage.failure(() => player.load(bytes('{"asset":{"version":"3.0"}}'))),
    ];
  }, triangle(5));
  assert.equal(broken[0]?.code, "WASM_NOT_LOADED", JSON.stringify([broken, asked]));
  assert.deepEqual([broken[1].code, broken[1].place], ["VERSION_UNSUPPORTED", "/asset/version"]);
  assert.match(broken[1].message, /needs a glTF version other than/);

  isBroken = false;
  asked.length = 0;
  const loaded = await page.evaluate(
    async (cloth, strip) => {
      // Shaders of extensions of materials are there when such a model is drawn.
      await player.load(Uint8Array.from(cloth).buffer);
      const { data } = await stage.look(player);
      await player.load(new TextEncoder().encode(strip).buffer);
      await player.load(new TextEncoder().encode(strip).buffer);
      return { nodes: player.nodes.length, red: data.some((red, at) => at % 4 === 0 && red > data[at + 2] + 30) };
    },
    cloth(),
    triangle(5),
  );
  assert.deepEqual(loaded, { nodes: 1, red: true });
  assert.deepEqual(asked, [`/gambol/wasm/${flavour}/gambol_import.wasm`], "once for all");

  // Without interception: requests of a worker would wait for an answer.
  page.off("request", onRequest);
  await page.setRequestInterception(false);
  const inWorker = await page.evaluate(
    async (backend, strip) => {
      const bytes = (text) => new TextEncoder().encode(text).buffer;
      const player = await stage.openModel(backend, bytes(strip), { worker: true });
      const refused = await stage.failure(() => player.load(bytes('{"asset":{"version":"3.0"}}')));
      return [player.nodes.length, refused.message];
    },
    backend,
    triangle(5),
  );
  assert.equal(inWorker[0], 1);
  assert.match(inWorker[1], /needs a glTF version other than/);

  const order = await loadWithoutFirstFile(page, url, backend);
  assert.deepEqual(order, ["gambol_import.wasm", "gambol_bg.wasm"], "the part doesn't wait for the first file");
}
