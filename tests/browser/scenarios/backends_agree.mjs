/** Every scene renders the same with WebGPU and with WebGL2, within its tolerance. */

import assert from "node:assert/strict";

export const backends = ["both"];

export default async function ({ page }) {
  const scenes = await page.evaluate(async () => {
    const { SCENES } = await import("/scenes.js");
    const found = [];
    for (const [name, scene] of Object.entries(SCENES)) {
      const pictures = [];
      for (const backend of ["webgpu", "webgl2"]) {
        const player = await scene.show(stage, backend);
        pictures.push({ used: player.backend, picture: await stage.look(player) });
        stage.close();
      }
      const { differing, greatest } = stage.compare(pictures[0].picture, pictures[1].picture, scene.tolerance);
      found.push({ name, used: pictures.map(({ used }) => used), differing, greatest, allowed: scene.outliers });
    }
    return found;
  });
  assert.ok(scenes.length >= 4);
  for (const { name, used, differing, greatest, allowed } of scenes) {
    assert.deepEqual(used, ["webgpu", "webgl2"]);
    assert.ok(differing <= allowed, `${name}: ${(differing * 100).toFixed(2)} % differ, by up to ${greatest}`);
  }
}
