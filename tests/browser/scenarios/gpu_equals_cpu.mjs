/** S33: the vertex shader puts each vertex where the reference skinner on the CPU does. */

import assert from "node:assert/strict";

import { saw, skipped } from "../../real_models.mjs";

const OWN = ["/fixtures/swing.glb", "/gambol/viewer/character.glb"];

/** Models with several skins, morphs, quantized attributes and rigid meshes. */
const SHARED = [
  "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
  "gltf/khronos/Fox/glTF-Binary/Fox.glb",
  "gltf/khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
  "gltf/khronos/SimpleMorph/glTF-Embedded/SimpleMorph.gltf",
  "gltf/khronos/BoxAnimated/glTF-Binary/BoxAnimated.glb",
  "gltf/derived/Fox.quantized.glb",
  "gltf/robot-expressive/RobotExpressive.glb",
  "gltf/kaykit/Knight.glb",
];

/** Share of the model's size by which vertices may differ: both compute in f32, in another order. */
const TOLERANCE = 1e-5;

export default async function ({ page, backend, name: suite, shared }) {
  const models = [...OWN, ...(shared ? SHARED.map((path) => `/shared/${path}`) : [])];
  if (shared) saw(suite, SHARED.length);
  else skipped(`${suite} for models of other projects`);
  await page.evaluate(async (backend) => (window.player = await stage.open(backend)), backend);
  for (const model of models) {
    const found = await page.evaluate(async (model) => {
      await player.load(model);
      const errors = [{ clip: "rest", error: await player.skinningError() }];
      for (const clip of player.clips.slice(0, 4)) {
        for (const part of [0.31, 0.77]) {
          player.play(clip.index);
          player.currentTime = clip.duration * part;
          errors.push({ clip: clip.name, error: await player.skinningError() });
        }
      }
      return errors;
    }, model);
    for (const { clip, error } of found) {
      assert.ok(error < TOLERANCE, `${model}, ${clip}: ${error} of its size apart`);
    }
  }
}
