/**
 * Pictures that a page requests of a worker with WebGL2 don't pile up: at most one is drawn in an animation frame, with
 * the newest state.
 */

import assert from "node:assert/strict";

export const backends = ["webgl2"];

/** Number of requested pictures. All are sent in less time than that of a few animation frames. */
const PICTURES = 60;

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async (backend, pictures) => {
      const player = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
      player.currentTime = 0;
      player.render();
      await player.settled();
      const times = [];
      player.addEventListener("timeupdate", ({ detail }) => times.push(detail.currentTime));
      const { port1, port2 } = new MessageChannel();
      const begin = performance.now();
      for (let nth = 1; nth <= pictures; nth++) {
        player.advance(1 / 64);
        player.render();
        // The calls of a task are sent together.
        await new Promise((next) => {
          port1.onmessage = next;
          port2.postMessage(null);
        });
      }
      const millis = performance.now() - begin;
      await until(() => times.at(-1) === pictures / 64);
      const drawn = times.length;
      // A single picture is drawn without waiting to be asked for.
      player.advance(1 / 64);
      player.render();
      await until(() => times.at(-1) === (pictures + 1) / 64);
      // An awaited picture is drawn at once, whatever the frame.
      const awaited = [];
      for (const time of [0.1, 0.2, 0.3]) {
        player.currentTime = time;
        player.render();
        await player.settled();
        awaited.push(times.at(-1));
      }
      stage.close();
      return { drawn, millis, awaited };
    },
    backend,
    PICTURES,
  );
  // Two pictures for each frame of 60 in a second, and some for the first and the last.
  const most = (told.millis / 1000) * 60 * 2 + 4;
  assert.ok(told.drawn <= most, `${told.drawn} pictures of ${PICTURES} in ${told.millis} ms`);
  assert.deepEqual(told.awaited, [0.1, 0.2, 0.3]);
}
