/** The element plays by itself, can be moved without a reload, and releases everything when it is removed. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    const heard = stage.record(element, "load", "play", "error");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", clip: "Raise", autoplay: true, controls: true });
    const playing = stage.once(element, "play");
    document.body.append(element);
    await playing;
    const player = element.player;
    const first = {
      backend: player.backend,
      clip: player.clip.name,
      paused: element.paused,
      duration: element.duration,
    };
    const moving = stage.once(element, "timeupdate");
    await moving;

    const box = document.createElement("div");
    document.body.append(box);
    element.remove();
    box.append(element);
    document.body.append(element);
    await stage.once(element, "timeupdate");
    const moved = { samePlayer: element.player === player, loads: heard.filter(({ name }) => name === "load").length };

    element.pause();
    const paused = element.paused;
    element.clip = "Swing";
    await stage.once(element, "play");
    const switched = element.player.clip.name;
    window.element = element;
    window.firstPlayer = player;
    element.remove();
    return { first, moved, paused, switched, errors: heard.filter(({ name }) => name === "error").length };
  }, backend);

  assert.deepEqual(told.first, { backend, clip: "Raise", paused: false, duration: 1 });
  assert.deepEqual(told.moved, { samePlayer: true, loads: 1 });
  assert.equal(told.paused, true);
  assert.equal(told.switched, "Swing");
  assert.equal(told.errors, 0);

  await page.waitForFunction(() => element.player === null);
  const after = await page.evaluate(async () => {
    const disposed = await stage.failure(() => firstPlayer.advance(0.1));
    const loaded = stage.once(element, "load");
    document.body.append(element);
    await loaded;
    const fresh = element.player !== firstPlayer && element.player.clips.length;
    element.remove();
    return { disposed: disposed.code, fresh };
  });
  assert.deepEqual(after, { disposed: "PLAYER_DISPOSED", fresh: 2 });
}
