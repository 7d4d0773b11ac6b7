/**
 * `<gambol-player worker>` works like the plain tag under a strict Content-Security-Policy, with its player in a
 * worker.
 */

import assert from "node:assert/strict";

import { serve } from "../../../www/serve.mjs";
import { inTime } from "../patience.mjs";

export default async function ({ page, backend, mounts }) {
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src data:";
  const server = await serve({ mounts, headers: { "Content-Security-Policy": policy } });
  try {
    await page.goto(`${server.url}strict.html`);
    await page.waitForFunction(() => window.stage);
    const told = await page.evaluate(async (backend) => {
      window.violations = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        violations.push(`${event.violatedDirective} ${event.blockedURI}`),
      );
      document.body.innerHTML =
        `<gambol-player worker backend="${backend}" src="/fixtures/swing.glb" ` +
        'clip="Raise" autoplay controls></gambol-player>';
      const element = document.querySelector("gambol-player");
      // Small, since software rendering falls behind and delays other requests.
      Object.assign(element.style, { width: "96px", height: "96px" });
      const heard = stage.record(element, "load", "error", "clipchange", "contextlost");
      await stage.once(element, "play");
      window.player = element.player;
      const first = {
        backend: player.backend,
        clip: player.clip.name,
        paused: element.paused,
        duration: element.duration,
        worker: element.worker,
      };
      await stage.once(element, "timeupdate");

      const box = document.createElement("div");
      document.body.append(box);
      element.remove();
      box.append(element);
      await stage.once(element, "timeupdate");
      const moved = {
        samePlayer: element.player === player,
        loads: heard.filter(({ name }) => name === "load").length,
      };

      element.pause();
      await player.settled();
      const { paused, currentTime } = element;
      await player.settled();
      const still = element.currentTime === currentTime;
      element.currentTime = 0.25;
      const sought = element.currentTime;
      await stage.once(element, "seeked");
      const run = await element.play("Swing", { fade: 0 });
      await player.settled();
      const swung = [run.clip.name, element.paused];

      // A drag turns the camera.
      const before = player.camera.yaw;
      element.shadowRoot.querySelector("canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
      await until(() => player.camera.yaw !== before);

      const loaded = stage.once(element, "load");
      element.src = "/fixtures/formats/named_tga.x";
      const { name, warnings } = await loaded;
      await element.play();
      element.pause();
      const picture = await stage.pixelsOfPng(await player.screenshot({ width: 100, height: 100 }));
      return {
        first,
        moved,
        paused,
        still,
        sought,
        swung,
        name,
        warnings,
        part: stage.coverage(picture).part > 0.005,
        errors: heard.filter(({ name }) => name === "error"),
      };
    }, backend);
    assert.deepEqual(told, {
      first: { backend, clip: "Raise", paused: false, duration: 1, worker: true },
      moved: { samePlayer: true, loads: 1 },
      paused: true,
      still: true,
      sought: 0.25,
      swung: ["Swing", false],
      name: "named_tga.x",
      warnings: [],
      part: true,
      errors: [],
    });
    assert.equal(page.workers().length, 1);

    // Without the attribute the player runs in the page, and the worker ends.
    const ended = inTime("the worker to end", new Promise((resolve) => page.once("workerdestroyed", resolve)), 60);
    await page.evaluate(async () => {
      const element = document.querySelector("gambol-player");
      element.worker = false;
      await stage.once(element, "play");
      element.pause();
    });
    await ended;
    const after = await page.evaluate(async () => {
      const element = document.querySelector("gambol-player");
      const own = element.player !== player && element.player.alive;
      const later = (await stage.failure(() => player.pause())).code;
      element.remove();
      return { own, later, violations };
    });
    assert.deepEqual(after, { own: true, later: "PLAYER_DISPOSED", violations: [] });
  } finally {
    await server.close();
  }
}
