/** `pick` finds what is drawn: it agrees with the pixels of the picture, in the page and in a worker. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const results = await page.evaluate(async (backend) => {
    const [size, step] = [160, 5];
    const css = `width: ${size}px; height: ${size}px`;
    const results = {};
    for (const worker of [false, true]) {
      const told = { pictures: [] };
      const player = await stage.open(backend, { css, worker });
      told.early = (await stage.failure(() => player.pick(size / 2, size / 2)))?.code ?? null;
      await player.load("/gambol/viewer/character.glb");
      player.ground = false;
      player.background = [0, 1, 1, 1];

      /** Compares a grid of picks with the pixels, other than those at an outline. */
      const compare = async (name) => {
        player.frame();
        await player.settled();
        const { data, width } = await stage.pixelsOfPng(await player.screenshot());
        // Whether a pixel is drawn; null for a mixture with the background, as in narrow gaps.
        const isDrawn = (x, y) => {
          const lanes = [0, 1, 2].map((lane) => Math.abs(data[(y * width + x) * 4 + lane] - data[lane]));
          const apart = Math.max(...lanes);
          return apart <= 12 ? false : apart < 60 ? null : true;
        };
        let [hits, wrong, misses] = [0, [], 0];
        for (let y = 2; y < size - 2; y += step) {
          for (let x = 2; x < size - 2; x += step) {
            const around = [-2, -1, 0, 1, 2].flatMap((right) => [-2, 0, 2].map((down) => isDrawn(x + right, y + down)));
            if (new Set(around).size > 1 || around[0] === null) continue;
            const picked = await player.pick(x + 0.5, y + 0.5);
            if (picked) hits++;
            else misses++;
            if ((picked !== null) !== around[0]) wrong.push([x, y]);
          }
        }
        told.pictures.push({ name, hits, misses, wrong });
      };
      player.play("Walk");
      player.currentTime = 0.4;
      await compare("walk");
      player.camera.orthographic = true;
      player.camera.insets = { left: size / 3 };
      await compare("orthographic");
      player.camera.insets = {};
      player.camera.orthographic = false;
      player.crowd(3, { place: (nth) => ({ position: [nth * 0.7, 0, 0], heading: nth, scale: 1 - nth * 0.2 }) });
      player.skinning = "dual-quaternion";
      await compare("crowd");
      player.crowd(1);
      player.stop();
      player.frame();
      await player.settled();

      // The head is where its joint is in the picture.
      const found = await player.pick(size / 2, size / 2);
      told.found = {
        ...found,
        actor: found.actor === player,
        node: found.node.name,
        joint: found.joint?.name,
        material: found.material?.name,
      };
      told.listed = [player.nodes.includes(found.node), player.nodes.includes(found.joint)];
      told.nothing = [await player.pick(1, 1), await player.pick(-1e6, 0), await player.pick(size * 3, size / 2)];
      told.codes = [];
      for (const wrong of [
        [undefined, 0],
        [Number.NaN, 0],
        ["left", 0],
        [0, 1e300],
      ])
        told.codes.push((await stage.failure(() => player.pick(...wrong)))?.code);
      for (const { index, parent } of player.nodes) if (parent < 0) player.node(index).visible = false;
      await player.settled();
      told.hidden = await player.pick(size / 2, size / 2);
      const banner = await player.add("/fixtures/swing.glb");
      player.frame();
      await player.settled();
      const other = await player.pick(size / 2, size / 2);
      told.actor = [other?.actor === banner, banner.nodes.includes(other?.node), /^0 .* 1$/.test(other?.surface)];
      banner.remove();
      await player.settled();
      told.removed = await player.pick(size / 2, size / 2);
      player.dispose();
      told.disposed = (await stage.failure(() => player.pick(1, 1)))?.code;
      results[worker ? "worker" : "page"] = told;
    }
    return results;
  }, backend);

  for (const [host, told] of Object.entries(results)) {
    assert.equal(told.early, null, host);
    for (const { name, hits, misses, wrong } of told.pictures) {
      assert.ok(hits > 20 && misses > 100, `${host}, ${name}: ${hits} hits, ${misses} misses`);
      assert.deepEqual(wrong, [], `${host}, ${name}: ${hits} hits`);
    }
    const { found } = told;
    assert.deepEqual(told.listed, [true, true], host);
    assert.deepEqual([found.actor, found.character], [true, 0]);
    assert.match(found.surface, /^0 \d+ \d+ \d+ [\d.]+ [\d.]+$/);
    assert.ok(found.material && found.node, host);
    assert.ok(Math.abs(Math.hypot(...found.normal) - 1) < 1e-4, `${found.normal}`);
    assert.ok(found.distance > 0 && found.point.every(Number.isFinite));
    assert.deepEqual(told.nothing, [null, null, null], host);
    assert.deepEqual(told.codes, ["NOT_FINITE", "NOT_FINITE", "NOT_FINITE", "OUT_OF_RANGE"], host);
    assert.equal(told.hidden, null, host);
    assert.deepEqual(told.actor, [true, true, true], host);
    assert.equal(told.removed, null, host);
    assert.equal(told.disposed, "PLAYER_DISPOSED", host);
  }
  assert.deepEqual(results.worker.found, results.page.found);
}
