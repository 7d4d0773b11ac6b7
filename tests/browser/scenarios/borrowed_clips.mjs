/** Clips of another humanoid are converted to the model's skeleton, in the page and in a worker alike. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async (backend, giant) => {
      const failure = (promise) =>
        promise.then(
          () => "none",
          (error) => error.code,
        );
      const results = {};
      for (const worker of [false, true]) {
        const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { worker, clip: "Idle" });
        const heard = stage.record(player, "clipsadd");
        const file = () => new File([giant], "giant.gltf");
        const { clips, map, warnings } = await player.addClips(file(), { retarget: true });
        player.play(clips[0].index);
        player.currentTime = 1;
        player.worldMatrices();
        await player.settled();
        const matrices = player.worldMatrices();
        const place = (name) => [...matrices.slice(player.node(name).index * 16 + 12).slice(0, 3)];
        const direction = (from, to) => {
          const [a, b] = [place(from), place(to)];
          const way = a.map((number, lane) => b[lane] - number);
          return way.map((number) => number / Math.hypot(...way));
        };
        const codes = [
          await failure(player.addClips(file(), { retarget: 5 })),
          await failure(player.addClips(file(), { retarget: { from: { leftHand: "Nobody" } } })),
          await failure(player.addClips(file(), { retarget: { from: { leftWing: "mixamorig:Hips" } } })),
          await failure(player.addClips(file(), { retarget: { only: true } })),
          await failure(player.addClips("/fixtures/stroll.glb", { retarget: true })),
        ];
        const given = await player.addClips(file(), {
          names: { Salute: "Greeting" },
          retarget: { from: { head: "mixamorig:Neck" }, pairs: { "mixamorig:Head": "LeftEar1" } },
        });
        results[worker ? "worker" : "page"] = {
          names: player.clips.map(({ name }) => name).slice(clips[0].index),
          warnings,
          events: heard.map(({ detail }) => detail.map?.length),
          arms: [
            direction("LeftUpperArm", "LeftLowerArm"),
            direction("LeftLowerArm", "LeftHand"),
            direction("RightUpperArm", "RightLowerArm"),
          ],
          hand: map.find(({ role }) => role === "leftHand"),
          count: map.length,
          given: given.map.find(({ role }) => role === "head"),
          codes,
        };
        player.dispose();
      }
      return results;
    },
    backend,
    JSON.stringify(giant()),
  );
  for (const [host, results] of Object.entries(told)) {
    assert.deepEqual(results.names, ["Salute", "Greeting"], host);
    assert.deepEqual(results.warnings, [], host);
    const apart = (a, b) => Math.hypot(...a.map((number, lane) => number - b[lane]));
    for (const [nth, way] of [
      [0, 1, 0],
      [0, 0, 1],
      [-1, 0, 0],
    ].entries()) {
      assert.ok(apart(results.arms[nth], way) < 0.05, `${host}: arm ${nth} points to ${results.arms[nth]}, not ${way}`);
    }
    const { from, to, reason, confidence } = results.hand;
    assert.deepEqual([from, to, reason], ["mixamorig:LeftHand", "LeftHand", "name"], host);
    assert.ok(confidence > 0.5 && confidence <= 1, `${host}: ${confidence}`);
    assert.ok(results.count >= 15, `${host}: ${results.count} roles`);
    assert.deepEqual(results.events, [results.count, results.count], host);
    assert.equal(results.given.from, "mixamorig:Neck", host);
    assert.deepEqual(
      results.codes,
      ["WRONG_TYPE", "UNKNOWN_NODE", "OUT_OF_RANGE", "NOT_HUMANOID", "NOT_HUMANOID"],
      host,
    );
  }
  assert.deepEqual(told.worker, told.page);
}

/**
 * Returns a body in a T-pose, ten times as large as usual. At the end of its clip the left upper arm points up, the
 * lower one forward, and the right arm to the side. In the file, children come before their parents.
 */
function giant() {
  const joints = [
    ["Hips", -1, [0, 10, 0]],
    ["Spine", 0, [0, 2, 0]],
    ["Neck", 1, [0, 3, 0]],
    ["Head", 2, [0, 1, 0]],
    ["LeftArm", 1, [2, 2.5, 0]],
    ["LeftForeArm", 4, [3, 0, 0]],
    ["LeftHand", 5, [3, 0, 0]],
    ["RightArm", 1, [-2, 2.5, 0]],
    ["RightForeArm", 7, [-3, 0, 0]],
    ["RightHand", 8, [-3, 0, 0]],
    ["LeftUpLeg", 0, [1, 0, 0]],
    ["LeftLeg", 10, [0, -4.5, 0]],
    ["LeftFoot", 11, [0, -4.5, 0]],
    ["LeftToeBase", 12, [0, -1, 1.5]],
    ["RightUpLeg", 0, [-1, 0, 0]],
    ["RightLeg", 14, [0, -4.5, 0]],
    ["RightFoot", 15, [0, -4.5, 0]],
    ["RightToeBase", 16, [0, -1, 1.5]],
  ];
  const half = Math.SQRT1_2;
  // Around z from the side up, then around the own x, which is up, forward.
  const numbers = Float32Array.of(0, 1, 0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1, 0, -half, 0, half);
  const uri = `data:application/octet-stream;base64,${Buffer.from(numbers.buffer).toString("base64")}`;
  const at = (index) => joints.length - 1 - index;
  const channel = (node, sampler) => ({ sampler, target: { node: at(node), path: "rotation" } });
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [at(0)] }],
    nodes: joints
      .map(([name, , translation], index) => {
        const children = joints.flatMap(([, parent], child) => (parent === index ? [at(child)] : []));
        return { name: `mixamorig:${name}`, translation, ...(children.length > 0 && { children }) };
      })
      .reverse(),
    buffers: [{ byteLength: numbers.byteLength, uri }],
    bufferViews: [{ buffer: 0, byteLength: numbers.byteLength }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
      { bufferView: 0, byteOffset: 8, componentType: 5126, count: 2, type: "VEC4" },
      { bufferView: 0, byteOffset: 40, componentType: 5126, count: 2, type: "VEC4" },
    ],
    animations: [
      {
        name: "Salute",
        samplers: [1, 2].map((output) => ({ input: 0, output })),
        channels: [channel(4, 0), channel(5, 1)],
      },
    ],
  };
}
