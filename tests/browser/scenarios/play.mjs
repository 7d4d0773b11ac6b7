/** `play`, `pause` and `stop`: their effect, the reported state and the events. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const heard = stage.record(player, "play", "pause", "loop", "finished");
    await player.load("/fixtures/swing.glb");
    const steps = [];
    const note = (did) =>
      steps.push({
        did,
        state: player.state,
        paused: player.paused,
        clip: player.clip?.name,
        time: player.currentTime,
        heard: heard.splice(0).map(({ name, detail }) => `${name} ${detail.clip.name}`),
      });
    const say = async (did, action) => {
      action();
      await null;
      await null;
      note(did);
    };
    await say("load", () => {});
    await say("play", () => player.play("Swing"));
    await say("advance", () => player.advance(0.5));
    await say("pause", () => player.pause());
    await say("advance while paused", () => player.advance(0.5));
    await say("go on", () => player.play());
    await say("rate", () => ((player.playbackRate = -1), player.advance(0.25)));
    await say("other", () => ((player.playbackRate = 1), player.play(1)));
    await say("stop", () => player.stop());
    const unknown = await stage.failure(() => player.play("Dance"));

    // A picture has an event only for those who listen.
    player.play("Swing");
    const dispatched = [];
    player.dispatchEvent = (event) => {
      dispatched.push(event.type);
      return EventTarget.prototype.dispatchEvent.call(player, event);
    };
    const events = () => {
      dispatched.length = 0;
      player.advance(0.1);
      player.render();
      return dispatched.filter((type) => type === "timeupdate").length;
    };
    const unheard = events();
    const updates = stage.record(player, "timeupdate");
    const dispatches = { unheard, heard: events(), listened: updates.length };
    return { steps, unknown, dispatches };
  }, backend);

  const step = (did, state, clip, time, ...heard) => ({ did, state, paused: state !== "playing", clip, time, heard });
  assert.deepEqual(
    told.steps.map(({ clip, ...rest }) => ({ ...rest, clip })).map(sorted),
    [
      step("load", "stopped", undefined, 0),
      step("play", "playing", "Swing", 0, "play Swing"),
      step("advance", "playing", "Swing", 0.5),
      step("pause", "paused", "Swing", 0.5, "pause Swing"),
      step("advance while paused", "paused", "Swing", 0.5),
      step("go on", "playing", "Swing", 0.5, "play Swing"),
      step("rate", "playing", "Swing", 0.25),
      step("other", "playing", "Raise", 0, "finished Swing", "play Raise"),
      step("stop", "stopped", undefined, 0, "finished Raise"),
    ].map(sorted),
  );
  assert.equal(told.unknown.code, "UNKNOWN_CLIP");
  assert.match(told.unknown.message, /Swing, Raise/);
  assert.deepEqual(told.dispatches, { unheard: 0, heard: 1, listened: 1 });
}

function sorted(step) {
  return { ...step, clip: step.clip, heard: [...step.heard].sort() };
}
