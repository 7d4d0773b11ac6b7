/** A run ends once, with a reason, and the last pose stays. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/swing.glb");
    const heard = stage.record(player, "finished");
    const first = player.play("Raise", { loop: "once" });
    player.advance(0.5);
    const halfway = { heard: heard.length, state: player.state };
    player.advance(0.75);
    const reason = await first.finished;
    const end = {
      heard: heard.splice(0).map(({ detail: { clip, layer, reason } }) => [clip.name, layer, reason]),
      state: player.state,
      time: player.currentTime,
      lift: player.worldMatrices()[16 + 13],
    };
    player.advance(1);
    const after = heard.length;

    const second = player.play("Raise");
    player.play("Swing");
    const replaced = await second.finished;
    const third = player.play("Raise");
    player.stop();
    const stopped = await third.finished;
    return { halfway, reason, end, after, replaced, stopped };
  }, backend);

  assert.deepEqual(told.halfway, { heard: 0, state: "playing" });
  assert.equal(told.reason, "ended");
  assert.deepEqual(told.end, { heard: [["Raise", "base", "ended"]], state: "finished", time: 1, lift: 1 });
  assert.equal(told.after, 0, "finished is told once");
  assert.equal(told.replaced, "replaced");
  assert.equal(told.stopped, "stopped");
}
