/**
 * `node benches/slow.mjs [ROUNDS]`: the first moving frame on a slow connection (1.6 Mbit/s, 150 ms), of a model and of
 * the same model compressed with meshopt. It measures the `dist` that is there, and needs the shared models.
 *
 * Scripts and WebAssembly are served with brotli, as on a production site. Models aren't, since most servers don't
 * compress them.
 */

import { copyFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import { launch } from "../tests/browser/browser.mjs";
import { root } from "../www/toolchain.mjs";
import { addressOf } from "./address.mjs";
import { ISOLATED } from "./chromium.mjs";
import { pagesFolder, writePages } from "./pages.mjs";
import { quartiles, ratioOf } from "./statistics.mjs";

const LATENCY_MILLIS = 150;
const BYTES_PER_SEC = 1.6e6 / 8;

const PAGES = [
  { name: "Gambol WebGPU", module: "gambol", backend: "webgpu" },
  { name: "Gambol WebGL2", module: "gambol", backend: "webgl2" },
  { name: "three.js WebGL with its decoder", module: "three_webgl_meshopt" },
  { name: "three.js WebGPU with its decoder", module: "three_webgpu_meshopt" },
];
/** The page that others are compared with. */
const REFERENCE = "three.js WebGL with its decoder";

const MODELS = { plain: "fox", meshopt: "fox_meshopt", "meshopt, version 1": "fox_khr" };
const COPIES = { fox_meshopt: "Fox.meshopt-c.glb", fox_khr: "Fox.meshopt-khr.glb" };

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const rounds = Number(process.argv[2] ?? 7);
const { models } = await writePages({ kinds: ["start"], players: PAGES });
const fox = models.find(({ key }) => key === "fox");
const shared = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");
for (const [key, name] of Object.entries(COPIES)) {
  copyFileSync(join(shared, "gltf/derived", name), join(pagesFolder, `models/${key}.glb`));
}

const packed = new Map();
const server = createServer((request, response) => {
  const asked = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  // The bundler leaves addresses of assets as they are in parts of a script, which lie in a folder.
  const path = asked.replace(/^\/[^/]+_parts\/(?=wasm\/)/, "/");
  let bytes;
  try {
    bytes = readFileSync(join(pagesFolder, path));
  } catch {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(path)];
  if (type && !packed.has(path)) packed.set(path, brotliCompressSync(bytes));
  response.writeHead(200, {
    ...ISOLATED,
    "Content-Type": type ?? "model/gltf-binary",
    "Cache-Control": "no-store",
    ...(type && { "Content-Encoding": "br" }),
  });
  response.end(type ? packed.get(path) : bytes);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://localhost:${server.address().port}/`;
const browser = await launch();

const times = Object.fromEntries(PAGES.map(({ name }) => [name, Object.fromEntries(keys().map((kind) => [kind, []]))]));
try {
  for (let round = 0; round < rounds; round++) {
    for (const kind of keys()) {
      for (let turn = 0; turn < PAGES.length; turn++) {
        const page = PAGES[(turn + round) % PAGES.length];
        times[page.name][kind].push(await visit(page, { ...fox, url: `models/${MODELS[kind]}.glb` }));
      }
    }
    console.log(`round ${round + 1} of ${rounds}`);
  }
} finally {
  await browser.close();
  server.close();
}

console.log("\n| page | model | first moving frame, ms | quartiles | to the plain model | to three.js WebGL |");
console.log("| --- | --- | ---: | ---: | ---: | ---: |");
for (const [name, byKind] of Object.entries(times)) {
  for (const [kind, list] of Object.entries(byKind)) {
    const [low, middle, high] = quartiles(list).map(Math.round);
    const ratios = [ratioOf(list, byKind.plain), ratioOf(list, times[REFERENCE][kind])].map((ratio) =>
      ratio.toFixed(2),
    );
    console.log(`| ${name} | ${kind} | ${middle} | ${low} to ${high} | ${ratios.join(" | ")} |`);
  }
}

function keys() {
  return Object.keys(MODELS);
}

/** Returns the milliseconds from the navigation to the first moving frame. */
async function visit(player, model) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const session = await page.createCDPSession();
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: LATENCY_MILLIS,
      downloadThroughput: BYTES_PER_SEC,
      uploadThroughput: BYTES_PER_SEC,
    });
    await page.goto(`${url}${addressOf("start", player, model)}`);
    await page.waitForFunction("globalThis.lab", { timeout: 60_000, polling: 50 });
    const { moving } = await page.evaluate(() => globalThis.lab.started());
    return moving;
  } finally {
    await context.close();
  }
}
