/** Moving the element within the page reloads nothing and keeps its state; changes made meanwhile apply afterwards. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    const heard = stage.record(element, "loadstart", "load", "error", "clipchange", "play", "pause", "contextlost");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", clip: "Raise", controls: true });
    // Also in a shadow tree, where the page's style sheet doesn't apply.
    Object.assign(element.style, { width: "240px", height: "240px" });
    document.body.append(element);
    await stage.once(element, "pause");
    const { player } = element;
    const canvas = element.shadowRoot.querySelector("canvas");
    player.camera.yaw = 1.25;
    element.currentTime = 0.5;
    player.node("Upper").rotate([0, 0, Math.SQRT1_2, Math.SQRT1_2]);
    await new Promise(requestAnimationFrame);
    const state = () => ({
      clip: player.clip.name,
      time: element.currentTime,
      paused: element.paused,
      yaw: player.camera.yaw,
      pose: [...player.worldMatrices()],
    });
    const look = () => stage.look(player);
    const before = state();
    const pictureBefore = await look();
    heard.length = 0;

    const boxes = [0, 1, 2].map(() => document.createElement("section"));
    document.body.append(...boxes);
    const shadow = boxes[2].attachShadow({ mode: "open" });
    const told = { moves: [] };
    const moves = {
      "in the same task": () => boxes[0].append(element),
      "out and in": () => (element.remove(), boxes[1].append(element)),
      "there and back": () => (boxes[0].append(element), boxes[1].append(element)),
      "into a shadow": () => shadow.append(element),
      "with its parent": () => boxes[0].append(boxes[2]),
      "a task later": async () => {
        element.remove();
        await new Promise((resolve) => setTimeout(resolve));
        document.body.append(element);
      },
    };
    for (const [how, move] of Object.entries(moves)) {
      await move();
      await new Promise(requestAnimationFrame);
      // A removed canvas has no size. After insertion, the next frame measures it.
      let image;
      await until(async () => (image = await look()).width === pictureBefore.width);
      told.moves.push({
        how,
        same: element.player === player && player.alive && element.shadowRoot.querySelector("canvas") === canvas,
        state: JSON.stringify(state()) === JSON.stringify(before),
        differing: stage.compare(pictureBefore, image).count,
      });
    }
    // In another document it looks the same, although style sheets can't be shared.
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const looks = () => {
      const bar = element.shadowRoot.querySelector(".bar");
      const { getComputedStyle } = canvas.ownerDocument.defaultView;
      return [getComputedStyle(canvas).display, getComputedStyle(bar).alignItems];
    };
    const looksHere = looks();
    frame.contentDocument.body.append(element);
    told.elsewhere = [looksHere, looks(), element.player === player, element.ownerDocument === frame.contentDocument];
    document.body.append(element);
    told.backAgain = looks();
    frame.remove();

    // A removed element is disposed of after a while, unless it has been inserted again.
    const stranger = document.createElement("gambol-player");
    Object.assign(stranger, { backend, src: "/fixtures/swing.glb" });
    document.body.append(stranger);
    await stage.once(stranger, "load");
    const { player: gone } = stranger;
    element.remove();
    stranger.remove();
    document.body.append(element);
    await until(() => !gone.alive);
    told.alive = element.player === player && player.alive;
    told.heard = heard.map(({ name }) => name);

    // It continues at the same time, and applies attributes that changed while it was removed.
    element.play();
    await stage.once(element, "timeupdate");
    element.remove();
    element.playbackRate = 0;
    element.skeleton = true;
    await new Promise((resolve) => setTimeout(resolve));
    const outside = [player.playbackRate, player.skeleton];
    boxes[1].append(element);
    told.changed = [outside, [player.playbackRate, player.skeleton], element.paused, element.player === player];
    element.remove();
    for (const box of boxes) box.remove();
    return told;
  }, backend);
  for (const { how, ...move } of told.moves) assert.deepEqual(move, { same: true, state: true, differing: 0 }, how);
  assert.equal(told.moves.length, 6);
  const [here, there, ...kept] = told.elsewhere;
  assert.deepEqual(here, ["block", "center"], "the sheets say something else");
  assert.deepEqual([there, told.backAgain, kept], [here, here, [true, true]]);
  assert.equal(told.alive, true);
  assert.deepEqual(told.heard, []);
  assert.deepEqual(told.changed, [[1, false], [0, true], false, true]);
}
