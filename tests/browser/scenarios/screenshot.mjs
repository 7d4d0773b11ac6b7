/** Screenshots of any size, with or without the background, equal what the canvas shows. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    const shown = await stage.look(player);
    const same = await player.screenshot();
    const clear = await stage.pixelsOfPng(await player.screenshot({ width: 100, height: 60, transparent: true }));
    const middle = (30 * 100 + 50) * 4;
    return {
      type: same.type,
      differing: stage.compare(shown, await stage.pixelsOfPng(same)).differing,
      size: [clear.width, clear.height],
      corner: clear.data[3],
      middle: clear.data[middle + 3],
      afterwards: stage.compare(shown, await stage.look(player), 0).count,
    };
  }, backend);
  assert.equal(told.type, "image/png");
  assert.ok(told.differing < 0.002, `${told.differing} of the picture differs from the canvas`);
  assert.deepEqual(told.size, [100, 60]);
  assert.equal(told.corner, 0, "nothing behind the model");
  assert.equal(told.middle, 255);
  assert.equal(told.afterwards, 0, "taking a picture changes nothing");
}
