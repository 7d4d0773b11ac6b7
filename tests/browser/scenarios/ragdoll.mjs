/** Characters fall, are pushed, come to rest and get up, in the page and in a worker, and are drawn. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const results = await page.evaluate(async (backend) => {
    const results = {};
    for (const worker of [false, true]) {
      const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { worker, clip: "Idle" });
      player.autoUpdate = false;
      const heights = async (...names) => {
        player.worldMatrices();
        await player.settled();
        const matrices = player.worldMatrices();
        return names.map((name) => matrices[player.node(name).index * 16 + 13]);
      };
      const lowest = async () => Math.min(...(await heights(...player.nodes.map(({ name }) => name).filter(Boolean))));
      const pass = async (secs) => {
        // Steps without a pose between them would all be taken with the next one, which takes a second's at most.
        for (let frame = 1; frame <= secs * 60; frame++) {
          player.advance(1 / 60);
          if (frame % 10 === 0) player.worldMatrices();
          if (worker && frame % 10 === 0) await player.settled();
        }
        player.worldMatrices();
        await player.settled();
      };
      const picture = async () => stage.pixelsOfPng(await player.screenshot({ width: 240, height: 240 }));
      const failure = (promise) =>
        promise.then(
          () => "none",
          (error) => error.code,
        );
      const told = { states: [player.ragdollState] };
      [told.standing] = await heights("Head");
      const seen = await picture();
      const doll = await player.ragdoll();
      doll.push("Chest", [0.5, 0, 0.5]);
      await pass(0.1);
      told.states.push(player.ragdollState);
      await pass(9.9);
      told.states.push(player.ragdollState);
      [told.lying] = await heights("Head");
      told.lowest = await lowest();
      told.differing = stage.compare(seen, await picture()).differing;
      doll.push("Head", [0, 3, 0]);
      await pass(0.1);
      told.states.push(player.ragdollState);
      doll.stop({ fade: 1 });
      await pass(0.5);
      [told.rising] = await heights("Head");
      await pass(0.6);
      [told.risen] = await heights("Head");
      told.states.push(player.ragdollState);

      const [foot, hand] = await heights("LeftFoot", "LeftHand");
      const arm = await player.ragdoll({ joints: ["LeftUpperArm"], character: 0, ground: null, friction: 1 });
      await pass(3);
      const after = await heights("LeftFoot", "LeftHand");
      told.foot = Math.abs(after[0] - foot);
      told.hand = after[1] - hand;
      arm.fadeTo(0, 0);
      told.codes = [
        await failure(player.ragdoll({ joints: ["A fifth limb"] })),
        await failure(player.ragdoll({ joints: "LeftUpperArm" })),
        await failure(player.ragdoll({ gravity: [0, Number.NaN, 0] })),
        await failure(player.ragdoll({ ground: { normal: [0, 0, 0] } })),
        await failure(player.ragdoll({ friction: -1 })),
        await failure(player.ragdoll({ character: 7 })),
      ];
      results[worker ? "worker" : "page"] = told;
      player.dispose();
    }
    return results;
  }, backend);

  for (const [host, told] of Object.entries(results)) {
    assert.deepEqual(told.states, ["none", "falling", "asleep", "falling", "none"], host);
    assert.ok(told.lying < told.standing * 0.6, `${host}: the head falls from ${told.standing} to ${told.lying}`);
    assert.ok(told.lowest > -0.03, `${host}: a joint is ${told.lowest} below the ground`);
    assert.ok(told.differing > 0.05, `${host}: one sees it: ${told.differing}`);
    assert.ok(told.rising > told.lying && told.rising < told.risen, `${host}: ${told.rising} on the way up`);
    assert.ok(Math.abs(told.risen - told.standing) < 0.05, `${host}: ${told.risen} is as high as ${told.standing}`);
    assert.ok(told.foot < 0.02, `${host}: the feet go on with the clip: ${told.foot}`);
    assert.ok(Math.abs(told.hand) > 0.005, `${host}: the arm swings: ${told.hand}`);
    assert.deepEqual(
      told.codes,
      ["UNKNOWN_NODE", "WRONG_TYPE", "NOT_FINITE", "OUT_OF_RANGE", "OUT_OF_RANGE", "UNKNOWN_CHARACTER"],
      host,
    );
  }
}
