/**
 * The control bar never covers the model at any size. It folds away while a clip plays, and stays reachable by
 * pointer, keyboard and screen reader.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const longestSecs = 180;

/** Width and height in CSS pixels, and the least share of the height above the bar that the model fills. */
const SIZES = [
  [470, 353, 0.75],
  [640, 360, 0.75],
  [470, 120, 0.7],
  [160, 120, 0.6],
  [120, 90, 0.5],
];

export default async function ({ page, backend, out }) {
  await page.evaluate(watchTime);
  await frames(page, backend, out);
  await folds(page, backend, out);
  await keepsClearInWorkers(page, backend);
}

async function frames(page, backend, out) {
  for (const [width, height, least] of SIZES) {
    const told = await page.evaluate(
      async (backend, width, height) => {
        const element = Object.assign(document.createElement("gambol-player"), {
          backend,
          src: "/fixtures/swing.glb",
          controls: true,
          transparent: true,
          clip: "Swing",
        });
        element.style.cssText = `width: ${width}px; height: ${height}px; background: #cde`;
        document.body.append(element);
        await stage.once(element, "load");
        const bar = () => element.shadowRoot.querySelector("[part~=controls]");
        await until(() => bar()?.checkVisibility() === true && element.player.clip);
        await resting(element);
        const { data } = await stage.look(element.player);
        const rows = Array.from({ length: height }, (_, row) =>
          data.subarray(row * width * 4, (row + 1) * width * 4).some((value, at) => at % 4 === 3 && value > 16),
        );
        const barTop = bar().getBoundingClientRect().top - element.getBoundingClientRect().top;
        const focusable = [...bar().querySelectorAll("button, input, select")].filter((control) =>
          control.checkVisibility(),
        ).length;
        window.element = element;
        return {
          top: rows.indexOf(true),
          bottom: rows.lastIndexOf(true),
          barTop,
          focusable,
          inset: element.player.camera.insets.bottom,
        };
      },
      backend,
      width,
      height,
    );
    writeFileSync(
      join(out, `element_bar_${backend}_${width}x${height}.png`),
      await page.screenshot({ clip: { x: 0, y: 0, width, height } }),
    );
    await page.evaluate(() => element.remove());
    const size = `${width} × ${height}: ${JSON.stringify(told)}`;
    assert.ok(told.bottom <= told.barTop + 1, `the bar covers the feet, ${size}`);
    assert.ok(told.bottom - told.top >= least * told.barTop, `too little is seen, ${size}`);
    assert.ok(told.barTop >= 0.5 * height, `there is more bar than model, ${size}`);
    assert.equal(told.focusable, 5, `all can be reached, ${size}`);
  }
}

async function folds(page, backend, out) {
  await page.evaluate(async (backend) => {
    const element = Object.assign(document.createElement("gambol-player"), {
      backend,
      src: "/fixtures/swing.glb",
      controls: true,
      autoplay: true,
    });
    element.style.cssText = "width: 600px; height: 400px";
    document.body.append(element);
    await stage.once(element, "load");
    window.element = element;
    window.bar = () => element.shadowRoot.querySelector("[part~=controls]");
    window.folded = () => bar().classList.contains("folded");
    await until(() => bar()?.checkVisibility() === true && !element.paused);
    await resting(element);
  }, backend);
  const isFolded = () => page.evaluate(() => folded());
  const pass = () => page.evaluate(() => passTime());
  const comesBack = (by) =>
    page.waitForFunction(() => !folded()).catch((error) => assert.fail(`${by}: ${error.message}`));
  await page.mouse.move(700, 500);
  const home = await page.evaluate(() => element.player.camera.distance);

  assert.equal(await isFolded(), false, "there at first");
  await pass();
  assert.equal(await isFolded(), true, "then nobody used it");
  const away = await page.evaluate(async () => {
    await until(() => getComputedStyle(bar()).opacity === "0");
    return {
      pointer: getComputedStyle(bar()).pointerEvents,
      there: bar().checkVisibility(),
      hit: element.shadowRoot.elementFromPoint(300, 370).localName,
    };
  });
  assert.deepEqual(away, { pointer: "none", there: true, hit: "canvas" });
  assert.equal(await page.evaluate(() => element.player.camera.distance), home, "the picture stays as it is");
  writeFileSync(
    join(out, `element_bar_${backend}_folded.png`),
    await page.screenshot({ clip: { x: 0, y: 0, width: 600, height: 400 } }),
  );
  const tree = JSON.stringify(await page.accessibility.snapshot());
  for (const name of ["Pause", "Timeline", "Speed"])
    assert.ok(tree.includes(`"name":"${name}"`), `screen readers find ${name}`);

  await page.mouse.move(300, 100);
  await comesBack("a pointer");
  await page.mouse.move(300, 370);
  await pass();
  assert.equal(await isFolded(), false, "a pointer on it keeps it there");
  await page.mouse.move(700, 500);
  await pass();
  assert.equal(await isFolded(), true, "a pointer that has left doesn't");

  await page.touchscreen.tap(300, 100);
  await comesBack("a finger");
  await page.mouse.move(700, 500);
  await pass();
  await page.waitForFunction(() => folded());

  await page.evaluate(() => element.player.canvas.focus());
  await pass();
  await page.keyboard.press("ArrowLeft");
  await comesBack("a key");
  await pass();
  assert.equal(await isFolded(), true, "the focus on the model doesn't keep it");
  await page.keyboard.press("Tab");
  await comesBack("the focus");
  assert.equal(await page.evaluate(() => bar().matches(":focus-within")), true);
  await pass();
  assert.equal(await isFolded(), false, "who has the focus on it by keyboard keeps it");
  await page.evaluate(() => element.shadowRoot.activeElement.blur());
  await pass();
  assert.equal(await isFolded(), true);

  // While paused, the bar stays visible.
  await page.evaluate(() => element.pause());
  await comesBack("a pause");
  await pass();
  assert.equal(await isFolded(), false);
  await page.evaluate(() => element.play());
  await page.waitForFunction(() => !element.paused);
  await pass();
  await page.waitForFunction(() => folded());

  // A click leaves an invisible focus on the button.
  await page.mouse.move(300, 100);
  await comesBack("a pointer");
  await page.click("gambol-player >>> [part~=speed-select]").catch(() => undefined);
  await page.keyboard.press("Escape");
  await page.evaluate(() => element.shadowRoot.activeElement?.blur());

  assert.notEqual(await page.evaluate(() => getComputedStyle(bar()).transitionDuration), "0s");
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  assert.equal(await page.evaluate(() => getComputedStyle(bar()).transitionDuration), "0s", "less motion");
  await page.emulateMediaFeatures([]);

  // Without the bar, no space is reserved.
  const free = await page.evaluate(async () => {
    const before = element.player.camera.insets.bottom;
    element.controls = false;
    await until(() => element.player.camera.insets.bottom === 0);
    element.remove();
    return before;
  });
  assert.ok(free > 40, `${free} pixels were`);
}

async function keepsClearInWorkers(page, backend) {
  const inset = await page.evaluate(async (backend) => {
    const element = Object.assign(document.createElement("gambol-player"), {
      backend,
      src: "/fixtures/swing.glb",
      controls: true,
      worker: true,
    });
    element.style.cssText = "width: 470px; height: 353px";
    document.body.append(element);
    await stage.once(element, "load");
    const { player } = element;
    const far = player.camera.distance;
    await until(() => player.camera.insets.bottom > 40);
    await resting(element);
    const near = player.camera.distance;
    element.remove();
    return [far, near];
  }, backend);
  assert.ok(
    inset.every((distance) => distance > 0),
    `${inset}`,
  );
}

/** Runs in the page. Replaces the timers that hide the bar. */
function watchTime() {
  const waiting = new Map();
  const [start, stop] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  let last = 0;
  window.setTimeout = (action, millis, ...more) => {
    if (millis !== 2500 && millis !== 300) return start(action, millis, ...more);
    waiting.set(--last, action);
    return last;
  };
  window.clearTimeout = (timer) => (waiting.delete(timer) ? undefined : stop(timer));
  window.passTime = () => {
    for (const [timer, action] of [...waiting]) if (waiting.delete(timer)) action();
  };
  window.resting = async (element) => {
    const { camera } = element.player;
    const state = () => [camera.distance, ...camera.target].join();
    for (let [before, after] = ["", state()]; before !== after; ) {
      for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
      [before, after] = [after, state()];
    }
  };
}
