/** Rotations follow the arc, or the chord if the page selects it; at the keys and halfway both agree. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const apart = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const matricesAt = async (rotations) => {
      await player.load("/fixtures/swing.glb", { rotations });
      player.play("Swing");
      return [0, 0.25, 0.5, 1].map((time) => {
        player.currentTime = time;
        return player.worldMatrices();
      });
    };
    const arc = await matricesAt("slerp");
    const chord = await matricesAt("nlerp");
    return arc.map((matrices, at) => Math.max(...matrices.map((number, index) => Math.abs(number - chord[at][index]))));
  }, backend);
  const [start, quarter, half, end] = apart;
  for (const [name, error] of Object.entries({ start, half, end })) assert.ok(error < 1e-6, `${name}: ${error}`);
  assert.ok(quarter > 1e-4, `a quarter of the way they differ: ${quarter}`);
}
