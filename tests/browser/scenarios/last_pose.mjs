/** When `finished` is dispatched, the last pose is applied and drawn, with the player's own clock. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/swing.glb");
    let draws = 0;
    const shown = [];
    player.addEventListener("timeupdate", ({ detail }) => (draws++, shown.push(detail.currentTime)));
    player.autoUpdate = true;
    const finished = new Promise((resolve) => {
      player.addEventListener("finished", () =>
        resolve({ lift: player.worldMatrices()[16 + 13], shown: shown.at(-1), draws, state: player.state }),
      );
    });
    const run = player.play("Raise", { loop: "once", start: 0.8 });
    const event = await finished;
    const reason = await run.finished;
    return { event, reason };
  }, backend);

  assert.equal(told.reason, "ended");
  assert.ok(told.event.draws > 0);
  assert.deepEqual({ ...told.event, draws: 0 }, { lift: 1, shown: 1, draws: 0, state: "finished" });
}
