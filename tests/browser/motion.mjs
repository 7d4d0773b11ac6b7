/** Asserts that a page with a `<gambol-player>` shows a character that moves. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";

import { teachPatience } from "./patience.mjs";

/** Limit of each wait, in seconds. Software rendering shares the machine with other programs. */
const PATIENCE_SECS = 60;

/**
 * Tests the page's own character, then another file, which loads a second wasm file, then a worker. `backends` are
 * those that the browser supports. The last screenshot is written to `picture`.
 */
export async function checkMotion(browser, url, { picture, backends = ["webgpu", "webgl2"], other = "flag.x" }) {
  for (const backend of backends) {
    const page = await browser.newPage();
    try {
      await checkBackend(page, url, { backend, picture, other });
    } finally {
      await page.close();
    }
  }
}

async function checkBackend(page, url, { backend, picture, other }) {
  const [errors, requests] = listen(page);
  await teachPatience(page, PATIENCE_SECS);
  try {
    await page.evaluateOnNewDocument(tellErrors);
    // Without an adapter for WebGPU, the player uses WebGL2.
    if (backend === "webgl2") await page.evaluateOnNewDocument(() => delete Navigator.prototype.gpu);
    await page.goto(url);
    await page.waitForFunction(() => document.querySelector("gambol-player")?.player?.paused === false);
    const before = await look(page);
    assert.equal(before.backend, backend);
    await page.waitForFunction(moved, {}, before.pose);
    const after = await look(page);
    writeFileSync(picture, Buffer.from(after.picture.split(",")[1], "base64"));
    assert.notEqual(after.picture, before.picture, "the pose changed, and the picture didn't");
    const { lit, changed } = await page.evaluate(compare, before.picture, after.picture);
    assert.ok(lit > 0.02, `only ${lit * 100} % of the picture shows something`);
    assert.ok(changed > 0.001, `only ${changed * 100} % of the picture changed`);
    assert.equal(await page.evaluate(load, other), 2);
    const wasm = requests.filter((address) => new URL(address).pathname.endsWith(".wasm"));
    // The player, the part that the character's sheen needs, and the other format.
    assert.equal(wasm.length, 3, `fetched once each: ${wasm.join(" ")}`);
    await page.evaluate(moveInWorker, backend);
  } catch (error) {
    throw new Error(`${error.stack}\n${errors.map((text) => `console: ${text}`).join("\n")}`);
  }
  assert.deepEqual(errors, []);
  const origin = new URL(url).origin;
  assert.deepEqual(
    requests.filter((address) => /^(http|ws)s?:/.test(address) && new URL(address).origin !== origin),
    [],
  );
}

function listen(page) {
  const [errors, requests] = [[], []];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url ?? ""}`.trim());
  });
  page.on("pageerror", (error) => errors.push(String(error?.stack ?? error)));
  page.on("request", (request) => requests.push(request.url()));
  return [errors, requests];
}

/** Draws, and reads the canvas in the same task. A WebGPU canvas is blank afterwards. */
function look(page) {
  return page.evaluate(() => {
    const { player } = document.querySelector("gambol-player");
    player.render();
    return { backend: player.backend, pose: [...player.worldMatrices()], picture: player.canvas.toDataURL() };
  });
}

// ── in the page ──

function tellErrors() {
  document.addEventListener(
    "error",
    ({ detail }) => detail && console.error(`${detail.code}: ${detail.message}`),
    true,
  );
}

function moved(before) {
  const pose = document.querySelector("gambol-player").player.worldMatrices();
  return pose.some((number, at) => Math.abs(number - before[at]) > 0.05);
}

/**
 * Returns the share of the second picture's pixels that show something, and the share that differ from the first
 * picture.
 */
async function compare(...pictures) {
  const [before, after] = await Promise.all(
    pictures.map(async (url) => {
      const bitmap = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    }),
  );
  const part = (differs) => after.filter(differs).length / after.length;
  return { lit: part((pixel) => pixel !== after[0]), changed: part((pixel, at) => pixel !== before[at]) };
}

async function load(source) {
  const element = document.querySelector("gambol-player");
  await element.load(source);
  return element.player.clips.length;
}

/** Resolves once a player whose wasm runs in the package's worker has moved. */
async function moveInWorker(backend) {
  const element = document.querySelector("gambol-player");
  const { src } = element;
  // Two software renderers at once would slow each other down.
  element.remove();
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const player = await Player.create(canvas, { backend, worker: true });
  await player.load(src);
  player.play(0);
  const before = player.worldMatrices();
  await until(() => player.worldMatrices().some((number, at) => Math.abs(number - before[at]) > 0.05));
  player.dispose();
}
