/** A lost GPU is a state of the player: the model and its time stay, and the picture comes back. */

import assert from "node:assert/strict";

export const backends = ["webgl2"];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    const actor = await player.add("/fixtures/stroll.glb");
    actor.position = [2, 0, 0];
    player.frame();
    await player.setOcclusion(1);
    const alone = await stage.look(player);
    actor.visible = false;
    const hidden = stage.compare(alone, await stage.look(player)).differing;
    actor.visible = true;
    const before = await stage.look(player);
    let time;
    await stage.loseContext(player, () => {
      player.advance(0.25);
      player.render();
      time = player.currentTime;
    });
    player.currentTime = 0.5;
    return { time, hidden, differing: stage.compare(before, await stage.look(player)).differing };
  }, backend);
  assert.equal(told.time, 0.75, "time passes without a GPU");
  assert.ok(told.hidden > 0.01, "the other model is seen");
  assert.equal(told.differing, 0);
}
