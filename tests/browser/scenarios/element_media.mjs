/**
 * The behaviour of a media element: early property values are kept, `play()` returns a promise, and events are
 * dispatched.
 */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const fresh = (properties = {}) => {
      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, ...properties });
      return element;
    };
    const outcome = (promise) =>
      promise.then(
        (run) => run.clip.name,
        (error) => error.name + (error.code?.length ? ` ${error.code}` : ""),
      );
    const told = {};

    // Before a model is loaded.
    const element = fresh({ src: "/fixtures/swing.glb" });
    told.nothing = [
      element.paused,
      element.ended,
      element.currentTime,
      element.duration,
      element.readyState,
      element.clips,
      element.player,
    ];
    element.currentTime = 0.5;
    element.playbackRate = 0.25;
    told.early = [element.currentTime, await stage.failure(() => (element.currentTime = NaN))];
    const names = [
      "loadstart",
      "progress",
      "load",
      "play",
      "pause",
      "seeking",
      "seeked",
      "clipchange",
      "timeupdate",
      "loop",
      "finished",
      "marker",
    ];
    const heard = [];
    for (const name of [...names, "error"]) {
      element.addEventListener(name, (event) =>
        heard.push({
          name,
          bubbles: event.bubbles,
          cancelable: event.cancelable,
          composed: event.composed,
          trusted: event.target === element,
        }),
      );
    }
    const outer = [];
    for (const name of names) document.body.addEventListener(name, () => outer.push(name));
    document.body.append(element);
    const playing = outcome(element.play());
    element.loop = 2;
    told.played = await playing;
    element.player.autoUpdate = false;
    told.state = [
      element.paused,
      element.readyState,
      element.clips.map(({ name }) => name),
      element.duration,
      element.playbackRate,
    ];
    told.time = element.currentTime;
    element.player.setMarkers("Swing", [{ name: "half", time: 1 }]);
    element.pause();
    await null;
    told.pausedAt = element.paused;
    told.resumed = outcome(element.play());
    told.atOnce = element.paused;
    told.resumed = await told.resumed;
    element.player.advance(20);
    told.ended = [element.ended, element.paused];
    element.player.render();
    told.heard = heard.map(({ name }) => name);
    told.flags = heard.filter(
      ({ bubbles, cancelable, composed, trusted }) => bubbles || cancelable || composed || !trusted,
    ).length;
    told.outer = outer;
    element.stop();
    told.stopped = element.player.clip;

    // The start time and the current time.
    const seeking = [];
    element.addEventListener("seeking", ({ detail }) => seeking.push(detail.currentTime));
    element.currentTime = 0;
    await element.play("Raise");
    element.currentTime = 0.75;
    element.setAttribute("current-time", "0.25");
    await untilSoon(() => seeking.length >= 3);
    told.sought = [element.currentTime, seeking.slice(1)];

    // The result of `play()` when another command follows.
    const src = () => `/fixtures/swing.glb?${Math.random()}`;
    const waiting = () => {
      element.src = src();
      return outcome(element.play());
    };
    let promise = waiting();
    element.pause();
    told.paused = await promise;
    promise = waiting();
    element.stop();
    told.stoppedEarly = await promise;
    promise = waiting();
    element.src = src();
    await null;
    told.replaced = await promise;
    await element.load();
    told.two = await Promise.all([outcome(element.play("Swing")), outcome(element.play("Raise"))]);
    told.unknown = await outcome(element.play("Fly"));
    element.src = "/fixtures/truncated.glb";
    told.oldOne = await outcome(element.play("Swing"));
    element.remove();

    told.noSource = await outcome(fresh().play());
    told.nothingToLoad = (await stage.failure(() => fresh().load())).code;
    const broken = fresh({ src: "/fixtures/truncated.glb" });
    const errors = [];
    broken.addEventListener("error", (event) => errors.push([event.bubbles, event.cancelable, event.detail.code]));
    document.body.append(broken);
    told.broken = await outcome(broken.play());
    told.errors = errors;
    broken.remove();

    // It loads outside the document, as media elements do.
    const outside = fresh({ src: "/fixtures/swing.glb" });
    told.outside = await outcome(outside.play("Raise"));
    outside.player.dispose();

    // A pause before the model has loaded prevents playback.
    const shy = fresh({ src: "/fixtures/swing.glb", autoplay: true });
    document.body.append(shy);
    shy.pause();
    await stage.once(shy, "load");
    await new Promise(requestAnimationFrame);
    told.shy = [shy.paused, shy.player.clip?.name];
    const second = stage.once(shy, "timeupdate");
    void shy.load();
    await second;
    told.reloaded = shy.paused;
    shy.remove();
    return told;
  }, backend);

  assert.deepEqual(told.nothing, [true, false, 0, 0, 0, [], null]);
  assert.equal(told.early[0], 0.5);
  assert.equal(told.early[1].code, "NOT_FINITE");
  assert.equal(told.played, "Swing");
  assert.deepEqual(told.state, [false, 4, ["Swing", "Raise"], 2, 0.25]);
  assert.ok(told.time >= 0.5 && told.time < 1.5, `begins where it was told: ${told.time}`);
  assert.deepEqual(
    [told.pausedAt, told.atOnce, told.resumed],
    [true, false, "Swing"],
    "with a model it plays in the same task",
  );
  assert.deepEqual(told.ended, [true, true]);
  const order = (...names) =>
    assert.deepEqual(
      told.heard.filter((name) => names.includes(name)).filter((name, i, all) => name !== all[i - 1]),
      names,
    );
  order("loadstart", "progress", "load");
  order("load", "seeked");
  assert.deepEqual(
    told.heard.filter((name) => ["play", "pause", "loop", "finished", "marker", "error"].includes(name)),
    ["play", "pause", "play", "pause", "play", "marker", "loop", "marker", "finished"],
  );
  assert.deepEqual([told.flags, told.outer], [0, []]);
  assert.equal(told.stopped, null);
  assert.deepEqual(told.sought, [0.25, [0.75, 0.25]]);
  assert.deepEqual([told.paused, told.stoppedEarly, told.replaced], ["AbortError", "AbortError", "AbortError"]);
  assert.deepEqual(told.two, ["Swing", "Raise"]);
  assert.equal(told.unknown, "GambolError UNKNOWN_CLIP");
  assert.equal(told.oldOne, "Swing", "what was shown goes on");
  assert.equal(told.noSource, "GambolError NO_MODEL");
  assert.equal(told.nothingToLoad, "NO_MODEL");
  assert.match(told.broken, /^GambolError \w+/);
  assert.deepEqual(told.errors, [[false, true, told.broken.split(" ")[1]]]);
  assert.equal(told.outside, "Raise");
  assert.equal(told.shy[0], true);
  assert.equal(told.reloaded, false);
}
