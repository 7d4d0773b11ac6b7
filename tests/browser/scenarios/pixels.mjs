/** The model is lit and moves. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const at = (time) => {
      player.currentTime = time;
      return stage.look(player);
    };
    const [first, second, again] = [await at(0), await at(1), await at(0)];
    return {
      size: [first.width, first.height],
      first: stage.coverage(first),
      second: stage.coverage(second),
      moved: stage.compare(first, second).differing,
      again: stage.compare(first, again, 0).differing,
    };
  }, backend);

  assert.deepEqual(told.size, [240, 240]);
  for (const look of [told.first, told.second]) {
    assert.ok(look.part > 0.03 && look.part < 0.6, `the model covers ${look.part} of the picture`);
    assert.ok(look.brightest > 100, `its brightest channel is ${look.brightest}`);
  }
  assert.ok(told.moved > 0.02, `only ${told.moved} of the picture changed`);
  assert.equal(told.again, 0, "the same time gives the same picture");
}
