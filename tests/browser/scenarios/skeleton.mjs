/** The skeleton overlay's lines are visible over the mesh, and can be hidden again. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 1 });
    const without = await stage.look(player);
    player.skeleton = true;
    const withLines = await stage.look(player);
    player.skeleton = false;
    const after = await stage.look(player);
    return { lines: stage.compare(without, withLines, 24).count, after: stage.compare(without, after, 0).count };
  }, backend);
  assert.ok(told.lines > 20, `the lines change ${told.lines} pixels`);
  assert.ok(told.lines < 240 * 240 * 0.1, "lines, not areas");
  assert.equal(told.after, 0);
}
