/** Chains, gazes and feet: reached, faded, moved and removed, in the page and in a worker alike, and drawn. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const results = await page.evaluate(async (backend) => {
    const results = {};
    for (const worker of [false, true]) {
      const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { worker, clip: "Idle" });
      player.autoUpdate = false;
      player.pause();
      const places = async (...names) => {
        player.worldMatrices();
        await player.settled();
        const matrices = player.worldMatrices();
        return names.map((name) => {
          const { index } = player.node(name);
          return [...matrices.slice(index * 16 + 12, index * 16 + 15)];
        });
      };
      const picture = async () => stage.pixelsOfPng(await player.screenshot({ width: 240, height: 240 }));
      const failure = async (call) => {
        const heard = new Promise((resolve) =>
          player.addEventListener("error", ({ detail }) => resolve(detail.code), { once: true }),
        );
        try {
          await call();
        } catch ({ code }) {
          return code;
        }
        return heard;
      };
      const told = {};
      [told.hand] = await places("LeftHand");
      const seen = await picture();
      const [x, y, z] = told.hand;
      told.goal = [x - 0.1, y + 0.2, z + 0.1];
      for (const solver of ["least-squares", "cyclic", "fabrik"]) {
        const arm = await player.constrain("arm", { chain: ["LeftUpperArm", "LeftHand"], solver });
        arm.goal(told.goal);
        told[solver] = (await places("LeftHand"))[0];
        told.differing = stage.compare(seen, await picture()).differing;
        arm.goal(null);
      }
      const arm = await player.constrain("arm", { chain: ["LeftUpperArm", "LeftHand"] });
      arm.goal(told.goal);
      arm.fadeTo(0, 1);
      player.advance(0.5);
      told.half = (await places("LeftHand"))[0];
      arm.remove({ fade: 0.5 });
      told.names = [player.constraints];
      player.advance(0.6);
      told.removed = (await places("LeftHand"))[0];
      told.names.push(player.constraints);

      const gaze = await player.constrain("gaze", { gaze: { Neck: 0.5, Head: 1 } });
      const facing = async () => {
        await places();
        const matrix = player.node("Head").worldMatrix;
        return [...matrix.slice(8, 11)];
      };
      gaze.goal([5, y, 0]);
      told.facing = await facing();
      gaze.remove();
      const feet = await player.constrain("feet", { hips: "Hips", feet: ["LeftFoot", "RightFoot"] });
      const [left, right] = await places("LeftFoot", "RightFoot");
      feet.ground("LeftFoot", 0.1);
      told.feet = (await places("LeftFoot", "RightFoot")).map((foot, nth) => foot[1] - [left, right][nth][1]);
      told.codes = [
        await failure(() => player.constrain("arm", { chain: ["LeftHand", "Head"] })),
        await failure(() => player.constrain("arm", { chain: ["LeftHand", "Nose of a whale"] })),
        await failure(() => player.constrain("arm", { chain: "LeftHand" })),
        await failure(() => player.constrain("arm", {})),
        await failure(() => arm.goal([0, 0, 0])),
        await failure(() => feet.ground("Head", 0)),
      ];
      results[worker ? "worker" : "page"] = told;
      player.dispose();
    }
    return results;
  }, backend);

  const apart = (a, b) => Math.hypot(...a.map((number, lane) => number - b[lane]));
  for (const [host, told] of Object.entries(results)) {
    for (const solver of ["least-squares", "cyclic", "fabrik"]) {
      assert.ok(apart(told[solver], told.goal) < 1e-3, `${host}: ${solver}: ${told[solver]} instead of ${told.goal}`);
    }
    assert.ok(told.differing > 0.005, `${host}: one sees it: ${told.differing}`);
    const [whole, half] = [apart(told.hand, told.goal), apart(told.half, told.hand)];
    assert.ok(half > whole * 0.1 && half < whole * 0.9, `${host}: ${half} of ${whole}`);
    assert.deepEqual(told.removed, told.hand, host);
    assert.deepEqual(told.names, [["arm"], []], host);
    assert.ok(told.facing[0] > 0.8, `${host}: the head faces ${told.facing}`);
    assert.ok(Math.abs(told.feet[0] - 0.1) < 0.01 && Math.abs(told.feet[1]) < 0.01, `${host}: ${told.feet}`);
    assert.deepEqual(
      told.codes,
      ["NO_CHAIN", "UNKNOWN_NODE", "WRONG_TYPE", "WRONG_TYPE", "UNKNOWN_CONSTRAINT", "NO_CHAIN"],
      host,
    );
  }
  assert.deepEqual(results.worker, results.page);
}
