import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { test } from "node:test";

import { typesNamedIn } from "../../www/build.mjs";
import { examplesOf } from "../../www/examples.mjs";
import { root } from "../../www/toolchain.mjs";

test("importing touches no DOM, so the package loads under Node", () => {
  // A separate process in which browser-only globals throw when they are read.
  const script = `
    for (const name of ["window", "document", "location", "requestAnimationFrame"]) {
      Object.defineProperty(globalThis, name, { get() { throw new Error("asked for " + name); } });
    }
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { Player } = await import("gambol");
    const { GambolPlayerElement } = await import("gambol/element");
    const { drive } = await import("gambol/drive");
    const more = Object.getOwnPropertyNames(globalThis).length - before;
    console.log(typeof Player.create, typeof GambolPlayerElement, typeof drive, more);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: root,
    encoding: "utf8",
  });
  assert.deepEqual([stdout, stderr], ["function function function 0\n", ""]);
});

test("a .glb is made under Node too, where there is neither a canvas nor a GPU", async () => {
  const { toGlb } = await import("gambol");
  const wasm = { formats: readFileSync(join(root, "dist/wasm/formats/gambol_bg.wasm")) };
  const source = readFileSync(join(root, "dist/viewer/character.glb"));
  const { glb, name, notes, warnings } = await toGlb(source, { wasm });
  assert.equal(Buffer.from(glb).toString("latin1", 0, 4), "glTF");
  assert.deepEqual([name, notes, warnings], ["model.glb", [], []]);
  const odd = await toGlb(readFileSync(join(root, "tests/fixtures/import/node/ROTATION_NOT_UNIT.several.gltf")), {
    wasm,
  });
  const [{ message, ...warning }, ...others] = odd.warnings;
  assert.deepEqual([warning, others], [{ code: "ROTATION_NOT_UNIT", place: "/nodes/1/rotation", count: 2 }, []]);
  assert.match(message, /\(the first of 2\)$/);
  const small = await toGlb(source, { wasm, compress: "meshopt", reduceKeys: 0.001 });
  assert.deepEqual(small.sizes, { source: source.length, glb: small.glb.length });
  assert.ok(small.glb.length < glb.length * 0.7, `${small.glb.length} bytes of ${glb.length}`);
  assert.deepEqual(small.notes, []);
  const json = Buffer.from(small.glb).toString("utf8", 20, 20 + Buffer.from(small.glb).readUInt32LE(12));
  assert.deepEqual(JSON.parse(json).extensionsRequired, ["EXT_meshopt_compression", "KHR_mesh_quantization"]);
  for (const options of [{ compress: "zip" }, { reduceKeys: 0 }, { reduceKeys: Number.NaN }])
    await assert.rejects(toGlb(source, { wasm, ...options }), { name: "GambolError", code: "OUT_OF_RANGE" });
  const broken = toGlb(source.subarray(0, 100), { wasm });
  await assert.rejects(broken, { name: "GambolError", code: "GLB_TRUNCATED" });
});

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const shipped = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  }),
)[0].files.map(({ path }) => path);

test("npm ships what a page needs and nothing else", () => {
  const scripts = Object.values(JSON.parse(readFileSync(join(root, "dist/scripts.json"), "utf8"))).flat();
  const wasm = ["webgpu", "webgl", "formats"].flatMap((flavour) => [
    `wasm/${flavour}/gambol.js`,
    `wasm/${flavour}/gambol_bg.wasm`,
    ...(flavour === "formats"
      ? []
      : ["late", "import", "still", "tangents"].map((part) => `wasm/${flavour}/gambol_${part}.wasm`)),
  ]);
  wasm.push(...["draco", "ktx2", "meshopt"].map((name) => `wasm/decoders/${name}.wasm`));
  const types = readdirSync(join(root, "dist/types"), { recursive: true })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => `types/${name}`);
  const pages = ["docs", "viewer"].flatMap((folder) =>
    readdirSync(join(root, "dist", folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split("\\").join("/")),
  );
  const expected = [
    ...[
      "package.json",
      "README.md",
      "CHANGELOG.md",
      "LICENSE-APACHE",
      "LICENSE-MIT",
      "dist/controller.schema.json",
      "www/hints.mjs",
      "www/picture.webp",
    ],
    ...pages,
    ...new Set(scripts.flatMap((name) => [`dist/${name}`, `dist/${name}.map`])),
    ...[...wasm, ...types].map((name) => `dist/${name}`),
  ];
  assert.deepEqual(shipped.toSorted(), expected.toSorted());
});

test("the README's links and pictures lead somewhere in the package and in the repository", () => {
  const tracked = new Set(execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n"));
  for (const name of ["README.md", "CHANGELOG.md"]) {
    const text = readFileSync(join(root, name), "utf8").replace(/^```.*?^```/gms, "");
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(
      ([, title]) =>
        `#${title
          .toLowerCase()
          .replace(/[^\w -]/g, "")
          .replaceAll(" ", "-")}`,
    );
    for (const [, to] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(to)) continue;
      if (to.startsWith("#")) assert.ok(headings.includes(to), `${name}: ${to}`);
      else assert.ok(shipped.includes(to) && tracked.has(to), `${name}: ${to}`);
    }
  }
});

test("the package carries its documentation", () => {
  for (const page of ["index", "start", "motion", "formats", "recipes/label", "reference/player"])
    assert.ok(shipped.includes(`dist/docs/${page}.html`), page);
});

test("what can be imported is shipped, with types", () => {
  for (const [name, target] of Object.entries(manifest.exports)) {
    const files = typeof target === "string" ? { default: target } : target;
    for (const file of Object.values(files))
      assert.ok(shipped.includes(file.replace("./", "")), `${name}: ${file} isn't shipped`);
    if (/\.json$/.test(name)) continue;
    // Node and bundlers take the first matching condition.
    assert.equal(Object.keys(files)[0], "types", name);
    // Bundlers that don't support `exports` use these fields.
    if (files.default) assert.equal(name === "." ? manifest.main : manifest.alias[name], files.default, name);
  }
  assert.equal(manifest.types, manifest.exports["."].types);
});

test("no bundler drops a script that does something by being imported", () => {
  const acting = ["element", "worker", "decode_worker"].map((name) => `./dist/${name}.js`);
  assert.deepEqual(manifest.sideEffects, acting);
});

test("source maps bring their sources along", () => {
  for (const path of shipped.filter((path) => /\.js\.map$/.test(path))) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(root, path), "utf8"));
    assert.equal(sourcesContent?.length, sources.length, path);
    assert.ok(
      sourcesContent.every((text) => text.length > 0),
      path,
    );
    const script = readFileSync(join(root, path.replace(/\.map$/, "")), "utf8");
    assert.ok(script.endsWith(`//# sourceMappingURL=${basename(path)}\n`), path);
  }
});

test("no type that ships speaks of a file that doesn't", () => {
  for (const path of shipped.filter((path) => path.endsWith(".d.ts"))) {
    for (const other of typesNamedIn(join(root, path)))
      assert.ok(shipped.includes(relative(root, other)), `${path} speaks of ${other}`);
  }
});

test("lock files name what to install, not from where", () => {
  const files = execFileSync("git", ["ls-files", "*package-lock.json"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  assert.ok(files.length > 10);
  for (const file of files) {
    const { packages } = JSON.parse(readFileSync(join(root, file), "utf8"));
    for (const [path, entry] of Object.entries(packages)) {
      assert.equal(entry.resolved, undefined, `${file}: ${path}`);
      if (path) assert.ok(entry.integrity, `${file}: ${path}`);
    }
  }
});

for (const [module, moduleResolution] of [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
]) {
  test(`a page's TypeScript compiles against what ships, resolved the ${moduleResolution} way`, () => {
    compile([join(root, "tests/node/consumer.ts")], { module, moduleResolution });
  });
}

test("what the README shows of TypeScript compiles", () => {
  const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```ts\n(.*?)^```/gms)];
  assert.ok(blocks.length >= 2, "the README shows less than it did");
  compileBlocks(
    "readme",
    blocks.map(([, text]) => text),
  );
});

for (const [page, least] of [
  ["motion", 20],
  ["formats", 6],
]) {
  test(`what the documentation shows compiles: ${page}`, () => {
    const examples = examplesOf(readFileSync(join(root, `www/docs/${page}.html`), "utf8"));
    assert.ok(examples.size >= least, "the documentation shows less than it did");
    compileBlocks(page, [...examples.values()]);
  });
}

/**
 * Compiles code blocks in a folder within the package, so that its own name resolves. A block that creates no
 * player gets a declared one.
 */
function compileBlocks(name, texts) {
  const folder = join(root, "target", name);
  mkdirSync(folder, { recursive: true });
  const files = texts.map((text, at) => {
    const file = join(folder, `block${at}.ts`);
    const given = text.includes("const player =")
      ? ""
      : `import { GambolError, Player } from "gambol";\ndeclare const player: Player;\n`;
    writeFileSync(file, given + text);
    return file;
  });
  compile(files, { module: "esnext", moduleResolution: "bundler" });
}

function compile(files, resolution) {
  const options = { ...resolution, target: "es2022", lib: "es2022,dom", types: "", strict: true, noEmit: true };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "--ignoreConfig", ...flags, ...files], {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
}
