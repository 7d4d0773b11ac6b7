/**
 * What generates tangents is in a wasm file of its own. A model with a normal map and without tangents fetches it while
 * the rest of the model arrives, also when the page has started to fetch the model before the player exists. One with
 * tangents for a part of its surfaces fetches it when it has come. Others don't fetch it.
 */

import assert from "node:assert/strict";

import { glb, pngOf } from "../fixtures.mjs";

/**
 * Returns a square as a .glb. `tilt` is red of its normal map. `tangents` says whether each of two equal squares in the
 * same place has tangents.
 */
function square(tilt, tangents = [false, false]) {
  const vertices = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
  const uvs = new Float32Array([0, 1, 1, 1, 0, 0, 1, 0]);
  const normals = new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  const indices = new Uint16Array([0, 1, 2, 2, 1, 3]);
  const png = pngOf(4, 4, () => [tilt, 128, 200, 255]);
  const along = new Float32Array([1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]);
  const parts = [vertices, normals, uvs, indices, along, png].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  let byteOffset = 0;
  const bufferViews = parts.map(({ length: byteLength }) => {
    const view = { buffer: 0, byteOffset, byteLength };
    byteOffset += byteLength;
    return view;
  });
  const json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    materials: [{ normalTexture: { index: 0 }, pbrMetallicRoughness: { metallicFactor: 0 } }],
    meshes: [
      {
        primitives: tangents.map((hasTangents) => ({
          attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2, ...(hasTangents && { TANGENT: 4 }) },
          indices: 3,
          material: 0,
        })),
      },
    ],
    textures: [{ source: 0 }],
    images: [{ bufferView: 5, mimeType: "image/png" }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 4, type: "VEC3" },
      { bufferView: 2, componentType: 5126, count: 4, type: "VEC2" },
      { bufferView: 3, componentType: 5123, count: 6, type: "SCALAR" },
      { bufferView: 4, componentType: 5126, count: 4, type: "VEC4" },
    ],
    bufferViews,
    buffers: [{ byteLength: byteOffset }],
  };
  return [...glb(json, Buffer.concat(parts))];
}

export default async function ({ page, backend, url }) {
  const models = [square(128), square(220), square(220, [true, true])];
  // The part stays for all players of a page, and only the first one prefetches.
  const startAgain = async () => {
    await page.goto(url);
    await page.waitForFunction(() => window.stage);
  };
  await startAgain();
  const bytes = models[2];
  const cut = Buffer.from(bytes).indexOf("TANGENT");
  const none = await page.evaluate(fetchesFor, backend, bytes, cut);
  assert.deepEqual(none, [], "tangents may come in another piece than the name of the normal map");
  const asked = await page.evaluate(fetchesFor, backend, square(220, [true, false]), cut);
  assert.deepEqual(asked, ["gambol_tangents.wasm"], "a model with tangents for some surfaces is loaded");
  for (const isPreloaded of [false, true]) {
    await startAgain();
    const told = await page.evaluate(show, backend, models, isPreloaded);
    assert.deepEqual(told.plain, [], "a model without normal maps, and one with tangents, need no others");
    assert.ok(told.isEarly, "the part is asked for before the model has come");
    assert.ok(told.tilted > 1000, `a tilted normal changes ${told.tilted} pixels`);
    assert.equal(told.inWorker, 0, `a worker draws ${told.inWorker} pixels otherwise`);
  }
}

/** In the page: loads a model that comes in two pieces, and returns the names of the files that it fetched. */
async function fetchesFor(backend, bytes, cut) {
  const player = await stage.open(backend);
  performance.clearResourceTimings();
  const real = window.fetch;
  window.fetch = (address, ...rest) => {
    if (!String(address).endsWith("/pieces.glb")) return real(address, ...rest);
    const send = (controller) => {
      for (const piece of [bytes.slice(0, cut), bytes.slice(cut)]) controller.enqueue(Uint8Array.from(piece));
      controller.close();
    };
    return Promise.resolve(new Response(new ReadableStream({ start: send })));
  };
  await player.load("/pieces.glb");
  await stage.look(player);
  window.fetch = real;
  stage.close();
  return performance.getEntriesByType("resource").map(({ name }) => name.replace(/.*\//, ""));
}

/** In the page: draws a model whose rest arrives when the part has been asked for. */
async function show(backend, [flat, tilted, whole], isPreloaded) {
  const real = window.fetch;
  const asked = [];
  const json = 20 + new DataView(Uint8Array.from(tilted).buffer).getUint32(12, true);
  const told = {};
  const slow = async (controller) => {
    controller.enqueue(Uint8Array.from(tilted.slice(0, json)));
    for (let wait = 0; wait < 500 && asked.length === 0; wait++) await new Promise((next) => setTimeout(next, 20));
    told.isEarly = asked.length > 0;
    controller.enqueue(Uint8Array.from(tilted.slice(json)));
    controller.close();
  };
  window.fetch = (address, ...rest) => {
    if (String(address).endsWith("/slow.glb"))
      return Promise.resolve(new Response(new ReadableStream({ start: (c) => void slow(c) })));
    if (String(address).includes("gambol_tangents")) asked.push(String(address));
    return real(address, ...rest);
  };
  const css = "width:200px;height:150px";
  const url = "/slow.glb";
  if (!isPreloaded) {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { css });
    await player.load(Uint8Array.from(whole).buffer);
    await stage.look(player);
  }
  told.plain = [...asked];
  const player = await stage.open(backend, { css, ...(isPreloaded && { preload: url }) });
  await player.load(url);
  const pictureOf = async (player) => stage.pixelsOfPng(await player.screenshot({ width: 120, height: 90 }));
  const look = async (bytes, options) =>
    pictureOf(await stage.openModel(backend, Uint8Array.from(bytes).buffer, { css, ...options }));
  player.frame();
  const picture = await pictureOf(player);
  told.tilted = stage.compare(picture, await look(flat), 2).count;
  told.inWorker = stage.compare(picture, await look(tilted, { worker: true }), 2).count;
  window.fetch = real;
  stage.close();
  return told;
}
