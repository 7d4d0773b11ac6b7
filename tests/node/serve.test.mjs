import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../www/serve.mjs";

let folder;
let server;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gambol-serve-"));
  mkdirSync(join(folder, "site/sub folder"), { recursive: true });
  mkdirSync(join(folder, "site-secrets"));
  mkdirSync(join(folder, "models"));
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "site-secrets/key.txt"), "secret");
  writeFileSync(join(folder, "site/index.html"), "<p>home");
  writeFileSync(join(folder, "site/sub folder/index.html"), "<p>sub");
  writeFileSync(join(folder, "site/module.js"), "export {};");
  writeFileSync(join(folder, "site/module.wasm"), "\0asm");
  writeFileSync(join(folder, "models/fox.glb"), "glTF");
  symlinkSync(join(folder, "secret.txt"), join(folder, "site/link.txt"));
  server = await serve({ mounts: { "/": join(folder, "site"), "/models/": join(folder, "models") } });
});

after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Requests a path verbatim; `fetch` would normalise it. */
function ask(path, { method = "GET", headers = {} } = {}) {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, fail) => {
    const sent = request({ hostname, port, path, method, headers, family: 4 }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk) => (body += chunk));
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on("error", fail).end();
  });
}

test("types are what browsers insist on", async () => {
  assert.equal((await ask("/module.wasm")).headers["content-type"], "application/wasm");
  assert.match((await ask("/module.js")).headers["content-type"], /^text\/javascript/);
  assert.equal((await ask("/models/fox.glb")).headers["content-type"], "model/gltf-binary");
});

test("a part of a file can be had, which is how media are sought in", async () => {
  const part = await ask("/module.js", { headers: { Range: "bytes=7-8" } });
  assert.deepEqual([part.status, part.body, part.headers["content-range"]], [206, "{}", "bytes 7-8/10"]);
  const rest = await ask("/module.js", { headers: { Range: "bytes=7-" } });
  assert.deepEqual([rest.status, rest.body], [206, "{};"]);
  for (const Range of ["bytes=20-", "bytes=8-7", "lines=1-2"]) {
    assert.equal((await ask("/module.js", { headers: { Range } })).status, 200, Range);
  }
});

test("a folder is its index", async () => {
  assert.equal((await ask("/")).body, "<p>home");
  assert.equal((await ask("/sub%20folder/?a=1")).body, "<p>sub");
  const redirect = await ask("/sub%20folder?a=1");
  assert.equal(redirect.status, 308);
  assert.equal(redirect.headers.location, "/sub%20folder/?a=1");
});

test("nothing outside is served", async () => {
  const tries = [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/sub%20folder/../../secret.txt",
    "/models/../../secret.txt",
    "/../site-secrets/key.txt",
    "//etc/passwd",
    "/link.txt",
    "/..\\secret.txt",
    "/index.html%00.txt",
    "/%",
  ];
  for (const path of tries) {
    const { status, body } = await ask(path);
    assert.ok(status === 404 || status === 400, `${path} gave ${status}`);
    assert.ok(!body.includes("secret"), path);
  }
});

test("an unchanged file is not sent again, a changed one is", async () => {
  const first = await ask("/module.js");
  assert.equal(first.headers["cache-control"], "no-cache");
  const again = { headers: { "If-None-Match": first.headers.etag } };
  assert.equal((await ask("/module.js", again)).status, 304);
  writeFileSync(join(folder, "site/module.js"), "export const changed = true;");
  const changed = await ask("/module.js", again);
  assert.equal(changed.status, 200);
  assert.equal(changed.body, "export const changed = true;");
});

test("only reading is allowed", async () => {
  assert.equal((await ask("/", { method: "POST" })).status, 405);
  const head = await ask("/", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.body, "");
});

test("a taken port is passed over", async () => {
  const { port } = new URL(server.url);
  const second = await serve({ mounts: { "/": folder }, port: Number(port) });
  assert.notEqual(new URL(second.url).port, port);
  await second.close();
});
