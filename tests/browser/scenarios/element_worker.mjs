/** The attribute `worker` runs the player in a worker; the element behaves the same otherwise. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  // Messages between the worker and the page, while the page is slow.
  await page.evaluate(() => {
    const { Worker } = window;
    window.said = [];
    window.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        this.addEventListener("message", ({ data }) => {
          if (data.shown) said.push({ shown: data.shown.name });
          if (data.update?.drawn) said.push({ drawn: data.update.batch });
          for (const until = performance.now() + 200; data.shown && performance.now() < until; );
        });
      }
      postMessage(message, transfer) {
        if (message.calls) said.push({ asked: message.batch });
        super.postMessage(message, transfer);
      }
    };
  });
  const workers = new Set();
  page.on("workercreated", (worker) => workers.add(new URL(worker.url()).pathname));
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    const heard = stage.record(element, "load", "play", "pause", "error", "contextlost");
    const shown = () => element.shadowRoot.querySelector("canvas.shown") !== null;
    Object.assign(element, {
      backend,
      worker: true,
      src: "/fixtures/swing.glb",
      clip: "Swing",
      currentTime: 0.5,
      autoplay: true,
      autoRotate: 30,
      controls: true,
      cameraOrbit: "1rad 0 auto",
    });
    document.body.append(element);
    const run = await element.play();
    const told = { first: [run.clip.name, element.paused, element.readyState, element.duration, shown()] };
    await stage.once(element, "timeupdate");
    const { player } = element;
    told.yaw = player.camera.yaw;
    told.time = element.currentTime;

    element.pause();
    await player.settled();
    const time = element.currentTime;
    const box = document.createElement("div");
    document.body.append(box);
    box.append(element);
    await player.settled();
    told.moved = [element.player === player, element.currentTime === time, element.paused];

    element.clip = "Raise";
    await null;
    await player.settled();
    told.clip = [player.clip.name, element.paused];
    element.play();
    await stage.once(element, "timeupdate");
    said.length = 0;
    await element.load("/fixtures/stroll.glb");
    await stage.once(element, "timeupdate");
    const shownAt = said.findIndex(({ shown }) => shown);
    const answer = said.slice(shownAt).find(({ asked }) => asked).asked;
    told.posed = said
      .slice(shownAt)
      .filter(({ drawn }) => drawn !== undefined)
      .map(({ drawn }) => drawn >= answer);
    told.swapped = [element.clips.map(({ name }) => name), element.player === player, shown()];

    element.remove();
    await until(() => !element.player);
    told.disposed = [player.alive, (await stage.failure(() => player.pause())).code];
    document.body.append(element);
    await element.play();
    told.again = [element.player !== player, element.clips.length];

    // Removing the attribute restarts the player on the page's thread.
    const reloaded = stage.once(element, "load");
    element.worker = false;
    await reloaded;
    await element.play("Swing");
    await stage.once(element, "timeupdate");
    told.here = element.paused;
    element.remove();
    await until(() => !element.player);
    told.bad = heard.filter(({ name }) => name === "error" || name === "contextlost").map(({ detail }) => detail?.code);
    return told;
  }, backend);
  assert.deepEqual([...workers], ["/gambol/worker.js"]);
  assert.deepEqual(told.first, ["Swing", false, 4, 2, true]);
  assert.ok(told.time >= 0.5, `${told.time}`);
  assert.ok(told.yaw >= 1 - 1e-3 && told.yaw < 3, `${told.yaw}`);
  assert.deepEqual(told.moved, [true, true, true]);
  assert.deepEqual(told.clip, ["Raise", true]);
  assert.deepEqual(told.swapped, [["Swing", "Raise", "Stroll"], true, true]);
  assert.ok(
    told.posed.length > 0 && told.posed.every(Boolean),
    `frames of the new model before it is posed: ${told.posed}`,
  );
  assert.deepEqual(told.disposed, [false, "PLAYER_DISPOSED"]);
  assert.deepEqual(told.again, [true, 3]);
  assert.equal(told.here, false);
  assert.deepEqual(told.bad, []);
}
