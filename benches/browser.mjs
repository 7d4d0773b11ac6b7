/** Runs the benchmark of Gambol's wasm and other players in one page of Chromium, and prints the results. */

import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

import { launch } from "../tests/browser/browser.mjs";
import { serve } from "../www/serve.mjs";
import { ensureNodeModules, root } from "../www/toolchain.mjs";
import { report, tableHead, tableRows } from "./report.mjs";

const COUNTS = [1, 100, 1000];
const ROUNDS = 31;

const MODELS = [
  { name: "Fox", url: "/shared/gltf/khronos/Fox/glTF-Binary/Fox.glb" },
  { name: "CesiumMan", url: "/shared/gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb" },
  { name: "the sample character", url: "/gambol/viewer/character.glb" },
];

/**
 * Headers of a cross-origin isolated page, whose clock has a resolution of microseconds instead of tenths of
 * milliseconds.
 */
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

export async function benchBrowser({ counts = COUNTS, rounds = ROUNDS } = {}) {
  // Installed here only, because building and testing need no other player.
  ensureNodeModules("benches");
  const shared = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");
  const server = await serve({
    mounts: {
      "/": await bundle(),
      "/gambol/": join(root, "dist"),
      ...(existsSync(shared) && { "/shared/": shared }),
    },
    headers: ISOLATED,
  });
  const table = [];
  const browser = await launch({ args: ["--js-flags=--expose-gc"] });
  try {
    console.log(`${await browser.version()} on ${cpus()[0].model}, ${cpus().length} cores`);
    console.log(`beside ${versions().join(", ")}; ${rounds} rounds`);
    for (const { name, url } of MODELS) {
      if (url.startsWith("/shared/") && !existsSync(shared)) {
        console.log(`\nSKIPPED ${name}: there is no ${shared}`);
        continue;
      }
      // A page for each model, so that the garbage of one doesn't slow the next.
      const page = await browser.newPage();
      page.on("pageerror", (error) => console.error(`bench: ${error.message}`));
      await page.goto(server.url);
      await page.waitForFunction("globalThis.bench");
      const outcome = await page.evaluate((options) => globalThis.bench(options), { url, counts, rounds });
      await page.close();
      console.log(report(name, outcome).join("\n"));
      if (table.length === 0) table.push(...tableHead(outcome.cells));
      table.push(...tableRows(name, outcome));
    }
    console.log(`\n${table.join("\n")}`);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Bundles the page with all players into one script, minified as on a production site, and returns its folder. */
async function bundle() {
  const { build } = await import("esbuild");
  const out = join(root, "target/bench");
  mkdirSync(out, { recursive: true });
  await build({
    entryPoints: [join(root, "benches/page/bench.mjs")],
    outfile: join(out, "bench.js"),
    bundle: true,
    format: "esm",
    target: ["es2022"],
    minify: true,
    logLevel: "error",
    // The glue resolves the wasm file's address relative to itself.
    external: ["/gambol/*"],
  });
  copyFileSync(join(root, "benches/page/index.html"), join(out, "index.html"));
  return out;
}

function versions() {
  const { dependencies } = JSON.parse(readFileSync(join(root, "benches/package.json"), "utf8"));
  return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
}
