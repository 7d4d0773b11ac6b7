/**
 * A `.glb` whose pictures come last is read before they have come. Where something else needs their bytes, or may, the
 * model waits for the whole file, and the picture is the same. A file that breaks off fails, unless it is shown.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { glb } from "../fixtures.mjs";

// Connections break.
export const expectedErrors = [/Failed to load resource/];

/** Whether the model is shown while the end of the file is held. */
const SHOWN_EARLY = {
  last: true,
  // A server that compresses doesn't send the length.
  "without a length": true,
  first: false,
  shared: false,
  "without a type": false,
  "a longer file": false,
};

export default async function ({ page, backend, mounts }) {
  const slow = await serve(readFileSync(join(mounts["/fixtures/"], "swing.glb")));
  try {
    await page.exposeFunction("release", slow.release);
    await page.exposeFunction("untilHeld", slow.untilHeld);
    const shown = await page.evaluate(showAll, { backend, url: slow.url, names: Object.keys(SHOWN_EARLY) });
    for (const [name, { early, bare, picture, whole, warnings, places }] of Object.entries(shown)) {
      assert.equal(early, SHOWN_EARLY[name], name);
      assert.ok(!early || bare !== picture, `${name}: shown without its picture first`);
      assert.ok(picture === whole, `${name}: the same as from bytes`);
      assert.deepEqual(warnings, [], name);
      assert.deepEqual(places.seen, places.whole, `${name}: poses`);
    }
    const broken = await page.evaluate(breakOff, { backend, url: slow.url });
    assert.equal(broken.error.code, "FETCH_FAILED");
    assert.deepEqual(broken.kept, ["Raise"], "the model before stays");
    assert.deepEqual(broken.again, { warnings: [], clips: broken.clips }, "the next load fetches the file again");
    assert.deepEqual(broken.later, [["IMAGE_NOT_LOADED", "/images/0"]]);
    if (backend === "webgl2") assert.ok(broken.restored > 0.01, "shown on the next GPU, without the picture");
  } finally {
    slow.close();
  }
}

/** In the page. */
async function showAll({ backend, url, names }) {
  const player = await stage.open(backend, { css: "width:160px;height:120px" });
  const see = async () => {
    player.play("Swing");
    player.currentTime = 0.4;
    player.frame();
    return stage.png(await stage.look(player));
  };
  const told = {};
  for (const name of names) {
    let early = false;
    const arrived = stage.once(player, "textures");
    const loading = player.load(`${url}${name}`, { textures: "later" }).then(() => (early = true));
    await untilHeld(name);
    await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, 300))]);
    const seen = { early, bare: early && (await see()) };
    await release(name);
    await Promise.all([loading, arrived]);
    const picture = await see();
    const places = { seen: [...player.worldMatrices()] };
    const warnings = player.warnings;
    const bytes = await (await fetch(`${url}${name}?whole`)).arrayBuffer();
    await player.load(bytes);
    const whole = await see();
    told[name] = { ...seen, picture, whole, warnings, places: { ...places, whole: [...player.worldMatrices()] } };
  }
  player.dispose();
  return told;
}

/** In the page. */
async function breakOff({ backend, url }) {
  const player = await stage.open(backend, { css: "width:160px;height:120px" });
  await player.load("/fixtures/swing.glb");
  const clips = player.clips.map(({ name }) => name);
  const bytes = await stage.editedGlb("/fixtures/swing.glb", (json) => {
    json.animations = json.animations.filter(({ name }) => name === "Raise");
  });
  await player.load(bytes);
  const told = { clips };
  // While it waits for its picture.
  const failing = stage.failure(() => player.load(`${url}last`));
  await untilHeld("last");
  await release("last", true);
  told.error = await failing;
  told.kept = player.clips.map(({ name }) => name);
  const loading = player.load(`${url}last`);
  await untilHeld("last");
  await release("last");
  await loading;
  told.again = { warnings: player.warnings, clips: player.clips.map(({ name }) => name) };

  // When it is shown already.
  const arrived = stage.once(player, "textures");
  await player.load(`${url}last`, { textures: "later" });
  await release("last", true);
  told.later = (await arrived).warnings.map(({ code, place }) => [code, place]);
  if (backend === "webgl2") {
    player.frame();
    await stage.loseContext(player, () => undefined);
    told.restored = stage.coverage(await stage.look(player)).part;
  }
  player.dispose();
  return told;
}

/** Serves variants of a model, each held before its picture or in the middle of it. */
async function serve(model) {
  const files = Object.fromEntries(Object.keys(SHOWN_EARLY).map((name) => [name, variant(model, name)]));
  const gates = new Map();
  const gate = (name) => {
    if (!gates.has(name)) gates.set(name, { held: deferred(), released: deferred() });
    return gates.get(name);
  };
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url, "http://localhost");
    const name = decodeURIComponent(pathname.slice(1));
    const { bytes, holdAt } = files[name];
    const hasLength = name !== "without a length";
    response.writeHead(200, {
      "Access-Control-Allow-Origin": "*",
      "Cache-Control": "no-store",
      ...(hasLength && { "Content-Length": bytes.length }),
    });
    if (search) return response.end(bytes);
    response.write(bytes.subarray(0, holdAt));
    const { held, released } = gate(name);
    held.resolve();
    if (await released.promise) return response.destroy();
    response.end(bytes.subarray(holdAt));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    untilHeld: (name) => gate(name).held.promise,
    /** Sends the rest, or breaks the connection. */
    release: async (name, breaks = false) => {
      const { held, released } = gate(name);
      await held.promise;
      gates.delete(name);
      released.resolve(breaks);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a variant of a model, whose picture is last, and where its bytes are held. */
function variant(model, name) {
  const length = model.readUInt32LE(12);
  const json = JSON.parse(model.subarray(20, 20 + length));
  const [{ bufferView }] = json.images;
  const { byteOffset, byteLength } = json.bufferViews[bufferView];
  let data = model.subarray(28 + length);
  let [begin, tail] = [byteOffset, Buffer.alloc(0)];
  if (name === "first") {
    const picture = data.subarray(byteOffset, byteOffset + byteLength);
    const moved = Math.ceil(byteLength / 4) * 4;
    data = Buffer.concat([picture, Buffer.alloc(moved - byteLength), data.subarray(0, byteOffset)]);
    json.bufferViews = json.bufferViews.map((view, index) => ({
      ...view,
      byteOffset: index === bufferView ? 0 : (view.byteOffset ?? 0) + moved,
    }));
    begin = moved + 100;
    json.buffers[0].byteLength = data.length;
  }
  if (name === "shared") json.accessors.push({ bufferView, componentType: 5121, count: 1, type: "SCALAR" });
  if (name === "without a type") delete json.images[0].mimeType;
  if (name === "a longer file") tail = Buffer.from([4, 0, 0, 0, 65, 67, 77, 69, 0, 0, 0, 0]);
  const bytes = Buffer.concat([glb(json, data), tail]);
  bytes.writeUInt32LE(bytes.length, 8);
  return { bytes, holdAt: bytes.length - tail.length - data.length + begin };
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
