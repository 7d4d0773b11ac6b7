/** S68, S69, S84: nodes and morphs set by the page override what plays, until the page releases them. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 1 });
    player.pause();
    const upper = player.node("Upper");
    const world = () => [...upper.worldMatrix];
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const results = { playing: world() };
    const before = await stage.look(player);
    upper.rotate(quarter);
    results.rest = world();
    upper.rotate(quarter, { relativeTo: "pose" });
    results.pose = world();
    upper.rotate([0, 0, 0, 1], { relativeTo: "parent" });
    results.parent = world();
    results.seen = stage.compare(before, await stage.look(player)).differing;
    upper.rotate([0, 0, 0, 1], { relativeTo: "parent", weight: 0.5 });
    results.half = world();
    upper.release();
    results.released = world();
    upper.translate([0, 0.5, 0]);
    results.moved = world();
    upper.scale([2, 2, 2]);
    results.scaled = world();
    upper.release();
    results.again = world();
    results.all = [...player.worldMatrices().slice(upper.index * 16, upper.index * 16 + 16)];

    const wide = player.morph("Wide");
    results.morphs = player.morphs;
    results.played = wide.weight;
    wide.weight = 0.9;
    results.set = [wide.weight, player.morphWeights(0)[0]];
    wide.weight = null;
    results.back = wide.weight;
    return results;
  }, backend);

  const turned = (angle, y = 1, size = 1) => {
    const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size];
    return [cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, size, 0, 0, y, 0, 1];
  };
  const quarter = Math.PI / 2;
  near(told.playing, turned(quarter));
  near(told.rest, turned(quarter), "rest");
  near(told.pose, turned(2 * quarter), "pose");
  near(told.parent, turned(0), "parent");
  assert.ok(told.seen > 0.01, "one sees it");
  near(told.half, turned(quarter / 2), "half");
  near(told.released, turned(quarter));
  near(told.moved, turned(quarter, 1.5), "moved");
  near(told.scaled, turned(quarter, 1.5, 2), "scaled");
  assert.deepEqual(told.again, told.playing, "what was set by hand leaves no trace");
  assert.deepEqual(told.all, told.again);
  assert.deepEqual(told.morphs, ["Wide"]);
  near([told.played, ...told.set, told.back], [0.5, 0.9, 0.9, 0.5]);
}

function near(found, expected, why = "") {
  found.forEach((number, i) =>
    assert.ok(Math.abs(number - expected[i]) < 1e-5, `${why} ${i}: ${number}, not ${expected[i]}`),
  );
}
