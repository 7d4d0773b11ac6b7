/** A player shows several models: each plays by itself, and is placed, attached, worn, hidden and removed. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default async function ({ page, backend, out }) {
  const results = await page.evaluate(async (backend) => {
    const results = {};
    for (const worker of [false, true]) {
      const told = {};
      results[worker ? "worker" : "page"] = told;
      const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { worker, clip: "Walk" });
      player.autoUpdate = false;
      player.currentTime = 0.3;
      const settle = async () => {
        await player.settled();
        player.render();
        await player.settled();
      };
      const matrices = async (performer) => {
        performer.worldMatrices();
        await settle();
        return performer.worldMatrices();
      };
      const matrix = async (performer, name) => {
        const { index } = performer.node(name);
        return (await matrices(performer)).subarray(index * 16, index * 16 + 16);
      };
      const difference = (a, b) => Math.max(...Array.from(a, (number, at) => Math.abs(number - b[at])));
      const picture = async () => {
        await settle();
        return stage.pixelsOfPng(await player.screenshot({ width: 320, height: 320 }));
      };
      // A worker's errors that the page can't foresee are events.
      let heardCode = "none";
      player.addEventListener("error", ({ detail }) => (heardCode = detail.code));
      const failure = async (call) => {
        heardCode = "none";
        try {
          await call();
          await settle();
          return heardCode;
        } catch (error) {
          return error.code;
        }
      };
      const failureOf = (promise) =>
        promise.then(
          () => "none",
          ({ name }) => name,
        );
      await settle();
      const alone = await picture();
      const bytes = player.stats.gpuBytes;

      // An actor plays by itself.
      const banner = await player.add("/fixtures/swing.glb");
      banner.position = [0.6, 0, 0];
      banner.rotation = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
      banner.scale = 0.5;
      const heard = [];
      for (const name of ["play", "loop", "finished", "clipchange", "timeupdate"]) {
        banner.addEventListener(name, () => heard.push(name));
        player.addEventListener(name, () => heard.push(`player ${name}`));
      }
      const run = banner.play("Swing", { loop: "once" });
      player.advance(1);
      await settle();
      told.time = [banner.currentTime, banner.clip.name, banner.state];
      told.root = await matrix(banner, banner.nodes[0].name);
      told.drawn = stage.compare(alone, await picture()).differing;
      player.advance(2);
      await settle();
      told.finished = await run.finished;
      told.heard = heard.filter((name) => !/player (timeupdate|loop)/.test(name)).slice(0, 6);
      told.names = [
        banner.name,
        banner.clips.map(({ name }) => name),
        player.actors.length,
        player.actors[0] === banner,
      ];
      player.currentTime = 0.3;

      // It follows a node of another.
      banner.attachTo(player.node("RightHand"), { offset: { position: [0, 0.1, 0], scale: 0.25 } });
      const held = await matrix(banner, banner.nodes[0].name);
      const hand = await matrix(player, "RightHand");
      told.held = Math.hypot(...[12, 13, 14].map((at) => held[at] - hand[at] - 0.1 * hand[at - 8]));
      told.errors = [
        await failure(() => banner.attachTo(player.node("LeftHand"), { offset: [0, Number.NaN, 0] })),
        await failure(() => banner.attachTo("LeftHand")),
        await failure(() => banner.attachTo(banner.node(0))),
        await failure(() => banner.wear(player)),
        await failure(() => (banner.rotation = [0, 0, 0, 0])),
        await failure(() => player.add(new Blob(["nothing"]))),
        await failure(() => player.add(7)),
      ];

      // A hidden one isn't drawn.
      told.attached = stage.compare(alone, await picture()).differing;
      banner.visible = false;
      told.hidden = stage.compare(alone, await picture()).differing;
      banner.visible = true;

      // Clips of an actor that is removed meanwhile are given up.
      const short = await player.add("/fixtures/swing.glb");
      const adding = failureOf(short.addClips("/fixtures/stroll.glb"));
      short.remove();
      told.givenUp = await adding;

      // An outfit has the pose of its wearer.
      const coat = await player.add("/gambol/viewer/character.glb");
      coat.wear(player);
      told.worn = difference(await matrices(player), await matrices(coat));
      player.advance(0.25);
      told.wornLater = difference(await matrices(player), await matrices(coat));
      coat.wear(null);
      told.unworn = difference(await matrices(player), await matrices(coat)) > 0.01;

      // Removed actors leave nothing behind.
      coat.remove();
      banner.remove();
      player.currentTime = 0.3;
      const same = stage.compare(alone, await picture()).differing;
      // A screenshot holds a share of what is drawn until the GPU has finished.
      for (let tries = 0; tries < 20 && player.stats.gpuBytes !== bytes; tries++) await settle();
      told.removed = [
        same,
        player.stats.gpuBytes - bytes,
        player.actors.length,
        banner.alive,
        await failure(() => banner.play()),
      ];

      // Two models look like a crowd of two.
      await player.load("/fixtures/swing.glb");
      player.play("Swing");
      player.currentTime = 0.5;
      player.crowd(2, { phases: [0, 0], place: (index) => [index * 2, 0, 0] });
      player.frame();
      player.currentTime = 0.5;
      const crowd = await picture();
      player.crowd(1, { place: () => [0, 0, 0] });
      const twin = await player.add("/fixtures/swing.glb");
      twin.position = [2, 0, 0];
      twin.play("Swing");
      player.currentTime = twin.currentTime = 0.5;
      player.frame();
      const pair = await picture();
      told.pair = stage.compare(crowd, pair);
      told.png = await stage.base64(await player.screenshot({ width: 640, height: 480 }));
      player.dispose();
      told.disposed = await failure(() => twin.play());
    }
    return results;
  }, backend);

  for (const [host, told] of Object.entries(results)) {
    writeFileSync(join(out, `company_${backend}_${host}.png`), Buffer.from(told.png, "base64"));
    assert.deepEqual(told.time, [1, "Swing", "playing"], host);
    assert.ok(told.drawn > 0.005, `${host}: ${told.drawn} of the pixels differ`);
    assert.equal(told.finished, "ended", host);
    assert.deepEqual(told.heard.sort(), ["clipchange", "finished", "play", "timeupdate", "timeupdate"], host);
    assert.deepEqual(told.names, ["swing.glb", ["Swing", "Raise"], 1, true], host);
    assert.ok(told.held < 1e-4, `${host}: the held model is off by ${told.held}`);
    assert.deepEqual(
      told.errors,
      ["NOT_FINITE", "WRONG_TYPE", "ACTOR_LOOP", "NO_FITTING_JOINTS", "OUT_OF_RANGE", "NOT_A_MODEL", "NOT_A_SOURCE"],
      host,
    );
    assert.ok(told.attached > 0.001, `${host}: ${told.attached} of the pixels differ`);
    assert.equal(told.hidden, 0, host);
    assert.equal(told.givenUp, "AbortError", host);
    assert.ok(told.worn < 1e-5 && told.wornLater < 1e-5 && told.unworn, `${host}: ${told.worn}, ${told.wornLater}`);
    assert.deepEqual(told.removed, [0, 0, 0, false, "UNKNOWN_ACTOR"], host);
    assert.ok(told.pair.differing < 1e-4, `${host}: ${told.pair.differing} of the pixels differ`);
    assert.equal(told.disposed, "PLAYER_DISPOSED", host);
  }
}
