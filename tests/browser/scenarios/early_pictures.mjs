/**
 * The pictures in a `.glb` that `preload` names are decoded before the file is loaded, once. The model looks the same
 * as without, and a file that is wrong gives the same errors and warnings.
 */

import assert from "node:assert/strict";

export const expectedErrors = [/Failed to load resource.*404/];

/** Changes to a file, and how many pictures are then decoded before it is loaded. */
const FILES = {
  whole: 1,
  beyond: 0,
  elsewhere: 0,
  scrambled: 1,
  tooShort: 0,
};

export default async function ({ page, backend, url }) {
  for (const [name, early] of Object.entries(FILES)) {
    const told = {};
    for (const isPreloaded of [false, true]) {
      // Only the first player of a page waits for the WebAssembly.
      await page.goto(url);
      await page.waitForFunction(() => window.stage);
      told[isPreloaded] = await page.evaluate(show, { backend, name, isPreloaded, early });
    }
    const [plain, preloaded] = [told[false], told[true]];
    assert.equal(preloaded.early, early, name);
    assert.equal(plain.early, 0, name);
    assert.deepEqual(preloaded.outcome, plain.outcome, name);
    if (name === "whole") {
      assert.deepEqual(plain.outcome, { error: null, warnings: [] });
      assert.ok(plain.lit > 0.01, `${plain.lit} of the picture`);
      assert.equal(preloaded.decoded, 1, "it is decoded once");
    } else {
      assert.notDeepEqual(plain.outcome, { error: null, warnings: [] }, name);
    }
    assert.ok(preloaded.picture === plain.picture, `${name}: the pictures differ`);
  }
}

/** In the page. */
async function show({ backend, name, isPreloaded, early }) {
  const address = URL.createObjectURL(new Blob([changed(await (await fetch("/fixtures/swing.glb")).arrayBuffer())]));
  const decode = globalThis.createImageBitmap;
  let calls = 0;
  globalThis.createImageBitmap = (...args) => {
    calls++;
    return decode(...args);
  };
  const player = await stage.open(backend, {
    css: "width:200px;height:150px",
    ...(isPreloaded && { preload: address }),
  });
  for (let wait = 0; isPreloaded && wait < 200 && calls < early; wait++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const told = { early: calls };
  const error = await stage.failure(() => player.load(address));
  // Each address is another one.
  const words = (text) => text?.replaceAll(address, "").replace(/blob:\S+/g, "");
  told.outcome = {
    error: error && { code: error.code, message: words(error.message) },
    warnings: player.warnings.map(({ code, place, message }) => ({ code, place, message: words(message) })),
  };
  told.decoded = calls;
  player.frame();
  globalThis.createImageBitmap = decode;
  const image = await stage.look(player);
  told.lit = stage.coverage(image).part;
  told.picture = await stage.png(image);
  return told;

  /** Returns a `.glb` with a change. */
  function changed(buffer) {
    const bytes = new Uint8Array(buffer);
    const view = new DataView(buffer);
    const length = view.getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    const data = bytes.slice(28 + length);
    const place = json.bufferViews[json.images[0].bufferView];
    if (name === "beyond") place.byteLength += 1e6;
    if (name === "elsewhere") json.buffers[0].uri = "elsewhere.bin";
    if (name === "scrambled") data.fill(7, place.byteOffset, place.byteOffset + place.byteLength);
    const text = new TextEncoder().encode(JSON.stringify(json).padEnd(length + 64));
    const padded = text.subarray(0, text.length - (text.length % 4));
    const head = new Uint32Array([0x46546c67, 2, 28 + padded.length + data.length, padded.length, 0x4e4f534a]);
    const binary = new Uint32Array([data.length, 0x004e4942]);
    const whole = [head, padded, binary, data].map(
      (part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
    );
    const file = new Uint8Array(whole.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of whole) {
      file.set(part, at);
      at += part.length;
    }
    return name === "tooShort" ? file.subarray(0, 30) : file;
  }
}
