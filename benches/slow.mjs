/**
 * `node benches/slow.mjs [ROUNDS]`: the first moving frame on a slow connection (1.6 Mbit/s, 150 ms), of a model and of
 * the same model compressed with meshopt. It measures the `dist` that is there, and needs the shared models.
 *
 * Scripts and WebAssembly are served with brotli, as on a production site. Models aren't, since most servers don't
 * compress them. Pages with hints name all files that they request in a header, so that the browser requests them at
 * once, as with the elements that `gambol-hints` prints.
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

const PLAYERS = [
  { name: "Gambol WebGPU", module: "gambol", backend: "webgpu" },
  { name: "Gambol WebGL2", module: "gambol", backend: "webgl2" },
  { name: "three.js WebGL with its decoder", module: "three_webgl_meshopt" },
  { name: "three.js WebGPU with its decoder", module: "three_webgpu_meshopt" },
];
const PAGES = PLAYERS.flatMap((player) => [player, { ...player, name: `${player.name}, hints`, hasHints: true }]);
/** The page that others are compared with. */
const REFERENCE = "three.js WebGL with its decoder";

const MODELS = { plain: "fox", meshopt: "fox_meshopt", "meshopt, version 1": "fox_khr" };
const COPIES = { fox_meshopt: "Fox.meshopt-c.glb", fox_khr: "Fox.meshopt-khr.glb" };

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const rounds = Number(process.argv[2] ?? 7);
const { models } = await writePages({ kinds: ["start"], players: PLAYERS });
const fox = models.find(({ key }) => key === "fox");
const shared = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");
for (const [key, name] of Object.entries(COPIES)) {
  copyFileSync(join(shared, "gltf/derived", name), join(pagesFolder, `models/${key}.glb`));
}

const packed = new Map();
/** Values of the header with the hints, by the address of the page. */
const links = new Map();
const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url, "http://localhost");
  const asked = decodeURIComponent(pathname);
  const address = asked.slice(1) + search;
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
    ...(links.has(address) && { Link: links.get(address) }),
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
  let address = addressOf("start", player, model);
  if (player.hasHints) {
    const bare = address;
    address += "&hints";
    if (!links.has(address)) links.set(address, linksTo((await open(bare)).files));
  }
  return (await open(address, slowDown)).moving;
}

/** Opens a page, on a slow connection or not. Returns its time and the addresses that it requests, in their order. */
async function open(address, prepare) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await prepare?.(page);
    await page.goto(url + address);
    await page.waitForFunction("globalThis.lab", { timeout: 60_000, polling: 50 });
    return await page.evaluate(async () => ({
      moving: (await globalThis.lab.started()).moving,
      files: performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    }));
  } finally {
    await context.close();
  }
}

async function slowDown(page) {
  const session = await page.createCDPSession();
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MILLIS,
    downloadThroughput: BYTES_PER_SEC,
    uploadThroughput: BYTES_PER_SEC,
  });
}

/** Returns the value of the header `Link` that names files. */
function linksTo(files) {
  const kind = (path) => (extname(path) === ".js" ? "rel=modulepreload" : "rel=preload; as=fetch; crossorigin");
  return files.map((path) => `<${path}>; ${kind(path)}`).join(", ");
}
