/**
 * Builds the pages that the benchmark opens, in `target/bench`. The folder can be served by any server.
 *
 *     index.html                  the benchmark as a page
 *     crowds.html                 Gambol and three.js beside each other, with any number of characters
 *     update.html                 poses and updates of all players, without drawing
 *     start_NAME.html             a page that shows a model with one player, and tells when it moves
 *     lab_NAME.html               one player with functions for the driver
 *     wasm/                       the WebAssembly that the bundled package finds beside the page's script
 *     gambol/, models/            the built package, and the models that are there
 */

import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ensureNodeModules, root } from "../www/toolchain.mjs";
import { boxOf, clipsOf } from "./model_box.mjs";
import { PLAYERS } from "./players/list.mjs";

export const pagesFolder = join(root, "target/bench");

/** The models, by the name that the command line takes. Those of other projects need the folder of shared models. */
const MODELS = [
  { key: "fox", name: "Fox", shared: "gltf/khronos/Fox/glTF-Binary/Fox.glb" },
  { key: "cesium", name: "CesiumMan", shared: "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb", onlyUpdate: true },
  { key: "character", name: "the sample character" },
];

/**
 * Builds the pages of some kinds and players. Returns the models that are there, a line for each
 * that is missing, and the versions of the players.
 */
export async function writePages({ kinds = ["start", "lab", "update", "crowds"], players = PLAYERS } = {}) {
  // Installed here only, because building and testing need no other player.
  ensureNodeModules("benches");
  rmSync(pagesFolder, { recursive: true, force: true });
  mkdirSync(join(pagesFolder, "models"), { recursive: true });
  const modules = [...new Set(players.map(({ module }) => module))];
  for (const kind of ["start", "lab"]) {
    if (kinds.includes(kind)) for (const module of modules) await writePage(kind, module);
  }
  if (kinds.includes("update")) {
    await bundle("update", join(root, "benches/page/update.mjs"));
    writeHtml("update", "update.js");
  }
  for (const name of kinds.includes("crowds") ? ["index", "crowds"] : ["index"]) {
    await bundle(name, join(root, `benches/page/${name}.mjs`));
    for (const kind of ["html", "css"])
      copyFileSync(join(root, `benches/page/${name}.${kind}`), join(pagesFolder, `${name}.${kind}`));
  }
  await bundle("machine", { contents: 'import { machine } from "./page/machine.mjs"; globalThis.lab = { machine };' });
  writeHtml("machine", "machine.js");
  const dist = join(root, "dist");
  cpSync(dist, join(pagesFolder, "gambol"), {
    recursive: true,
    filter: (path) => !/\.map$/.test(path) && !["docs", "viewer", "types"].some((name) => path === join(dist, name)),
  });
  cpSync(join(dist, "wasm"), join(pagesFolder, "wasm"), { recursive: true });
  const found = { ...copyModels(), versions: versions() };
  writeFileSync(join(pagesFolder, "models/list.json"), JSON.stringify(found));
  return found;
}

/** Returns what {@link writePages} has returned, without writing the pages anew. */
export function writtenPages() {
  return JSON.parse(readFileSync(join(pagesFolder, "models/list.json"), "utf8"));
}

function versions() {
  const { dependencies } = JSON.parse(readFileSync(join(root, "benches/package.json"), "utf8"));
  return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
}

function copyModels() {
  const folder = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");
  const [models, missing] = [[], []];
  for (const { key, name, shared, onlyUpdate = false } of MODELS) {
    const from = shared ? join(folder, shared) : join(root, "dist/viewer/character.glb");
    if (!existsSync(from)) {
      missing.push(`SKIPPED ${name}: there is no ${from}`);
      continue;
    }
    copyFileSync(from, join(pagesFolder, `models/${key}.glb`));
    const glb = readFileSync(from);
    models.push({ key, name, url: `models/${key}.glb`, box: boxOf(glb), clips: clipsOf(glb), onlyUpdate });
  }
  return { models, missing };
}

async function writePage(kind, module) {
  const name = `${kind}_${module}`;
  // Named imports, so that a start page has no code that it doesn't call.
  const script =
    kind === "start"
      ? `import { open, run, show } from "./players/${module}.mjs";
import { start } from "./page/start.mjs";
start({ open, run, show });`
      : `import { prepare } from "./page/lab.mjs";
import * as player from "./players/${module}.mjs";
prepare(player);`;
  await bundle(name, { contents: script });
  const probe = kind === "start" ? await bundle("probe", join(root, "benches/page/probe.mjs"), { write: false }) : "";
  writeHtml(name, `${name}.js`, probe);
}

/**
 * Bundles a script, minified as on a production site. Parts that a player loads only when it needs them are files of
 * their own.
 */
async function bundle(name, entry, { write = true } = {}) {
  const { build } = await import("esbuild");
  const stdin = typeof entry === "string" ? undefined : { ...entry, resolveDir: join(root, "benches") };
  const { outputFiles } = await build({
    ...(stdin ? { stdin } : { entryPoints: { [name]: entry } }),
    entryNames: name,
    chunkNames: `${name}_parts/[hash]`,
    outdir: pagesFolder,
    bundle: true,
    splitting: write,
    format: write ? "esm" : "iife",
    target: ["es2022"],
    minify: true,
    legalComments: "none",
    logLevel: "error",
    write,
    alias: { gambol: join(root, "dist/index.js"), "gambol/element": join(root, "dist/element.js") },
    // The functions that `update` calls aren't exported by the package.
    external: ["./gambol/*"],
  });
  return outputFiles?.[0].text;
}

function writeHtml(name, script, inline = "") {
  writeFileSync(
    join(pagesFolder, `${name}.html`),
    `<!doctype html>
<meta charset="utf-8">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>
  body { margin: 0 }
  canvas, gambol-player { display: block; width: 640px; height: 480px; aspect-ratio: auto }
</style>
${inline && `<script>${inline}</script>`}
<script type="module" src="${script}"></script>
`,
  );
}
