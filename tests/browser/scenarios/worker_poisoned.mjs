/** A trap in the worker ends its players with a report; the next player gets a fresh worker. */

import assert from "node:assert/strict";

import { inTime } from "../patience.mjs";

export default async function ({ page, backend }) {
  const other = backend === "webgpu" ? "webgl2" : "webgpu";
  await page.evaluate(async (other) => (window.first = await stage.open(other, { worker: true })), other);
  const [worker] = page.workers();
  await worker.evaluate(() => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...args) => {
      const instance = await instantiate.apply(WebAssembly, args);
      const breakable =
        (call) =>
        (...numbers) => {
          if (globalThis.broken) throw new WebAssembly.RuntimeError("unreachable");
          return call(...numbers);
        };
      const exports = Object.entries(instance.exports).map(([name, it]) => [
        name,
        typeof it === "function" ? breakable(it) : it,
      ]);
      return { exports: Object.fromEntries(exports) };
    };
  });
  const told = async (action) => page.evaluate(action, backend);
  await told(async (backend) => {
    const open = () => stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
    window.players = [await open(), await open()];
    window.heard = players.map((player) => stage.record(player, "error"));
    window.run = players[1].play();
    window.failed = stage.once(players[1], "error");
  });
  await worker.evaluate(() => (globalThis.broken = true));
  const results = await told(async (backend) => {
    players[0].autoUpdate = true;
    const error = await failed;
    const results = {
      heard: heard.map((events) => events.map(({ detail }) => detail.code)),
      message: error.message,
      alive: players.map((player) => player.alive),
      later: (await stage.failure(() => players[0].pause())).code,
      loading: (await stage.failure(() => players[0].load("/fixtures/swing.glb"))).code,
      run: await run.finished,
      bystander: first.alive,
    };
    const fresh = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
    fresh.canvas.scrollIntoView();
    fresh.autoUpdate = true;
    await stage.once(fresh, "timeupdate");
    results.fresh = fresh.alive;
    return results;
  });
  assert.deepEqual(results.heard, [["PLAYER_POISONED"], ["PLAYER_POISONED"]]);
  assert.match(results.message, /unreachable/, "the report can be copied");
  assert.deepEqual(results.alive, [false, false]);
  assert.deepEqual([results.later, results.loading, results.run], ["PLAYER_POISONED", "PLAYER_POISONED", "stopped"]);
  assert.equal(results.bystander, true, "another backend is another instance");
  assert.equal(results.fresh, true);
  assert.equal(page.workers().length, 2, "a fresh worker");
  const ended = inTime("the worker to end", new Promise((resolve) => page.once("workerdestroyed", resolve)), 60);
  await page.evaluate(() => first.dispose());
  await ended;
  assert.equal(page.workers().length, 1, "the spoiled one ends with its last player");
}
