/** Where the camera says a point is seen, there it is drawn: to two pixels, from any side. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", css: "width: 320px; height: 200px" });
    player.pause();
    player.ground = false;
    const found = [];
    for (const [yaw, pitch, distance] of [[0, 0, 6], [0.9, 0.4, 8], [-2.1, -0.3, 7]]) {
      Object.assign(player.camera, { yaw, pitch, distance, target: [0.2, 0.9, -0.1] });
      // All that is drawn lies between the farthest of the corners.
      const corners = [0, 2].flatMap((y) => [-0.3, 0.3].flatMap((x) => [-0.1, 0.1].map((z) => player.camera.project([x, y, z]))));
      const image = await stage.look(player);
      found.push({ drawn: edges(image), said: ends(corners) });
    }
    Object.assign(player.camera, { yaw: 0, pitch: 0, distance: 3, target: [0, 0, 0] });
    return { found, behind: player.camera.project([0, 0, 3.5]) };

    function edges({ data, width, height }) {
      const points = [];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * 4;
          if ([0, 1, 2, 3].some((lane) => Math.abs(data[at + lane] - data[lane]) > 12)) points.push([x + 0.5, y + 0.5]);
        }
      }
      return ends(points);
    }
    function ends(points) {
      const [xs, ys] = [0, 1].map((lane) => points.map((point) => point[lane]));
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    }
  }, backend);
  for (const { drawn, said } of told.found) {
    drawn.forEach((edge, side) => assert.ok(Math.abs(edge - said[side]) < 2, `drawn ${drawn}, said ${said}`));
  }
  assert.equal(told.behind, null);
}
