/**
 * Characters of a large crowd that are small in the picture have fewer triangles, and look much the same: in the page,
 * in a worker, as an actor, with tints and hidden characters, and after a lost context.
 */

import assert from "node:assert/strict";

export default async function (context) {
  await lookTheSame(context);
  await castTheSameShadows(context);
  await areDividedAmongActors(context);
  if (context.backend === "webgl2") await surviveLoss(context);
}

/** A crowd of 49 is drawn whole. One character more makes it large. In both, 20 characters are visible. */
async function lookTheSame({ page, backend }) {
  for (const worker of [false, true]) {
    const told = await page.evaluate(
      async (backend, worker) => {
        const player = await stage.openModel(backend, "/gambol/viewer/character.glb", {
          clip: "Walk",
          css: "width:240px;height:180px",
          worker,
        });
        player.pause();
        player.background = "#dddddd";
        const sizes = [1, 0.6, 0.35, 0.2, 0.12, 0.07, 0.9];
        const place = (member) => ({
          position: [(member % 7) - 3, 0, Math.floor(member / 7) * 0.8],
          heading: member,
          scale: sizes[member % 7] * 0.8,
        });
        const show = async (count) => {
          player.crowd(count, { place, phases: (member) => (member * 0.37) % 1 });
          for (const character of player.characters) {
            character.tint = character.index % 3 ? "white" : "skyblue";
            character.visible = character.index < 21 && character.index !== 10;
          }
          if (count === 49) player.frame();
          await stage.look(player);
          await player.settled();
        };
        await show(49);
        const whole = await stage.pixelsOfPng(await player.screenshot());
        const told = { whole: player.stats.triangles, part: stage.coverage(whole).part };
        await show(50);
        // The code for it is fetched, and has been when a screenshot is there.
        await player.screenshot();
        await stage.look(player);
        await player.settled();
        const coarse = await stage.pixelsOfPng(await player.screenshot());
        told.coarse = player.stats.triangles;
        const sum = whole.data.reduce((sum, value, at) => sum + Math.abs(value - coarse.data[at]), 0);
        told.mean = sum / whole.data.length / told.part;
        await player.setView("wireframe");
        await stage.look(player);
        await player.settled();
        told.view = player.stats.triangles;
        stage.close();
        return told;
      },
      backend,
      worker,
    );
    console.log(`# ${backend}, ${worker ? "worker" : "page"}: ${JSON.stringify(told)}`);
    assert.ok(told.part > 0.03, JSON.stringify(told));
    assert.ok(told.coarse < told.whole * 0.7, JSON.stringify(told));
    // Of 255, where something is.
    assert.ok(told.mean < 5, JSON.stringify(told));
    assert.equal(told.view, told.whole, "a view shows all triangles");
  }
}

/**
 * Characters that are large in the picture have all their triangles, whose shadows are drawn between fewer vertices:
 * the pictures of 49 and of 50 characters are the same.
 */
async function castTheSameShadows({ page, backend }) {
  for (const url of ["/gambol/viewer/character.glb", "/fixtures/swing.glb", "/fixtures/stroll.glb"]) {
    const told = await page.evaluate(
      async (backend, url) => {
        const player = await stage.openModel(backend, url, { css: "width:240px;height:180px" });
        player.play(player.clips[0].name);
        player.pause();
        player.currentTime = player.clips[0].duration * 0.4;
        for (const name of player.morphs) player.morph(name).weight = 0.7;
        const pictures = [];
        for (const count of [49, 50]) {
          player.crowd(count, { place: (member) => ({ position: [member % 2, 0, 0], heading: member * 0.2 }) });
          for (const character of player.characters) {
            character.visible = character.index < 2;
          }
          if (count === 49) player.frame();
          await player.screenshot();
          const image = await stage.look(player);
          pictures.push({ image, triangles: player.stats.triangles, gpuBytes: player.stats.gpuBytes });
        }
        const [whole, large] = pictures;
        stage.close();
        return {
          different: stage.compare(whole.image, large.image).count,
          part: stage.coverage(whole.image).part,
          triangles: [whole.triangles, large.triangles],
          moreBytes: large.gpuBytes - whole.gpuBytes,
        };
      },
      backend,
      url,
    );
    console.log(`# ${backend}, ${url}: ${JSON.stringify(told)}`);
    assert.ok(told.part > 0.03, JSON.stringify(told));
    assert.equal(told.triangles[1], told.triangles[0]);
    // Two characters have these triangles. The pictures of three coarser levels have at most three times the indices of
    // one. The rest are those of shadows.
    assert.ok(told.moreBytes > told.triangles[0] * 6 * 3, JSON.stringify(told));
    assert.equal(told.different, 0, JSON.stringify(told));
  }
}

/** The crowd of one actor has levels, beside a player and another actor that are drawn whole. */
async function areDividedAmongActors({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    const alone = await player.add("/gambol/viewer/character.glb");
    const many = await player.add("/gambol/viewer/character.glb");
    alone.position = [3, 0, 0];
    const place = (member) => ({ position: [(member % 10) - 5, 0, -5 - Math.floor(member / 10)], scale: 0.1 });
    many.crowd(49, { place });
    player.frame();
    await stage.look(player);
    const told = { whole: player.stats.triangles };
    many.crowd(60, { place });
    await player.screenshot();
    await stage.look(player);
    told.coarse = player.stats.triangles;
    many.crowd(1);
    await stage.look(player);
    told.one = player.stats.triangles;
    stage.close();
    return told;
  }, backend);
  console.log(`# ${backend}, actors: ${JSON.stringify(told)}`);
  assert.ok(told.coarse < told.whole / 2 && told.one > 9000, JSON.stringify(told));
}

async function surviveLoss({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", {
      clip: "Walk",
      css: "width:120px;height:90px",
    });
    player.pause();
    player.crowd(100);
    player.frame();
    await player.screenshot();
    const before = await stage.look(player);
    const { triangles, gpuBytes } = player.stats;
    await stage.loseContext(player);
    const after = await stage.look(player);
    return {
      different: stage.compare(before, after, 2).count,
      triangles: [triangles, player.stats.triangles],
      gpuBytes: [gpuBytes, player.stats.gpuBytes],
    };
  }, backend);
  assert.ok(told.different < 20, JSON.stringify(told));
  assert.ok(told.triangles[0] < 100 * 5000, JSON.stringify(told));
  assert.equal(told.triangles[1], told.triangles[0]);
  assert.equal(told.gpuBytes[1], told.gpuBytes[0]);
}
