/**
 * A decoder is one entry in one table: a package with one more entry shows models that need it, on this thread and in a
 * worker, and saves them. Without the entry, errors and warnings name what is missing.
 */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";

import { root } from "../../../www/toolchain.mjs";
import { BLOCK_FORMATS, withToyPositions } from "../toy_decoder.mjs";

export const longestSecs = 180;

const IMAGES = ["pixels", "best", ...BLOCK_FORMATS, "pvrtc-rgba"];

/** What the name of a format's feature in WebGPU, or of its extension in WebGL2, contains. */
const FAMILY = { "bc1-rgba-unorm": /-bc|s3tc/, "etc2-rgb8unorm": /etc/, "astc-4x4-unorm": /astc/ };

export default async function ({ page, backend, mounts }) {
  const folder = join(mounts["/fixtures/"], "toy");
  mkdirSync(folder, { recursive: true });
  await buildPackage(folder);
  writeModels(mounts["/fixtures/"], folder);

  const told = await page.evaluate(
    async ({ backend, images }) => {
      const wasm = Object.fromEntries(
        Object.entries({
          webgpu: "webgpu/gambol_bg",
          webgl2: "webgl/gambol_bg",
          webgpuLate: "webgpu/gambol_late",
          webgl2Late: "webgl/gambol_late",
          webgpuImport: "webgpu/gambol_import",
          webgl2Import: "webgl/gambol_import",
          webgpuStill: "webgpu/gambol_still",
          webgl2Still: "webgl/gambol_still",
          webgpuTangents: "webgpu/gambol_tangents",
          webgl2Tangents: "webgl/gambol_tangents",
          formats: "formats/gambol_bg",
        }).map(([name, path]) => [name, `/gambol/wasm/${path}.wasm`]),
      );
      const { Player, toGlb } = await import("/fixtures/toy/index.js");
      const open = async (worker) => {
        const canvas = document.createElement("canvas");
        document.body.append(canvas);
        const player = await Player.create(canvas, { backend, wasm, worker });
        player.ground = false;
        return player;
      };
      const see = async (player, source) => {
        await player.load(source);
        player.frame();
        const shot = await stage.pixelsOfPng(await player.screenshot({ width: 200, height: 150, transparent: true }));
        const lit = { red: 0, other: 0 };
        for (let at = 0; at < shot.data.length; at += 4) {
          const [r, g, b, a] = shot.data.subarray(at, at + 4);
          if (a < 250) continue;
          lit[r > 90 && g < r * 0.35 && b < r * 0.35 ? "red" : "other"]++;
        }
        return { lit, warnings: player.warnings.map(({ code, place, message }) => [code, place, message]) };
      };
      const hosts = {};
      for (const worker of [false, "/fixtures/toy/worker.js"]) {
        const player = await open(worker);
        const seen = { plain: await see(player, "/fixtures/swing.gltf") };
        for (const image of images) seen[image] = await see(player, `/fixtures/toy/${image}.gltf`);
        seen.positions = await see(player, "/fixtures/toy/positions.gltf");
        seen.container = await see(player, "/fixtures/toy/positions.glb");
        const cut = await stage.failure(() => player.load("/fixtures/toy/cut.gltf"));
        hosts[worker ? "worker" : "page"] = { seen, cut: cut.code };
        player.dispose();
      }

      const adapter = await navigator.gpu?.requestAdapter();
      const context = document.createElement("canvas").getContext("webgl2");
      const offered = {
        webgpu: [...(adapter?.features ?? [])].filter((name) => /^texture-compression-(bc|etc2|astc)$/.test(name)),
        webgl2: context.getSupportedExtensions().filter((name) => /_(s3tc_srgb|etc|astc)$/.test(name)),
      };

      const saved = await toGlb("/fixtures/toy/positions.gltf", { wasm });
      const stock = await stage.open(backend);
      stock.ground = false;
      return {
        hosts,
        offered: offered[backend],
        saved: await see(stock, saved.glb),
        refused: await stage.failure(() => stock.load("/fixtures/toy/positions.gltf")),
        lacking: await see(stock, "/fixtures/toy/pixels.gltf"),
      };
    },
    { backend, images: IMAGES },
  );

  for (const [host, { seen, cut }] of Object.entries(told.hosts)) {
    const { plain } = seen;
    assert.ok(plain.lit.other > 1000 && plain.lit.red === 0, `${host}: ${JSON.stringify(plain)}`);
    const area = plain.lit.other;
    for (const name of ["pixels", "best", ...BLOCK_FORMATS]) {
      const { lit, warnings } = seen[name];
      if (warnings.length > 0) {
        // This GPU lacks the format: told, and shown without the picture.
        assert.notEqual(name, "pixels");
        assert.deepEqual(
          warnings.map(([code, place]) => [code, place]),
          [["IMAGE_NOT_LOADED", "/images/0"]],
          name,
        );
        assert.ok(warnings[0][2].includes(name === "best" ? "undefined" : name), warnings[0][2]);
        continue;
      }
      assert.ok(
        lit.red > area * 0.98 && lit.other < area * 0.02,
        `${host}, ${name}: ${JSON.stringify(lit)} of ${area}`,
      );
    }
    const supported = BLOCK_FORMATS.filter((name) => seen[name].warnings.length === 0);
    const offered = BLOCK_FORMATS.filter((name) => told.offered.some((feature) => FAMILY[name].test(feature)));
    assert.deepEqual(supported, offered, `${host}: what the browser offers, ${told.offered}`);
    assert.equal(seen.best.warnings.length, offered.length > 0 ? 0 : 1);
    assert.match(seen["pvrtc-rgba"].warnings[0][2], /pvrtc-rgba/);
    for (const name of ["positions", "container"]) {
      assert.deepEqual(seen[name].warnings, [], name);
      assert.deepEqual(seen[name].lit, plain.lit, `${host}: the same shape and colours as without compression`);
    }
    assert.equal(cut, "COMPRESSED_DATA_MISSING");
  }
  assert.deepEqual(told.hosts.worker, told.hosts.page);
  assert.deepEqual(told.saved.lit, told.hosts.page.seen.plain.lit, "the saved file isn't compressed");
  assert.equal(told.refused.code, "EXTENSION_UNSUPPORTED");
  assert.match(told.refused.message, /TEST_toy.*Export it without/s);
  const [[code, place, message], ...others] = told.lacking.warnings;
  assert.deepEqual([code, place, others.length], ["IMAGE_NOT_LOADED", "/images/0", 0]);
  assert.match(message, /image\/x-toy.*Save it as PNG/s);
}

/** Builds the package with one more entry in the table of decoders. */
async function buildPackage(folder) {
  const entry = `TEST_toy: {
    types: ["image/x-toy"],
    load: async () => new (await import(${JSON.stringify(join(root, "tests/browser/toy_decoder.mjs"))})).ToyDecoder(),
  },`;
  const addEntry = ({ onLoad }) =>
    onLoad({ filter: /\/files\/decoders\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace(/(const DECODERS: [^=]*= \{)/, `$1\n  ${entry}`);
      assert.notEqual(contents, source);
      return { contents, loader: "ts" };
    });
  const glue =
    (found) =>
    ({ onResolve }) =>
      onResolve({ filter: /^\.\/wasm\/.*\.js$/ }, ({ path }) => found(path));
  const common = { bundle: true, format: "esm", target: ["es2022"], outdir: folder, logLevel: "warning" };
  const entryOf = (name) => [join(root, `www/element/${name}.ts`)];
  await build({
    ...common,
    entryPoints: entryOf("index"),
    splitting: true,
    plugins: [
      { name: "one entry", setup: addEntry },
      {
        name: "glue of dist",
        setup: glue((path) => ({ path: path.replace("./wasm/", "/gambol/wasm/"), external: true })),
      },
    ],
  });
  await build({
    ...common,
    entryPoints: entryOf("worker"),
    plugins: [
      { name: "one entry", setup: addEntry },
      { name: "glue of dist", setup: glue((path) => ({ path: join(root, "dist", path) })) },
    ],
  });
}

function writeModels(fixtures, folder) {
  const swing = JSON.parse(readFileSync(join(fixtures, "swing.gltf"), "utf8"));
  const bin = readFileSync(join(fixtures, "swing.bin"));
  const png = readFileSync(join(fixtures, "checks.png"));
  const write = (name, content) => writeFileSync(join(folder, name), content);
  write("swing.bin", bin);
  write("checks.png", png);
  for (const image of IMAGES) {
    write(`${image}.toy`, `TOY ${image}`);
    const images = [{ uri: `${image}.toy`, mimeType: "image/x-toy" }];
    write(`${image}.gltf`, JSON.stringify({ ...swing, images }));
  }
  const { json, bytes } = withToyPositions(swing, bin);
  write("packed.bin", bytes);
  json.buffers[0].uri = "packed.bin";
  write("positions.gltf", JSON.stringify(json));
  const cut = structuredClone(json);
  cut.bufferViews.find(({ extensions }) => extensions).extensions.TEST_toy.byteLength += 1000;
  write("cut.gltf", JSON.stringify(cut));
  delete json.buffers[0].uri;
  write("positions.glb", glb(json, bytes));
}

function glb(json, binary) {
  const chunk = (type, bytes, filler) => {
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, padded]);
  };
  const body = Buffer.concat([chunk("JSON", Buffer.from(JSON.stringify(json)), " "), chunk("BIN\0", binary, 0)]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}
