/**
 * GPU loss at critical moments: afterwards clip, time, camera and picture are the same. On WebGL2 both for a player
 * with its own context and for one that shares a context.
 */

import assert from "node:assert/strict";

import { watchGpus } from "../gpus.mjs";

export const longestSecs = 300;

/** Each opens a player, loses the GPU meanwhile, and returns a player that shows `Swing` at 0.5 s. Runs in the page. */
function inPage() {
  const settled = (promise) =>
    promise.then(
      () => "fulfilled",
      ({ code, name }) => code ?? name,
    );
  const pose = (player, clip = "Swing", time = 0.5) => {
    if (player.clip?.name !== clip) player.play(clip);
    player.pause();
    player.currentTime = time;
    player.frame();
    Object.assign(player.camera, { yaw: 0.4, pitch: 0.2 });
    return player;
  };
  /** Resolve when a player has reported the loss of the GPU, and its return. */
  const hearing = (player) => [stage.once(player, "contextlost"), stage.once(player, "contextrestored")];
  /** Loses the GPU and restores it. */
  const blink = async (player) => {
    const [lost, back] = hearing(player);
    gpus.lose();
    await lost;
    gpus.restore();
    await back;
  };
  /** Delays a function of the page until it is released. `held` resolves when it is called. */
  const hold = (owner, name) => {
    const original = owner[name];
    let [letGo, came] = [];
    const gate = new Promise((resolve) => (letGo = resolve));
    const held = new Promise((resolve) => (came = resolve));
    owner[name] = async function (...options) {
      owner[name] = original;
      came();
      await gate;
      return original.apply(this, options);
    };
    return { held, letGo };
  };
  /** Runs a function before the next call of a wasm method. */
  const before = async (backend, method, action) => {
    const { PlayerHandle } = await import(`/gambol/wasm/${backend === "webgpu" ? "webgpu" : "webgl"}/gambol.js`);
    const original = PlayerHandle.prototype[method];
    PlayerHandle.prototype[method] = function (...options) {
      PlayerHandle.prototype[method] = original;
      action();
      return original.apply(this, options);
    };
  };

  window.moments = {
    async "before there is a model"({ player }) {
      await blink(player);
      await player.load("/fixtures/swing.glb");
      return pose(player);
    },
    async "away for all of a load"({ player }) {
      const [lost, back] = hearing(player);
      gpus.lose();
      await lost;
      await player.load("/fixtures/swing.glb");
      gpus.restore();
      await back;
      return pose(player);
    },
    async "while the file comes"({ player }) {
      const { held, letGo } = hold(window, "fetch");
      const loading = player.load("/fixtures/swing.glb");
      await held;
      await blink(player);
      letGo();
      await loading;
      return pose(player);
    },
    async "while its pictures are decoded"({ player }) {
      const { held, letGo } = hold(window, "createImageBitmap");
      const loading = player.load("/fixtures/swing.glb");
      await held;
      const [lost, back] = hearing(player);
      gpus.lose();
      await lost;
      letGo();
      await loading;
      gpus.restore();
      await back;
      return pose(player);
    },
    async "while it is given to the GPU"({ player, backend }) {
      const [lost, back] = hearing(player);
      await before(backend, "show", () => gpus.lose());
      await player.load("/fixtures/swing.glb");
      player.render();
      await lost;
      gpus.restore();
      await back;
      return pose(player);
    },
    async "right after the load"({ player }) {
      await player.load("/fixtures/swing.glb");
      await blink(player);
      return pose(player);
    },
    async "while it plays"({ player }) {
      await player.load("/fixtures/swing.glb");
      player.play("Swing");
      player.autoUpdate = true;
      await stage.once(player, "timeupdate");
      await blink(player);
      await stage.once(player, "timeupdate");
      if (player.paused || player.clip.name !== "Swing") throw new Error("it plays no longer");
      player.autoUpdate = false;
      return pose(player);
    },
    async "in a fade"({ player }) {
      const reference = await stage.openModel(player.backend, "/fixtures/swing.glb");
      const fade = (who) => {
        who.play("Swing");
        who.advance(0.5);
        who.play("Raise", { fade: 0.5 });
        who.advance(0.2);
        who.frame();
        return who;
      };
      const wanted = await stage.look(fade(reference));
      reference.dispose();
      reference.canvas.remove();
      await player.load("/fixtures/swing.glb");
      fade(player);
      const [clip, time] = [player.clip.name, player.currentTime];
      await blink(player);
      const { count } = stage.compare(wanted, await stage.look(player), 0);
      if (count > 0 || clip !== player.clip.name || time !== player.currentTime)
        throw new Error(`the fade is another: ${count}`);
      return player.load("/fixtures/swing.glb").then(() => pose(player));
    },
    async "at rest, where nothing draws"({ player }) {
      await player.load("/fixtures/swing.glb");
      pose(player);
      player.render();
      await blink(player);
      return player;
    },
    async "while a picture is taken"({ player }) {
      await player.load("/fixtures/swing.glb");
      pose(player);
      const [lost, back] = hearing(player);
      const first = settled(player.screenshot());
      gpus.lose();
      const second = settled(player.screenshot());
      await lost;
      const third = settled(player.screenshot());
      for (const outcome of await Promise.all([first, second, third])) {
        if (!/^(fulfilled|[A-Z_]+)$/.test(outcome)) throw new Error(outcome);
      }
      gpus.restore();
      await back;
      if ((await settled(player.screenshot())) !== "fulfilled") throw new Error("no more pictures");
      return player;
    },
    async "out of view"({ player }) {
      await player.load("/fixtures/swing.glb");
      pose(player);
      player.autoUpdate = true;
      player.canvas.style.position = "absolute";
      player.canvas.style.top = "-3000px";
      await new Promise((resolve) =>
        new IntersectionObserver(([entry]) => !entry.isIntersecting && resolve()).observe(player.canvas),
      );
      await blink(player);
      player.canvas.style.position = "";
      player.autoUpdate = false;
      return player;
    },
    async "while another model comes"({ player }) {
      await player.load("/fixtures/stroll.glb");
      player.play("Stroll");
      const { held, letGo } = hold(window, "createImageBitmap");
      const loading = player.load("/fixtures/swing.glb");
      await held;
      const [lost, back] = hearing(player);
      gpus.lose();
      await lost;
      // The old model's images are requested, and the new model is requested before they arrive.
      const old = hold(window, "createImageBitmap");
      gpus.restore();
      await old.held;
      letGo();
      await loading;
      old.letGo();
      await back;
      return pose(player);
    },
    async "once more, before it is back"({ player }) {
      await player.load("/fixtures/swing.glb");
      pose(player);
      const heard = stage.record(player, "contextlost", "contextrestored");
      const { held, letGo } = hold(window, "createImageBitmap");
      const [lost, back] = hearing(player);
      gpus.lose();
      await lost;
      gpus.restore();
      await held;
      gpus.lose();
      await gpus.gone();
      gpus.restore();
      letGo();
      await back;
      await new Promise((resolve) => setTimeout(resolve));
      const names = heard.map(({ name }) => name).join();
      if (names !== "contextlost,contextrestored") throw new Error(names);
      return player;
    },
    async "when there is none to be had at first"({ player }) {
      await player.load("/fixtures/swing.glb");
      pose(player);
      const gpu = navigator.gpu && Object.getPrototypeOf(navigator.gpu);
      const original = gpu?.requestAdapter;
      let refusals = 0;
      // After a crash, the browser provides no adapter for a while.
      if (gpu)
        gpu.requestAdapter = async () => {
          if (++refusals === 2) gpu.requestAdapter = original;
          return null;
        };
      await blink(player);
      if (gpu) gpu.requestAdapter = original;
      if (player.backend === "webgpu" && refusals !== 2) throw new Error(`asked ${refusals} times`);
      return player;
    },
    async "and again, once it is back"({ player }) {
      await player.load("/fixtures/swing.glb");
      pose(player);
      await blink(player);
      await blink(player);
      return player;
    },
    async "right before the end"({ player, backend }) {
      const other = await stage.openModel(backend, "/fixtures/swing.glb");
      pose(other);
      await player.load("/fixtures/swing.glb");
      const [lost, back] = hearing(other);
      gpus.lose();
      player.dispose();
      player.canvas.remove();
      await lost;
      gpus.restore();
      await back;
      return other;
    },
  };
  window.reference = async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb");
    const wanted = { look: await stage.look(pose(player)), camera: cameraOf(player) };
    // No player uses this file, so it has to be fetched again.
    player.dispose();
    player.canvas.remove();
    return wanted;
  };
  const cameraOf = ({ camera }) => [...camera.target, camera.distance, camera.yaw, camera.pitch];
  window.tell = async (moment, backend, wanted) => {
    const player = await stage.open(backend);
    const errors = stage.record(player, "error");
    const shown = await moments[moment]({ player, backend });
    const look = await stage.look(shown);
    const told = {
      errors: errors.map(({ detail }) => detail.message),
      clip: shown.clip?.name,
      time: shown.currentTime,
      camera: JSON.stringify(cameraOf(shown)) === JSON.stringify(wanted.camera),
      differing: stage.compare(wanted.look, look, 0).count,
      alive: shown.alive,
    };
    for (const one of new Set([player, shown])) {
      one.dispose();
      one.canvas.remove();
    }
    return told;
  };
}

export default async function ({ page, backend, url }) {
  await watchGpus(page, url);
  await page.evaluate(inPage);
  const wrong = [];
  // The first four have contexts of their own.
  for (const bystanders of backend === "webgpu" ? [0] : [0, 4]) {
    const moments = await page.evaluate(
      async (backend, bystanders) => {
        window.others = [];
        for (let nth = 0; nth < bystanders; nth++)
          others.push(await stage.open(backend, { css: "width: 20px; height: 20px" }));
        window.wanted = await reference(backend);
        return Object.keys(moments);
      },
      backend,
      bystanders,
    );
    for (const moment of moments) {
      const told = await Promise.race([
        page.evaluate(
          (moment, backend) => tell(moment, backend, wanted).catch((error) => error.stack),
          moment,
          backend,
        ),
        new Promise((resolve) => setTimeout(resolve, 60_000, "it doesn't come back")),
      ]);
      const sound = { errors: [], clip: "Swing", time: 0.5, camera: true, differing: 0, alive: true };
      if (JSON.stringify(told) !== JSON.stringify(sound)) wrong.push({ moment, bystanders, told });
    }
    const alive = await page.evaluate(() => others.every(({ alive }) => alive));
    assert.ok(alive, "nobody else came to harm");
  }
  assert.deepEqual(wrong, []);
}
