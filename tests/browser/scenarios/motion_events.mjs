/** Events come in order and exactly once: across loops, backwards, in large and small steps, and never on a seek. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/swing.glb");
    player.setMarkers("Raise", [
      { name: "late", time: 0.75 },
      { name: "early", time: 0.25 },
    ]);
    const heard = stage.record(player, "play", "pause", "loop", "finished", "marker", "statechange");
    const tell = () =>
      heard
        .splice(0)
        .map(({ name, detail }) =>
          [name, detail.layer, detail.name ?? detail.passes ?? detail.reason ?? detail.state]
            .filter((part) => part !== undefined)
            .join(" "),
        );
    const results = { markers: player.markers("Raise") };
    const told = async (name, action) => {
      action();
      await null;
      await null;
      results[name] = tell();
    };

    await told("bigStep", () => (player.play("Raise", { loop: 3 }), player.advance(10)));
    await told("smallSteps", () => {
      player.play("Raise", { loop: 3 });
      for (let step = 0; step < 64; step++) player.advance(1 / 16);
    });
    await told("backwards", () => (player.play("Raise", { speed: -1, loop: 2 }), player.advance(2.5)));
    await told("pingpong", () => (player.play("Raise", { loop: "pingpong" }), player.advance(2)));
    await told("onTheMarker", () => {
      player.play("Raise");
      player.advance(0.25);
      player.advance(0.25);
    });
    await told("seeking", () => {
      player.currentTime = 0.9;
      player.currentTime = 0.1;
    });
    await told("afterSeeking", () => player.advance(0.2));
    await told("inALayer", () => {
      player.stop();
      tell();
      player.play("Swing");
      player.layer("upper").play("Raise", { loop: "once" });
      player.advance(1.5);
    });
    await told("pausing", () => (player.pause(), player.pause(), player.advance(1), player.play()));

    // An event that a listener causes is dispatched after the current one.
    const order = [];
    for (const name of ["loop", "finished", "play"])
      player.addEventListener(name, ({ detail }) => order.push(`${name} ${detail.clip.name}`));
    player.addEventListener("loop", () => player.play("Swing"), { once: true });
    player.play("Raise");
    await null;
    order.length = 0;
    player.advance(1.25);
    await null;
    await null;
    results.order = order;
    return results;
  }, backend);

  const pass = ["marker base early", "marker base late"];
  const thrice = ["play base", ...pass, "loop base 1", ...pass, "loop base 2", ...pass, "finished base ended"];
  assert.deepEqual(told.markers, [
    { name: "early", time: 0.25 },
    { name: "late", time: 0.75 },
  ]);
  assert.deepEqual(told.bigStep, thrice);
  assert.deepEqual(told.smallSteps, thrice);
  const back = [...pass].reverse();
  assert.deepEqual(told.backwards, ["play base", ...back, "loop base 1", ...back, "finished base ended"]);
  assert.deepEqual(told.pingpong.slice(0, 6), ["play base", ...pass, "loop base 1", ...back]);
  assert.deepEqual(told.onTheMarker, ["finished base replaced", "play base", "marker base early"]);
  assert.deepEqual(told.seeking, []);
  assert.deepEqual(told.afterSeeking, ["marker base early"]);
  assert.deepEqual(told.inALayer, [
    "finished base stopped",
    "play base",
    "play upper",
    "marker upper early",
    "marker upper late",
    "finished upper ended",
  ]);
  assert.deepEqual(told.pausing, ["pause base", "play base"]);
  assert.deepEqual(told.order, ["loop Raise", "finished Raise", "play Swing"]);
}
