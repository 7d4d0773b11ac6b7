/** One worker serves all players of a page and ends with the last of them; their GPU resources are released. */

import assert from "node:assert/strict";

import { inTime } from "../patience.mjs";

/** Software contexts are slow to create. */
export const longestSecs = 240;

export default async function ({ page, backend }) {
  const files = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  const opened = await page.evaluate(async (backend) => {
    const players = await Promise.all(
      [1, 2, 3].map(() => stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing", time: 0.5 })),
    );
    const pictures = await Promise.all(players.map(async (player) => stage.pixelsOfPng(await player.screenshot())));
    window.lost = [];
    for (const player of players.slice(1)) player.addEventListener("contextlost", () => lost.push(player));
    players[0].dispose();
    players[1].currentTime = 0.25;
    await players[1].settled();
    const { differing } = stage.compare(pictures[0], pictures[2]);
    return {
      differing,
      part: stage.coverage(pictures[0]).part,
      time: players[1].currentTime,
      other: players[2].currentTime,
    };
  }, backend);
  assert.deepEqual({ ...opened, part: opened.part > 0.01 }, { differing: 0, part: true, time: 0.25, other: 0.5 });
  assert.equal(page.workers().length, 1);
  assert.deepEqual(files.filter((path) => path.endsWith("/worker.js")).length, 1);

  // A browser allows about sixteen contexts, and then loses the oldest.
  const lost = await page.evaluate(async (backend) => {
    for (let round = 0; round < 14; round++) {
      const player = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
      await player.screenshot({ width: 8, height: 8 });
      player.dispose();
      player.canvas.remove();
    }
    return lost.length;
  }, backend);
  assert.equal(lost, 0);

  const ended = inTime("the worker to end", new Promise((resolve) => page.once("workerdestroyed", resolve)), 60);
  await page.evaluate(() => stage.close());
  await ended;
  assert.equal(page.workers().length, 0);
  const again = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
    return player.alive;
  }, backend);
  assert.equal(again, true);
  assert.equal(page.workers().length, 1);
}
