/**
 * Touch: an upward drag scrolls the page, a sideways drag turns the model, and two fingers pan and zoom. Over a
 * model without camera controls every drag scrolls.
 */

import assert from "node:assert/strict";

export const backends = ["webgl2"];
export const longestSecs = 300;

export default async function ({ page, backend }) {
  await page.setViewport({ width: 400, height: 600, deviceScaleFactor: 1, hasTouch: true, isMobile: true });
  const session = await page.createCDPSession();
  await page.evaluate(async (backend) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "body { height: 3000px } gambol-player { width: 100%; height: 400px } .free::part(canvas) { touch-action: none }",
    );
    document.adoptedStyleSheets = [sheet];
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb" });
    document.body.append(element);
    await stage.once(element, "load");
    window.element = element;
    window.canvas = () => element.player.canvas;
    window.heard = stage.record(canvas(), "pointerdown", "pointerup", "pointercancel");
  }, backend);

  /** Drags fingers in straight lines, in ten moves a frame apart. */
  async function drag(...fingers) {
    await page.evaluate(async () => {
      // The scroll of the previous drag may still continue.
      await until(async () => {
        scrollTo(0, 0);
        for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
        return scrollY === 0;
      }, "the page to rest at its top");
      heard.length = 0;
    });
    const at = (part) => fingers.map((places, id) => ({ id, ...placeOn(places, part) }));
    const before = await state();
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
    for (let step = 1; step <= 10; step++) {
      await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / 10) });
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.waitForFunction(
      (count) => heard.filter(({ name }) => name !== "pointerdown").length >= count,
      {},
      fingers.length,
    );
    const after = await state();
    return {
      turned: after.yaw - before.yaw,
      raised: after.pitch - before.pitch,
      moved: after.target[0] - before.target[0],
      lifted: before.target[1] - after.target[1],
      zoomed: before.distance / after.distance,
      scrolled: await page.evaluate(() => scrollY),
    };
  }
  /** Returns the position on a path of straight lines, each with the same duration. */
  function placeOn(places, part) {
    const along = part * (places.length - 1);
    const before = Math.min(Math.floor(along), places.length - 2);
    const [x, y] = [0, 1].map(
      (lane) => places[before][lane] + (places[before + 1][lane] - places[before][lane]) * (along - before),
    );
    return { x, y };
  }
  // The camera is damped, so its target is compared.
  const state = () =>
    page.evaluate(async () => {
      const { camera } = element.player;
      const all = () => [camera.yaw, camera.pitch, camera.distance, ...camera.target].join();
      let [before, after] = ["", all()];
      await until(async () => {
        for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
        [before, after] = [after, all()];
        return before === after;
      }, "the camera to rest");
      return { yaw: camera.yaw, pitch: camera.pitch, distance: camera.distance, target: camera.target };
    });
  const still = ({ turned, raised, zoomed, moved }) =>
    assert.ok([turned, raised, zoomed - 1, moved].every((by) => Math.abs(by) < 1e-3));

  const upwards = [
    [200, 300],
    [200, 60],
  ];
  const sideways = [
    [80, 200],
    [320, 200],
  ];

  const picture = await drag(upwards);
  assert.ok(picture.scrolled > 100, `a picture scrolls with the page, and went ${picture.scrolled}`);
  still(picture);

  await page.evaluate(() => (element.cameraControls = true));
  await page.waitForFunction(() => element.player.cameraControls);
  const up = await drag(upwards);
  assert.ok(up.scrolled > 100, `upwards one scrolls on, and went ${up.scrolled}`);
  // Also for diagonal drags, including the moves before the browser starts to scroll.
  for (const swipe of [
    [
      [200, 300],
      [230, 60],
    ],
    [
      [220, 320],
      [180, 80],
    ],
  ]) {
    const { raised } = await drag(swipe);
    assert.ok(Math.abs(raised) < 1e-3, `a finger that scrolls tilted the camera by ${raised}`);
  }
  const aside = await drag(sideways);
  assert.ok(
    Math.abs(aside.turned) > 1 && aside.scrolled === 0,
    `sideways one turns the model: ${JSON.stringify(aside)}`,
  );
  const aslant = await drag([
    [80, 200],
    [140, 200],
    [200, 320],
  ]);
  assert.ok(
    Math.abs(aslant.raised) > 0.2 && aslant.scrolled === 0,
    `begun sideways it tilts too: ${JSON.stringify(aslant)}`,
  );
  const pinched = await drag(
    [
      [180, 200],
      [80, 200],
    ],
    [
      [220, 200],
      [320, 200],
    ],
  );
  assert.ok(pinched.zoomed > 2 && pinched.scrolled === 0, `two fingers apart come nearer: ${JSON.stringify(pinched)}`);
  const back = await drag(
    [
      [80, 200],
      [180, 200],
    ],
    [
      [320, 200],
      [220, 200],
    ],
  );
  assert.ok(back.zoomed < 0.5, `together, and it goes away: ${JSON.stringify(back)}`);
  const both = await drag(
    [
      [100, 200],
      [200, 200],
    ],
    [
      [200, 200],
      [300, 200],
    ],
  );
  assert.ok(
    Math.abs(both.moved) > 0.1 && Math.abs(both.turned) < 1e-3,
    `side by side they move it: ${JSON.stringify(both)}`,
  );

  const upBoth = await drag(
    [
      [150, 300],
      [150, 200],
    ],
    [
      [250, 300],
      [250, 200],
    ],
  );
  assert.ok(upBoth.lifted > 0.1 && upBoth.scrolled === 0, `up as well: ${JSON.stringify(upBoth)}`);

  await page.evaluate(() => element.classList.add("free"));
  const free = await drag(upwards);
  assert.ok(
    Math.abs(free.raised) > 0.5 && free.scrolled === 0,
    `a page that wishes so leaves every way to the model: ${JSON.stringify(free)}`,
  );

  await page.evaluate(() => {
    element.classList.remove("free");
    element.cameraControls = false;
  });
  await page.waitForFunction(() => !element.player.cameraControls);
  const again = await drag(sideways);
  still(again);
  assert.ok((await drag(upwards)).scrolled > 100);

  // A canvas that the page created.
  const own = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const during = [player.canvas.style.touchAction, player.canvas.tabIndex];
    player.cameraControls = false;
    const after = [player.canvas.style.touchAction, player.canvas.tabIndex];
    stage.close();
    return { during, after };
  }, backend);
  assert.deepEqual(own, { during: ["none", 0], after: ["", -1] });
}
