/** The camera's initial framing from the author's settings, the return to it, and automatic rotation. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    const { camera } = player;
    const where = () => ({ target: camera.target, yaw: camera.yaw, pitch: camera.pitch, distance: camera.distance });
    const found = where();
    camera.home = { yaw: found.yaw, pitch: found.pitch, distanceShare: 2 };
    player.frame();
    const twice = where();
    camera.home = { target: [null, 3, null], yaw: -1, pitch: 0.4, distance: 5 };
    player.frame();
    const wished = where();
    camera.orbit(1, 0.1);
    camera.zoom(2);
    player.advance(1);
    const moved = where();
    camera.reset();
    player.advance(1);
    const home = where();
    await player.load("/fixtures/swing.glb");
    const loaded = where();
    camera.home = {};
    player.frame();
    const again = where();

    const before = await stage.look(player);
    player.autoRotate = Math.PI / 2;
    player.advance(1);
    const turned = camera.yaw;
    const after = await stage.look(player);
    player.autoRotate = 0;
    player.advance(1);
    return {
      found,
      twice,
      wished,
      moved,
      home,
      loaded,
      again,
      turned,
      stood: camera.yaw,
      differing: stage.compare(before, after).count,
    };
  }, backend);

  const { found, twice, wished, moved, home, loaded, again } = told;
  near(twice.distance, found.distance * 2);
  assert.deepEqual(twice.target, found.target);
  near(wished.target[1], 3);
  for (const [part, value] of Object.entries({ yaw: -1, pitch: 0.4, distance: 5 })) near(wished[part], value);
  near(moved.yaw, 0);
  near(moved.distance, 2.5);
  assert.deepEqual(home, wished);
  for (const part of ["yaw", "pitch", "distance"])
    assert.equal(loaded[part], wished[part], `another model keeps the ${part}`);
  near(again.yaw, found.yaw);
  near(told.turned, again.yaw + Math.PI / 2);
  assert.equal(told.stood, told.turned);
  assert.ok(told.differing > 100, `seen from elsewhere: ${told.differing} pixels`);
}

function near(number, expected) {
  assert.ok(Math.abs(number - expected) < 1e-3, `${number}, not ${expected}`);
}
