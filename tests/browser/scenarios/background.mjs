/** What lies behind the model, and how bright the picture is. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const corner = async () => [...(await stage.look(player)).data.slice(0, 4)];
    const defaults = { background: player.background, exposure: player.exposure };
    player.background = [1, 0.5, 0, 1];
    const orange = await corner();
    const held = player.background;
    player.background = null;
    const clear = await corner();
    const sum = async () => (await stage.look(player)).data.reduce((total, value, at) => (at % 4 < 3 ? total + value : total), 0);
    const light = await sum();
    player.exposure = 0.25;
    const dim = await sum();
    player.exposure = 0;
    return { defaults, orange, held, none: player.background, clear, light, dim, dark: await sum() };
  }, backend);
  assert.equal(told.defaults.exposure, 1);
  told.orange.forEach((value, lane) => assert.ok(Math.abs(value - [255, 128, 0, 255][lane]) <= 1, `orange is ${told.orange}`));
  assert.deepEqual(told.held, [1, 0.5, 0, 1]);
  assert.equal(told.none, null);
  assert.deepEqual(told.clear, [0, 0, 0, 0]);
  assert.ok(told.dim < told.light * 0.8 && told.dim > 0, `${told.dim} of ${told.light}`);
  assert.equal(told.dark, 0);
}
