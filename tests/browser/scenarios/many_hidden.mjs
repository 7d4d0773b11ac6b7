/** Two dozen players draw and advance time only while they are in view, in a visible tab. */

import assert from "node:assert/strict";

const COUNT = 24;

export const longestSecs = 150;

export default async function ({ page, backend }) {
  await page.evaluate(
    async (backend, count) => {
      const flavour = backend === "webgpu" ? "webgpu" : "webgl";
      const { PlayerHandle } = await import(`/gambol/wasm/${flavour}/gambol.js`);
      // The players are below each other, and only the first is in view.
      window.players = [];
      for (let nth = 0; nth < count; nth++) {
        players.push(await stage.open(backend, { css: "width: 100px; height: 100px; margin-bottom: 1000px" }));
      }
      await Promise.all(players.map((player) => player.load("/fixtures/swing.glb")));
      const { render, update } = PlayerHandle.prototype;
      window.counts = { draws: 0, updates: 0 };
      PlayerHandle.prototype.render = function () {
        counts.draws++;
        return render.call(this);
      };
      PlayerHandle.prototype.update = function (secs) {
        counts.updates++;
        return update.call(this, secs);
      };
      for (const player of players) {
        player.autoUpdate = true;
        player.play("Swing");
      }
      /** Waits until a player has drawn this many frames. Returns which others have drawn or moved since. */
      window.watch = async (shown, frames) => {
        const times = players.map(({ currentTime }) => currentTime);
        Object.assign(counts, { draws: 0, updates: 0 });
        let seen = 0;
        const look = () => seen++;
        shown.addEventListener("timeupdate", look);
        await until(() => seen >= frames);
        shown.removeEventListener("timeupdate", look);
        const moved = players.flatMap((player, nth) => (player.currentTime !== times[nth] ? [nth] : []));
        return { moved, draws: counts.draws - seen, updates: counts.updates - seen };
      };
      /** Resolves when all intersection observers have been called. */
      window.settle = async (visible) => {
        const canvas = players[visible].canvas;
        canvas.scrollIntoView();
        await stage.once(players[visible], "timeupdate");
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      };
    },
    backend,
    COUNT,
  );
  for (const visible of [0, 11, 23]) {
    const told = await page.evaluate(async (visible) => {
      await settle(visible);
      return watch(players[visible], 5);
    }, visible);
    assert.deepEqual(told, { moved: [visible], draws: 0, updates: 0 }, `player ${visible} is the only one in view`);
  }

  const hidden = await page.evaluate(async () => {
    let state = "hidden";
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
    Object.assign(counts, { draws: 0, updates: 0 });
    const times = players.map(({ currentTime }) => currentTime);
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
    const still = players.every(({ currentTime }, nth) => currentTime === times[nth]);
    const idle = { ...counts };
    state = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    const time = players[23].currentTime;
    await stage.once(players[23], "timeupdate");
    return { still, idle, leap: players[23].currentTime - time };
  });
  assert.equal(hidden.still, true);
  assert.deepEqual(hidden.idle, { draws: 0, updates: 0 }, "nobody looks");
  assert.ok(hidden.leap < 0.5, "the motion goes on from where it stood");
}
