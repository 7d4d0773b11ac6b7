import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { root } from "../../www/toolchain.mjs";

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
  const module = new WebAssembly.Module(readFileSync(join(folder, "gambol_bg.wasm")));
  const lateFile = flavour === "formats" ? undefined : readFileSync(join(folder, "gambol_late.wasm"));
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

    test(`${flavour}: the second module imports the first, and at most its glue`, () => {
      const imports = WebAssembly.Module.imports(late);
      assert.ok(imports.every((item) => ["core", "./gambol_bg.js"].includes(item.module)));
      const shared = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
      const lacking = imports.filter((item) => item.module === "core" && !shared.includes(`${item.kind} ${item.name}`));
      assert.deepEqual(lacking, []);
      const exports = WebAssembly.Module.exports(late).map(({ name }) => long.exports[name]);
      assert.ok(exports.includes("playerhandle_setChain"));
      assert.deepEqual(
        exports.filter((name) => !/^(player|model)handle_/.test(name)),
        [],
      );
    });

    test(`${flavour}: the second module works from its start to the next reset`, async () => {
      const glue = await import(`${pathToFileURL(join(folder, "gambol.js")).href}?late`);
      glue.start(new WebAssembly.Instance(module, glue.imports()), module);
      glue.onError((code) => new Error(code));
      const fade = (player) => player.fadeConstraint("arm", 1, 0, 0);
      assert.throws(() => fade(new glue.PlayerHandle()), TypeError);
      const start = () => glue.join(new WebAssembly.Instance(late, glue.lateImports()));
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
    const bytes = readFileSync(join(folder, "gambol_bg.wasm"), "latin1") + (lateFile?.toString("latin1") ?? "");
    assert.doesNotMatch(bytes, /registry\/src\//);
  });

  test(`${flavour}: the glue builds no code from strings`, () => {
    const glue = readFileSync(join(folder, "gambol.js"), "utf8");
    assert.doesNotMatch(glue, /\beval\(|new Function\(|\bFunction\("/);
  });
}
