/** Two dozen visible, moving players on a page, each as if it were alone; and many more that come and go. */

import assert from "node:assert/strict";

import { watchGpus } from "../gpus.mjs";

const COUNT = 24;

export const longestSecs = 180;

export default async function ({ page, backend, url }) {
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await watchGpus(page, url);
  const told = await page.evaluate(
    async (backend, count) => {
      document.body.style.cssText = "display: grid; grid-template-columns: repeat(6, 100px); gap: 10px";
      const css = "width: 100px; height: 100px";
      const players = [];
      for (let nth = 0; nth < count; nth++) players.push(await stage.open(backend, { css }));
      const heard = players.map((player) => stage.record(player, "contextlost", "error"));
      await Promise.all(players.map((player) => player.load("/fixtures/swing.glb")));
      for (const player of players) player.play("Swing");

      // Each equals the first, which has its own context with WebGL2, at another time and on another background.
      const [first] = players;
      const backgrounds = [null, [1, 0.5, 0, 1], [0.2, 0.4, 1, 0.5]];
      const at = (player, nth) => {
        player.background = backgrounds[nth % 3];
        player.currentTime = (nth / count) * 2;
        return stage.look(player);
      };
      const strange = [];
      const looks = [];
      for (const [nth, player] of players.entries()) {
        const [own, other] = [await at(first, nth), await at(player, nth)];
        looks.push(other);
        const { part, brightest } = stage.coverage(other);
        if (stage.compare(own, other, 0).count > 0 || part < 0.03 || brightest < 100)
          strange.push({ nth, part, brightest });
      }
      const corner = [...looks[count - 1].data.slice(0, 4)];

      const bytes = players.map((player) => player.stats.gpuBytes);
      const shots = [];
      for (const player of [first, players[count - 1]]) {
        player.currentTime = 0.5;
        player.background = null;
        shots.push(await stage.pixelsOfPng(await player.screenshot({ width: 90, height: 120 })));
      }
      const shot = stage.compare(shots[0], shots[1], 0).count;

      // The shared canvas has had many sizes by now.
      const resized = [];
      for (const player of [first, players[count - 1], players[count - 2]]) {
        player.canvas.style.width = "70px";
        player.canvas.style.height = "140px";
        await until(() => {
          player.render();
          return player.canvas.height === 140;
        });
        player.currentTime = 0.5;
        player.background = null;
        player.frame();
        resized.push(await stage.look(player));
      }
      const sizes = resized.map((look) => stage.compare(resized[0], look, 0).count);

      for (const player of players) player.autoUpdate = true;
      await Promise.all(
        players.map(async (player) => {
          for (let times = 0; times < 3; times++) await stage.once(player, "timeupdate");
        }),
      );
      for (const player of players) player.autoUpdate = false;
      return {
        strange,
        corner,
        bytes,
        shot,
        sizes,
        heard: heard.flat(),
        contexts: gpus.contexts.length,
        devices: gpus.devices.length,
      };
    },
    backend,
    COUNT,
  );
  assert.deepEqual(told.heard, []);
  assert.deepEqual(told.strange, [], "each looks as if it were alone");
  assert.ok(Math.abs(told.corner[3] - 128) <= 1, `half of what is behind shines through: ${told.corner}`);
  assert.equal(told.shot, 0);
  assert.deepEqual(told.sizes, [0, 0, 0]);
  if (backend === "webgpu") assert.equal(told.devices, 1);
  else assert.ok(told.contexts <= 5, `${told.contexts} contexts`);
  const shared = told.bytes.slice(4);
  assert.ok(
    shared.every((bytes) => bytes < told.bytes[0] || backend === "webgpu"),
    `they share what they can: ${told.bytes}`,
  );
  const flavour = backend === "webgpu" ? "webgpu" : "webgl";
  for (const file of ["gambol.js", "gambol_bg.wasm"]) {
    assert.equal(
      requests.filter((path) => path === `/gambol/wasm/${flavour}/${file}`).length,
      1,
      `${file} is fetched once`,
    );
  }

  const comeAndGo = await page.evaluate(async (backend) => {
    stage.close();
    const stays = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    const heard = stage.record(stays, "contextlost", "error");
    const before = await stage.look(stays);
    for (let nth = 0; nth < 40; nth++) {
      const canvas = document.createElement("canvas");
      document.body.append(canvas);
      const player = await stage.Player.create(canvas, { backend });
      player.dispose();
      canvas.remove();
    }
    // A canvas can be used again after its player was disposed of.
    const canvas = document.createElement("canvas");
    document.body.append(canvas);
    const pictures = [];
    for (let nth = 0; nth < 3; nth++) {
      const player = await stage.Player.create(canvas, { backend });
      player.autoUpdate = false;
      await player.load("/fixtures/swing.glb");
      player.play("Swing");
      player.currentTime = 0.5;
      player.frame();
      pictures.push(await stage.look(player));
      player.dispose();
    }
    return {
      heard,
      differing: stage.compare(before, await stage.look(stays), 0).count,
      again: pictures.map((picture) => stage.compare(before, picture, 0).count),
    };
  }, backend);
  assert.deepEqual(comeAndGo, { heard: [], differing: 0, again: [0, 0, 0] });
}
