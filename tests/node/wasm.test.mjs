import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

import { root } from "../../www/toolchain.mjs";
import { readWasm } from "../packed.mjs";
import { realModels } from "../real_models.mjs";

const models = realModels();

/** Returns the fixtures of the importer, and models of other projects if they are there. */
function importable() {
  const folders = [join(root, "tests/fixtures/import"), ...(models ? [join(models, "gltf")] : [])];
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => /\.(glb|gltf)$/.test(name))
      .map((name) => join(folder, name)),
  );
  return paths.map((path) => ({ path, bytes: readFileSync(path) }));
}

/** Imports a file, and returns its error, or the names and warnings of its model. */
function outcome(glue, path, bytes) {
  try {
    const needs = glue.inspect(bytes);
    const uris = needs.filter((_, at) => needs[at - 1] === "file" && at % 2 === 1);
    const found = uris
      .map((uri) => [uri, join(dirname(path), decodeURIComponent(uri))])
      .filter(([, at]) => existsSync(at));
    const pieces = found.map(([, at]) => new Uint8Array(readFileSync(at)));
    const handle = glue.importModel(
      bytes,
      found.map(([uri]) => uri),
      pieces,
      [],
      false,
    );
    const model = [handle.names(1), handle.names(0), handle.names(3), handle.warnings()];
    handle.free();
    return { model };
  } catch (error) {
    // Anything else is a trap.
    assert.ok(error.code, `${path}: ${error.stack}`);
    const { code, place, message } = error;
    return { code, place, message };
  }
}

/**
 * Browser functions that the glue must not import, because a strict Content-Security-Policy forbids them or a page
 * wouldn't expect them.
 */
const FORBIDDEN = [
  ...["eval", "newnoargs", "Function", "importScripts", "write", "writeln", "innerHTML", "insertAdjacentHTML"],
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon", "postMessage", "open"],
  ...["localStorage", "sessionStorage", "indexedDB", "cookie", "geolocation", "mediaDevices"],
];

for (const flavour of ["webgpu", "webgl", "formats"]) {
  const folder = join(root, "dist/wasm", flavour);
  const core = readWasm(join(folder, "gambol_bg.wasm"));
  const module = new WebAssembly.Module(core);
  const [lateFile, importFile, stillFile, tangentsFile] = ["late", "import", "still", "tangents"].map((part) =>
    flavour === "formats" ? undefined : readWasm(join(folder, `gambol_${part}.wasm`)),
  );
  // The build shortens the names, and lists the original ones in this file.
  const long = JSON.parse(readFileSync(join(root, "target/xtask", flavour, "names.json"), "utf8"));

  test(`${flavour}: the module imports its glue and nothing else`, () => {
    const imports = WebAssembly.Module.imports(module);
    assert.deepEqual([...new Set(imports.map((item) => item.module))], ["./gambol_bg.js"]);
    assert.deepEqual([...new Set(imports.map((item) => item.kind))], ["function"]);
    assert.deepEqual(
      imports.filter(({ name }) => name.length > 2),
      [],
      "what is sent twice is short",
    );
    // Imports of browser functions end in a hash.
    const names = imports.map(({ name }) => long.imports[name].replace(/^__wbg_(.+)_[0-9a-f]{16}$/, "$1"));
    assert.ok(names.includes(flavour === "formats" ? "error" : "createTexture"), "the names can be read");
    assert.deepEqual(
      names.filter((name) => FORBIDDEN.includes(name.replace(/^set_/, ""))),
      [],
    );
  });

  test(`${flavour}: the module exports what the door opens and nothing else`, () => {
    // Those for the second module are numbers of functions, tables and globals, and the build's name for the memory.
    const exports = WebAssembly.Module.exports(module)
      .filter(({ name }) => !/^[gt]?\d+$|^m[0-9a-f]+$/.test(name))
      .map(({ name }) => long.exports[name]);
    const isGenerated = (name) =>
      /^__(wb(g|indgen)_|externref|abort_handler$|instance_terminated$)|^wasm_bindgen__|^_ZN12wasm_bindgen/.test(name);
    const own = exports.filter((name) => !isGenerated(name) && name !== "memory");
    assert.ok(own.length > 0, "the door is shut");
    const stray = own.filter(
      (name) => !/^[a-z][a-zA-Z]*$|^(player|model|gpu|file|glb|picture)[a-z]*_[a-zA-Z_]+$/.test(name),
    );
    assert.deepEqual(stray, []);
  });

  test(`${flavour}: a packed file compresses better`, () => {
    for (const part of flavour === "formats" ? ["bg"] : ["bg", "late"]) {
      const path = join(folder, `gambol_${part}.wasm`);
      const file = readFileSync(path);
      const names = WebAssembly.Module.exports(new WebAssembly.Module(file)).map(({ name }) => name);
      assert.deepEqual(names, ["memory", "unpack"]);
      const [packed, plain] = [file, readWasm(path)].map((bytes) => brotliCompressSync(bytes).length);
      assert.ok(packed < plain, `${part}: ${packed} bytes packed, ${plain} otherwise`);
    }
  });

  test(`${flavour}: a second start of the glue keeps the first instance`, async () => {
    const glue = await import(pathToFileURL(join(folder, "gambol.js")).href);
    const memories = [];
    for (let turn = 0; turn < 2; turn++) {
      const instance = new WebAssembly.Instance(module, glue.imports());
      glue.start(instance, module);
      memories.push(Object.values(instance.exports).find((item) => item instanceof WebAssembly.Memory));
    }
    // A call writes its argument to the memory of the instance that runs.
    const [first, second] = memories.map(({ buffer }) => Buffer.from(buffer.slice()));
    assert.deepEqual(glue.inspect(new TextEncoder().encode('{"asset":{"version":"2.0"}}')), []);
    assert.notDeepEqual(Buffer.from(memories[0].buffer), first);
    assert.deepEqual(Buffer.from(memories[1].buffer), second);
  });

  if (lateFile) {
    const late = new WebAssembly.Module(lateFile);

    const rare = new WebAssembly.Module(importFile);
    const still = new WebAssembly.Module(stillFile);
    const tangents = new WebAssembly.Module(tangentsFile);

    test(`${flavour}: the parts import the core, and at most its glue`, () => {
      const shared = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
      for (const part of [late, rare, still, tangents]) {
        const imports = WebAssembly.Module.imports(part);
        assert.ok(imports.every((item) => ["core", "./gambol_bg.js"].includes(item.module)));
        const own = imports.filter((item) => item.module === "core");
        const lacking = own.filter((item) => !shared.includes(`${item.kind} ${item.name}`));
        assert.deepEqual(lacking, []);
      }
      const exports = WebAssembly.Module.exports(late).map(({ name }) => long.exports[name]);
      assert.ok(exports.includes("playerhandle_setChain"));
      assert.deepEqual(
        exports.filter((name) => !/^(player|model)handle_/.test(name)),
        [],
      );
      const ofStill = WebAssembly.Module.exports(still).map(({ name }) => long.exports[name]);
      assert.deepEqual(ofStill, ["playerhandle_refine"]);
      assert.deepEqual(WebAssembly.Module.exports(tangents), []);
      const ofRare = WebAssembly.Module.exports(rare).map(({ name }) => long.exports[name]);
      const environments = [
        "playerhandle_setHighRange",
        "playerhandle_setOcclusion",
        "playerhandle_setPanorama",
        "playerhandle_setRoom",
        "playerhandle_showEnvironment",
      ];
      assert.deepEqual(ofRare.sort(), ["playerhandle_setFileCamera", ...environments]);
    });

    test(`${flavour}: a file that needs a part is refused until it has joined`, async () => {
      const glue = await import(`${pathToFileURL(join(folder, "gambol.js")).href}?rare`);
      glue.start(new WebAssembly.Instance(module, glue.imports()), module);
      const late = new WebAssembly.Module(lateFile);
      glue.join("late", new WebAssembly.Instance(late, glue.partImports()));
      glue.onError((code, message, place) => Object.assign(new Error(message), { code, place }));
      const outcomes = () => new Map(importable().map(({ path, bytes }) => [path, outcome(glue, path, bytes)]));
      const before = outcomes();
      glue.join("import", new WebAssembly.Instance(rare, glue.partImports()));
      glue.partJoined(0);
      glue.join("tangents", new WebAssembly.Instance(tangents, glue.partImports()));
      glue.partJoined(1);
      const after = outcomes();
      const refused = [...before].filter(([, { code }]) => code === "PART_MISSING").map(([path]) => path);
      const others = before.size - refused.length;
      assert.ok(refused.length > 10 && others > 50, `${refused.length} are refused, ${others} aren't`);
      for (const [path, { code, message }] of after) {
        const first = before.get(path);
        assert.notEqual(code, "PART_MISSING", path);
        if (code) assert.match(message, /^[a-z].+: .*, at .+\. [A-Z].+\.$/s, path);
        if (first.code === "PART_MISSING") continue;
        assert.deepEqual(first, after.get(path), path);
      }
    });

    test(`${flavour}: the second module works from its start to the next reset`, async () => {
      const glue = await import(`${pathToFileURL(join(folder, "gambol.js")).href}?late`);
      glue.start(new WebAssembly.Instance(module, glue.imports()), module);
      glue.onError((code) => new Error(code));
      const fade = (player) => player.fadeConstraint("arm", 1, 0, 0);
      assert.throws(() => fade(new glue.PlayerHandle()), TypeError);
      const start = () => glue.join("late", new WebAssembly.Instance(late, glue.partImports()));
      for (let turn = 0; turn < 2; turn++) {
        start();
        // Another copy of the package does so too.
        start();
        assert.throws(() => fade(new glue.PlayerHandle()), /^Error: NO_MODEL$/);
        glue.__wbg_reset_state();
        glue.onError((code) => new Error(code));
        assert.throws(() => fade(new glue.PlayerHandle()), TypeError);
      }
    });
  }

  if (flavour !== "formats")
    test(`${flavour}: after a reset, objects of the previous instance are refused`, async () => {
      const glue = await import(`${pathToFileURL(join(folder, "gambol.js")).href}?reset`);
      glue.start(new WebAssembly.Instance(module, glue.imports()), module);
      const player = new glue.PlayerHandle();
      player.pause();
      glue.__wbg_reset_state();
      assert.throws(() => player.pause(), /stale object/);
      new glue.PlayerHandle().pause();
    });

  test(`${flavour}: no path of the building machine is in the module`, () => {
    const files = [core, lateFile, importFile, stillFile];
    const bytes = files.map((file) => file?.toString("latin1") ?? "").join("");
    assert.doesNotMatch(bytes, /registry\/src\//);
  });

  test(`${flavour}: the glue builds no code from strings`, () => {
    const glue = readFileSync(join(folder, "gambol.js"), "utf8");
    assert.doesNotMatch(glue, /\beval\(|new Function\(|\bFunction\("/);
  });
}
