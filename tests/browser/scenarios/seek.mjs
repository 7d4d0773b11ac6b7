/** Seeking is exact, accepts any time, passes no marker, and dispatches an event when it is done. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.pause();
    await null;
    const heard = stage.record(player, "play", "pause", "loop", "finished");
    const sought = stage.record(player, "seeking", "seeked");
    const at = (secs) => {
      player.currentTime = secs;
      player.render();
      return {
        time: player.currentTime,
        world: [...player.worldMatrices()],
        wide: player.morphWeights(0)[0],
        skin: [...player.skinMatrices(0)],
      };
    };
    const [start, quarter, middle, end] = [0, 0.5, 1, 2].map(at);
    const again = at(0.5);
    await null;
    const done = [...sought];
    player.currentTime = 0.25;
    await null;
    const undrawn = sought.slice(done.length);
    player.render();
    const drawn = sought.slice(done.length);
    player.canvas.style.display = "none";
    // Out of view nothing is drawn, but `seeked` must still be dispatched.
    await new Promise((told) =>
      new IntersectionObserver((entries) => entries.at(-1).isIntersecting || told()).observe(player.canvas),
    );
    await new Promise(requestAnimationFrame);
    const unseen = stage.once(player, "seeked");
    player.currentTime = 0.75;
    const { currentTime } = await unseen;
    return { done, undrawn, drawn, currentTime, start, quarter, middle, end, again, heard };
  }, backend);

  const upper = (pose) => pose.world.slice(32, 48);
  const turned = (angle, y = 1) => [
    Math.cos(angle),
    Math.sin(angle),
    0,
    0,
    -Math.sin(angle),
    Math.cos(angle),
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    y,
    0,
    1,
  ];
  near(upper(told.start), turned(0));
  near(upper(told.quarter), turned(Math.PI / 4));
  near(upper(told.middle), turned(Math.PI / 2));
  near(upper(told.end), turned(0));
  near([told.quarter.wide, told.middle.wide, told.end.wide], [0.25, 0.5, 1]);
  assert.equal(told.end.time, 2, "the end is the last pose, not the first");
  assert.deepEqual(told.again, told.quarter, "having been elsewhere leaves no trace");
  // World matrix times inverse bind matrix, which subtracts the joint's height of 1.
  const angle = Math.PI / 2;
  near(told.middle.skin.slice(16), [...turned(angle).slice(0, 12), Math.sin(angle), 1 - Math.cos(angle), 0, 1]);
  assert.deepEqual(told.heard, []);
  const event = (name, currentTime) => ({ name, detail: { currentTime } });
  assert.deepEqual(
    told.done.filter(({ name }) => name === "seeking"),
    [0, 0.5, 1, 2, 0.5].map((time) => event("seeking", time)),
  );
  assert.deepEqual(told.done.at(-1), event("seeked", 0.5));
  assert.deepEqual(told.undrawn, [event("seeking", 0.25)]);
  assert.deepEqual(told.drawn, [event("seeking", 0.25), event("seeked", 0.25)]);
  assert.equal(told.currentTime, 0.75);
}

function near(found, expected) {
  found.forEach((number, i) => assert.ok(Math.abs(number - expected[i]) < 1e-5, `${i}: ${number}, not ${expected[i]}`));
}
