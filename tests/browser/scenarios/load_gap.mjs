/** Until a load resolves, the page can read the nodes of the model before, whose memory may be free already. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const bytes = await (await fetch("/fixtures/stroll.glb")).arrayBuffer();
    const load = () => player.load(new File([bytes], "stroll.glb"));
    await load();
    // A load checks several times whether it was aborted, the last time before it shows the model.
    const { throwIfAborted } = AbortSignal.prototype;
    let [calls, readsAt] = [0, 0];
    const counts = [];
    AbortSignal.prototype.throwIfAborted = function () {
      // Microtasks run before the page learns of what happens in this one.
      if (++calls === readsAt) queueMicrotask(() => counts.push(player.nodes.length));
      throwIfAborted.call(this);
    };
    await load();
    // Nodes are read once for each model.
    for (const last = calls; readsAt < last; ) {
      calls = 0;
      readsAt++;
      await load();
    }
    AbortSignal.prototype.throwIfAborted = throwIfAborted;
    player.dispose();
    return counts;
  }, backend);
  assert.ok(told.length > 1 && told.every((count) => count > 0 && count === told[0]), `${told}`);
}
