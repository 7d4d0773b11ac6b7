/**
 * Characters that are out of the picture, and whose shadows are too, aren't drawn. The picture is the same as one with
 * all of them, which an override of a node calls for, since it may move them anywhere.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default async function ({ page, backend, out }) {
  const { shots, added } = await page.evaluate(async (backend) => {
    const css = "width: 200px; height: 150px";
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", css });
    await stage.look(player);
    const ofOne = player.stats.triangles;
    // Fewer than those of a crowd with levels of detail.
    player.crowd(49, { clip: "Swing", place: (nth) => [(nth % 7) * 4.5, 0, Math.floor(nth / 7) * 4.5] });
    player.characters.forEach((character, nth) => (character.tint = `hsl(${nth * 37} 80% 60%)`));
    player.characters[44].visible = false;
    player.characters[37].place = { position: [21, 0, 15], heading: 1, scale: 2.5 };
    player.advance(0.4);
    player.frame();
    const shots = [];
    const node = player.node(0);
    for (const distance of [60, 14, 5]) {
      for (let turn = 0; turn < 6; turn++) {
        Object.assign(player.camera, {
          target: [13, 1, 14],
          distance,
          yaw: turn + 0.2,
          pitch: 0.05 + (turn % 3) * 0.4,
        });
        const few = await stage.look(player);
        const { triangles } = player.stats;
        node.scale([1, 1, 1]);
        const all = await stage.look(player);
        const ofAll = player.stats.triangles;
        node.release();
        shots.push({
          distance,
          differing: stage.compare(few, all, 0).count,
          shown: triangles / ofOne,
          all: ofAll / ofOne,
          part: stage.coverage(few).part,
          png: await stage.png(few),
        });
      }
    }
    player.layer("more", { mode: "add" });
    await stage.look(player);
    return { shots, added: player.stats.triangles / ofOne };
  }, backend);

  assert.equal(added, 48, "what is added to a clip may reach beyond it");
  for (const [nth, { distance, differing, shown, all, part, png }] of shots.entries()) {
    if (nth % 6 === 2)
      writeFileSync(join(out, `crowd-out-of-view-${distance}-${backend}.png`), Buffer.from(png, "base64"));
    assert.equal(differing, 0, `${distance} away, view ${nth % 6}: ${differing} pixels differ`);
    assert.equal(all, 48);
    assert.ok(part > 0.05);
    if (distance === 60) assert.equal(shown, 48);
    else assert.ok(shown < (distance === 14 ? 48 : 39), `${shown} characters from ${distance} away`);
  }
}
