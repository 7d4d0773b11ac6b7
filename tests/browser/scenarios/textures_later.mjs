/**
 * With `textures: "later"`, `load` resolves before the textures are there, and they appear as they arrive, on this
 * thread and in a worker. They lie beside the model or at the end of its file. Progress counts all bytes.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

// One of the pictures isn't there. A load that is replaced aborts its requests.
export const expectedErrors = [/Failed to load resource.*(404|ERR_ABORTED|ERR_CONTENT_LENGTH_MISMATCH)/];

export const longestSecs = 180;

export default async function ({ page, backend, mounts }) {
  const slow = await serveSlowly(mounts["/fixtures/"]);
  try {
    await page.exposeFunction("release", slow.release);
    await page.exposeFunction("untilHeld", slow.untilHeld);
    await page.exposeFunction("untilAborted", slow.untilAborted);
    for (const worker of [false, true]) {
      for (const file of ["swing.gltf", "swing.glb"]) {
        await page.evaluate(() => stage.close());
        const told = await page.evaluate(watchLoads, { backend, worker, url: slow.url, file });
        check(told, slow.bytes[file], `${file}, ${worker ? "worker" : "page"}`);
      }
    }
  } finally {
    slow.close();
  }
}

/** In the page. */
async function watchLoads({ backend, worker, url, file }) {
  const held = (name) => `${url}held/${name}/${file}`;
  const see = async (player) => {
    player.frame();
    const shot = await player.screenshot({ width: 200, height: 150, transparent: true });
    const image = await stage.pixelsOfPng(shot);
    const lit = { orange: 0, blue: 0, white: 0 };
    for (let at = 0; at < image.data.length; at += 4) {
      const [r, , b, a] = image.data.subarray(at, at + 4);
      if (a < 250) continue;
      if (r > 90 && b < r * 0.6) lit.orange++;
      else if (b > 90 && r < b * 0.7) lit.blue++;
      else lit.white++;
    }
    return lit;
  };
  const open = async () => {
    const player = await stage.open(backend, { worker });
    player.ground = false;
    return player;
  };
  const told = {};

  // Waits by default, and counts all bytes.
  const player = await open();
  const waited = [];
  let isThere = false;
  const waiting = player.load(held("waits"), { onProgress: (now) => waited.push(now) }).then(() => (isThere = true));
  await untilHeld("waits");
  told.thereWhileHeld = isThere;
  await release("waits");
  await waiting;
  player.material(0).roughness = 0.2;
  told.whole = await see(player);
  told.progress = { last: waited.at(-1), totals: [...new Set(waited.map(({ total }) => total))] };

  // Appears later, also where a material has been changed.
  const heard = stage.record(player, "load", "textures", "error");
  await player.load(held("later"), { textures: "later" });
  player.material(0).roughness = 0.2;
  told.bare = await see(player);
  await untilHeld("later");
  const arrived = stage.once(player, "textures");
  await release("later");
  told.arrived = await arrived;
  told.later = await see(player);
  told.heard = heard.splice(0).map(({ name }) => name);

  // A picture that can't be had.
  const failed = stage.once(player, "textures");
  await player.load(`${url}missing/${file}`, { textures: "later" });
  told.before = player.warnings.length;
  told.failed = (await failed).warnings.map(({ code, place }) => [code, place]);
  told.warnings = player.warnings.map(({ code, place }) => [code, place]);

  // A model whose pictures are inside.
  const inside = stage.once(player, "textures");
  await player.load("/fixtures/swing.glb", { textures: "later" });
  await inside;
  told.inside = await see(player);
  heard.length = 0;

  // Replaced before its picture has come.
  await player.load(held("replaced"), { textures: "later" });
  await untilHeld("replaced");
  await player.load("/fixtures/swing.glb");
  await untilAborted("replaced");
  told.replaced = heard.splice(0).map(({ name }) => name);

  // Two players, one file: the first is disposed of before the picture has come, the second waits for it.
  const first = await open();
  await first.load(held("shared"), { textures: "later" });
  await untilHeld("shared");
  let isShown = false;
  const second = player.load(held("shared")).then(() => (isShown = true));
  await first.settled();
  told.shownWhileHeld = isShown;
  first.dispose();
  await release("shared");
  await second;
  told.shared = { lit: await see(player), warnings: player.warnings };

  // Disposed of before its picture has come.
  const short = await open();
  await short.load(held("disposed"), { textures: "later" });
  await untilHeld("disposed");
  short.dispose();
  await untilAborted("disposed");

  // Aborted while it waits for its picture.
  const stop = new AbortController();
  const stopped = player.load(held("aborted"), { signal: stop.signal }).catch(({ name }) => name);
  await untilHeld("aborted");
  stop.abort();
  told.aborted = await stopped;
  await untilAborted("aborted");

  told.wrong = await stage.failure(() => player.load("/fixtures/swing.glb", { textures: "soon" }));
  return told;
}

function check(told, bytes, host) {
  const colourful = ({ orange, blue, white }) => orange > 100 && blue > 100 && white < 0.1 * (orange + blue);
  assert.equal(told.thereWhileHeld, false, `${host}: load waits for the picture`);
  assert.ok(colourful(told.whole), JSON.stringify(told.whole));
  assert.deepEqual(
    told.progress.last,
    { loaded: bytes, total: bytes },
    `${host}: the model, its buffer and its picture`,
  );
  assert.ok(
    told.progress.totals.every((total) => total === 0 || total <= bytes),
    JSON.stringify(told.progress),
  );

  assert.ok(told.bare.white > 1000 && told.bare.orange + told.bare.blue === 0, `${host}: ${JSON.stringify(told.bare)}`);
  assert.deepEqual(told.arrived, { warnings: [] });
  assert.deepEqual(told.later, told.whole, `${host}: as if it had been there from the start`);
  assert.deepEqual(told.heard, ["load", "textures"]);

  assert.equal(told.before, 0);
  assert.deepEqual(told.failed, [["IMAGE_NOT_LOADED", "/images/0"]]);
  assert.deepEqual(told.warnings, told.failed);
  assert.ok(colourful(told.inside), `${host}: ${JSON.stringify(told.inside)}`);
  assert.deepEqual(told.replaced, ["load", "load"], `${host}: nothing is told of a model that is gone`);
  assert.equal(told.shownWhileHeld, false);
  assert.ok(colourful(told.shared.lit), `${host}: ${JSON.stringify(told.shared)}`);
  assert.deepEqual(told.shared.warnings, []);
  assert.equal(told.aborted, "AbortError");
  assert.equal(told.wrong.code, "OUT_OF_RANGE");
}

/**
 * Serves the models below `held/NAME/`, where the picture is held until it is released, and below `missing/`, where
 * there is none.
 */
async function serveSlowly(fixtures) {
  const files = Object.fromEntries(
    ["swing.gltf", "swing.glb", "swing.bin", "checks.png"].map((name) => [name, readFileSync(join(fixtures, name))]),
  );
  const gates = new Map();
  const gate = (name) => {
    if (!gates.has(name)) {
      const made = { held: deferred(), released: deferred(), aborted: deferred() };
      gates.set(name, made);
    }
    return gates.get(name);
  };
  const server = createServer(async (request, response) => {
    const [, folder, ...rest] = request.url.split("/");
    const name = rest.at(-1);
    const headers = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" };
    if (name === "checks.png" && folder === "missing") return response.writeHead(404, headers).end();
    response.writeHead(200, { ...headers, "Content-Length": files[name].length });
    // Before the picture: all of the file, or what precedes it.
    const first = name === "swing.glb" ? files[name].length - files["checks.png"].length : 0;
    if (first > 0) response.write(files[name].subarray(0, first));
    if (name === "swing.glb" && folder === "missing") return setTimeout(() => response.destroy(), 300);
    if (first > 0 || name === "checks.png") {
      const { held, released, aborted } = gate(rest[0]);
      response.on("close", () => !response.writableFinished && aborted.resolve());
      held.resolve();
      await released.promise;
    }
    response.end(files[name].subarray(first));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const once = (name) => gate(name);
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    bytes: {
      "swing.gltf": ["swing.gltf", "swing.bin", "checks.png"].reduce((sum, name) => sum + files[name].length, 0),
      "swing.glb": files["swing.glb"].length,
    },
    release: (name) => {
      once(name).released.resolve();
      gates.delete(name);
    },
    untilHeld: (name) => once(name).held.promise,
    untilAborted: async (name) => {
      await once(name).aborted.promise;
      gates.delete(name);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
