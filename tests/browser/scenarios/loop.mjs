/** Every loop boundary causes an event, in order, however large the step. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/swing.glb");
    const heard = stage.record(player, "loop", "finished");
    const tell = () =>
      heard
        .splice(0)
        .map(({ name, detail }) => (name === "loop" ? detail.passes : detail.reason))
        // Each `play` of this scenario replaces the previous run.
        .filter((said) => said !== "replaced");
    const results = {};

    player.play("Raise", { loop: "repeat" });
    player.advance(3.25);
    results.repeat = { told: tell(), time: player.currentTime };

    player.play("Raise", { loop: "pingpong" });
    player.advance(1.25);
    results.pingpong = { told: tell(), time: player.currentTime };
    player.advance(1);
    results.pong = { told: tell(), time: player.currentTime };

    const run = player.play("Raise", { loop: 3 });
    player.advance(10);
    results.thrice = { told: tell(), time: player.currentTime, reason: await run.finished, ended: player.ended };

    player.play("Raise", { loop: "repeat" });
    player.playbackRate = -1;
    player.advance(0.25);
    results.backwards = { told: tell(), time: player.currentTime };
    return results;
  }, backend);

  assert.deepEqual(told.repeat, { told: [1, 2, 3], time: 0.25 });
  assert.deepEqual(told.pingpong, { told: [1], time: 0.75 });
  assert.deepEqual(told.pong, { told: [2], time: 0.25 });
  assert.deepEqual(told.thrice, { told: [1, 2, "ended"], time: 1, reason: "ended", ended: true });
  assert.deepEqual(told.backwards, { told: [1], time: 0.75 });
}
