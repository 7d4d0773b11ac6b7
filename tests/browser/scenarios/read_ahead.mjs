/**
 * While the device is being requested, the model that `preload` names is imported, and loading it takes it over: with
 * other options it is imported again without being fetched again. An aborted creation ends it.
 */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

const CHARACTER = "/gambol/viewer/character.glb";

export default async function ({ page, url }) {
  const start = async (given) => {
    // Only the first player of a page waits for a device.
    await page.goto(url);
    await page.waitForFunction(() => window.stage);
    return page.evaluate(create, given);
  };
  const plain = await start({ isPreloaded: false });
  assert.deepEqual(plain.ahead, [], "nothing is read without an address");
  assert.ok(plain.lit > 0.01, `${plain.lit} of the picture`);
  for (const options of [{}, { rotations: "nlerp" }]) {
    const told = await start({ isPreloaded: true, options });
    assert.deepEqual(told.ahead, ["character.glb", "gambol_import.wasm"], "both are there before the device is");
    assert.equal(told.fetches, 1, "the model is fetched once");
    assert.ok(told.picture === plain.picture, "the pictures are the same");
    assert.equal(told.error, null);
  }
  const other = await start({ isPreloaded: true, loads: "/fixtures/swing.glb" });
  assert.equal(other.error, null, "another model can be loaded");
  const broken = await start({ isPreloaded: true, isBroken: true, loads: CHARACTER });
  assert.equal(broken.error, null, "the model that isn't loaded may be broken");
  const wrong = await start({ isPreloaded: true, isBroken: true });
  assert.equal(wrong.error.code, plain.brokenCode, "the load gets the error");
  const aborted = await start({ isPreloaded: true, aborts: true });
  assert.deepEqual([aborted.aborted, aborted.error], ["AbortError", null], "another player can then be created");
}

/** In the page: creates a player whose device comes late, and loads a model. */
async function create({ isPreloaded, options = {}, isBroken = false, loads, aborts = false }) {
  const request = GPUAdapter.prototype.requestDevice;
  let come;
  const coming = new Promise((resolve) => (come = resolve));
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await request.apply(this, args);
    await coming;
    return device;
  };
  const nothing = URL.createObjectURL(new Blob(["nothing"]));
  const url = isBroken ? nothing : "/gambol/viewer/character.glb";
  const css = "width:200px;height:150px";
  const stop = new AbortController();
  const opening = stage.open("webgpu", { css, signal: stop.signal, ...(isPreloaded && { preload: url }) });
  opening.catch(() => undefined);
  const files = () => performance.getEntriesByType("resource").map(({ name }) => name.replace(/.*\//, ""));
  const told = {};
  const wanted = ["character.glb", "gambol_import.wasm"];
  const isExpected = isPreloaded && !isBroken;
  for (let wait = 0; wait < (isExpected ? 500 : 50); wait++) {
    told.ahead = wanted.filter((name) => files().includes(name));
    if (told.ahead.length === wanted.length) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (aborts) stop.abort();
  come();
  told.aborted = await opening.then(
    () => null,
    ({ name }) => name,
  );
  const player = aborts ? await stage.open("webgpu", { css }) : await opening;
  told.error = (await stage.failure(() => player.load(loads ?? url, options))) ?? null;
  told.fetches = files().filter((name) => name === "character.glb").length;
  player.frame();
  const image = await stage.look(player);
  told.lit = stage.coverage(image).part;
  told.picture = await stage.png(image);
  told.brokenCode = (await stage.failure(() => player.load(nothing)))?.code;
  GPUAdapter.prototype.requestDevice = request;
  stage.close();
  return told;
}
