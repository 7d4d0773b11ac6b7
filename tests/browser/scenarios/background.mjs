/** The background colour and the exposure of the picture. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const corner = async () => [...(await stage.look(player)).data.slice(0, 4)];
    const defaults = { background: player.background, exposure: player.exposure };
    player.background = [1, 0.5, 0, 1];
    const orange = await corner();
    const held = player.background;
    player.background = null;
    const clear = await corner();
    const sum = async () =>
      (await stage.look(player)).data.reduce((total, value, at) => (at % 4 < 3 ? total + value : total), 0);
    const light = await sum();
    player.exposure = 0.25;
    const dim = await sum();
    player.exposure = 0;
    const dark = await sum();
    player.exposure = 1;

    const colors = {};
    for (const css of [
      "red",
      "#fff",
      "#33669980",
      "rgb(51 102 153)",
      "rgba(10, 20, 30, 0.1)",
      "hsl(120 100% 50%)",
      "color(srgb 1 0.5 0)",
      "transparent",
    ]) {
      player.background = css;
      colors[css] = { held: player.background.map((lane) => Math.round(lane * 1000) / 1000), seen: await corner() };
    }
    player.background = [0, 0, 1];
    const blue = { held: player.background, seen: await corner() };
    const wrong = [
      "reddish",
      "",
      "var(--color)",
      [NaN, 0, 0, 1],
      [Infinity, 0, 0, 1],
      [1, 1],
      [2, 0, 0, 1],
      [1, 1, 1, -0.1],
      {},
      7,
      undefined,
    ];
    const refusals = [];
    for (const color of wrong) refusals.push(await stage.failure(() => (player.background = color)));
    const unchanged = player.background;

    const element = Object.assign(document.createElement("gambol-player"), {
      backend,
      src: "/fixtures/swing.glb",
      background: "rgb(255 0 0)",
    });
    element.style.cssText = "width: 60px; height: 60px";
    document.body.append(element);
    await stage.once(element, "load");
    const ofElement = [element.getAttribute("background"), element.player.background];
    element.background = "#00f";
    await null;
    ofElement.push(element.player.background);
    element.transparent = true;
    await null;
    ofElement.push(element.player.background);
    element.transparent = false;
    element.background = "";
    await null;
    ofElement.push(element.hasAttribute("background"), element.player.background);
    element.remove();
    player.background = null;
    return {
      colors,
      blue,
      refusals,
      unchanged,
      ofElement,
      alive: player.alive,
      cornerAfter: await corner(),
      defaults,
      orange,
      held,
      none: player.background,
      clear,
      light,
      dim,
      dark,
    };
  }, backend);
  assert.equal(told.defaults.exposure, 1);
  told.orange.forEach((value, lane) =>
    assert.ok(Math.abs(value - [255, 128, 0, 255][lane]) <= 1, `orange is ${told.orange}`),
  );
  assert.deepEqual(told.held, [1, 0.5, 0, 1]);
  assert.equal(told.none, null);
  assert.deepEqual(told.clear, [0, 0, 0, 0]);
  assert.ok(told.dim < told.light * 0.8 && told.dim > 0, `${told.dim} of ${told.light}`);
  assert.equal(told.dark, 0);

  const held = Object.fromEntries(Object.entries(told.colors).map(([css, { held }]) => [css, held]));
  assert.deepEqual(held, {
    red: [1, 0, 0, 1],
    "#fff": [1, 1, 1, 1],
    "#33669980": [0.2, 0.4, 0.6, 0.5],
    "rgb(51 102 153)": [0.2, 0.4, 0.6, 1],
    "rgba(10, 20, 30, 0.1)": [0.039, 0.078, 0.118, 0.1],
    "hsl(120 100% 50%)": [0, 1, 0, 1],
    "color(srgb 1 0.5 0)": [1, 0.502, 0, 1],
    transparent: [0, 0, 0, 0],
  });
  const near = (seen, expected, what) =>
    seen.forEach((value, lane) => assert.ok(Math.abs(value - expected[lane]) <= 2, `${what} is ${seen}`));
  for (const css of ["red", "#fff", "rgb(51 102 153)", "hsl(120 100% 50%)"])
    near(
      told.colors[css].seen,
      held[css].map((lane) => lane * 255),
      css,
    );
  assert.deepEqual(told.blue.held, [0, 0, 1, 1]);
  near(told.blue.seen, [0, 0, 255, 255], "blue");
  assert.deepEqual(
    told.refusals.map((refusal) => refusal?.code),
    told.refusals.map(() => "NOT_A_COLOR"),
  );
  assert.match(told.refusals[0].message, /reddish.*CSS/);
  assert.deepEqual(told.unchanged, [0, 0, 1, 1]);
  assert.deepEqual(told.ofElement, ["rgb(255 0 0)", [1, 0, 0, 1], [0, 0, 1, 1], null, false, null]);
  assert.ok(told.alive);
  assert.deepEqual(told.cornerAfter, [0, 0, 0, 0]);
}
