/** Features that are unavailable with a worker are errors with a message and a code. */

import assert from "node:assert/strict";

import { serve } from "../../../www/serve.mjs";

export const expectedErrors = [/404/, /Content.Security.Policy/, /a fault of its own/];

export default async function ({ page, backend, mounts }) {
  const told = await page.evaluate(async (backend) => {
    const canvas = () => document.body.appendChild(document.createElement("canvas"));
    const create = (options, onto = canvas()) =>
      stage.failure(() => stage.Player.create(onto, { backend, worker: true, ...options }));
    const results = {};
    const untouched = canvas();
    results.missing = await create({ worker: "/nowhere/worker.js" }, untouched);
    results.again = await create({}, untouched);
    results.foreign = await create({ worker: "https://example.com/worker.js" });
    const drawn = canvas();
    drawn.getContext("2d");
    results.drawn = await create({}, drawn);
    results.given = await create({}, untouched);

    const player = await stage.open(backend, { worker: new URL("/gambol/worker.js", location.href) });
    results.address = player.alive;
    results.noModel = await stage.failure(() => player.play());
    await player.load("/fixtures/swing.glb");
    const heard = stage.record(player, "error", "finished");
    const run = player.play({ along: "speed", motions: [] });
    results.refusedRun = await run.finished;
    await player.settled();
    results.refused = heard
      .splice(0)
      .map(({ name, detail }) => [name, detail.code, detail.place, detail instanceof Error]);
    results.state = player.state;
    player.reach("Upper", [0, 1, 0]);
    await player.settled();
    results.noLimb = heard.splice(0).map(({ detail }) => detail.code);
    results.noSuch = await stage.failure(() => player.worldMatrices(7));
    player.crowd(8);
    results.notTold = await stage.failure(() => player.worldMatrices(7));
    await player.settled();
    results.told = player.worldMatrices(7).length;
    player.dispose();
    results.disposed = [
      await stage.failure(() => player.play()),
      await stage.failure(() => player.load("/fixtures/swing.glb")),
    ].map(({ code }) => code);
    return results;
  }, backend);
  assert.equal(told.missing.code, "WORKER_NOT_LOADED");
  assert.ok(told.missing.isOurs);
  assert.match(told.missing.message, /worker\.js/);
  assert.equal(told.again, null, "the canvas is as it was");
  assert.equal(told.foreign.code, "WORKER_NOT_LOADED");
  assert.equal(told.drawn.code, "CANVAS_NOT_GIVEN");
  assert.equal(told.given.code, "CANVAS_NOT_GIVEN");
  assert.equal(told.address, true);
  assert.equal(told.noModel.code, "NO_MODEL");
  assert.equal(told.refusedRun, "stopped");
  assert.deepEqual(
    told.refused.map(([name, , , isError]) => [name, isError]),
    [["error", true]],
  );
  assert.equal(told.state, "stopped");
  assert.deepEqual(told.noLimb, ["NO_LIMB"]);
  assert.equal(told.noSuch.code, "UNKNOWN_CHARACTER", "at once");
  assert.equal(told.notTold.code, "NOT_TOLD_YET");
  assert.ok(told.told > 0 && told.told % 16 === 0, `${told.told} numbers`);
  assert.deepEqual(told.disposed, ["PLAYER_DISPOSED", "PLAYER_DISPOSED"]);

  await page.evaluate(async (backend) => {
    window.player = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
    window.ended = player.play().finished;
    window.broken = stage.once(player, "error");
  }, backend);
  // The first player. The other used a URL at which no worker exists.
  await page.workers()[0].evaluate(() => {
    setTimeout(() => {
      throw new Error("a fault of its own");
    });
  });
  const broken = await page.evaluate(async (backend) => {
    const { code, message } = await broken;
    const later = (await stage.failure(() => player.pause())).code;
    const next = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
    return { code, message, alive: player.alive, later, ended: await ended, next: next.alive };
  }, backend);
  assert.match(broken.message, /a fault of its own/);
  assert.deepEqual(broken, {
    code: "WORKER_BROKEN",
    message: broken.message,
    alive: false,
    later: "WORKER_BROKEN",
    ended: "stopped",
    next: true,
  });

  const create = () =>
    page.evaluate(
      (backend) => stage.failure(async () => (await stage.open(backend, { worker: true })).load("/fixtures/swing.glb")),
      backend,
    );
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; worker-src";
  for (const [source, code] of [
    ["'self'", undefined],
    ["'none'", "WORKER_NOT_LOADED"],
  ]) {
    const server = await serve({ mounts, headers: { "Content-Security-Policy": `${policy} ${source}` } });
    try {
      await page.goto(`${server.url}strict.html`);
      await page.waitForFunction(() => window.stage);
      const failure = await create();
      assert.equal(failure?.code, code, `worker-src ${source}: ${failure?.message}`);
    } finally {
      await server.close();
    }
  }
}
