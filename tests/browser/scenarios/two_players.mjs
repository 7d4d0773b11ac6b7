/** Two players on one page are independent, and disposing one leaves the other alone. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const one = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    const two = await stage.openModel(backend, "/fixtures/swing.gltf", { clip: "Swing", time: 0.5 });
    const same = stage.compare(await stage.look(one), await stage.look(two)).differing;
    two.advance(0.5);
    const before = await stage.look(two);
    const apart = stage.compare(await stage.look(one), before).differing;
    one.dispose();
    const after = stage.compare(before, await stage.look(two), 0).differing;
    two.advance(0.1);
    const goesOn = stage.compare(before, await stage.look(two)).differing;
    return { same, apart, after, goesOn };
  }, backend);
  assert.equal(told.same, 0);
  assert.ok(told.apart > 0.01);
  assert.equal(told.after, 0);
  assert.ok(told.goesOn > 0);
}
