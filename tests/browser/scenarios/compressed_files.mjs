/**
 * Files that Draco and Basis Universal compress: meshes and textures are shown, decoders are fetched once, in the page
 * and in a worker, what is wrong is reported as natively, and textures are written in formats that the GPU reads.
 */

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../../www/toolchain.mjs";

export const longestSecs = 120;

/** Textures by the formats in which they are stored. All show a field of one colour. */
const TEXTURES = ["etc1s-plain", "uastc-plain-zstd"];

export default async function ({ page, backend, mounts }) {
  const folder = join(mounts["/fixtures/"], `compressed_${backend}`);
  const at = `/fixtures/compressed_${backend}/`;
  writeModels(mounts["/fixtures/"], folder);
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const fetched = (pattern) => requests.filter((path) => pattern.test(path)).length;

  const reports = join(mounts["/reports/"], "compressed");
  const files = readdirSync(reports).filter((name) => name.endsWith(".gltf"));
  const outcomes = await page.evaluate(outcomesOf, { backend, files });
  for (const file of files) {
    const { error } = JSON.parse(readFileSync(join(reports, file.replace(".gltf", ".report.json")), "utf8"));
    assert.deepEqual(outcomes[file], error ? [error.code, error.place] : null, file);
  }
  assert.equal(fetched(/draco\.wasm$/), 1);

  const models = [...TEXTURES, "damaged"].map((name) => `${at}${name}.gltf`);
  const inPage = await page.evaluate(colorsOf, { backend, models });
  assert.equal(fetched(/ktx2\.wasm$/), 1);
  assert.ok(fetched(/decode_worker\.js$/) >= 1);
  for (const [at, name] of TEXTURES.entries()) {
    assert.deepEqual(inPage[at].warnings, [], name);
    assert.ok(inPage[at].drawn > 500, name);
  }
  const [[code, place, message]] = inPage.at(-1).warnings;
  assert.deepEqual([code, place], ["IMAGE_NOT_LOADED", "/images/0"]);
  assert.match(message, /texture/);
  // Without its texture a model has the colour of its material.
  assert.notDeepEqual(inPage[0].color, inPage.at(-1).color);
  assert.deepEqual(await page.evaluate(colorsOf, { backend, models, options: { worker: true } }), inPage);

  // Many GPUs of desktops read BC alone, and a GPU may read no compressed format.
  for (const [family, expected] of [
    ["bc", /^(bc[17]-rgba-unorm(-srgb)?|s3tc|bptc)$/],
    ["none", null],
  ]) {
    await page.reload();
    await page.waitForFunction(() => window.stage);
    await page.evaluate(offerOnly, family);
    const seen = await page.evaluate(colorsOf, { backend, models });
    const formats = await page.evaluate(() => [...window.compressed]);
    assert.equal(formats.length > 0, expected !== null, `${family}: ${formats}`);
    for (const format of formats) assert.match(format, expected);
    for (const [at, { color }] of seen.entries()) {
      const apart = Math.max(...color.map((value, lane) => Math.abs(value - inPage[at].color[lane])));
      assert.ok(apart <= 4, `${family}, ${models[at]}: ${color} for ${inPage[at].color}`);
    }
  }
}

function writeModels(fixtures, folder) {
  mkdirSync(folder, { recursive: true });
  const swing = JSON.parse(readFileSync(join(fixtures, "swing.gltf"), "utf8"));
  copyFileSync(join(fixtures, "swing.bin"), join(folder, "swing.bin"));
  const textures = join(root, "tests/fixtures/ktx2");
  for (const name of [...TEXTURES, "damaged"]) {
    const bytes = readFileSync(join(textures, `${name === "damaged" ? TEXTURES[0] : name}.ktx2`));
    writeFileSync(join(folder, `${name}.ktx2`), name === "damaged" ? bytes.subarray(0, 200) : bytes);
    const json = {
      ...swing,
      images: [{ uri: `${name}.ktx2`, mimeType: "image/ktx2" }],
      textures: [{ sampler: 0, extensions: { KHR_texture_basisu: { source: 0 } } }],
      extensionsUsed: ["KHR_texture_basisu"],
      extensionsRequired: ["KHR_texture_basisu"],
    };
    writeFileSync(join(folder, `${name}.gltf`), JSON.stringify(json));
  }
}

// ── in the page ──

async function outcomesOf({ backend, files }) {
  const player = await stage.open(backend);
  const outcomes = {};
  for (const file of files) {
    const failure = await stage.failure(() => player.load(`/reports/compressed/${file}`));
    outcomes[file] = failure && [failure.code, failure.place];
  }
  player.dispose();
  return outcomes;
}

/** Hides all compressed formats but those of one family, and records in `compressed` which ones are used. */
function offerOnly(family) {
  window.compressed = new Set();
  const hides = (name) => /compress/.test(name) && !(family === "bc" && /-bc$|s3tc|bptc/.test(name));
  if (globalThis.GPUAdapter) {
    const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "features");
    Object.defineProperty(GPUAdapter.prototype, "features", {
      get() {
        return new Set([...get.call(this)].filter((name) => !hides(name)));
      },
    });
    const { createTexture } = GPUDevice.prototype;
    GPUDevice.prototype.createTexture = function (options) {
      if (/^(bc|etc|astc)/.test(options.format)) window.compressed.add(options.format);
      return createTexture.call(this, options);
    };
  }
  const { getExtension, compressedTexSubImage2D } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getExtension = function (name) {
    return hides(name) ? null : getExtension.call(this, name);
  };
  // COMPRESSED_RGBA_S3TC_DXT1_EXT and COMPRESSED_RGBA_BPTC_UNORM_EXT, each with its sRGB format.
  const names = { 33777: "s3tc", 35917: "s3tc", 36492: "bptc", 36493: "bptc" };
  WebGL2RenderingContext.prototype.compressedTexSubImage2D = function (...values) {
    window.compressed.add(names[values[6]] ?? `format ${values[6]}`);
    return compressedTexSubImage2D.apply(this, values);
  };
}

/** Returns the mean colour of each model. */
async function colorsOf({ backend, models, options }) {
  const player = await stage.open(backend, options);
  player.ground = false;
  const seen = [];
  for (const model of models) {
    await player.load(model);
    player.frame();
    const shot = await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 90, transparent: true }));
    const sums = [0, 0, 0];
    let drawn = 0;
    for (let at = 0; at < shot.data.length; at += 4) {
      if (shot.data[at + 3] < 255) continue;
      drawn++;
      for (let lane = 0; lane < 3; lane++) sums[lane] += shot.data[at + lane];
    }
    const warnings = player.warnings.map(({ code, place, message }) => [code, place, message]);
    seen.push({ color: sums.map((sum) => Math.round(sum / drawn)), drawn, warnings });
  }
  player.dispose();
  return seen;
}
