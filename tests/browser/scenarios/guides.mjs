/**
 * S81, guides: a grid below the model, its box, octahedra, axes and names over it, trails and onion skins of its clip,
 * and the bind pose. Also in a worker, in screenshots, for another model, after a lost context and through the element.
 */

import assert from "node:assert/strict";

export default async function (context) {
  await drawsEach(context);
  await followsTheClip(context);
  await holdsTheBindPose(context);
  for (const worker of [false, true]) await lasts(context, worker);
  if (context.backend === "webgl2") await survivesLoss(context);
  await listensToTheAttribute(context);
}

/** Each guide draws what it promises where it promises it, and nothing when it ends. */
async function drawsEach({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk", time: 0.3 });
    Object.assign(player, { ground: false, background: "#ffffff" });
    const bare = await stage.look(player);
    const isSurface = (at) => Math.min(...bare.data.slice(at, at + 3)) < 250;
    const seen = {};
    for (const guide of ["grid", "bounds", "octahedra", "axes", "names", "trails", "onionSkins"]) {
      await player.setGuides({ [guide]: true });
      const { data, width } = await stage.look(player);
      const counts = { beside: 0, over: 0, red: 0, blue: 0, light: 0 };
      const box = [Infinity, Infinity, 0, 0];
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = data.slice(at, at + 3);
        const changed = Math.max(...[0, 1, 2].map((part) => Math.abs(data[at + part] - bare.data[at + part]))) > 24;
        if (!changed) continue;
        counts[isSurface(at) ? "over" : "beside"]++;
        counts.red += red > 180 && green < 120 && blue < 130;
        counts.blue += blue > 180 && red < 120 && green < 160;
        counts.light += Math.min(red, green, blue) > 200 && isSurface(at);
        const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
        box.splice(0, 4, Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y));
      }
      seen[guide] = { ...counts, box, guides: player.guides };
    }
    const surface = [Infinity, Infinity, 0, 0];
    for (let at = 0; at < bare.data.length; at += 4) {
      if (!isSurface(at)) continue;
      const [x, y] = [(at / 4) % bare.width, Math.floor(at / 4 / bare.width)];
      surface.splice(
        0,
        4,
        Math.min(surface[0], x),
        Math.min(surface[1], y),
        Math.max(surface[2], x),
        Math.max(surface[3], y),
      );
    }
    await player.setGuides("");
    return { seen, surface, after: stage.compare(bare, await stage.look(player)).differing, guides: player.guides };
  }, backend);
  const { grid, bounds, octahedra, axes, names, trails, onionSkins } = told.seen;
  const about = JSON.stringify(told);
  assert.ok(grid.beside > 500 && grid.over < grid.beside * 0.1 && grid.red > 5 && grid.blue > 5, about);
  const [left, top, right, bottom] = told.surface;
  assert.ok(bounds.box[0] <= left && bounds.box[1] <= top && bounds.box[2] >= right && bounds.box[3] >= bottom, about);
  assert.ok(octahedra.over > 300 && octahedra.beside < octahedra.over, about);
  assert.ok(axes.red > 20 && axes.blue > 20, about);
  assert.ok(names.over + names.beside > 100 && names.light > 20, about);
  assert.ok(trails.over + trails.beside > 300 && trails.box[3] > bottom - (bottom - top) * 0.2, `feet too: ${about}`);
  assert.ok(onionSkins.beside > 200, about);
  assert.deepEqual([names.guides, told.guides, told.after], [{ names: true }, {}, 0]);
}

/** Onion skins are the surface as the clip poses it before and after, and trails lead through its joints' places. */
async function followsTheClip({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    Object.assign(player, { ground: false, background: "#ffffff" });
    const at = async (time) => {
      player.currentTime = time;
      return stage.look(player);
    };
    const [bare, later] = [await at(0.5), await at(0.8)];
    const isSurface = ({ data }, at) => Math.min(...data.slice(at, at + 3)) < 250;
    await player.setGuides({ onionSkins: { before: 0, after: 1, step: 0.3 } });
    const skinned = await at(0.5);
    const counts = { changed: 0, outside: 0, missing: 0, blue: 0 };
    for (let at = 0; at < bare.data.length; at += 4) {
      const changed = Math.abs(skinned.data[at] - bare.data[at]) > 8;
      counts.changed += changed;
      counts.outside += changed && !isSurface(later, at);
      counts.missing += isSurface(later, at) && !isSurface(bare, at) && !changed;
      counts.blue += changed && skinned.data[at + 2] > skinned.data[at] + 8;
    }
    await player.setGuides({ trails: ["Upper"] });
    const trail = await at(0.5);
    const named = stage.compare(bare, trail, 24).count;
    await player.setGuides({ trails: ["nobody"] });
    return { ...counts, named, nobody: stage.compare(bare, await at(0.5)).differing };
  }, backend);
  const about = JSON.stringify(told);
  assert.ok(told.changed > 100 && told.blue > told.changed * 0.9, about);
  assert.ok(told.outside < told.changed * 0.1 && told.missing < told.changed * 0.2, about);
  assert.ok(told.named > 10 && told.nobody === 0, about);
}

/** The bind pose of the file is its rest pose. It takes the place of the clip, whose time goes on. */
async function holdsTheBindPose({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 1 });
    player.play();
    const swung = await stage.look(player);
    await player.setGuides({ bindPose: true });
    const bound = await stage.look(player);
    const before = player.currentTime;
    player.advance(0.25);
    const later = await stage.look(player);
    const passed = player.currentTime - before;
    await player.setGuides(null);
    player.currentTime = 1;
    const again = await stage.look(player);
    player.stop();
    const rest = await stage.look(player);
    const differ = (a, b) => stage.compare(a, b, 8).differing;
    return {
      moved: differ(swung, bound),
      same: [differ(bound, later), differ(bound, rest), differ(swung, again)],
      passed,
    };
  }, backend);
  assert.ok(told.moved > 0.01, JSON.stringify(told));
  assert.deepEqual(told.same, [0, 0, 0]);
  assert.ok(Math.abs(told.passed - 0.25) < 1e-6, `${told.passed}`);
}

/** Guides stay with another model, whose names they show, are in screenshots, and end. */
async function lasts({ page, backend }, worker) {
  const told = await page.evaluate(
    async (backend, worker) => {
      const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5, worker });
      const picture = async () => {
        await player.settled();
        return stage.pixelsOfPng(await player.screenshot({ width: 320, height: 240 }));
      };
      const differ = (a, b) => stage.compare(a, b).differing;
      const bare = await picture();
      const first = player.setGuides("bounds");
      // The last of several calls wins.
      await Promise.all([first, player.setGuides("grid"), player.setGuides({ axes: true, names: true, grid: null })]);
      const guided = await picture();
      const wrong = [];
      const nonsense = [
        ...["lines", "bind--pose", 3, { grid: 1 }, { pins: true }, { names: [1] }, { names: "Head" }, { trails: {} }],
        ...[{ onionSkins: { before: 1.5 } }, { onionSkins: { after: 17 } }, { onionSkins: { step: NaN } }],
      ];
      for (const guides of nonsense) wrong.push((await stage.failure(() => player.setGuides(guides)))?.code);
      const kept = [player.guides, differ(guided, await picture())];
      await player.load("/fixtures/stroll.glb");
      const withNames = await picture();
      await player.setGuides({ axes: true });
      const withoutNames = await picture();
      await player.setGuides({ axes: true, names: [] });
      const none = await picture();
      await player.setGuides(null);
      await player.load("/fixtures/swing.glb");
      player.play("Swing", { fade: 0 });
      player.currentTime = 0.5;
      player.pause();
      player.frame();
      const again = await picture();
      player.dispose();
      return {
        changed: differ(bare, guided),
        wrong,
        kept,
        names: [differ(withNames, withoutNames), differ(none, withoutNames)],
        again: differ(bare, again),
      };
    },
    backend,
    worker,
  );
  assert.ok(told.changed > 0.002, JSON.stringify(told));
  assert.deepEqual([...new Set(told.wrong)].toSorted(), ["OUT_OF_RANGE", "WRONG_TYPE"]);
  assert.deepEqual(told.kept, [{ axes: true, names: true }, 0]);
  assert.ok(told.names[0] > 0.001 && told.names[1] === 0, JSON.stringify(told));
  assert.ok(told.again < 0.001, `${told.again}`);
}

async function survivesLoss({ page, backend }) {
  const differing = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    await player.setGuides("grid bounds octahedra axes names");
    const before = await stage.look(player);
    await stage.loseContext(player);
    player.currentTime = 0.5;
    return stage.compare(before, await stage.look(player)).differing;
  }, backend);
  assert.equal(differing, 0);
}

async function listensToTheAttribute({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", guides: "grid bind-pose" });
    document.body.append(element);
    await stage.once(element, "load");
    const guides = [element.player.guides];
    element.guides = "axes";
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    guides.push(element.player.guides);
    const failed = stage.once(element, "error");
    element.guides = "grids";
    const { code } = await failed;
    element.remove();
    return { guides, code };
  }, backend);
  assert.deepEqual(told, { guides: [{ grid: true, bindPose: true }, { axes: true }], code: "OUT_OF_RANGE" });
}
