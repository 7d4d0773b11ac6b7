/**
 * A picture in which nothing moves any more is refined, until it is closer to one with 64 times as many samples than
 * before. Then nothing is drawn. A change shows the plain picture at once, and ends what has begun. Players in workers
 * refine too; those that aren't asked to don't, and don't fetch the code for it.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default async function ({ page, url, backend, out }) {
  const fetched = [];
  page.on("request", (request) => {
    if (request.url().includes("gambol_still.wasm")) fetched.push(request.url());
  });
  await page.evaluateOnNewDocument(watchFrames);
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  await page.evaluate(async (backend) => {
    const css = "width: 120px; height: 90px";
    window.player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.3, css });
    player.pause();
    player.ground = true;
    window.plain = await stage.look(player);
    window.fine = await fineLook();
    const empty = document.createElement("canvas");
    Object.assign(empty, { width: player.canvas.width, height: player.canvas.height });
    const blank = empty.toDataURL();
    /** Resolves to what is shown when nothing has been drawn for a while, and the number of different pictures. */
    window.settled = async () => {
      const pictures = new Set();
      let [last, lastAt] = ["", performance.now()];
      frames.drawn = () => {
        const shown = player.canvas.toDataURL();
        // Frames that draw nothing keep what is on the screen. Those of other players call this too.
        if (shown === blank || shown === last) return;
        pictures.add(shown);
        [last, lastAt] = [shown, performance.now()];
      };
      await until(() => performance.now() - lastAt > 1500);
      frames.drawn = () => undefined;
      return { count: pictures.size, image: await stage.pixelsOfPng(last) };
    };

    /** Returns a picture whose pixels are means of 8 × 8 of a screenshot. */
    async function fineLook() {
      const { width, height } = player.canvas;
      const large = await stage.pixelsOfPng(await player.screenshot({ width: width * 8, height: height * 8 }));
      const sums = new Float64Array(width * height * 4);
      for (let at = 0; at < large.data.length; at += 4) {
        const [x, y] = [(at / 4) % large.width, Math.floor(at / 4 / large.width)];
        const to = (Math.floor(y / 8) * width + Math.floor(x / 8)) * 4;
        const alpha = large.data[at + 3] / 255;
        for (let lane = 0; lane < 3; lane++) sums[to + lane] += large.data[at + lane] * alpha;
        sums[to + 3] += large.data[at + 3];
      }
      return sums.map((sum) => sum / 64);
    }
    /** Returns the mean distance from the fine picture at edges, of colours that are multiplied by their alpha. */
    window.distance = ({ data }) => {
      let [sum, count] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        if (fine[at + 3] < 8 || fine[at + 3] > 247) continue;
        count++;
        for (let lane = 0; lane < 4; lane++) {
          const factor = lane < 3 ? data[at + 3] / 255 : 1;
          sum += Math.abs(data[at + lane] * factor - fine[at + lane]) / 4;
        }
      }
      return sum / count;
    };
  }, backend);
  assert.deepEqual(fetched, [], "pages that draw by themselves don't refine");

  const refined = await page.evaluate(async () => {
    player.autoUpdate = true;
    player.render();
    const { count, image } = await settled();
    const [plainPng, png] = [await stage.png(plain), await stage.png(image)];
    return { count, plain: distance(plain), refined: distance(image), plainPng, png };
  });
  for (const [name, png] of [
    ["plain", refined.plainPng],
    ["refined", refined.png],
  ]) {
    writeFileSync(join(out, `still-${name}-${backend}.png`), Buffer.from(png, "base64"));
  }
  assert.equal(fetched.length, 1);
  assert.ok(refined.count >= 8, `${refined.count} different pictures`);
  assert.ok(
    refined.refined < refined.plain * 0.6,
    `${refined.refined} from the fine picture, and ${refined.plain} before`,
  );

  // At rest, nothing asks for a frame. A change shows the plain picture, and another begins anew.
  const changed = await page.evaluate(async () => {
    const before = frames.asked;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const asked = frames.asked - before;
    player.currentTime = 0.9;
    await new Promise((resolve) => setTimeout(resolve, 700));
    player.currentTime = 0.3;
    const back = stage.compare(await stage.look(player), plain, 0);
    const { image } = await settled();
    return { asked, back: back.count, again: distance(image) };
  });
  assert.deepEqual([changed.asked, changed.back], [0, 0]);
  assert.ok(Math.abs(changed.again - refined.refined) < 0.2, `${changed.again}, not ${refined.refined}`);

  // The pictures of a mean share a shadow, but for what other players draw meanwhile.
  const beside = await page.evaluate(async (backend) => {
    player.currentTime = 0.6;
    const { image } = await settled();
    const other = await stage.openModel(backend, "/fixtures/stroll.glb", { clip: "Stroll" });
    const drawn = stage.record(other, "timeupdate");
    other.ground = true;
    other.autoUpdate = true;
    player.currentTime = 0.6;
    const again = (await settled()).image;
    other.dispose();
    player.currentTime = 0.3;
    return { differing: stage.compare(image, again, 0).count, drawn: drawn.length };
  }, backend);
  assert.equal(beside.differing, 0);
  assert.ok(beside.drawn > 20, `${beside.drawn} pictures of the other player`);

  const background = [244, 241, 234, 255];
  const corner = await page.evaluate(async (background) => {
    player.background = background.map((channel) => channel / 255);
    const { data } = (await settled()).image;
    player.background = null;
    return [...data.slice(0, 4)];
  }, background);
  assert.deepEqual(corner, background, "what all pictures have stays exactly");

  const kept = await page.evaluate(async () => {
    player.still = "plain";
    const { count, image } = await settled();
    return { count, differing: stage.compare(image, plain, 0).count, still: player.still };
  });
  assert.deepEqual(kept, { count: 1, differing: 0, still: "plain" });

  fetched.length = 0;
  await page.evaluate(async (backend) => {
    stage.close();
    const canvas = document.createElement("canvas");
    canvas.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 120px; height: 90px";
    document.body.append(canvas);
    window.remote = await stage.Player.create(canvas, { backend, worker: true });
    remote.still = "plain";
    await remote.load("/fixtures/swing.glb");
  }, backend);
  const clip = { x: 0, y: 0, width: 120, height: 90 };
  const rest = () => new Promise((resolve) => setTimeout(resolve, 3000));
  await rest();
  const plainShot = await page.screenshot({ clip, encoding: "base64" });
  assert.deepEqual(fetched, [], "a plain still picture needs no code");
  await page.evaluate(() => (remote.still = "refined"));
  await rest();
  const refinedShot = await page.screenshot({ clip, encoding: "base64" });
  assert.equal(fetched.length, 1);
  // Without a screen, Chromium takes no screenshot of WebGPU's canvases.
  if (backend === "webgl2") assert.notEqual(refinedShot, plainShot);
  await page.evaluate(() => remote.dispose());
}

/** Counts the requests for frames, and calls a function after each. */
function watchFrames() {
  window.frames = { asked: 0, drawn: () => undefined };
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    frames.asked++;
    return request((time) => {
      callback(time);
      frames.drawn();
    });
  };
}
