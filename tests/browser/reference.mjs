/**
 * Tests the backends of `src/webgpu` and `src/webgl` against their references, wgpu's own. Both draw the same pictures:
 * with WebGPU in Chromium, with WebGL2 in Firefox too. The reference for WebGL2 passes the scenarios that depend most
 * on the backend. Reports as TAP.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { serve } from "../../www/serve.mjs";
import { root, run } from "../../www/toolchain.mjs";
import { launch, launchFirefox, onScreen } from "./browser.mjs";
import { writeFixtures } from "./fixtures.mjs";
import { inTime } from "./patience.mjs";

/** Scenarios of `all.mjs` for the reference: images, read-back, lost contexts, and many players. */
const SCENARIOS = [
  "clearcoat",
  "golden_images",
  "gpu_equals_cpu",
  "layers",
  "lost_context",
  "many_players",
  "pixels",
  "screenshot",
  "shadow_casters",
];

/** Greatest difference of a channel, of 255. */
const TOLERANCE = 0;
const PATIENCE_SECS = 240;

if (onScreen(import.meta.url)) await compareAll();

async function compareAll() {
  for (const flavour of ["webgpu", "webgl"]) run("cargo", ["xtask", "build", "--flavour", `${flavour}-reference`]);
  const out = join(root, "tests/browser/out/reference");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "fixtures"), { recursive: true });
  writeFixtures(join(out, "fixtures"));
  const mounts = {
    "/": join(root, "tests/browser/page"),
    "/gambol/": join(root, "dist"),
    "/fixtures/": join(out, "fixtures"),
    "/formats/": join(root, "tests/fixtures/formats"),
  };
  const ours = await serve({ mounts });
  const reference = {
    "/gambol/wasm/webgpu/": join(root, "target/wasm/webgpu-reference"),
    "/gambol/wasm/webgl/": join(root, "target/wasm/webgl-reference"),
  };
  const theirs = await serve({ mounts: { ...mounts, ...reference } });
  const counts = { pass: 0, fail: 0 };
  try {
    const runs = [
      ["chromium", launch, "webgpu"],
      ["chromium", launch, "webgl2"],
      ["firefox", launchFirefox, "webgl2"],
    ];
    for (const [browser, start, backend] of runs) {
      const started = performance.now();
      const name = `${browser} with ${backend}`;
      const files = join(out, `${browser}.${backend}`);
      const trouble = await compareIn(start, [ours.url, theirs.url], backend, files).catch((error) => error);
      counts[trouble ? "fail" : "pass"]++;
      const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
      const title = `${name}: both backends draw the same pictures`;
      console.log(`${trouble ? "not ok" : "ok"} ${counts.pass + counts.fail} - ${title} # ${took}`);
      if (trouble) console.log(String(trouble.stack ?? trouble).replace(/^/gm, "    "));
    }
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
  const { pass, fail } = runScenarios();
  const all = { pass: counts.pass + pass, fail: counts.fail + fail };
  console.log(`# tests ${all.pass + all.fail}\n# pass ${all.pass}\n# fail ${all.fail}`);
  if (all.fail > 0) process.exitCode = 1;
}

/** Asserts that every scene and every model without errors looks the same at both addresses. */
async function compareIn(start, urls, backend, out) {
  const browser = await start();
  try {
    const [ours, theirs] = [await drawAll(browser, urls[0], backend), await drawAll(browser, urls[1], backend)];
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    const page = await openStage(browser, urls[0], backend);
    const strange = [];
    for (const name of Object.keys(ours)) {
      const { count, greatest, part } = await page.evaluate(compare, ours[name], theirs[name], TOLERANCE);
      if (part < 0.005) strange.push(`${name}: the picture is as good as empty`);
      if (count === 0) continue;
      strange.push(`${name}: ${count} pixels differ, by up to ${greatest}; see ${out}.${name}.*.png`);
      for (const [kind, picture] of Object.entries({ ours: ours[name], theirs: theirs[name] })) {
        writeFileSync(`${out}.${name}.${kind}.png`, Buffer.from(picture, "base64"));
      }
    }
    assert.deepEqual(strange, []);
  } finally {
    await browser.close();
  }
}

/** Returns the pictures of all scenes, as PNG in base64, by name. */
async function drawAll(browser, url, backend) {
  const page = await openStage(browser, url, backend);
  // With WebGPU, the scenes have all that models could add.
  const more = backend === "webgpu" ? [] : models();
  const pictures = await inTime("drawing", page.evaluate(draw, more, backend), PATIENCE_SECS);
  await page.close();
  return pictures;
}

async function openStage(browser, url, backend) {
  const page = await browser.newPage();
  // The page decides about its backend by itself.
  if (backend === "webgl2") await page.evaluateOnNewDocument(() => delete Navigator.prototype.gpu);
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  return page;
}

/** Returns addresses of models in each format. */
function models() {
  const folder = join(root, "tests/fixtures/formats");
  const isModel = (file) => /\.(dae|iqm|md5mesh|x|gltf|glb)$/.test(file);
  return readdirSync(folder)
    .filter(isModel)
    .sort()
    .map((file) => `/formats/${file}`);
}

/** Runs in the page. */
async function draw(models, backend) {
  const { SCENES } = await import("/scenes.js");
  const pictures = {};
  const keep = async (name, player) => {
    pictures[name] = await stage.png(await stage.look(player));
    stage.close();
  };
  for (const [name, scene] of Object.entries(SCENES)) await keep(name, await scene.show(stage, backend));
  for (const model of models) {
    const player = await stage.openModel(backend, model, { time: 0.4 }).catch(() => undefined);
    if (player) await keep(model.split("/").pop(), player);
    else stage.close();
  }
  return pictures;
}

/** Runs in the page. */
async function compare(a, b, tolerance) {
  const picture = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return stage.pixelsOfPng(new Blob([bytes], { type: "image/png" }));
  };
  const [own, other] = [await picture(a), await picture(b)];
  const { count, greatest } = stage.compare(own, other, tolerance);
  return { count, greatest, part: stage.coverage(own).part };
}

function runScenarios() {
  const script = fileURLToPath(new URL("all.mjs", import.meta.url));
  const { stdout } = spawnSync(process.execPath, [script, "--reference", ...SCENARIOS], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The last lines are the report's own.
  process.stdout.write(stdout.replace(/^(1\.\.|# ).*\n/gm, ""));
  const counted = (word) => Number(stdout.match(new RegExp(`^# ${word} (\\d+)`, "m"))?.[1] ?? 0);
  return { pass: counted("pass"), fail: counted("fail") + (counted("tests") === 0 ? 1 : 0) };
}
