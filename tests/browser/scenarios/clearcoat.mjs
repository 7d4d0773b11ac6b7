/** Clear coats look as the reference formula says, with factors, textures, transforms and both UV sets. */

import assert from "node:assert/strict";

import { boardFile, boardPoints, referenceOf } from "../coated_board.mjs";
import { gradientFile } from "../reference_light.mjs";

/**
 * Tolerance, in steps of 255: half a step of rounding to 8 bits, and what maps and tables with few texels leave of the
 * integrals.
 */
const TOLERANCE = 3;

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async (backend, text, points, light) => {
      const file = new File([text], "board.gltf");
      const player = await stage.openModel(backend, file, { css: "width:400px;height:240px" });
      player.ground = false;
      await player.setEnvironment(new Blob([Uint8Array.from(light)]));
      player.camera.target = [0, 0, 0];
      player.camera.eye = [0.6, 0.9, 4.5];
      const image = await stage.look(player);
      const seen = points.map(({ patch, point }) => {
        const [x, y] = player.camera.project(point).slice(0, 2).map(Math.floor);
        // The point on the board that the centre of the pixel shows.
        const [near, far] = [1, 10].map((depth) => player.camera.unproject(x + 0.5, y + 0.5, depth));
        const share = near[2] / (near[2] - far[2]);
        const shown = near.map((value, i) => value + (far[i] - value) * share);
        const at = 4 * (y * image.width + x);
        return { patch, point: shown, pixel: [...image.data.slice(at, at + 4)] };
      });
      return { seen, eye: player.camera.eye, size: [image.width, image.height], warnings: player.warnings };
    },
    backend,
    boardFile(),
    boardPoints(),
    [...gradientFile()],
  );

  assert.deepEqual(told.warnings, []);
  assert.deepEqual(told.size, [400, 240]);
  const [compared, changed] = [new Map(), new Map()];
  for (const { patch, point, pixel } of told.seen) {
    const expected = referenceOf(patch, point, told.eye);
    if (!expected) continue;
    const { bare, coated } = expected;
    const far = coated.map((value, i) => Math.abs(value - pixel[i]));
    const about = `patch ${patch} at ${point}: ${pixel}, not ${coated.map(Math.round)}`;
    assert.ok(Math.max(...far) <= TOLERANCE && pixel[3] === 255, about);
    compared.set(patch, (compared.get(patch) ?? 0) + 1);
    const change = Math.max(...coated.map((value, i) => Math.abs(value - bare[i])));
    changed.set(patch, Math.max(changed.get(patch) ?? 0, change));
  }
  assert.equal(compared.size, 8);
  for (const [patch, count] of compared) assert.ok(count >= 12, `only ${count} points of patch ${patch}`);
  // Without its coat, each patch but the first would be refused.
  for (const [patch, change] of changed)
    assert.ok(patch === 0 ? change === 0 : change > 2 * TOLERANCE, `patch ${patch} changes by ${change}`);
}
