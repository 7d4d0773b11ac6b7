/** `<gambol-actor>` elements show further models in their player, where their attributes place them. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default async function ({ page, backend, out }) {
  const told = await page.evaluate(async (backend) => {
    const told = {};
    const owner = document.createElement("gambol-player");
    owner.style.cssText = "display: block; width: 320px; height: 240px";
    Object.assign(owner, { backend, src: "/gambol/viewer/character.glb", clip: "Idle" });
    const held = document.createElement("gambol-actor");
    held.id = "held";
    // Set before the class of the element is there.
    held.src = "/fixtures/swing.glb";
    held.setAttribute("attach-to", "RightHand");
    held.setAttribute("position", "0 0.1 0");
    held.setAttribute("scale", "0.2");
    held.setAttribute("clip", "Swing");
    const shown = untilEvent(held, "load");
    owner.append(held);
    document.body.append(owner);
    await shown;
    const { player } = owner;
    player.autoUpdate = false;
    const matrix = (performer, name) => performer.node(name).worldMatrix;
    const at = (numbers) => Array.from(numbers.slice(12, 15));
    const distance = (a, b) => Math.hypot(...a.map((number, index) => number - b[index]));
    const root = held.actor.nodes[0].name;
    const hand = matrix(player, "RightHand");
    told.held = distance(
      at(matrix(held.actor, root)),
      at(hand).map((number, index) => number + 0.1 * hand[4 + index]),
    );
    told.pose = [held.actor.clip.name, held.actor.paused, held.actor instanceof EventTarget];

    // It plays and pauses with the player.
    held.autoplay = true;
    await owner.play();
    await null;
    await null;
    told.plays = held.actor.state;
    owner.pause();
    player.advance(0);
    await null;
    told.pauses = held.actor.state;

    // Events are those of the actor.
    const heard = stage.record(held, "clipsadd", "marker");
    await held.actor.addClips("/fixtures/stroll.glb");
    told.heard = heard.map(({ name, detail }) => [name, detail.clips.length]);

    // Another model of the player has other nodes: it is attached again.
    const errors = [];
    held.addEventListener("error", (event) => {
      event.preventDefault();
      errors.push(event.detail.code);
    });
    owner.src = "/fixtures/stroll.glb";
    await untilEvent(owner, "load");
    told.lost = errors.slice();
    held.setAttribute("attach-to", player.nodes[1].name);
    await null;
    told.again = distance(
      at(matrix(held.actor, root)),
      [0, 1, 2].map((index) => {
        const numbers = matrix(player, player.nodes[1].name);
        return numbers[12 + index] + 0.1 * numbers[4 + index];
      }),
    );

    // One that follows another element waits for it.
    const onTop = document.createElement("gambol-actor");
    Object.assign(onTop, { src: "/fixtures/swing.glb", of: "base", attachTo: root });
    const base = document.createElement("gambol-actor");
    Object.assign(base, {
      id: "base",
      src: "/fixtures/swing.glb",
      position: "2 0 0",
      rotation: "0 90 0",
      scale: "1 2 1",
    });
    const both = Promise.all([untilEvent(base, "load"), untilEvent(onTop, "load")]);
    owner.append(onTop, base);
    await both;
    told.placed = [...matrix(base.actor, root)].map((number) => Math.round(number * 1000) / 1000);
    told.onTop = distance(at(matrix(onTop.actor, root)), at(matrix(base.actor, root)));
    player.frame();
    player.render();
    told.png = await stage.base64(await player.screenshot({ width: 640, height: 480 }));

    // Hidden, moved within the page, and removed.
    base.hidden = true;
    await null;
    told.hidden = base.actor.visible;
    const { actor } = base;
    owner.prepend(base);
    await null;
    told.kept = base.actor === actor;
    base.remove();
    await null;
    await null;
    told.removed = [base.actor, actor.alive, player.actors.length];
    held.src = "";
    await null;
    await null;
    told.emptied = [held.actor, player.actors.length];
    held.src = "/fixtures/truncated.glb";
    await untilEvent(held, "error");
    told.errors = errors;
    owner.remove();
    return told;
  }, backend);
  writeFileSync(join(out, `actor_element_${backend}.png`), Buffer.from(told.png, "base64"));
  assert.ok(told.held < 1e-4, `it is held ${told.held} from the hand`);
  assert.deepEqual(told.pose, ["Swing", true, true]);
  assert.deepEqual([told.plays, told.pauses], ["playing", "paused"]);
  assert.deepEqual(told.heard, [["clipsadd", 3]]);
  assert.deepEqual(told.lost, ["UNKNOWN_NODE"]);
  assert.ok(told.again < 1e-4, `it is held ${told.again} from the other node`);
  assert.deepEqual(told.placed, [0, 0, -1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1]);
  assert.ok(told.onTop < 1e-4, `it is ${told.onTop} from the one below`);
  assert.equal(told.hidden, false);
  assert.equal(told.kept, true);
  assert.deepEqual(told.removed, [null, false, 2]);
  assert.deepEqual(told.emptied, [null, 1]);
  assert.deepEqual(told.errors.slice(0, 1), ["UNKNOWN_NODE"]);
  assert.equal(told.errors.length, 2);
}
