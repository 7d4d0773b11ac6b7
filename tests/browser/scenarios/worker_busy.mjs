/** While the page's own thread is busy, the worker keeps drawing, and its frames reach the screen. */

import assert from "node:assert/strict";

const BUSY_MILLIS = 2000;

export default async function ({ page, backend }) {
  const frames = (worker) =>
    page.evaluate(
      async (backend, worker, busyMillis) => {
        const player = await stage.openModel(backend, "/fixtures/swing.glb", { worker, clip: "Swing" });
        const heard = stage.record(player, "timeupdate");
        player.autoUpdate = true;
        await until(() => heard.length >= 3);
        heard.length = 0;
        const end = performance.now() + busyMillis;
        while (performance.now() < end);
        // The worker's messages arrive before its answer. The page itself has had no frame.
        await player.settled();
        stage.close();
        return heard.length;
      },
      backend,
      worker,
      BUSY_MILLIS,
    );
  assert.equal(await frames(false), 0, "nothing moves on a busy thread");
  const drawn = await frames(true);
  assert.ok(drawn > 3, `${drawn} frames in a worker`);

  // Without a screen, only `toDataURL` returns the pixels of WebGPU in Chromium.
  if (backend === "webgpu") return;
  await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { worker: true, clip: "Swing" });
    player.autoUpdate = true;
    for (let frame = 0; frame < 3; frame++) await stage.once(player, "timeupdate");
  }, backend);
  const session = await page.createCDPSession();
  const pictures = new Set();
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    pictures.add(data);
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await session.send("Page.startScreencast", { format: "png" });
  await page.evaluate((busyMillis) => {
    const end = performance.now() + busyMillis;
    while (performance.now() < end);
  }, BUSY_MILLIS);
  const seen = pictures.size;
  await session.send("Page.stopScreencast");
  assert.ok(seen > 3, `${seen} different pictures on the screen`);
}
