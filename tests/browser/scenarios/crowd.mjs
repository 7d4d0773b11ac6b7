/** A crowd of a hundred uses one set of buffers and a few draw calls, with a time and a place per character. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    await stage.look(player);
    const alone = { ...player.stats };
    player.crowd(100, {
      clip: "Swing",
      phases: (character) => character / 100,
      place: (character) => [(character % 10) * 2, 0, Math.floor(character / 10) * 2],
    });
    player.frame();
    const picture = await stage.look(player);
    const many = { ...player.stats };
    const place = (character) => [...player.worldMatrices(character).slice(28, 31)];
    const turn = (character) => player.worldMatrices(character)[33];
    const results = {
      alone,
      many,
      count: player.characterCount,
      places: [place(0), place(13)],
      turns: [turn(0), turn(25), turn(50)],
      skins: player.skinMatrices(0, 99).length,
      finite: stage.allFinite(player.worldMatrices(99)),
      look: stage.coverage(picture),
      beyond: await stage.failure(() => player.worldMatrices(100)),
    };
    player.crowd(1);
    results.after = player.characterCount;
    return results;
  }, backend);

  assert.equal(told.count, 100);
  assert.deepEqual(told.places, [
    [0, 0, 0],
    [6, 0, 2],
  ]);
  // At a quarter of the clip, the joint has rotated by 45 degrees; this is the sine.
  told.turns.forEach((turn, i) => assert.ok(Math.abs(turn - [0, Math.SQRT1_2, 1][i]) < 1e-5, `${i}: ${turn}`));
  assert.equal(told.skins, 32);
  assert.ok(told.finite && told.look.part > 0.03);
  assert.ok(
    told.many.draws <= told.alone.draws + 2,
    `${told.many.draws} draws for a hundred, ${told.alone.draws} for one`,
  );
  assert.equal(told.many.triangles, told.alone.triangles * 100);
  assert.equal(told.after, 1);
}
