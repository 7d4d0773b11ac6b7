/** A removed element releases its player, GPU resources and listeners; inserted again, it starts anew. */

import assert from "node:assert/strict";

/** Many players are created in turn. */
export const longestSecs = 240;

const ROUNDS = 4;
/** Largest number of listeners allowed per element. */
const MOST_LISTENERS = 30;

export default async function ({ page, backend }) {
  const session = await page.createCDPSession();
  const count = async () => {
    await session.send("HeapProfiler.collectGarbage");
    await session.send("HeapProfiler.collectGarbage");
    const { JSEventListeners: listeners } = await page.metrics();
    const [players, elements] = await page.evaluate(() =>
      [window.players, window.elements].map((refs) => refs.filter((ref) => ref.deref()).length),
    );
    return { listeners, players, elements };
  };
  await page.evaluate(() => {
    window.players = [];
    window.elements = [];
  });
  const round = () =>
    page.evaluate(async (backend) => {
      const element = document.createElement("gambol-player");
      Object.assign(element, {
        backend,
        src: "/fixtures/swing.glb",
        autoplay: true,
        controls: true,
        autoRotate: 20,
        poster: "/fixtures/checks.png",
      });
      document.body.append(element);
      await stage.once(element, "timeupdate");
      const { player } = element;
      const { canvas } = player;
      players.push(new WeakRef(player));
      elements.push(new WeakRef(element));
      element.remove();
      await until(() => !element.player);
      const failure = await stage.failure(() => player.render());
      const context = canvas.getContext("webgl2");
      return {
        code: failure.code,
        alive: player.alive,
        canvas: element.shadowRoot.contains(canvas),
        given: context?.isContextLost() ?? true,
      };
    }, backend);

  // The first player fetches shared resources.
  assert.deepEqual(await round(), { code: "PLAYER_DISPOSED", alive: false, canvas: false, given: true });
  const before = await count();
  assert.equal(before.players, 0, "nothing holds on to what is gone");
  for (let i = 0; i < ROUNDS; i++) await round();
  const after = await count();
  assert.equal(after.players, 0);
  // Chromium's autofill may observe one `<select>`, and then keeps its element and the listeners.
  assert.ok(after.elements <= 1, `${after.elements} of ${ROUNDS} elements stay`);
  const kept = Math.max(0, after.elements - before.elements) * MOST_LISTENERS;
  assert.ok(after.listeners <= before.listeners + kept, `${before.listeners} listeners became ${after.listeners}`);

  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", clip: "Swing", poster: "/fixtures/checks.png" });
    const heard = stage.record(element, "load", "error", "contextlost");
    const told = {};
    const gone = () => until(() => !element.player && element.shadowRoot.querySelector("[part=progress]").hidden);
    // While a player is created, and while a file is loading.
    document.body.append(element);
    element.remove();
    await gone();
    told.early = [element.player, heard.filter(({ name }) => name === "error").length];
    const { fetch } = window;
    window.fetch = (url, { signal } = {}) =>
      String(url).includes("held")
        ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : fetch(url, { signal });
    element.src = "/held.glb";
    document.body.append(element);
    const loaded = stage.failure(() => element.load());
    const played = element.play().catch((error) => error.name);
    await until(() => element.player);
    element.remove();
    await gone();
    told.midway = [
      (await loaded).message !== undefined,
      await played,
      heard.map(({ name }) => name).filter((name) => name === "error"),
    ];
    window.fetch = fetch;
    element.src = "/fixtures/swing.glb";

    document.body.append(element);
    await element.play();
    const first = element.player;
    first.camera.yaw = 2;
    element.pause();
    element.currentTime = 1;
    element.remove();
    await gone();
    told.without = [element.paused, element.duration, element.readyState, element.clips.length, element.currentTime];
    const poster = element.shadowRoot.querySelector("[part=poster]");
    told.poster = poster.parentElement.classList.contains("gone");
    document.body.append(element);
    await element.play();
    told.again = [element.player !== first, element.player.clip.name, Math.abs(element.player.camera.yaw - 2) > 1e-3];
    told.heard = heard.map(({ name }) => name);
    // A source that was given to `load()` is loaded again too.
    await element.load(await stage.file("/fixtures/stroll.glb"));
    element.remove();
    await gone();
    const reloaded = stage.once(element, "load");
    document.body.append(element);
    told.file = (await reloaded).name;
    element.remove();
    return told;
  }, backend);
  assert.deepEqual(told.early, [null, 0]);
  assert.deepEqual(told.midway, [true, "AbortError", []]);
  assert.deepEqual(told.without, [true, 0, 0, 0, 0]);
  assert.equal(told.poster, false, "until the model is there again");
  assert.deepEqual(told.again, [true, "Swing", true]);
  assert.ok(!told.heard.includes("error") && !told.heard.includes("contextlost"), told.heard.join());
  assert.equal(told.file, "stroll.glb");
}
