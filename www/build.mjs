/**
 * `npm run build`: builds the npm package, the viewer and the documentation.
 *
 *     dist/*.js, dist/types/               www/element
 *     dist/controller.schema.json          www
 *     dist/wasm/<flavour>/                 the crate, through `cargo xtask build`
 *     dist/viewer/, docs/                  www/viewer and www/docs, which use the package
 *
 * `--dev` builds the wasm quickly, without size optimization, and skips the size budget. `--scripts` keeps the existing
 * wasm, and takes seconds.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { buildDocs } from "./docs/build.mjs";
import { squeeze } from "./minify.mjs";
import { ensureNodeModules, ensureRust, ensureWasmTarget, root, run } from "./toolchain.mjs";

const element = join(root, "www/element");
const viewer = join(root, "www/viewer");
const dist = join(root, "dist");
const types = join(dist, "types");

/** Entry points of the package; each is a file of `www/element`. */
const ENTRIES = ["index", "element", "drive"];

/** Frameworks for which the package has types of the element's markup. */
const FRAMEWORKS = ["react", "vue", "svelte"];

/**
 * Builds everything.
 *
 * @param options `dev`: a quick build without size optimization; `scripts`: only JavaScript and types
 */
export async function build({ dev = false, scripts = false } = {}) {
  ensureNodeModules();
  if (!scripts) {
    ensureRust();
    ensureWasmTarget();
    run("cargo", ["xtask", "build", ...(dev ? ["--dev"] : [])]);
  }
  await buildScripts();
  buildTypes();
  checkExports();
  cpSync(join(root, "www/controller.schema.json"), join(dist, "controller.schema.json"));
  await buildViewer();
  await buildDocs(join(dist, "docs"), common);
  if (dev || scripts) return;
  const { checkBudget } = await import("./budget.mjs");
  checkBudget();
}

/** Bundles all entries together, so that they share chunks. Writes the files of each entry to `scripts.json`. */
async function buildScripts() {
  const { build } = await import("esbuild");
  removeFromDist(/\.js(\.map)?$/);
  const { metafile } = await build({
    ...common,
    entryPoints: ENTRIES.map((name) => join(element, `${name}.ts`)),
    outdir: dist,
    splitting: true,
    metafile: true,
    // The glue stays a separate module: a page fetches one flavour, and bundlers find the wasm beside it.
    external: ["./wasm/*"],
    plugins: [
      { name: "what drives a player takes it as it is", setup: keepIndexWhole },
      { name: "style sheets inside scripts", setup: minifyStyles },
    ],
  });
  const { metafile: worker } = await build({
    ...common,
    // One file that includes the glue: bundlers may turn a worker into a script that can't import modules, and chunks
    // shared with the page would be an extra file for every page.
    entryPoints: ["worker", "decode_worker"].map((name) => join(element, `${name}.ts`)),
    outdir: dist,
    metafile: true,
    plugins: [{ name: "the glue lies where it was built", setup: findGlue }],
  });
  Object.assign(metafile.outputs, worker.outputs);
  await Promise.all(
    Object.keys(metafile.outputs)
      .filter((path) => path.endsWith(".js"))
      .map(squeezeFile),
  );
  writeFileSync(join(dist, "scripts.json"), `${JSON.stringify(scriptsByUse(metafile.outputs), null, 2)}\n`);
}

/** Minifies a bundled script and its source map in place. */
async function squeezeFile(path) {
  const name = basename(path);
  const { code, map } = await squeeze(
    { [name]: readFileSync(path, "utf8") },
    {
      sourceMap: {
        content: readFileSync(`${path}.map`, "utf8"),
        includeSources: true,
        filename: name,
        url: `${name}.map`,
      },
    },
  );
  writeFileSync(path, `${code}\n`);
  // The source map of a script that contains only re-exports has no `sourcesContent`.
  writeFileSync(`${path}.map`, JSON.stringify({ sourcesContent: [], ...JSON.parse(map) }));
}

/** Keeps `index.js` external for `drive.ts`. Code shared by all three entries would be one more file for every page. */
function keepIndexWhole({ onResolve }) {
  onResolve({ filter: /^\.\/index\.js$/ }, ({ path, importer }) =>
    basename(importer) === "drive.ts" ? { path, external: true } : undefined,
  );
}

function findGlue({ onResolve }) {
  onResolve({ filter: /^\.\/wasm\/.*\.js$/ }, ({ path }) => ({ path: join(dist, path) }));
}

/** Minifies style sheets in template literals, which esbuild leaves unchanged. */
function minifyStyles({ esbuild, onLoad }) {
  onLoad({ filter: /\/(styles|controls|hint|report)\.ts$/ }, async ({ path }) => {
    const pieces = readFileSync(path, "utf8").split(/(?<=\/\* css \*\/ `)([^`]*)/);
    for (let at = 1; at < pieces.length; at += 2) {
      pieces[at] = (await esbuild.transform(pieces[at], { loader: "css", minify: true })).code;
    }
    return { contents: pieces.join(""), loader: "ts" };
  });
}

/** Returns the files that each entry point loads, by the name of its source. A file is listed only once. */
function scriptsByUse(outputs) {
  const taken = new Set();
  const take = (path) => {
    if (taken.has(path) || !outputs[path]) return [];
    taken.add(path);
    const parts = outputs[path].imports.filter(({ kind }) => kind !== "dynamic-import");
    return [basename(path), ...parts.flatMap((part) => take(part.path))];
  };
  // The package's entries come first, so that chunks shared with other scripts are listed with them.
  const rank = (name) => [...ENTRIES, name].indexOf(name);
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([, { entryPoint }]) => entryPoint)
      .map(([path, { entryPoint }]) => [basename(entryPoint, ".ts"), path])
      .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
      .map(([name, path]) => [name, take(path)]),
  );
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
  if (isCurrent(join(types, "index.d.ts"), element)) return;
  rmSync(types, { recursive: true, force: true });
  compileTypes("tsconfig.types.json");
  for (const name of FRAMEWORKS) cpSync(join(element, `${name}.d.ts`), join(types, `${name}.d.ts`));
  const reached = new Set();
  const reach = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const other of typesNamedIn(path)) reach(other);
  };
  for (const name of [...ENTRIES, "worker", ...FRAMEWORKS]) reach(join(types, `${name}.d.ts`));
  // Removes declarations that no public type refers to.
  for (const path of filesIn(types)) if (!reached.has(path)) rmSync(path);
}

/** Throws if the package's declarations of the wasm exports differ from those generated by wasm-bindgen. */
function checkExports() {
  compileTypes("tests/wasm_exports/tsconfig.json");
}

function compileTypes(project) {
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);
}

/** Returns the files that a declaration file imports by relative path. */
export function typesNamedIn(path) {
  const names = readFileSync(path, "utf8").matchAll(/(?:from|import\(?) ?"(\.\.?\/[\w/.-]+)\.js"/g);
  return Array.from(names, ([, name]) => join(dirname(path), `${name}.d.ts`));
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

function copyPage(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (/\.(html|css|svg|png|ico)$/.test(name)) cpSync(join(from, name), join(to, name));
  }
}

/** Keeps the package external, so that the viewer uses the files of the npm package. */
function keepPackageOutside({ onResolve }) {
  onResolve({ filter: /^gambol(\/element)?$/ }, ({ path }) => ({
    path: path === "gambol" ? "../index.js" : "../element.js",
    external: true,
    sideEffects: true,
  }));
}

/** Removes files of earlier builds from `dist`, such as chunks with an outdated hash. */
function removeFromDist(pattern) {
  for (const name of existsSync(dist) ? readdirSync(dist) : []) {
    if (pattern.test(name)) rmSync(join(dist, name));
  }
}

/** Returns whether `output` exists and is newer than every file of the folder from which it is built. */
function isCurrent(output, folder) {
  if (!existsSync(output)) return false;
  const made = statSync(output).mtimeMs;
  return filesIn(folder).every((path) => statSync(path).mtimeMs < made);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build({ dev: process.argv.includes("--dev"), scripts: process.argv.includes("--scripts") });
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
