import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { examplesOf } from "../../www/examples.mjs";
import { root } from "../../www/toolchain.mjs";

test("importing touches no DOM, so the package loads under Node", async () => {
  const { Player } = await import("gambol");
  assert.equal(typeof Player.create, "function");
  await import("gambol/element");
  await import("gambol/drive");
});

test("a .glb is made under Node too, where there is neither a canvas nor a GPU", async () => {
  const { toGlb } = await import("gambol");
  const wasm = { formats: readFileSync(join(root, "dist/wasm/formats/gambol_bg.wasm")) };
  const source = readFileSync(join(root, "dist/viewer/character.glb"));
  const { glb, name, notes, warnings } = await toGlb(source, { wasm });
  assert.equal(Buffer.from(glb).toString("latin1", 0, 4), "glTF");
  assert.deepEqual([name, notes, warnings], ["model.glb", [], []]);
  const broken = toGlb(source.subarray(0, 100), { wasm });
  await assert.rejects(broken, { name: "GambolError", code: "GLB_TRUNCATED" });
});

test("npm ships what a page needs and nothing else", () => {
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const paths = JSON.parse(listing)[0].files.map(({ path }) => path);
  const expected = [
    /^package\.json$/,
    /^(README|CHANGELOG)\.md$/,
    /^LICENSE-(MIT|APACHE)$/,
    /^dist\/(index|element|drive|(chunk|formats)-\w+)\.js(\.map)?$/,
    /^dist\/[\w-]+\.d\.ts$/,
    /^dist\/controller\.schema\.json$/,
    /^dist\/wasm\/(webgpu|webgl|formats)\/(gambol\.js|gambol_bg\.wasm)$/,
  ];
  const surprising = paths.filter((path) => !expected.some((pattern) => pattern.test(path)));
  assert.deepEqual(surprising, []);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const exported = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  const wasm = ["webgpu", "webgl", "formats"].flatMap((flavour) => [`dist/wasm/${flavour}/gambol.js`, `dist/wasm/${flavour}/gambol_bg.wasm`]);
  for (const needed of ["LICENSE-MIT", ...wasm, ...exported.map((path) => path.replace("./", ""))]) {
    assert.ok(paths.includes(needed), `${needed} is missing`);
  }
});

for (const [module, moduleResolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
  test(`a page's TypeScript compiles against what ships, resolved the ${moduleResolution} way`, () => {
    compile([join(root, "tests/node/consumer.ts")], { module, moduleResolution });
  });
}

test("what the README shows of TypeScript compiles", () => {
  const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```ts\n(.*?)^```/gms)];
  assert.ok(blocks.length >= 2, "the README shows less than it did");
  compileBlocks("readme", blocks.map(([, text]) => text));
});

for (const [page, least] of [["motion", 20], ["formats", 6]]) {
  test(`what the documentation shows compiles: ${page}`, () => {
    const examples = examplesOf(readFileSync(join(root, `www/docs/${page}.html`), "utf8"));
    assert.ok(examples.size >= least, "the documentation shows less than it did");
    compileBlocks(page, [...examples.values()]);
  });
}

/** Within the package, so that it is found by its own name. Whoever makes no player has one. */
function compileBlocks(name, texts) {
  const folder = join(root, "target", name);
  mkdirSync(folder, { recursive: true });
  const files = texts.map((text, at) => {
    const file = join(folder, `block${at}.ts`);
    const given = text.includes("const player =") ? "" : `import { GambolError, Player } from "gambol";\ndeclare const player: Player;\n`;
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
