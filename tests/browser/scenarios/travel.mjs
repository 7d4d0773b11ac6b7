/** Root motion is removed from the pose and returned to the page, across loops and at any speed. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/stroll.glb");
    const found = player.rootNode?.name ?? null;
    player.rootNode = "Lower";
    const stroll = (options) => {
      player.stop();
      player.takeTravel();
      player.play("Stroll", options);
    };
    const foot = () => [...player.node("Lower").worldMatrix];
    const results = { found, root: player.rootNode.name };

    stroll();
    player.advance(0.5);
    results.kept = { foot: foot(), travel: player.takeTravel() };
    player.setRootMotion("Stroll", "pin");
    stroll();
    player.advance(0.5);
    results.pinned = { foot: foot() };
    results.pinnedTravel = player.takeTravel();

    player.setRootMotion("Stroll", "extract");
    stroll();
    player.advance(0.5);
    results.half = { foot: foot(), travel: player.takeTravel(), again: player.takeTravel() };
    stroll({ loop: "once" });
    player.advance(5);
    results.whole = player.takeTravel();
    stroll();
    player.advance(2);
    results.twice = player.takeTravel();
    stroll();
    for (let step = 0; step < 128; step++) player.advance(1 / 64);
    results.twiceInSteps = player.takeTravel();
    stroll({ speed: -1 });
    player.advance(1);
    results.back = player.takeTravel();
    stroll({ speed: 2 });
    player.advance(0.25);
    results.fast = player.takeTravel();

    player.setRootMotion("Stroll", "move");
    player.place = { position: [5, 0, 0], scale: 0.5 };
    stroll();
    player.advance(0.5);
    results.half.place = player.place;
    results.half.moved = foot();
    player.advance(1.5);
    results.twice.place = player.place;
    results.twice.left = player.takeTravel();
    return results;
  }, backend);

  near(told.half.foot, told.pinned.foot, "pinned or extracted, the pose is the same");
  assert.equal(told.root, "Lower");
  assert.ok(Math.abs(told.kept.foot[14] - 1) < 1e-5, "kept, it walks in the pose");
  const rest = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  near(told.pinned.foot, rest);
  const still = { translation: [0, 0, 0], yaw: 0 };
  for (const travel of [told.kept.travel, told.pinnedTravel, told.half.again]) nearTravel(travel, still);
  nearTravel(told.half.travel, { translation: [0, 0, 1], yaw: Math.PI / 4 });
  // With `move`, the placed and scaled character travels the same way, and `takeTravel` returns nothing.
  nearPlace(told.half.place, [5, 0, 0.5], Math.PI / 4);
  nearPlace(told.twice.place, [6, 0, 1], Math.PI);
  near(told.half.moved.slice(12, 15), [5, 0, 0.5]);
  nearTravel(told.twice.left, still);
  nearTravel(told.fast, { translation: [0, 0, 1], yaw: Math.PI / 4 });
  nearTravel(told.whole, { translation: [0, 0, 2], yaw: Math.PI / 2 });
  // The second loop begins where the first ended, turned to the left, so its distance of 2 is along x.
  nearTravel(told.twice, { translation: [2, 0, 2], yaw: Math.PI });
  nearTravel(told.twiceInSteps, told.twice);
  // From the end back to the start, relative to the end: two units behind, after turning back.
  nearTravel(told.back, { translation: [2, 0, 0], yaw: -Math.PI / 2 });
}

function nearTravel(found, expected) {
  near(found.translation, expected.translation);
  const turn = found.yaw - expected.yaw;
  assert.ok(Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) < 1e-4, `${found.yaw}, not ${expected.yaw}`);
}

function nearPlace(found, position, heading) {
  near(
    [...found.position, Math.cos(found.heading), Math.sin(found.heading), found.scale],
    [...position, Math.cos(heading), Math.sin(heading), 0.5],
  );
}

function near(found, expected, why = "") {
  found.forEach((number, i) =>
    assert.ok(Math.abs(number - expected[i]) < 1e-4, `${why} ${i}: ${number}, not ${expected[i]}`),
  );
}
