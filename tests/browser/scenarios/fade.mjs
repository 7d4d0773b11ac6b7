/** A crossfade passes through the middle of both clips. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const lifts = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Raise" });
    player.play("Raise", { loop: "once" });
    player.advance(1);
    const lift = () => player.worldMatrices()[16 + 13];
    const seen = [lift()];
    // Swing leaves the lower joint at rest, so the joint's height depends only on the weight of the old clip.
    player.play("Swing", { fade: 0.5 });
    for (let step = 0; step < 3; step++) {
      player.advance(0.25);
      seen.push(lift());
    }
    return seen;
  }, backend);
  assert.equal(lifts[0], 1);
  assert.ok(lifts[1] > 0.2 && lifts[1] < 0.8, `halfway through it stands at ${lifts[1]}`);
  assert.equal(lifts[2], 0);
  assert.equal(lifts[3], 0);
}
