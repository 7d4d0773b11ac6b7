/**
 * `node benches/timeline.mjs PAGE MODEL [ROUNDS]`: what happens between a navigation and the first moving frame, in a
 * fresh browser context.
 *
 *     node benches/timeline.mjs gambol:webgpu fox
 *     node benches/timeline.mjs three_webgl fox 9
 *
 * PAGE is a module of `benches/players`, and a backend. It measures the `dist` that is there; with `--pages`, the pages
 * that an earlier benchmark has made of it. With `--hardware`, the machine's GPU draws. Of all rounds, the one
 * with the median time is printed: begin and duration of each step, in milliseconds since the navigation. Calls that
 * follow each other at once are one line.
 */

import { parseArgs } from "node:util";

import { addressOf } from "./address.mjs";
import { openChromium } from "./chromium.mjs";
import { writePages, writtenPages } from "./pages.mjs";
import { PLAYERS } from "./players/list.mjs";

/** Calls of the same kind within this time are one line. */
const GAP_MILLIS = 8;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: "boolean", default: false }, hardware: { type: "boolean", default: false } },
});
const [named = "gambol:webgpu", key = "fox", rounds = "7"] = positionals;
const [module, backend = ""] = named.split(":");
const player = PLAYERS.find((one) => one.module === module && (one.backend ?? "") === backend);
const { models } = options.pages
  ? writtenPages()
  : await writePages({ kinds: ["start"], players: player ? [player] : [] });
const model = models.find((one) => one.key === key);
if (!player || !model) {
  console.error(`timeline: there is no ${player ? `model ${key}` : `page ${named}`}`);
  process.exit(2);
}

const driver = await openChromium({ hardware: options.hardware });
const runs = [];
try {
  for (let round = 0; round < Number(rounds); round++) runs.push(await record());
} finally {
  await driver.close();
}
runs.sort((a, b) => a.times.moving - b.times.moving);
const all = runs.map(({ times }) => Math.round(times.moving)).join(", ");
console.log(`${player.name}, ${model.name}: first moving frame after ${all} ms\n`);
for (const { begin, millis, name, count } of merged(runs[Math.floor(runs.length / 2)])) {
  const times = count > 1 ? ` × ${count}` : "";
  console.log(`${begin.toFixed(0).padStart(6)} ${millis.toFixed(1).padStart(7)}  ${name}${times}`);
}

async function record() {
  const context = await driver.browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.evaluateOnNewDocument(watch);
    await page.goto(`${driver.url}${addressOf("start", player, model)}`);
    await page.waitForFunction("globalThis.lab", { polling: 50 });
    return await page.evaluate(async () => ({
      times: await globalThis.lab.started(),
      calls: globalThis.calls,
      files: performance
        .getEntriesByType("resource")
        .map(({ name, startTime, duration }) => [startTime, duration, name.replace(/.*\/|\?.*/g, "")]),
    }));
  } finally {
    await context.close();
  }
}

/** Runs in the page: records the calls of the browser's interfaces that a start waits for. */
function watch() {
  globalThis.calls = [];
  const note = (name, begin) => globalThis.calls.push([begin, performance.now() - begin, name]);
  const hook = (object, names) => {
    for (const name of names.split(" ")) {
      const original = object?.[name];
      if (!original) continue;
      object[name] = function (...args) {
        const begin = performance.now();
        const result = original.apply(this, args);
        if (typeof result?.then === "function") result.then(() => note(name, begin)).catch(() => {});
        else note(name, begin);
        return result;
      };
    }
  };
  hook(WebAssembly, "compileStreaming instantiateStreaming compile instantiate");
  hook(globalThis, "createImageBitmap");
  hook(HTMLCanvasElement.prototype, "getContext");
  if (globalThis.GPU) {
    hook(GPU.prototype, "requestAdapter");
    hook(GPUAdapter.prototype, "requestDevice");
    hook(GPUDevice.prototype, "createShaderModule createRenderPipeline createRenderPipelineAsync createBuffer");
    hook(GPUQueue.prototype, "submit copyExternalImageToTexture writeTexture onSubmittedWorkDone");
    hook(GPUCanvasContext.prototype, "configure getCurrentTexture");
  }
  hook(
    WebGL2RenderingContext.prototype,
    "compileShader linkProgram getProgramParameter getExtension texImage2D texSubImage2D generateMipmap bufferData " +
      "drawElements drawElementsInstanced drawArrays drawArraysInstanced blitFramebuffer",
  );
  const request = globalThis.requestAnimationFrame;
  globalThis.requestAnimationFrame = (callback) =>
    request((time) => {
      const begin = performance.now();
      callback(time);
      note("animation frame", begin);
    });
}

/** Returns the steps of a run in their order. */
function merged({ times, calls, files }) {
  const steps = [
    ...calls,
    ...files.map(([begin, millis, name]) => [begin, millis, `file ${name}`]),
    [times.shown, 0, "── the first frame is there"],
    [times.moving, 0, "── the first moving frame is there"],
  ].sort((a, b) => a[0] - b[0]);
  const lines = [];
  for (const [begin, millis, name] of steps) {
    const last = lines.at(-1);
    if (last?.name === name && begin - last.latest < GAP_MILLIS) {
      last.count++;
      last.millis += millis;
      last.latest = begin;
    } else lines.push({ begin, latest: begin, millis, name, count: 1 });
  }
  return lines;
}
