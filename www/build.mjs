/**
 * `npm run build`: everything that npm ships, and the viewer beside it.
 *
 *     dist/index.js, element.js, *.d.ts    www/element
 *     dist/controller.schema.json          www
 *     dist/wasm/<flavour>/                 the crate, through `cargo xtask build`
 *     dist/viewer/, docs/                  www/viewer and www/docs, on the two above
 *
 * `--dev` builds the wasm fast and large, and weighs nothing.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { examplesOf, moduleOf } from "./examples.mjs";
import { ensureNodeModules, ensureRust, ensureWasmTarget, root, run } from "./toolchain.mjs";

const element = join(root, "www/element");
const viewer = join(root, "www/viewer");
const docs = join(root, "www/docs");
const dist = join(root, "dist");

export async function build({ dev = false } = {}) {
  ensureRust();
  ensureNodeModules();
  ensureWasmTarget();
  run("cargo", ["xtask", "build", ...(dev ? ["--dev"] : [])]);
  await buildScripts();
  buildTypes();
  cpSync(join(root, "www/controller.schema.json"), join(dist, "controller.schema.json"));
  await buildViewer();
  await buildDocs();
  if (dev) return;
  const { checkBudget } = await import("./budget.mjs");
  checkBudget();
}

/** Both entries in one go, so that what they share is one file. What is fetched later becomes `formats-<hash>.js`. */
async function buildScripts() {
  const { build } = await import("esbuild");
  removeFromDist(/\.js(\.map)?$/);
  await build({
    ...common,
    entryPoints: [join(element, "index.ts"), join(element, "element.ts")],
    outdir: dist,
    splitting: true,
    // The glue stays a module of its own: one flavour is fetched, and bundlers find the wasm beside it.
    external: ["./wasm/*"],
  });
}

const common = {
  bundle: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  sourcemap: true,
  logLevel: "warning",
  legalComments: "none",
};

function buildTypes() {
  if (isCurrent(join(dist, "index.d.ts"), element)) return;
  removeFromDist(/\.d\.ts$/);
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.types.json"]);
}

async function buildViewer() {
  const { build } = await import("esbuild");
  const out = join(dist, "viewer");
  await build({
    ...common,
    entryPoints: [join(viewer, "viewer.ts")],
    outdir: out,
    plugins: [{ name: "the package stays outside", setup: keepPackageOutside }],
  });
  copyPage(viewer, out);
  cpSync(join(viewer, "controllers"), join(out, "controllers"), { recursive: true });
  const character = join(out, "character.glb");
  if (!isCurrent(character, join(root, "xtask/src/character"))) run("cargo", ["xtask", "character", character]);
  writeFileSync(join(dist, "index.html"), '<!doctype html><meta http-equiv="refresh" content="0; url=viewer/">\n');
}

/** The code that the page shows is the code that it runs. */
async function buildDocs() {
  const { build } = await import("esbuild");
  const out = join(dist, "docs");
  const examples = moduleOf(examplesOf(readFileSync(join(docs, "motion.html"), "utf8")));
  const setup = (bundle) => {
    keepPackageOutside(bundle);
    bundle.onResolve({ filter: /^examples$/ }, ({ path }) => ({ path, namespace: "page" }));
    bundle.onLoad({ filter: /^examples$/, namespace: "page" }, () => ({ contents: examples, loader: "js" }));
  };
  await build({
    ...common,
    entryPoints: [join(docs, "motion.ts")],
    outdir: out,
    plugins: [{ name: "the page's own examples", setup }],
  });
  copyPage(docs, out);
}

function copyPage(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (/\.(html|css|svg|png|ico)$/.test(name)) cpSync(join(from, name), join(to, name));
  }
}

/** The viewer uses the files that npm ships, as any page would. */
function keepPackageOutside({ onResolve }) {
  onResolve({ filter: /^gambol(\/element)?$/ }, ({ path }) => ({
    path: path === "gambol" ? "../index.js" : "../element.js",
    external: true,
    sideEffects: true,
  }));
}

/** What a file that is gone by now, or a chunk whose hash changed, left behind. */
function removeFromDist(pattern) {
  for (const name of existsSync(dist) ? readdirSync(dist) : []) {
    if (pattern.test(name)) rmSync(join(dist, name));
  }
}

/** Whether `output` is there, and younger than every file of the folder it is made from. */
function isCurrent(output, folder) {
  if (!existsSync(output)) return false;
  const made = statSync(output).mtimeMs;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs < made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build({ dev: process.argv.includes("--dev") });
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
