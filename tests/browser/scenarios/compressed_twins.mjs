/**
 * Compressed and quantised copies of models of other projects look like the models. Their poses are compared natively,
 * in `tests/animation/golden_poses.rs`.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { saw, skipped } from "../../real_models.mjs";

export const longestSecs = 240;

const MODELS = {
  Fox: "khronos/Fox/glTF-Binary/Fox.glb",
  CesiumMan: "khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
  RobotExpressive: "robot-expressive/RobotExpressive.glb",
  AnimatedMorphCube: "khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
  Knight: "kaykit/Knight.glb",
};

const KINDS = [
  "ktx2-etc1s",
  "ktx2-uastc",
  "ktx2-uastc-zstd",
  "webp",
  "avif",
  "meshopt-c",
  "meshopt-cc",
  "meshopt-khr",
  "gt-meshopt",
  "gt-quantize",
  "quantized",
  "draco",
];

export default async function ({ page, backend, shared }) {
  if (!shared) return skipped("compressed_twins");
  let seen = 0;
  for (const [name, path] of Object.entries(MODELS)) {
    const twins = KINDS.map((kind) => `gltf/derived/${name}.${kind}.glb`).filter((twin) =>
      existsSync(join(shared, twin)),
    );
    const compared = await page.evaluate(compare, { backend, plain: `/shared/gltf/${path}`, twins });
    for (const { twin, warnings, differing, drawn } of compared) {
      const told = JSON.stringify({ twin, warnings, differing, drawn });
      assert.deepEqual(warnings, [], told);
      assert.ok(drawn > 500, told);
      // Edges move by a fraction of a pixel: compression moved joints by up to a thousandth of the size.
      assert.ok(differing < 0.05 * drawn, told);
      seen++;
    }
  }
  saw("compressed_twins", seen);
}

// ── in the page ──

async function compare({ backend, plain, twins }) {
  const player = await stage.open(backend);
  player.ground = false;
  const see = async (source, view) => {
    await player.load(source);
    player.play(0);
    player.currentTime = player.duration * 0.37;
    player.frame();
    // Bounds differ by the step of the quantisation.
    if (view) Object.assign(player.camera, view);
    const shot = await stage.pixelsOfPng(await player.screenshot({ width: 320, height: 240, transparent: true }));
    const warnings = player.warnings.map(({ code, message }) => `${code} ${message}`);
    return { shot, warnings };
  };
  const expected = await see(plain);
  const view = { eye: [...player.camera.eye], target: [...player.camera.target] };
  const told = [];
  for (const twin of twins) {
    const { shot, warnings } = await see(`/shared/${twin}`, view);
    let [drawn, differing] = [0, 0];
    for (let at = 0; at < shot.data.length; at += 4) {
      if (expected.shot.data[at + 3] > 0 || shot.data[at + 3] > 0) drawn++;
      let difference = 0;
      for (let lane = 0; lane < 4; lane++) {
        difference = Math.max(difference, Math.abs(shot.data[at + lane] - expected.shot.data[at + lane]));
      }
      if (difference > 40) differing++;
    }
    // Tools repeat names.
    const grave = warnings.filter((text) => !/^NODE_NAME_REPEATED/.test(text) && !expected.warnings.includes(text));
    told.push({ twin, warnings: grave, drawn, differing });
  }
  player.dispose();
  return told;
}
