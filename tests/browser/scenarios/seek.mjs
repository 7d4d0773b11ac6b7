/** Seeking is exact, goes anywhere, and causes no event. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.pause();
    await null;
    const heard = stage.record(player, "play", "pause", "loop", "finished");
    const at = (secs) => {
      player.currentTime = secs;
      player.render();
      return { time: player.currentTime, world: [...player.worldMatrices()], wide: player.morphWeights(0)[0], skin: [...player.skinMatrices(0)] };
    };
    const [start, quarter, middle, end] = [0, 0.5, 1, 2].map(at);
    const again = at(0.5);
    await null;
    return { start, quarter, middle, end, again, heard };
  }, backend);

  const upper = (pose) => pose.world.slice(32, 48);
  const turned = (angle, y = 1) => [Math.cos(angle), Math.sin(angle), 0, 0, -Math.sin(angle), Math.cos(angle), 0, 0, 0, 0, 1, 0, 0, y, 0, 1];
  near(upper(told.start), turned(0));
  near(upper(told.quarter), turned(Math.PI / 4));
  near(upper(told.middle), turned(Math.PI / 2));
  near(upper(told.end), turned(0));
  near([told.quarter.wide, told.middle.wide, told.end.wide], [0.25, 0.5, 1]);
  assert.equal(told.end.time, 2, "the end is the last pose, not the first");
  assert.deepEqual(told.again, told.quarter, "having been elsewhere leaves no trace");
  // World times inverse bind, which takes the joint's height of 1 away.
  const angle = Math.PI / 2;
  near(told.middle.skin.slice(16), [...turned(angle).slice(0, 12), Math.sin(angle), 1 - Math.cos(angle), 0, 1]);
  assert.deepEqual(told.heard, []);
}

function near(found, expected) {
  found.forEach((number, i) => assert.ok(Math.abs(number - expected[i]) < 1e-5, `${i}: ${number}, not ${expected[i]}`));
}
