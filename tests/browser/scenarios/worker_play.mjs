/** A player in a worker has the same effects, return values, events and pictures as one on the page's own thread. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const tell = async (worker) => {
      const player = await stage.open(backend, { worker });
      const heard = stage.record(
        player,
        "loadstart",
        "load",
        "play",
        "pause",
        "seeking",
        "seeked",
        "clipchange",
        "loop",
        "finished",
        "error",
      );
      const steps = [];
      const step = async (did, action, set = []) => {
        action();
        // Values that the page has set are known at once.
        const atOnce = {
          playbackRate: player.playbackRate,
          clip: set.includes("clip") && player.clip.name,
          currentTime: set.includes("time") && player.currentTime,
        };
        await player.settled();
        steps.push({
          did,
          atOnce,
          state: player.state,
          ended: player.ended,
          clip: player.clip?.name ?? null,
          currentTime: player.currentTime,
          duration: player.duration,
          heard: heard
            .splice(0)
            .map(({ name, detail }) =>
              [name, detail?.clip?.name, detail?.layer, detail?.passes, detail?.reason, detail?.currentTime].join(" "),
            )
            .sort(),
        });
      };
      await player.load("/fixtures/swing.glb");
      await step("load", () => {});
      await step("play", () => player.play("Swing"), ["clip"]);
      await step("advance", () => player.advance(0.5));
      await step("pause", () => player.pause());
      await step("advance while paused", () => player.advance(0.5));
      await step("go on", () => player.play());
      await step("seek", () => (player.currentTime = 0.75), ["time"]);
      await step("draw", () => player.render());
      await step("rate", () => (player.playbackRate = -1));
      await step("advance back", () => player.advance(0.25));
      await step("other", () => ((player.playbackRate = 1), player.play(1, { loop: "once" })), ["clip"]);
      await step("advance to the end", () => player.advance(5));
      await step("stop", () => player.stop());
      await step("twice round", () => player.play("Swing", { loop: 3 }), ["clip"]);
      await step("advance round", () => player.advance(player.duration * 1.5));
      player.currentTime = 0.4;
      player.frame();
      const picture = await stage.pixelsOfPng(await player.screenshot({ width: 160, height: 120 }));
      const unknown = await stage.failure(() => player.play("Dance"));
      const notFinite = (await stage.failure(() => (player.currentTime = NaN))).code;
      const facts = {
        backend: player.backend,
        clips: player.clips,
        nodes: player.nodes.map(({ name, parent, hasMesh, restMatrix }) => [name, parent, hasMesh, [...restMatrix]]),
        skins: player.skins,
        readyState: player.readyState,
        name: player.name,
        warnings: player.warnings,
        joints: player.stats.joints,
      };
      return { steps, picture, unknown, notFinite, facts };
    };
    const here = await tell(false);
    const there = await tell(true);
    const { differing, greatest } = stage.compare(here.picture, there.picture, 0);
    const { part } = stage.coverage(there.picture);
    delete here.picture;
    delete there.picture;
    return { here, there, differing, greatest, part };
  }, backend);
  assert.deepEqual(told.there, told.here);
  assert.equal(told.there.facts.backend, backend);
  assert.equal(told.there.unknown.code, "UNKNOWN_CLIP");
  assert.equal(told.differing, 0, `pictures differ by up to ${told.greatest}`);
  assert.ok(told.part > 0.02, "the character is seen");
}
