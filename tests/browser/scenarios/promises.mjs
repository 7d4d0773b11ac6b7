/** The promise of `play` settles in every case, whatever happens to the motion. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const { tooLate, afterwards, ...ends } = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/swing.glb");
    const results = {};
    const start = (layer = "base", options = {}) => player.layer(layer).play("Raise", options).finished;

    let run = start("base", { loop: "once" });
    player.advance(2);
    results.ended = await run;
    run = start();
    player.play("Swing");
    results.replaced = await run;
    run = start();
    player.layer("base").stop();
    results.layerStopped = await run;
    run = start("upper");
    player.stop();
    results.playerStopped = await run;
    run = start("upper");
    player.layer("upper").remove();
    results.removed = await run;
    run = start("upper", { fade: 0.5 });
    player.layer("upper").stop({ fade: 0.5 });
    results.fadedOut = await run;
    run = start("upper", { loop: "once", ending: { release: 0.2 } });
    player.advance(1.1);
    results.released = await run;

    const patience = new AbortController();
    run = start("base", { signal: patience.signal });
    patience.abort();
    results.aborted = await run;
    try {
      player.play("Swing", { signal: patience.signal });
    } catch (error) {
      results.tooLate = error.name;
    }
    const late = new AbortController();
    run = start("base", { signal: late.signal });
    const next = player.play("Swing");
    late.abort();
    results.replacedBeforeAbort = await run;
    results.goesOn = player.clip.name;

    const gone = new AbortController();
    run = start("upper", { signal: gone.signal });
    player.layer("upper").remove();
    gone.abort();
    results.removedBeforeAbort = await run;

    player.setController({ layers: [{ name: "base", start: "Up", states: { Up: { clip: "Raise" } } }] });
    results.controlled = await next.finished;
    let runs = [player.play("Swing").finished, start("upper")];
    await player.load("/fixtures/swing.glb");
    results.loaded = await Promise.all(runs);
    const last = new AbortController();
    runs = [start("base", { signal: last.signal }), start("upper")];
    player.dispose();
    last.abort();
    results.disposed = await Promise.all(runs);
    results.afterwards = (await stage.failure(() => player.layer("upper"))).code;
    return results;
  }, backend);

  assert.equal(tooLate, "AbortError");
  assert.equal(afterwards, "PLAYER_DISPOSED");
  assert.deepEqual(ends, {
    ended: "ended",
    replaced: "replaced",
    layerStopped: "stopped",
    playerStopped: "stopped",
    removed: "stopped",
    fadedOut: "stopped",
    released: "ended",
    aborted: "stopped",
    replacedBeforeAbort: "replaced",
    goesOn: "Swing",
    removedBeforeAbort: "stopped",
    controlled: "stopped",
    loaded: ["stopped", "stopped"],
    disposed: ["stopped", "stopped"],
  });
}
