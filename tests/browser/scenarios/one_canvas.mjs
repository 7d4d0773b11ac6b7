/** A canvas has one player: the one that was asked for last. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  await page.evaluate(() => import("/gpu_watch.js"));
  for (const [name, told] of Object.entries(await page.evaluate(replacePlayers, backend))) {
    assert.deepEqual(told.alive, told.expected, name);
    assert.ok(told.picture === told.alone, `${name}: as if it had been alone`);
    assert.deepEqual(told.errors, [], name);
  }
}

/** In the page. */
async function replacePlayers(backend) {
  const newCanvas = () => document.body.appendChild(document.createElement("canvas"));
  const create = (canvas) => stage.Player.create(canvas, { backend });
  const show = async (player, source = "/fixtures/swing.glb") => {
    player.autoUpdate = false;
    await player.load(source);
    player.play("Swing");
    player.currentTime = 0.4;
    player.frame();
    return stage.png(await stage.look(player));
  };
  const tell = async (players, last, expected) => {
    const picture = await show(last);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const again = await show(last);
    const alive = players.map(({ alive }) => alive);
    for (const player of players) player.dispose();
    last.canvas.remove();
    const alone = await create(newCanvas());
    const told = { expected, alive, picture, alone: await show(alone), errors: gpuErrors.splice(0).map(String) };
    alone.dispose();
    alone.canvas.remove();
    if (again !== picture) told.errors.push("it looks otherwise later");
    return told;
  };
  const told = {};

  let canvas = newCanvas();
  const first = await create(canvas);
  await show(first, "/fixtures/stroll.glb");
  first.autoUpdate = true;
  first.play(0);
  const second = await create(canvas);
  told["one after the other"] = await tell([first, second], second, [false, true]);

  canvas = newCanvas();
  const both = await Promise.all([create(canvas), create(canvas)]);
  told["at once"] = await tell(both, both[1], [false, true]);

  // Others are not touched.
  const [left, right] = await Promise.all([create(newCanvas()), create(newCanvas())]);
  told["on two canvases"] = await tell([left, right], right, [true, true]);
  left.canvas.remove();
  return told;
}
