/** S65, S67: a layer changes the keyed nodes within its mask; every other value keeps its bits. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk" });
    player.advance(0.3);
    const names = player.nodes.map(({ name }) => name);
    const spine = player.nodes.filter(({ index }) => {
      for (let at = index; at >= 0; at = player.nodes[at].parent) if (names[at] === "Spine") return true;
      return false;
    });
    const world = () => player.worldMatrices();
    const bits = (matrices) => new Uint32Array(matrices.buffer.slice(0));
    const differing = (a, b) => {
      const [left, right] = [bits(a), bits(b)];
      return names.filter((_, node) =>
        left.slice(node * 16, node * 16 + 16).some((bits, lane) => bits !== right[node * 16 + lane]),
      );
    };
    const results = { masked: spine.map(({ name }) => name), differing: {} };
    const walking = world();
    const seen = await stage.look(player);

    const upper = player.layer("upper", { mask: { Spine: 1 } });
    results.differing.empty = differing(walking, world());
    upper.play("Dance", { start: 1 });
    results.differing.upper = differing(walking, world());
    results.picture = stage.compare(seen, await stage.look(player)).differing;
    upper.weight = 0;
    results.differing.weightless = differing(walking, world());
    upper.fadeTo(1, 0.5);
    results.atOnce = upper.weight;
    player.pause();
    player.play();
    player.advance(0.25);
    results.halfway = upper.weight;
    player.advance(0.5);
    results.all = upper.weight;
    upper.currentTime = 1.5;
    results.sought = upper.currentTime;
    upper.fadeTo(0, 1, "in");
    player.advance(0.5);
    results.eased = upper.weight;
    upper.remove();
    player.currentTime = 0.3;
    const walkingAgain = world();
    results.differing.removed = differing(walking, walkingAgain);

    player.layer("head", { mask: { Head: { weight: 1, subtree: false } } }).play("Dance", { start: 1 });
    results.differing.head = differing(walking, world()).slice(0, 1);
    player.layer("head").remove();

    player.layer("sum", { mode: "add", reference: { clip: "Dance", time: 1 } }).play("Dance", { start: 1 });
    const same = Math.max(...world().map((number, i) => Math.abs(number - walkingAgain[i])));
    results.addsNothing = same;
    player.layer("sum", { mode: "add", reference: { clip: "Dance", time: 0 } }).play("Dance", { start: 1 });
    results.adds = Math.max(...world().map((number, i) => Math.abs(number - walkingAgain[i])));

    results.names = player.layers;
    results.gone = await stage.failure(() => upper.play("Wave"));
    return results;
  }, backend);

  const { differing } = told;
  assert.deepEqual([told.sought, told.eased], [1.5, 0.75]);
  assert.deepEqual(differing.empty, [], "a layer that plays nothing changes nothing");
  assert.ok(differing.upper.length > 20, `${differing.upper.length} nodes`);
  assert.deepEqual(
    differing.upper.filter((name) => !told.masked.includes(name)),
    [],
    "what isn't masked keeps its bits",
  );
  assert.ok(told.picture > 0.005, "and one sees it");
  assert.deepEqual(differing.weightless, []);
  assert.deepEqual(
    [told.atOnce, told.halfway, told.all].map((weight) => Math.round(weight * 100)),
    [0, 50, 100],
  );
  assert.deepEqual(differing.removed, []);
  assert.deepEqual(differing.head, ["Head"]);
  // The pose is subtracted and added again: rounding of two quaternion products per joint, in a chain of ten.
  assert.ok(told.addsNothing < 1e-4, `${told.addsNothing}`);
  assert.ok(told.adds > 0.02, `${told.adds}`);
  assert.deepEqual(told.names, ["base", "sum"]);
  assert.equal(told.gone.code, "UNKNOWN_LAYER");
}
