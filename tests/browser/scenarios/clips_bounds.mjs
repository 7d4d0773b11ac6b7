/** Framing covers the whole clip: no pose touches the edge of the picture. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const edges = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Raise" });
    player.ground = false;
    player.frame();
    const found = [];
    for (const time of [0, 0.25, 0.5, 0.75, 1]) {
      player.currentTime = time;
      const picture = await stage.look(player);
      const { width, height, data } = picture;
      let touching = 0;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          if (x > 0 && x < width - 1 && y > 0 && y < height - 1) continue;
          const at = (y * width + x) * 4;
          if ([0, 1, 2].some((lane) => Math.abs(data[at + lane] - data[lane]) > 40)) touching++;
        }
      }
      found.push({ touching, seen: stage.coverage(picture).part > 0.03 });
    }
    return found;
  }, backend);
  assert.deepEqual(edges, Array(5).fill({ touching: 0, seen: true }));
}
