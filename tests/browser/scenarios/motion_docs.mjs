/** Every example of the documentation's page on animation runs as shown there, with the described result. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];
export const address = "gambol/docs/motion.html";
export const longestSecs = 240;

export default async function ({ page, backend }) {
  const names = await page.evaluate(async () => {
    await import("/stage.js");
    // Software rendering would take most of the time.
    document.querySelector("gambol-player").remove();
    window.docs = await import("/gambol/docs/motion.js");
    window.checks = (await import("/motion_checks.js")).CHECKS;
    const shown = [...document.querySelectorAll("pre[data-example]")].map((block) => block.dataset.example);
    return {
      shown,
      run: docs.names,
      checked: Object.keys(checks),
      links: [...document.querySelectorAll("nav li li a")].map(
        (link) => document.querySelector(link.hash)?.id ?? link.hash,
      ),
    };
  });
  assert.deepEqual(names.run, names.shown);
  assert.deepEqual(names.checked.sort(), [...names.shown].sort(), "each example has its check");
  assert.ok(
    names.links.every((link) => !link.startsWith("#")),
    "links lead somewhere",
  );

  await page.evaluate(async (backend) => {
    const character = "/gambol/viewer/character.glb";
    const reference = await stage.openModel(backend, character);
    window.alone = (clip, time) => {
      reference.play(clip);
      reference.currentTime = time;
      return reference.worldMatrices();
    };
    window.character = character;
  }, backend);
  const failures = [];
  for (const name of names.shown) {
    const failure = await page.evaluate(runExample, backend, name);
    if (failure) failures.push(`${name}: ${failure}`);
  }
  assert.deepEqual(failures, []);

  // The button “Run” runs an example on the page's own player.
  const live = await page.evaluate(async () => {
    const block = document.querySelector('.example:has([data-example="layers"])');
    block.querySelector("button").click();
    const element = document.querySelector("gambol-player");
    await untilEvent(element, "timeupdate");
    return element.player.layers;
  });
  assert.deepEqual(live, ["base", "upper"]);
}

/** Runs an example in the page. Returns the failure, or null. */
async function runExample(backend, name) {
  const player = await stage.open(backend);
  try {
    await player.load(character);
    const said = [];
    let done = false;
    const running = docs.run(name, player, (text) => said.push(text)).finally(() => (done = true));
    running.catch(() => undefined);
    // Time advances here, so that awaited events occur.
    for (let step = 0; step < 900; step++) {
      await new Promise((resolve) => setTimeout(resolve));
      if (done) break;
      player.advance(1 / 30);
    }
    if (!done) return "it still waits for something";
    await running;
    await checks[name]({ player, said, alone });
    return null;
  } catch (error) {
    return String(error.stack ?? error);
  } finally {
    player.dispose();
    player.canvas.remove();
  }
}
