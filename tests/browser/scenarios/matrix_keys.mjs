/**
 * S50 to S53: keys that are matrices, through the WebAssembly file `formats` into the player. Matrices with shear
 * are interpolated element by element, others as rotations, and an option selects either. S75: an option sets the
 * ticks per second.
 */

import assert from "node:assert/strict";

import { LEAN, TURN } from "../old_formats.mjs";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async ({ backend }) => {
      const player = await stage.open(backend);
      const play = async (matrixKeys) => {
        await player.load("/fixtures/formats/lean.x", { matrixKeys });
        const { index } = player.node("Upper");
        const poses = {};
        for (const clip of ["Lean", "Turn"]) {
          player.play(clip, { loop: "once" });
          poses[clip] = [0, 0.25, 0.5, 0.99, 1].map((time) => {
            player.currentTime = time;
            return [time, [...player.worldMatrices().slice(index * 16, index * 16 + 16)]];
          });
        }
        return { poses, warnings: player.warnings };
      };
      const { ticksPerSecond, ...rest } = {
        byDefault: await play(undefined),
        elements: await play("elements"),
        step: await play("step"),
        byClip: await play({ Turn: "step" }),
        word: await stage.failure(() => play("shear")),
        none: await stage.failure(() => player.load("/fixtures/formats/ticks.x", { ticksPerSecond: 0 })),
      };
      await player.load("/fixtures/formats/ticks.x");
      const durations = [player.clips[0].duration];
      await player.load("/fixtures/formats/ticks.x", { ticksPerSecond: 50 });
      durations.push(player.clips[0].duration);
      return { ...rest, durations };
    },
    { backend },
  );

  const straight =
    ([[, first], [, last]]) =>
    (time) =>
      first.map((number, at) => number + (last[at] - number) * time);
  const held =
    ([[, first], [, last]]) =>
    (time) =>
      time < 1 ? first : last;
  const turned = (time) => {
    const [c, s] = [Math.cos((time * Math.PI) / 2), Math.sin((time * Math.PI) / 2)];
    return [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1];
  };
  const [lean, turn] = [LEAN.Upper, TURN.Upper];
  for (const [how, expected] of Object.entries({
    byDefault: { Lean: straight(lean), Turn: turned },
    elements: { Lean: straight(lean), Turn: straight(turn) },
    step: { Lean: held(lean), Turn: held(turn) },
    byClip: { Lean: straight(lean), Turn: held(turn) },
  })) {
    for (const [clip, pose] of Object.entries(expected)) {
      for (const [time, matrix] of told[how].poses[clip]) {
        const apart = Math.max(...matrix.map((number, at) => Math.abs(number - pose(time)[at])));
        // Arcs are approximated by a polynomial, everything else is exact.
        const tolerance = pose === turned ? 1e-4 : 1e-5;
        assert.ok(apart < tolerance, `${how}, ${clip} at ${time}: ${apart} from what the keys say`);
      }
    }
  }
  assert.deepEqual(
    told.byDefault.warnings.map(({ code }) => code),
    ["MATRIX_KEYS_SHEAR"],
  );
  assert.match(
    told.byDefault.warnings[0].place,
    /^line \d+ column \d+$/,
    "a place in the .x, not in what was made of it",
  );
  assert.equal(told.word.code, "OUT_OF_RANGE");
  assert.equal(told.none.code, "OUT_OF_RANGE");
  assert.deepEqual(
    told.durations.map((secs) => Math.fround(secs)),
    [200 / 4800, 4].map(Math.fround),
  );
}
