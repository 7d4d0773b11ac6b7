/** `project` returns the pixel at which a point is drawn, to two pixels, from any side and through any lens. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", {
      clip: "Swing",
      css: "width: 320px; height: 200px",
    });
    player.pause();
    player.ground = false;
    const found = [];
    const views = [
      { yaw: 0, pitch: 0, distance: 6 },
      { yaw: 0.9, pitch: 0.4, distance: 8 },
      { yaw: -2.1, pitch: -0.3, distance: 7, roll: 0.6 },
      { yaw: 0.4, pitch: 0.3, distance: 7, roll: 0, projection: "orthographic" },
      { yaw: -0.4, pitch: 0.5, distance: 9, roll: -0.5, insets: { left: 40, bottom: 30 } },
      { yaw: 1, pitch: 0, distance: 9, roll: 0, projection: "perspective" },
    ];
    const away = [];
    for (const view of views) {
      Object.assign(player.camera, { ...view, target: [0.2, 0.9, -0.1] });
      // All drawn pixels are between the outermost projected corners.
      const corners = [0, 2].flatMap((y) =>
        [-0.3, 0.3].flatMap((x) => [-0.1, 0.1].map((z) => player.camera.project([x, y, z]))),
      );
      const image = await stage.look(player);
      found.push({ drawn: edges(image), said: ends(corners) });
      // The inverse: by depth, and along the line of sight.
      const point = [0.3, 1.2, -0.4];
      const seen = player.camera.project(point);
      const { origin, direction } = player.camera.unproject(seen[0], seen[1]);
      const ahead = direction.reduce((sum, part, axis) => sum + part * (point[axis] - origin[axis]), 0);
      const distance = (to) => Math.hypot(...point.map((part, axis) => part - to[axis]));
      away.push(
        distance(player.camera.unproject(...seen)),
        distance(origin.map((part, axis) => part + direction[axis] * ahead)),
      );
    }
    Object.assign(player.camera, { yaw: 0, pitch: 0, distance: 3, target: [0, 0, 0], insets: {} });
    const behind = player.camera.project([0, 0, 3.5]);
    const from = player.camera.eye;
    player.camera.eye = [3, 4, 0];
    const { eye, target, yaw, distance, fov } = player.camera;
    return { found, away, behind, from, eye, target, yaw, distance, fov };

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
  for (const distance of told.away) assert.ok(distance < 1e-3, `the way back misses by ${distance}`);
  assert.equal(told.behind, null);
  const near = (found, wanted) =>
    found.forEach((part, axis) => assert.ok(Math.abs(part - wanted[axis]) < 1e-4, `${found}, not ${wanted}`));
  near(told.from, [0, 0, 3]);
  near(told.eye, [3, 4, 0]);
  near([...told.target, told.yaw, told.distance], [0, 0, 0, Math.PI / 2, 5]);
}
