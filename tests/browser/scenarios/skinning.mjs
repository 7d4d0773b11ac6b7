/** Dual quaternion skinning: for all skins or one, like the reference skinner, in crowds and in a worker. */

import assert from "node:assert/strict";

import { saw, skipped } from "../../real_models.mjs";

const CHARACTER = "/gambol/viewer/character.glb";

/** Models with several skins, morph targets, and quantized attributes. */
const SHARED = [
  "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
  "gltf/derived/Fox.quantized.glb",
  "gltf/robot-expressive/RobotExpressive.glb",
  "gltf/kaykit/Knight.glb",
];

/** Share of the model's size by which vertices may differ: both compute in f32, in another order. */
const TOLERANCE = 2e-5;

export default async function ({ page, backend, name: suite, shared }) {
  const models = [CHARACTER, "/fixtures/swing.glb", ...(shared ? SHARED.map((path) => `/shared/${path}`) : [])];
  if (shared) saw(suite, SHARED.length);
  else skipped(`${suite} for models of other projects`);
  const errors = await page.evaluate(
    async (backend, models) => {
      const player = await stage.open(backend);
      player.skinning = "dual-quaternion";
      const errors = [];
      for (const model of models) {
        await player.load(model);
        for (const clip of player.clips.slice(0, 3)) {
          player.play(clip.index);
          player.currentTime = clip.duration * 0.43;
          const where = [model, clip.name, player.skinning];
          errors.push({ where, error: await player.skinningError() });
        }
      }
      return errors;
    },
    backend,
    models,
  );
  for (const { where, error } of errors) {
    assert.equal(where[2], "dual-quaternion", "is kept when a model is loaded");
    assert.ok(error < TOLERANCE, `${where}: ${error} of its size apart`);
  }

  const told = await page.evaluate(
    async (backend, model) => {
      const player = await stage.openModel(backend, model, { clip: "Wave", time: 0.6 });
      player.ground = false;
      player.node("LeftHand").rotate([0.94, 0, 0, 0.34], { relativeTo: "pose" });
      const seen = [];
      const see = async () => seen.push(await stage.look(player));
      await see();
      player.skinning = "dual-quaternion";
      await see();
      player.skinning = "linear";
      await see();
      for (const { index } of player.skins) player.setSkinning(index, "dual-quaternion");
      await see();
      const failures = [
        await stage.failure(() => player.setSkinning("Nobody", "linear")),
        await stage.failure(() => player.setSkinning(99, "linear")),
        await stage.failure(() => (player.skinning = "quadratic")),
      ];
      const results = {
        skinning: player.skinning,
        skins: player.skins.length,
        codes: failures.map(({ code }) => code),
        apart: seen.slice(1).map((picture) => stage.compare(seen[0], picture, 2).count),
        both: stage.compare(seen[1], seen[3], 0).greatest,
      };
      const linear = { ...player.stats };
      player.crowd(50, { place: (character) => [character, 0, 0] });
      await see();
      results.crowd = [linear.draws, player.stats.draws];
      player.crowd(1);
      await player.load(model);
      player.play("Wave");
      player.currentTime = 0.6;
      player.frame();
      player.node("LeftHand").rotate([0.94, 0, 0, 0.34], { relativeTo: "pose" });
      await see();
      player.skinning = "linear";
      await see();
      results.later = stage.compare(seen.at(-2), seen.at(-1), 0).greatest;
      return results;
    },
    backend,
    CHARACTER,
  );
  assert.equal(told.skinning, "linear");
  assert.ok(told.skins > 0);
  assert.deepEqual(told.codes, ["UNKNOWN_SKIN", "UNKNOWN_SKIN", "OUT_OF_RANGE"]);
  const [whole, again, single] = told.apart;
  assert.ok(whole > 10, `only ${whole} pixels differ`);
  assert.equal(again, 0, "linear again");
  assert.equal(single, whole);
  assert.equal(told.both, 0, "skin by skin or all at once");
  assert.ok(told.crowd[1] <= told.crowd[0] + 2, `${told.crowd} draws`);
  assert.equal(told.later, 0, "the setting of a skin is that of one model");
}
