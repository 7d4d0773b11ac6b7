/**
 * The first pictures come without the shadow and the ground, and a later one has them, also while nothing moves. From
 * then on all have them, also those of another model. A page that draws by itself gets whole pictures only.
 */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

    player.autoUpdate = true;
    await player.load("/fixtures/swing.glb");
    player.pause();
    const first = [];
    for (let frame = 0; frame < 120 && new Set(first).size < 2; frame++) {
      await nextFrame();
      if (player.stats.draws > 0) first.push(player.stats.draws);
    }
    const later = [];
    await player.load("/fixtures/stroll.glb");
    player.play("Stroll");
    for (let frame = 0; frame < 10; frame++) {
      await nextFrame();
      later.push(player.stats.draws);
    }
    return { first: [...new Set(first)], later: [...new Set(later)] };
  }, backend);
  // The mesh in both; the shadow map, two blurs and the ground in the second.
  const [early, whole] = told.first;
  assert.equal(told.first.length, 2);
  assert.equal(whole - early, 4, `${early} draw calls, then ${whole}`);
  assert.deepEqual(told.later, [whole]);

  // Another page has another device. Its own picture comes first, and those of the frame loop after it are whole, too.
  await page.reload();
  await page.waitForFunction(() => window.stage);
  const byHand = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load("/fixtures/swing.glb");
    player.render();
    const seen = [player.stats.draws];
    const shot = stage.coverage(await stage.look(player)).part;
    player.autoUpdate = true;
    player.play("Swing");
    for (let frame = 0; frame < 10; frame++) {
      await new Promise(requestAnimationFrame);
      seen.push(player.stats.draws);
    }
    return { seen: [...new Set(seen)], shot };
  }, backend);
  assert.deepEqual(byHand.seen, [whole]);
  assert.ok(byHand.shot > 0.01);
}
