import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";

/** What a strict Content-Security-Policy, or a page that trusts us, would not forgive. */
const FORBIDDEN = [
  ...["eval", "newnoargs", "Function", "importScripts", "write", "writeln", "innerHTML", "insertAdjacentHTML"],
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon", "postMessage", "open"],
  ...["localStorage", "sessionStorage", "indexedDB", "cookie", "geolocation", "mediaDevices"],
];

for (const flavour of ["webgpu", "webgl", "formats"]) {
  const folder = join(root, "dist/wasm", flavour);
  const module = new WebAssembly.Module(readFileSync(join(folder, "gambol_bg.wasm")));

  test(`${flavour}: the module imports its glue and nothing else`, () => {
    const imports = WebAssembly.Module.imports(module);
    assert.deepEqual([...new Set(imports.map((item) => item.module))], ["./gambol_bg.js"]);
    assert.deepEqual([...new Set(imports.map((item) => item.kind))], ["function"]);
    // Names are those of the browser's own functions, numbered where several classes have one alike.
    const names = imports.map((item) => item.name.replace(/_\d+$/, ""));
    assert.ok(names.includes(flavour === "formats" ? "error" : "createTexture"), "the names can be read");
    assert.deepEqual(names.filter((name) => FORBIDDEN.includes(name.replace(/^set_/, ""))), []);
    assert.deepEqual(names.filter((name) => /_[0-9a-f]{16}$/.test(name) && !name.startsWith("__wbindgen_")), []);
  });

  test(`${flavour}: the module exports what the door opens and nothing else`, () => {
    const exports = WebAssembly.Module.exports(module).map((item) => item.name);
    const isGenerated = (name) => /^__(wb(g|indgen)_|externref|abort_handler$|instance_terminated$)|^wasm_bindgen__/.test(name);
    const own = exports.filter((name) => !isGenerated(name) && name !== "memory");
    assert.ok(own.length > 0, "the door is shut");
    const stray = own.filter((name) => !/^[a-z][a-zA-Z]*$|^(player|model|gpu|file|glb|picture)[a-z]*_[a-zA-Z_]+$/.test(name));
    assert.deepEqual(stray, []);
  });

  test(`${flavour}: the glue builds no code from strings`, () => {
    const glue = readFileSync(join(folder, "gambol.js"), "utf8");
    assert.doesNotMatch(glue, /\beval\(|new Function\(|\bFunction\("/);
  });
}
