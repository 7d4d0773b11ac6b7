import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";

test("importing touches no DOM, so the package loads under Node", async () => {
  const { Player } = await import("gambol");
  assert.equal(typeof Player.create, "function");
  await import("gambol/element");
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
    /^dist\/(index|element|chunk-\w+)\.js(\.map)?$/,
    /^dist\/[\w-]+\.d\.ts$/,
    /^dist\/wasm\/(webgpu|webgl)\/(gambol\.js|gambol_bg\.wasm)$/,
  ];
  const surprising = paths.filter((path) => !expected.some((pattern) => pattern.test(path)));
  assert.deepEqual(surprising, []);
  for (const needed of ["dist/index.js", "dist/index.d.ts", "dist/element.js", "dist/element.d.ts", "LICENSE-MIT"]) {
    assert.ok(paths.includes(needed), `${needed} is missing`);
  }
});
