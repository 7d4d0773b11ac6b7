/**
 * The model is fetched in parallel with the WebAssembly. The progress bar is shown after half a second, counts both and
 * never goes back, and another `src` or a removal aborts the fetch.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { join } from "node:path";

export const expectedErrors = [/Failed to load resource.*404/];
export const longestSecs = 180;

export default async function ({ page, backend, mounts, url }) {
  const server = await slowServer(mounts, url);
  const open = async () => {
    server.reset();
    await page.goto(server.url);
    await page.waitForFunction(() => window.stage);
    await page.evaluate(watch, `/gambol/wasm/${backend === "webgpu" ? backend : "webgl"}/gambol.js`);
  };
  const show = (properties) => page.evaluate((properties) => void show(properties), { backend, ...properties });
  try {
    for (const worker of [false, true]) {
      await open();
      await show({ worker, src: "/slow/swing.glb", autoplay: true });
      const [wasm, model] = await Promise.all([server.asked(/gambol_bg\.wasm$/), server.asked(/swing\.glb$/)]);
      assert.deepEqual([wasm.sent, model.sent], [0, 0], "both are under way, and nothing of either has come");
      const barMillis = await page.waitForFunction(() => window.barMillis).then((value) => value.jsonValue());
      assert.ok(barMillis > 490, `the progress bar is shown after half a second, not after ${barMillis} ms`);
      let at = 0;
      for (const file of [wasm, model, wasm, model]) {
        file.send(0.3);
        at = await page
          .waitForFunction((at) => shown.at(-1) > at && shown.at(-1), {}, at)
          .then((value) => value.jsonValue());
      }
      assert.ok(at > 20 && at < 90, `more than half has come, and the bar is at ${at}`);
      // Either one can finish first.
      model.send(1);
      wasm.send(1);
      await page.waitForFunction(() => heard.includes("load"));
      await page.waitForFunction(() => bar.hidden);
      const told = await page.evaluate(() => ({ shown, heard, totals, steps, name: element.player.name }));
      // A worker fetches by itself.
      if (!worker) {
        assert.deepEqual(told.steps.slice(0, 2), ["fetch", "attachShadow"], "the request comes first");
        const ofModel = told.steps.filter((step) => /^(measure|show|frame)/.test(step));
        assert.deepEqual(
          ofModel.slice(-3),
          ["measure 0", "show", "frame"],
          "bounds are computed before the model is shown",
        );
      }
      assert.deepEqual(
        told.shown,
        told.shown.toSorted((a, b) => a - b),
        "it never goes back",
      );
      assert.equal(told.shown.at(-1), 100);
      assert.deepEqual([...new Set(told.heard)], ["loadstart", "progress", "load"]);
      assert.equal(told.heard.filter((name) => name === "loadstart").length, 1);
      assert.deepEqual(told.totals.at(-1), [wasm.length + model.length, wasm.length + model.length]);
      assert.equal(told.name, "swing.glb");
      assert.equal(server.count, 2, "each is fetched once");
    }

    // A player without an element.
    await open();
    await page.evaluate((backend) => {
      const canvas = document.createElement("canvas");
      document.body.append(canvas);
      window.came = [];
      window.loading = stage.Player.create(canvas, {
        backend,
        preload: "/slow/swing.glb",
        onProgress: ({ wasm, model }) => came.push([wasm.loaded, model.loaded]),
      }).then(async (player) => {
        await player.load("/slow/swing.glb");
        return player.clips.length;
      });
    }, backend);
    const [wasm, model] = await Promise.all([server.asked(/gambol_bg\.wasm$/), server.asked(/swing\.glb$/)]);
    model.send(1);
    wasm.send(1);
    assert.equal(await page.evaluate(() => loading), 2);
    assert.deepEqual(await page.evaluate(() => came.at(-1)), [wasm.length, model.length]);
    assert.equal(server.count, 2);

    // Another model is requested before the first one is shown.
    await open();
    await show({ src: "/slow/swing.glb" });
    const [, first] = await Promise.all([server.asked(/gambol_bg\.wasm$/), server.asked(/swing\.glb$/)]);
    first.send(0.3);
    await page.evaluate(() => void (element.src = "/slow/stroll.glb"));
    const second = await server.asked(/stroll\.glb$/);
    await first.ended;
    second.send(1);
    (await server.asked(/gambol_bg\.wasm$/)).send(1);
    await page.waitForFunction(() => heard.includes("load"));
    assert.deepEqual(await page.evaluate(() => [element.player.name, heard.includes("error")]), ["stroll.glb", false]);

    // The element is removed.
    await open();
    await show({ src: "/slow/swing.glb" });
    const left = await server.asked(/swing\.glb$/);
    left.send(0.3);
    await page.evaluate(() => element.remove());
    await left.ended;
    assert.deepEqual(await page.evaluate(() => heard.filter((name) => name === "error" || name === "load")), []);

    // The file doesn't exist, which is known before the player exists.
    await open();
    await show({ src: "/fixtures/nowhere.glb" });
    (await server.asked(/gambol_bg\.wasm$/)).send(1);
    await page.waitForFunction(() => heard.includes("error"));
    assert.deepEqual(await page.evaluate(() => [failed.code, heard.includes("load")]), ["HTTP_STATUS", false]);
    const healed = page.evaluate(async () => {
      await element.load("/slow/swing.glb");
      return element.player.name;
    });
    (await server.asked(/swing\.glb$/)).send(1);
    assert.equal(await healed, "swing.glb");
    assert.deepEqual(
      await page.evaluate(() => totals.at(-1)),
      [model.length, model.length],
      "what has come before doesn't count again",
    );
    await page.evaluate(() => element.remove());
  } finally {
    await page.goto("about:blank");
    await server.close();
  }
}

/** Runs in the page. Adds an element, and records its first steps, its events and its progress bar. */
async function watch(glue) {
  const { ModelHandle, PlayerHandle } = await import(glue);
  window.steps = [];
  for (const [owner, name] of [
    [window, "fetch"],
    [Element.prototype, "attachShadow"],
    [ModelHandle.prototype, "measure"],
    [PlayerHandle.prototype, "show"],
    [PlayerHandle.prototype, "frame"],
  ]) {
    const method = owner[name];
    owner[name] = function (...args) {
      steps.push(name === "measure" ? `${name} ${args}` : name);
      return method.apply(this, args);
    };
  }
  window.show = async (properties) => {
    const element = Object.assign(document.createElement("gambol-player"), properties);
    Object.assign(window, { element, heard: [], shown: [], totals: [], failed: null });
    for (const name of ["loadstart", "progress", "load", "error"]) {
      element.addEventListener(name, ({ detail }) => {
        heard.push(name);
        if (name === "progress") totals.push([detail.loaded, detail.total]);
        if (name === "error") window.failed = detail;
      });
    }
    document.body.append(element);
    const appended = performance.now();
    Object.assign(window, { bar: element.shadowRoot.querySelector("[part=progress]"), barMillis: 0 });
    new MutationObserver(() => (window.barMillis ||= performance.now() - appended)).observe(bar, {
      attributeFilter: ["hidden"],
    });
    const { style } = element.shadowRoot.querySelector("slot[name=progress]");
    const keep = () =>
      style.getPropertyValue("--gambol-loaded") && shown.push(100 * style.getPropertyValue("--gambol-loaded"));
    new MutationObserver(keep).observe(element.shadowRoot, { subtree: true, attributeFilter: ["style"] });
  };
}

/** The tests' server, except that slow files are sent in pieces, controlled by the scenario. */
async function slowServer(mounts, url) {
  let files = [];
  let waiting = [];
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    if (!path.startsWith("/slow/") && !path.endsWith("gambol_bg.wasm")) {
      get(new URL(path, url), (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      return;
    }
    const bytes = readFileSync(
      path.startsWith("/slow/") ? join(mounts["/fixtures/"], path.slice(6)) : join(mounts["/gambol/"], path.slice(8)),
    );
    const type = path.endsWith(".wasm") ? "application/wasm" : "model/gltf-binary";
    response.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length, "Cache-Control": "no-store" });
    response.flushHeaders();
    const file = {
      path,
      sent: 0,
      length: bytes.length,
      /** Resolves when the browser cancels the request. */
      ended: new Promise((resolve) => response.on("close", resolve)),
      /** Sends another share of the file. */
      send(share) {
        const end = Math.min(bytes.length, file.sent + Math.ceil(bytes.length * share));
        response.write(bytes.subarray(file.sent, end));
        file.sent = end;
        if (end === bytes.length) response.end();
      },
    };
    files.push(file);
    waiting = waiting.filter(({ pattern, resolve }) => !pattern.test(path) || resolve(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    get count() {
      return files.length;
    },
    reset() {
      files = [];
    },
    /** Resolves to the request when it arrives. */
    asked: (pattern) =>
      new Promise((resolve) => {
        const file = files.find(({ path }) => pattern.test(path));
        if (file) resolve(file);
        else waiting.push({ pattern, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
