/**
 * Throngs: members that the GPU poses look like characters that controllers pose, and their vertices are those of their
 * clips. Small ones have fewer triangles and look much the same. They can be placed, tinted, hidden, sped up and
 * removed, also in a worker and beside other actors, and outlast a lost context.
 */

import assert from "node:assert/strict";

/** Rounded, as the scenario rounds what it reads. */
const SINE_OF_45 = Math.round(Math.SQRT1_2 * 1e4) / 1e4;

export default async function (context) {
  // Counts what is on the GPU from here on.
  await context.page.evaluate(() => import("/gpu_watch.js"));
  await arePosedAsTheirClips(context);
  await lookLikeACrowd(context);
  await haveFewerTrianglesWhereSmall(context);
  for (const worker of [false, true]) await areControlled(context, worker);
  await endWithTheirModel(context);
  await leaveNothingBehind(context);
  await growNothingInAnHour(context);
  await needFloatsAndSurviveLoss(context);
}

/** A thousand members at random times of random clips and blends: skins, morphs, and nodes that shear. */
async function arePosedAsTheirClips({ page, backend }) {
  for (const [model, count] of [
    ["/gambol/viewer/character.glb", 1000],
    ["/fixtures/swing.glb", 1000],
    ["/fixtures/formats/lean.x", 1000],
  ]) {
    const errors = await page.evaluate(
      async (backend, model, count) => {
        const player = await stage.openModel(backend, model);
        let seed = 7;
        const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
        const clip = () => Math.floor(random() * player.clips.length);
        const throng = await player.throng(count, {
          clip,
          blend: (member) => (member % 2 ? { clip: clip(), weight: member % 4 === 1 ? 0.5 : random() } : null),
          phases: random,
          speed: () => random() * 4 - 2,
        });
        const errors = [];
        for (const secs of [0, 0.37, 100]) {
          player.advance(secs);
          errors.push(await throng.skinningError());
        }
        stage.close();
        return errors;
      },
      backend,
      model,
      count,
    );
    assert.ok(
      errors.every((error) => error >= 0 && error < 1e-3),
      `${model}: ${errors}`,
    );
  }
}

/** The same places, clips and times give the same picture, screenshot and floor. */
async function lookLikeACrowd({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk" });
    player.background = "#dddddd";
    const place = (member) => ({ position: [(member % 4) * 1.2, 0, Math.floor(member / 4) * 1.2], heading: member });
    const phases = (member) => (member * 0.37) % 1;
    player.crowd(13, { place: (member) => (member === 0 ? [0, 0, -1.5] : place(member - 1)), phases });
    for (const character of player.characters) character.tint = character.index % 2 ? "white" : "skyblue";
    player.characters[5].visible = false;
    player.frame();
    const crowd = await stage.look(player);
    const { triangles } = player.stats;
    player.crowd(1, { place: () => [0, 0, -1.5], phases: [0] });
    player.characters[0].tint = "skyblue";
    const throng = await player.throng(12, {
      place,
      phases: (member) => phases(member + 1),
      tint: (member) => (member % 2 ? "skyblue" : "white"),
    });
    throng.at(4).visible = false;
    const looks = await stage.look(player);
    const shot = await stage.pixelsOfPng(await player.screenshot());
    throng.at(0).place = [0, 0, 1000];
    await stage.look(player);
    const { triangles: fewer } = player.stats;
    throng.at(0).place = place(0);
    await stage.look(player);
    const camera = [...player.camera.target, player.camera.distance];
    player.frame();
    const framed = [...player.camera.target, player.camera.distance];
    return {
      crowd: stage.coverage(crowd).part,
      different: [8, 24, 48, 96].map((tolerance) => stage.compare(crowd, looks, tolerance).count),
      shot: stage.compare(looks, shot, 2).count,
      camera,
      framed,
      triangles: [triangles, player.stats.triangles, fewer],
    };
  }, backend);
  assert.ok(told.crowd > 0.05, JSON.stringify(told));
  // Edges of shadows differ: the shadow map covers the bounds, which are not the same.
  assert.ok(told.different[2] < 60, JSON.stringify(told));
  assert.ok(told.shot < 20, JSON.stringify(told));
  const [ofCrowd, ofThrong, fewer] = told.triangles;
  assert.ok(ofThrong === ofCrowd && fewer < ofThrong, "hidden members and those beyond the picture aren't drawn");
  // Bounds of a throng are boxes, those of a small crowd its outermost vertices.
  assert.ok(told.framed[3] < told.camera[3] * 1.35 && told.framed[3] > told.camera[3] * 0.9, JSON.stringify(told));
}

/** Members of eight sizes beside a crowd, whose characters are always drawn whole. */
async function haveFewerTrianglesWhereSmall({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", {
      clip: "Walk",
      css: "width:200px;height:150px",
    });
    player.background = "#dddddd";
    player.ground = false;
    const sizes = [1, 0.7, 0.5, 0.35, 0.25, 0.17, 0.12, 0.08];
    const place = (member) => ({
      position: [(member % 8) - 4, 0, Math.floor(member / 8) * 0.8],
      heading: member,
      scale: sizes[member % 8] * 0.8,
    });
    const phases = (member) => (member * 0.37) % 1;
    player.crowd(24, { place, phases });
    player.frame();
    const crowd = await stage.look(player);
    const told = { ofCrowd: player.stats.triangles, part: stage.coverage(crowd).part };
    player.crowd(1);
    player.characters[0].visible = false;
    await player.throng(24, { place, phases });
    const throng = await stage.look(player);
    told.ofThrong = player.stats.triangles;
    const sum = crowd.data.reduce((sum, value, at) => sum + Math.abs(value - throng.data[at]), 0);
    told.mean = sum / crowd.data.length / told.part;
    await player.setView("wireframe");
    const wire = await stage.look(player);
    told.ofView = player.stats.triangles;
    told.wire = stage.coverage(wire).part;
    stage.close();
    return told;
  }, backend);
  console.log(`# ${backend}: ${JSON.stringify(told)}`);
  assert.ok(told.part > 0.02 && told.wire > 0.01, JSON.stringify(told));
  assert.ok(told.ofThrong < told.ofCrowd * 0.6, JSON.stringify(told));
  assert.equal(told.ofView, told.ofCrowd, "a view shows all triangles");
  // Of 255, where something is.
  assert.ok(told.mean < 5, JSON.stringify(told));
}

async function areControlled({ page, backend }, worker) {
  const told = await page.evaluate(
    async (backend, worker) => {
      const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", worker });
      player.pause();
      player.ground = false;
      const throng = await player.throng(3, { phases: [0, 0.5, 0.25], place: (member) => [2 + member * 3, 0, 0] });
      const settled = async () => {
        await player.settled();
        return stage.pixelsOfPng(await player.screenshot());
      };
      player.frame();
      const first = await settled();
      const results = { count: throng.count, clip: throng.at(1).clip, seen: stage.coverage(first).part };
      const upper = async (member) => {
        const matrices = await throng.at(member).worldMatrices();
        const { index } = player.node("Upper");
        // The sine of the joint's angle, and its place.
        return [matrices[index * 16 + 1], matrices[index * 16 + 12]].map((number) => Math.round(number * 1e4) / 1e4);
      };
      results.posed = [await upper(0), await upper(1), await upper(2)];
      results.times = [await throng.at(0).time(), await throng.at(1).time()];

      // Half a second at twice the speed is half of the clip's two seconds.
      throng.at(0).speed = 2;
      throng.at(2).speed = 0;
      player.advance(0.5);
      results.moved = [await upper(0), await upper(2), throng.at(0).speed];
      throng.playbackRate = 0;
      player.advance(0.5);
      results.paused = await upper(0);
      const marked = [
        ["early", 0.2],
        ["late", 1.9],
      ].map(([name, time]) => ({ name, time }));
      player.setMarkers("Swing", marked);
      const take = async (member) => (await throng.at(member).takeMarkers()).map(({ name, time }) => `${name} ${time}`);
      results.markers = [await take(0)];
      throng.playbackRate = 1;
      // From 1 second on, twice as fast.
      for (const secs of [0.4, 0.1, 0.2, 1]) {
        player.advance(secs);
        results.markers.push(await take(0));
      }
      const [passed] = await Promise.all([throng.at(0).takeMarkers(), throng.at(0).takeMarkers()]);
      results.markers.push(passed);
      player.advance(1);
      results.clipOfMarker = (await throng.at(0).takeMarkers())[0].clip === player.clips[0];
      throng.playbackRate = 0;
      throng.at(0).seek(0.5);
      throng.at(2).seek(0.5);
      throng.at(1).blend = { clip: null, weight: 0.5 };
      throng.at(1).seek(0.5);
      results.blended = [await upper(1), throng.at(1).blend, await upper(2)];
      throng.at(1).blend = null;
      throng.at(1).clip = null;
      results.resting = [await upper(1), throng.at(1).clip];

      // Places, colours and visibility are those of the pictures.
      const before = await settled();
      throng.at(0).visible = false;
      const hidden = await settled();
      throng.at(0).visible = true;
      throng.at(0).tint = "#ff0000";
      const tinted = await settled();
      throng.at(0).tint = "white";
      results.pictures = {
        hidden: stage.compare(before, hidden).count,
        tinted: stage.compare(before, tinted).count,
        again: stage.compare(before, await settled()).count,
      };
      throng.at(2).place = { position: [0, 1, 5], heading: 0.5, scale: 2 };
      results.place = throng.at(2).place;
      const matrix = new DOMMatrix().translate(-7, 0, 0).toFloat32Array();
      throng.setPlaces(matrix, 1);
      results.placed = [throng.at(1).place.position, (await upper(1))[1]];
      results.tint = throng.at(0).tint;
      results.failures = [
        await stage.failure(() => throng.at(3)),
        await stage.failure(() => throng.setPlaces(new Float32Array(15))),
        await stage.failure(() => (throng.at(0).clip = "Fly")),
        await stage.failure(() => player.throng(0)),
        await stage.failure(() => player.throng(65537)),
        await stage.failure(() => (throng.at(0).speed = Infinity)),
        await stage.failure(() => (throng.at(0).blend = { clip: 0, weight: 2 })),
      ];
      await throng.remove();
      const bare = await settled();
      results.ended = [throng.hasEnded, stage.compare(bare, first).count > 100];
      throng.at(0).visible = false;
      throng.playbackRate = 2;
      results.after = stage.compare(bare, await settled()).count;
      stage.close();
      return results;
    },
    backend,
    worker,
  );
  assert.ok(told.seen > 0.03, JSON.stringify(told));
  assert.deepEqual([told.count, told.clip], [3, 0]);
  assert.deepEqual(told.posed, [
    [0, 2],
    [1, 5],
    [SINE_OF_45, 8],
  ]);
  assert.deepEqual(told.times.map(Math.fround), [0, 1]);
  assert.deepEqual(told.moved, [[1, 2], [SINE_OF_45, 8], 2]);
  assert.deepEqual(told.paused, [1, 2]);
  assert.deepEqual(told.markers, [[], [], ["late 1.9"], ["early 0.2"], ["late 1.9", "early 0.2"], []]);
  assert.ok(told.clipOfMarker);
  assert.deepEqual(told.blended, [[SINE_OF_45, 5], { clip: null, weight: 0.5 }, [1, 8]]);
  assert.deepEqual(told.resting, [[0, 5], null]);
  assert.ok(told.pictures.hidden > 50 && told.pictures.tinted > 50 && told.pictures.again === 0, JSON.stringify(told));
  assert.deepEqual(told.place.position, [0, 1, 5]);
  assert.ok(Math.abs(told.place.heading - 0.5) < 1e-6 && Math.abs(told.place.scale - 2) < 1e-6);
  assert.deepEqual(told.placed, [[-7, 0, 0], -7]);
  assert.deepEqual(told.tint, [1, 1, 1, 1]);
  assert.deepEqual(
    told.failures.map(({ code }) => code),
    ["UNKNOWN_CHARACTER", "CROWD_LIST", "UNKNOWN_CLIP", "CROWD_SIZE", "CROWD_SIZE", "NOT_FINITE", "OUT_OF_RANGE"],
  );
  assert.deepEqual(told.ended, [true, true]);
  assert.equal(told.after, 0);
}

/** Another model ends a throng. One of another actor stays, at the actor's place. */
async function endWithTheirModel({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    const throng = await player.throng(5);
    const actor = await player.add("/gambol/viewer/character.glb");
    actor.play("Walk");
    const others = await actor.throng(4, { place: (member) => [member, 0, 0] });
    actor.position = [0, 0, 4];
    const x = async (member) => [...(await others.at(member).worldMatrices()).slice(12, 15)].map(Math.round);
    const results = { both: [throng.hasEnded, others.hasEnded] };
    await stage.look(player);
    results.error = await others.skinningError();
    results.places = [await x(0), await x(3)];
    const gpuBytes = player.stats.gpuBytes;
    await player.load("/fixtures/stroll.glb");
    results.ended = [throng.hasEnded, others.hasEnded];
    const again = await player.throng(2);
    const more = await player.throng(7);
    results.replaced = [again.hasEnded, more.hasEnded];
    await stage.look(player);
    results.bytes = [gpuBytes, player.stats.gpuBytes];
    return results;
  }, backend);
  assert.deepEqual(told.both, [false, false]);
  assert.ok(told.error < 1e-3, JSON.stringify(told));
  assert.deepEqual(
    told.places.map(([x, , z]) => [x, z]),
    [
      [0, 4],
      [3, 4],
    ],
  );
  assert.deepEqual(
    [told.ended, told.replaced],
    [
      [true, false],
      [true, false],
    ],
  );
}

/** Throngs, environments and views that have ended leave no object on the GPU. */
async function leaveNothingBehind({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb");
    const round = async () => {
      await player.throng(20);
      await player.setEnvironment("sunset");
      await player.showEnvironment("blurred");
      await player.setView("wireframe");
      await stage.look(player);
      await player.setView(null);
      await stage.look(player);
      await player.setEnvironment(null);
      await player.showEnvironment("none");
      await player.load("/gambol/viewer/character.glb");
      await stage.look(player);
      const { wasm, ...objects } = gpuHeld();
      return objects;
    };
    const told = [await round(), await round(), await round()];
    stage.close();
    return told;
  }, backend);
  assert.ok(told[0].Texture > 0 && told[0].Buffer > 0, JSON.stringify(told));
  assert.deepEqual(told[2], told[1]);
}

/** An hour of play takes no memory, and phases stay exact. */
async function growNothingInAnHour({ page, backend }) {
  const session = await page.createCDPSession();
  await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    const throng = await player.throng(1000, { speed: (member) => (member % 7) - 3 });
    window.play = (seconds) => {
      for (let second = 0; second < seconds; second++) {
        for (let step = 0; step < 4; step++) player.advance(0.25);
        if (second % 360 === 0) player.render();
      }
    };
    window.hold = async () => {
      await stage.look(player);
      const [error, time] = [await throng.skinningError(), await throng.at(3).time()];
      return { error, time, gpuBytes: player.stats.gpuBytes, wasm: gpuHeld().wasm };
    };
  }, backend);
  const hold = async () => {
    const held = await page.evaluate(() => hold());
    await session.send("HeapProfiler.collectGarbage");
    return { ...held, javaScript: (await session.send("Runtime.getHeapUsage")).usedSize };
  };
  // What is compiled and allocated once has been so after a minute.
  await page.evaluate(() => play(60));
  await hold();
  const before = await hold();
  await page.evaluate(() => play(3600));
  const after = await hold();
  await session.detach();
  const told = JSON.stringify([before, after]);
  console.log(`# ${backend}, an hour: ${told}`);
  assert.ok(before.gpuBytes > 0 && before.wasm > 0, told);
  assert.equal(after.gpuBytes, before.gpuBytes);
  assert.equal(after.wasm, before.wasm);
  // The browser goes on to make machine code.
  assert.ok(after.javaScript < before.javaScript + 200e3, told);
  assert.ok(after.error < 1e-3, told);
  // 3,600 seconds are a whole number of passes of two seconds.
  assert.ok(Math.abs(after.time - before.time) < 1e-3, told);
}

/** A device that can't draw floats refuses throngs. Others pose them again after a lost context. */
async function needFloatsAndSurviveLoss({ page, backend }) {
  if (backend !== "webgl2") return;
  const refused = await page.evaluate(async (backend) => {
    const { getExtension } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.getExtension = function (name) {
      return name === "EXT_color_buffer_float" ? null : getExtension.call(this, name);
    };
    const player = await stage.openModel(backend, "/fixtures/swing.glb");
    const failure = await stage.failure(() => player.throng(2));
    WebGL2RenderingContext.prototype.getExtension = getExtension;
    stage.close();
    return failure;
  }, backend);
  assert.equal(refused.code, "GPU_DRIVER_ERROR", JSON.stringify(refused));
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    await player.throng(20);
    player.frame();
    const before = await stage.look(player);
    await stage.loseContext(player);
    return stage.compare(before, await stage.look(player), 2).count;
  }, backend);
  assert.ok(told < 20, `${told}`);
}
