/**
 * Every page of the documentation opens without an error and passes the accessibility checks. Every recipe is
 * verified by its poses and pixels.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../../www/toolchain.mjs";

export const address = "gambol/docs/";
export const longestSecs = 900;

export default async function ({ page, backend, mounts, url }) {
  const docs = join(mounts["/gambol/"], "docs");
  const pages = readdirSync(docs, { recursive: true })
    .map((path) => path.split("\\").join("/"))
    .filter((path) => path.endsWith(".html"))
    .sort();
  const recipes = pages.filter((path) => path.startsWith("recipes/"));
  assert.deepEqual(
    recipes.map((path) => path.slice("recipes/".length, -".html".length)),
    Object.keys(RECIPES).sort(),
    "each recipe has its check",
  );
  assert.ok(pages.length - recipes.length >= 8, `there are ${pages.length}`);

  // Removes WebGPU, since the pages don't select a backend.
  if (backend === "webgl2")
    await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, "gpu", { value: undefined }));
  await page.evaluateOnNewDocument(helpers);
  const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const path of backend === "webgpu" ? pages : recipes) {
    await page.goto(new URL(`gambol/docs/${path}`, url).href);
    const name = /^recipes\/(\w+)\.html$/.exec(path)?.[1];
    if (name) await told(path, () => RECIPES[name](page, backend));
    else await told(path, () => page.evaluate(() => moving()));
    if (backend !== "webgpu") continue;
    assert.deepEqual(await violations(page, axe, path), [], path);
  }
  if (backend !== "webgpu") return;
  await searches(page, url);
  await fits(page, pages, url);
}

/** Returns the violations. In dark mode only contrast is checked, and only one of the similar reference pages. */
async function violations(page, axe, path) {
  await page.evaluate(axe);
  // With software rendering, players would take most of the time.
  await page.evaluate(() => document.querySelectorAll("gambol-player").forEach((element) => element.pause()));
  const found = [];
  const isAlike = path.startsWith("reference/") && path !== "reference/element.html";
  for (const [scheme, options] of [
    ["light", {}],
    ["dark", { runOnly: ["color-contrast"] }],
  ]) {
    if (scheme === "dark" && isAlike) continue;
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const run = await page.evaluate(async (options) => (await axe.run(options)).violations, options);
    for (const { id, nodes } of run)
      found.push(...nodes.map(({ target, failureSummary }) => `${scheme}, ${id}: ${target} ${failureSummary}`));
  }
  await page.emulateMediaFeatures([]);
  return found;
}

/** Prefixes an error with the path of the page. */
async function told(path, look) {
  try {
    await look();
  } catch (error) {
    error.message = `${path}: ${error.message}`;
    throw error;
  }
}

/** Defines helpers in every page, before its own scripts. */
function helpers() {
  window.frame = () => new Promise((done) => requestAnimationFrame(done));
  window.loaded = async (element = document.querySelector("gambol-player")) => {
    await until(() => element.player?.readyState);
    return element.player;
  };
  /** Resolves when the time of every player of the page has advanced. */
  window.moving = async () => {
    for (const element of document.querySelectorAll("gambol-player")) {
      await loaded(element);
      const { currentTime } = element;
      await until(() => element.currentTime !== currentTime);
    }
  };
  /** Returns the share of opaque pixels. Reads them in the task that draws, since they are gone afterwards. */
  window.drawn = async (player) => {
    player.render();
    const bytes = Uint8Array.from(atob(player.canvas.toDataURL().split(",")[1]), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 128) count++;
    return { part: count / (data.length / 4), corner: data[3] };
  };
}

const RECIPES = {
  async controller(page) {
    const told = await page.evaluate(async () => {
      const player = await loaded();
      const state = document.querySelector("#state");
      await until(() => player.layer("base").stateName === "Move");
      const speed = document.querySelector("#speed");
      speed.value = "1.25";
      speed.dispatchEvent(new Event("input"));
      const set = player.parameters.get("speed");
      document.querySelector("#jump").click();
      await until(() => state.textContent === "Jump");
      const jumping = player.layer("base").stateName;
      return { set, jumping };
    });
    assert.deepEqual(told, { set: 1.25, jumping: "Jump" });
  },

  async controls(page) {
    const told = await page.evaluate(async () => {
      const player = await loaded();
      const element = document.querySelector("gambol-player");
      const button = document.querySelector("#play");
      const before = [button.textContent, element.paused];
      button.click();
      await until(() => element.currentTime > 0);
      await until(() => button.textContent === "Pause");
      [...document.querySelectorAll("#clips button")].find(({ textContent }) => textContent === "Dance").click();
      await until(() => player.clip.name === "Dance");
      await until(() => document.querySelector('[aria-pressed="true"]')?.textContent === "Dance");
      button.click();
      await until(() => element.paused && button.textContent === "Play");
      const time = document.querySelector("#time");
      time.value = "2";
      time.dispatchEvent(new Event("input"));
      await until(() => document.querySelector("#clock").textContent === "2.00");
      return { before, at: element.currentTime, longest: Number(time.max) };
    });
    assert.deepEqual(told, { before: ["Play", true], at: 2, longest: 4 });
  },

  async label(page) {
    await page.evaluate(() => loaded().then(() => undefined));
    for (const [yaw, pitch] of [
      [0, 0.1],
      [1.3, 0.5],
      [-2.4, -0.2],
    ]) {
      const { apart, hidden } = await page.evaluate(
        async (yaw, pitch) => {
          const { player } = document.querySelector("gambol-player");
          player.pause();
          Object.assign(player.camera, { yaw, pitch });
          const label = document.querySelector("#label");
          const apart = () => {
            const [x, y, z] = player.node("LeftEar2").worldMatrix.slice(12, 15);
            const point = player.camera.project([x, y, z]);
            const [canvas, box] = [player.canvas.getBoundingClientRect(), label.getBoundingClientRect()];
            return Math.hypot(box.left - canvas.left - point[0], box.bottom - canvas.top - point[1]);
          };
          // The label moves in one frame, and the next one shows it.
          await frame();
          await frame();
          return { apart: apart(), hidden: label.hidden };
        },
        yaw,
        pitch,
      );
      assert.equal(hidden, false);
      assert.ok(apart < 1, `the label stands ${apart} pixels from the ear`);
    }
  },

  async many(page) {
    // A viewport that shows all players.
    await page.setViewport({ width: 1200, height: 1100, deviceScaleFactor: 1 });
    const told = await page.evaluate(async () => {
      const elements = [...document.querySelectorAll("gambol-player")];
      elements[0].scrollIntoView();
      const parts = await Promise.all(
        elements.map(async (element) => {
          const player = await loaded(element);
          const { currentTime } = element;
          await until(() => element.currentTime !== currentTime);
          // With software rendering, each playing player delays the others.
          element.pause();
          return (await drawn(player)).part;
        }),
      );
      return { count: elements.length, least: Math.min(...parts) };
    });
    assert.equal(told.count, 24);
    assert.ok(told.least > 0.03, `one of them shows next to nothing: ${told.least}`);
    await page.setViewport({ width: 800, height: 600, deviceScaleFactor: 1 });
  },

  async media(page) {
    const told = await page.evaluate(async () => {
      const player = await loaded();
      const tune = document.querySelector("audio");
      await until(() => tune.readyState >= 2 && player.clip?.name === "Dance");
      const apart = [];
      for (const secs of [1.5, 5.25, 0.5]) {
        const sought = untilEvent(tune, "seeked");
        tune.currentTime = secs;
        await sought;
        await until(() => Math.abs(player.currentTime - (secs % 4)) < 0.01);
        apart.push(player.currentTime - (tune.currentTime % 4));
      }
      const speed = document.querySelector("#speed");
      speed.value = "2";
      speed.dispatchEvent(new Event("change"));
      return { apart: Math.max(...apart.map(Math.abs)), rate: tune.playbackRate, lasts: tune.duration };
    });
    assert.ok(told.apart < 1e-6, `the dance is ${told.apart} s away from the tune`);
    assert.deepEqual([told.rate, told.lasts], [2, 8]);
  },

  async poster(page) {
    const told = await page.evaluate(async () => {
      const elements = [...document.querySelectorAll("gambol-player")];
      const lines = elements.map((element) => element.nextElementSibling);
      const player = await loaded(elements[0]);
      const first = lines[0].textContent;
      const resting = [elements[2].player, lines[2].textContent];
      const picture = elements[1].shadowRoot.querySelector("img");
      elements[1].scrollIntoView();
      await until(() => lines[1].textContent.startsWith("Loaded"));
      elements[2].scrollIntoView();
      await loaded(elements[2]);
      return {
        first,
        resting,
        poster: picture.getAttribute("src"),
        last: elements[2].player.name,
        part: (await drawn(player)).part,
      };
    });
    assert.ok(told.part > 0.02);
    assert.deepEqual(told, {
      part: told.part,
      first: "Loaded: character.glb.",
      resting: [null, "Not loaded yet."],
      poster: "poster.webp",
      last: "russet.glb",
    });
  },

  async react(page) {
    const told = await page.evaluate(async () => {
      const player = await loaded();
      const element = document.querySelector("gambol-player");
      const button = (text) =>
        [...document.querySelectorAll("#root button")].find(({ textContent }) => textContent === text);
      await until(() => button("Dance"));
      await until(() => player.clip?.name === "Walk" && !player.paused);
      button("Dance").click();
      await until(() => player.clip?.name === "Dance");
      player.camera.yaw = 2;
      button("Reset the view").click();
      await until(() => Math.abs(player.camera.yaw - 2) > 0.5);
      return {
        same: document.querySelector("gambol-player") === element && element.player === player,
        pressed: document.querySelector('[aria-pressed="true"]').textContent,
        alt: element.alt,
        crossfade: element.crossfade,
        part: (await drawn(player)).part,
      };
    });
    assert.ok(told.part > 0.02);
    assert.deepEqual(told, { same: true, pressed: "Dance", alt: "A goat kid: Dance", crossfade: 0.4, part: told.part });
  },

  async scroll(page) {
    const told = await page.evaluate(async () => {
      const player = await loaded();
      await until(() => player.clip?.name === "Jump");
      const track = document.querySelector("#track");
      const share = () => {
        const { top, bottom } = track.getBoundingClientRect();
        const whole = innerHeight + bottom - top;
        return (innerHeight - top) / whole;
      };
      const told = [];
      for (const y of [200, 700, 400]) {
        scrollTo(0, y);
        await until(() => Math.abs(player.currentTime / player.duration - share()) < 2e-3);
        told.push(player.currentTime);
      }
      return { told, paused: player.paused, part: (await drawn(player)).part };
    });
    const [first, second, third] = told.told;
    assert.ok(first < third && third < second, String(told.told));
    assert.ok(second - first > 0.2, "it moves by more than rounding");
    assert.equal(told.paused, true);
    assert.ok(told.part > 0.02);
  },

  async swap(page) {
    const told = await page.evaluate(async () => {
      const element = document.querySelector("gambol-player");
      const player = await loaded();
      await until(() => element.currentTime > 0);
      player.camera.yaw = 1;
      const seen = [];
      for (const button of [...document.querySelectorAll("[data-model]")].slice(1)) {
        button.click();
        await until(() => button.ariaPressed === "true");
        seen.push([player.name, player.clip?.name, element.paused, Math.abs(player.camera.yaw - 1) < 1e-3]);
      }
      return { seen, same: element.player === player, part: (await drawn(player)).part };
    });
    assert.deepEqual(told.seen, [
      ["ash.glb", "Walk", false, true],
      ["russet.glb", "Walk", false, true],
    ]);
    assert.equal(told.same, true);
    assert.ok(told.part > 0.02);
  },

  async transparent(page) {
    const told = await page.evaluate(async () => {
      const player = await loaded();
      if (player.ground) throw new Error("there is a ground");
      document.querySelector("#poster a").scrollIntoView({ block: "center" });
      const box = document.querySelector("#poster a").getBoundingClientRect();
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return { ...(await drawn(player)), hit: hit.localName };
    });
    assert.equal(told.corner, 0, "the page shows through");
    assert.ok(told.part > 0.02 && told.part < 0.5, `${told.part} of it is drawn on`);
    assert.equal(told.hit, "a", "clicks go through");
  },

  /** Time in the worker advances while the page is busy, and is known right afterwards. */
  async worker(page) {
    const told = await page.evaluate(async () => {
      const [busy, pause] = ["#busy", "#pause"].map((id) => document.querySelector(id));
      const shown = () => ["#there", "#here"].map((id) => document.querySelector(id).getBoundingClientRect().width);
      // The page's script awaits both players before it listens.
      const { players } = await import("./worker.js");
      const times = () => players.map((player) => player.currentTime);
      await until(() => times().every((time) => time > 0));
      const before = times();
      busy.click();
      await new Promise((done) => setTimeout(done));
      const [there, here] = times().map((time, at) => (time - before[at] + 4) % 4);
      pause.click();
      await until(() => players.every(({ paused }) => paused));
      return { there, here, widths: shown(), button: pause.textContent };
    });
    assert.ok(
      told.there > told.here,
      `while the page was busy, ${told.there} s passed in the worker and ${told.here} s in the page`,
    );
    assert.equal(told.button, "Play");
    assert.ok(told.widths.every((width) => width > 100));
  },
};

/** Search terms, and the URL of the best result. */
const SEARCHES = {
  playbackrate: /^(element|player)\.html#.*playback-?rate$/i,
  draco: /^formats\.html#extensions$/,
  hotspot: /^label\.html$/,
  crossfade: /^element\.html#attribute-crossfade$/,
  "crossfade transition": /^motion\.html#fades$/,
  gpubytes: /^data\.html#Stats\.gpuBytes$/,
  "fades in": /^motion\.html#fades$/,
};

/** The search finds titles, keywords and text. Arrow keys move through the results, and Enter opens one. */
async function searches(page, url) {
  await page.goto(new URL("gambol/docs/start.html", url).href);
  // When the index has loaded, results follow each letter.
  await page.keyboard.press("/");
  await page.keyboard.type("gltf");
  await page.waitForSelector("#found:not([hidden]) a");
  for (const [text, expected] of Object.entries(SEARCHES)) {
    await page.$eval("#search input", (input) => (input.value = ""));
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("/");
    await page.keyboard.type(text);
    const best = await page.$eval("#found:not([hidden]) a", ({ href }) => href);
    assert.match(best.split("/").pop(), expected, text);
  }
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const focused = await page.evaluate(() => [...document.querySelectorAll("#found a")].indexOf(document.activeElement));
  assert.equal(focused, 1, "arrows go through the results");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.type), "search");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.equal(await page.evaluate(() => document.querySelector(":target h2").textContent), "Fades");
}

/** No code is cut off at 1280 pixels, and no page scrolls sideways, not even on a phone. */
async function fits(page, pages, url) {
  // Only the layout is tested, so scripts are disabled.
  await page.setJavaScriptEnabled(false);
  for (const width of [1280, 390]) {
    await page.setViewport({ width, height: 844, deviceScaleFactor: 1 });
    for (const path of pages) {
      await page.goto(new URL(`gambol/docs/${path}`, url).href);
      const wrong = await page.evaluate((width) => {
        const root = document.documentElement;
        const cut = [...document.querySelectorAll("main pre")].filter(
          (pre) => width >= 1280 && pre.scrollWidth > pre.clientWidth,
        );
        return [
          ...cut.map((pre) => pre.textContent),
          ...(root.scrollWidth > root.clientWidth ? [`it is ${root.scrollWidth} pixels wide`] : []),
        ];
      }, width);
      assert.deepEqual(wrong, [], `${path} at ${width}`);
    }
  }
}
