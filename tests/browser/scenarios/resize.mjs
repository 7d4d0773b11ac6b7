/** The canvas follows its box and the pixel ratio, is never blank after a resize, and keeps the model in view. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  await page.evaluate(async (backend) => {
    window.player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
  }, backend);
  const sizeIs = (width, height) =>
    page.waitForFunction(
      (width, height) => {
        player.render();
        return player.canvas.width === width && player.canvas.height === height;
      },
      { polling: "raf" },
      width,
      height,
    );
  const distance = () => page.evaluate(() => player.camera.distance);
  await sizeIs(240, 240);
  const framed = await distance();
  await page.evaluate(() => (player.canvas.style.cssText = "width: 60px; height: 240px"));
  await sizeIs(60, 240);
  assert.ok((await distance()) > framed * 1.5, "a narrow picture is taken from farther away");
  await page.evaluate(() => {
    player.camera.distance = 5;
    player.advance(10);
    player.canvas.style.cssText = "width: 120px; height: 200px";
  });
  await sizeIs(120, 200);
  assert.ok(Math.abs((await distance()) - 5) < 1e-3, "where the visitor looks from is the visitor's");
  await page.setViewport({ width: 800, height: 600, deviceScaleFactor: 2 });
  await sizeIs(240, 400);
  const look = await page.evaluate(async () => stage.coverage(await stage.look(player)));
  assert.ok(look.part > 0.02 && look.brightest > 100, JSON.stringify(look));

  // Above a ratio of 2, a large canvas has fewer pixels than the screen, and a small one as many.
  await page.setViewport({ width: 1200, height: 900, deviceScaleFactor: 3 });
  await sizeIs(360, 600);
  await page.evaluate(() => (player.canvas.style.cssText = "width: 1000px; height: 500px"));
  await sizeIs(2048, 1024);
  await page.evaluate(() => (player.canvas.style.cssText = "width: 1200px; height: 800px"));
  await sizeIs(2400, 1600);
  await page.setViewport({ width: 800, height: 600, deviceScaleFactor: 2 });

  await page.evaluate(() => (player.canvas.style.display = "none"));
  await page.waitForFunction(() => player.canvas.clientWidth === 0);
  await page.evaluate(() => {
    player.render();
    player.canvas.style.cssText = "width: 60px; height: 60px";
  });
  await sizeIs(120, 120);

  // Something beside the canvas covers its lower edge, and follows its own size.
  const errors = await page.evaluate(async () => {
    const heard = [];
    window.addEventListener("error", ({ message }) => heard.push(message));
    const cover = document.body.appendChild(document.createElement("div"));
    const observer = new ResizeObserver(() => (player.camera.insets = { bottom: cover.clientHeight }));
    observer.observe(cover);
    for (let height = 1; height < 5; height++) {
      cover.style.height = `${height}px`;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    }
    observer.disconnect();
    return heard;
  });
  assert.deepEqual(errors, []);
}
