import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";

test("a second start rebuilds nothing, and serves the viewer with its character", async (t) => {
  const wasm = join(root, "dist/wasm/webgpu/gambol_bg.wasm");
  const before = statSync(wasm).mtimeMs;
  const started = spawn(process.execPath, ["www/start.mjs", "--port", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => started.kill());
  const address = await new Promise((found, lost) => {
    let said = "";
    started.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
      const match = /Gambol is at (\S+)/.exec(said);
      if (match) found(match[1]);
    });
    started.on("exit", () => lost(new Error(`it ended without an address:\n${said}`)));
  });

  const page = await fetch(address);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<gambol-player/);
  const character = await fetch(new URL("character.glb", address));
  assert.equal(character.headers.get("content-type"), "model/gltf-binary");
  assert.equal(Buffer.from(await character.arrayBuffer()).toString("latin1", 0, 4), "glTF");
  assert.match(await (await fetch(new URL("../", address))).text(), /viewer\//);
  assert.equal(statSync(wasm).mtimeMs, before);
});
