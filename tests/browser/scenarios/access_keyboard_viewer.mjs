/**
 * The viewer's page by keyboard alone: every control can be reached with a visible focus, a file opened, an error
 * dismissed.
 */

import assert from "node:assert/strict";
import { join } from "node:path";

import { walkByTab } from "../access.mjs";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const longestSecs = 180;

export default async function ({ page, out }) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.reload();
  const ready = () =>
    page.waitForFunction(
      () =>
        document.querySelector("gambol-player").shadowRoot.querySelector("[part~=timeline]:enabled") &&
        document.querySelector("#save-glb:enabled"),
    );
  await ready();
  const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.localName);

  const bar = ["Play", "Timeline", "Speed", "Loop"];
  const head = ["Open…", "Folder…", "Help", "The model"];
  const view = [
    "Skeleton",
    "Ground",
    "Auto-rotate",
    "Background colour",
    "Background",
    /^Surface/,
    /^Light/,
    /^Show light/,
    /^Turn light/,
    /^Occlusion/,
    /^Exposure/,
    "1",
    "Frame",
    "Let fall",
    "Add model…",
    "Save picture",
    "Save as .glb",
    "Compress saved files",
  ];
  const inside = ["Guides", /^Morphs \d+$/, /^Nodes \d+$/];
  const links = await page.$$eval("footer a", (links) => links.map(({ textContent }) => textContent));
  const clips = (...names) => [
    ...names.map((name) => new RegExp(`^${name} [\\d.]+\\ss$`)),
    "Add clips…",
    "Fit added clips to this body",
  ];
  const walk = async (...expected) => {
    const names = await walkByTab(page);
    const fits = (name, wanted) => (typeof wanted === "string" ? name === wanted : wanted.test(name));
    assert.ok(
      names.length === expected.length && names.every((name, index) => fits(name, expected[index])),
      `${names.join(" | ")}`,
    );
  };
  const character = clips("Idle", "Walk", "Run", "Wave", "Jump", "Dance");
  await walk(...head, ...bar, ...character, /^State machine/, ...view, ...inside, ...links);

  // ── a clip, a controller ──

  await page.evaluate(() => document.querySelector("[data-clip='1']").focus());
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("gambol-player").player.clip?.name === "Walk");
  await page.evaluate(() => document.querySelector("gambol-player").shadowRoot.querySelector("canvas").focus());
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector("gambol-player").paused);

  await page.focus("#controller");
  await page.keyboard.press("ArrowDown");
  await page.waitForSelector("#parameters button");
  await page.evaluate(() => document.querySelector("gambol-player").pause());
  const knobs = await page.$$eval("#parameters :is(input, button)", (inputs) =>
    inputs.map((input) => (input.labels[0] ?? input).textContent),
  );
  await walk(...head, ...bar, ...character, /^State machine/, ...knobs, ...view, ...inside, ...links);
  await page.focus("#skeleton");
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => document.querySelector("gambol-player").skeleton), true);
  await page.focus("#occlusion");
  await page.keyboard.press("End");
  const { occlusion, told } = await page.evaluate(() => ({
    occlusion: document.querySelector("gambol-player").occlusion,
    told: document.querySelector("#occlusion-value").textContent,
  }));
  assert.deepEqual([occlusion, told], [1, "100 %"]);
  await page.focus("#crowd input:checked");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("gambol-player").player.stats.characters === 10);

  // ── help, and the tree of nodes ──

  await page.keyboard.press("?");
  assert.equal(await page.$eval("#help", (help) => help.matches(":popover-open")), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.$eval("#help", (help) => help.matches(":popover-open")), false);
  await page.focus("#nodes-section summary");
  await page.keyboard.press("Enter");
  const row = () =>
    page.evaluate(
      () =>
        (document.activeElement.role === "treeitem" || document.activeElement.getAttribute("role") === "treeitem") &&
        document.activeElement.querySelector(".name").textContent,
    );
  await page.focus("#node-search");
  await page.keyboard.type("head");
  await page.keyboard.press("ArrowDown");
  assert.equal(await row(), "Head");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#node-mark:not([hidden])");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#node-mark[hidden]");
  await page.focus("#nodes-section summary");
  await page.keyboard.press("Enter");

  // ── a file ──

  const choose = async (...path) => {
    const chooser = page.waitForFileChooser();
    await page.focus("#open-file"); // When this resolves, the page also uses the intercepted file choosers.
    await page.keyboard.press("Enter");
    await (await chooser).accept([join(...path)]);
  };
  await choose(out, "fixtures/picture.png");
  await page.waitForSelector("#error:not([hidden])");
  await walk(
    ...head,
    ...bar,
    "Dismiss",
    ...character,
    /^State machine/,
    ...knobs,
    ...view.with(view.indexOf("1"), "10"),
    ...inside,
    ...links,
  );
  await page.focus("#error-close");
  await page.keyboard.press("Enter");
  assert.deepEqual([await page.$eval("#error", ({ hidden }) => hidden), await active()], [true, "open-file"]);
  await choose(out, "fixtures/picture.png");
  await page.waitForSelector("#error:not([hidden])");
  await page.keyboard.press("Escape");
  assert.deepEqual([await page.$eval("#error", ({ hidden }) => hidden), await active()], [true, "open-file"]);
  await choose(out, "fixtures/formats/ticks.x");
  await page.waitForSelector("#ticks:not([hidden])");
  await ready();
  await page.evaluate(() => document.querySelector("gambol-player").pause());
  await walk(
    ...head,
    ...bar,
    ...clips("Swing", "Raise"),
    /^State machine/,
    ...view,
    inside[0],
    inside[2],
    "Ticks per second",
    ...links,
  );
  await page.focus("#ticks-per-second");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type("100");
  const before = await page.evaluate(() => document.querySelector("gambol-player").player.clips[0].duration);
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (before) => document.querySelector("gambol-player").player.clips[0].duration > before,
    {},
    before,
  );

  // ── an internal error ──

  await page.evaluate(async () => {
    const { PlayerHandle } = await import("/gambol/wasm/webgl/gambol.js");
    const { update } = PlayerHandle.prototype;
    PlayerHandle.prototype.update = () => {
      PlayerHandle.prototype.update = update;
      throw new WebAssembly.RuntimeError("unreachable");
    };
    void document
      .querySelector("gambol-player")
      .play()
      .catch(() => undefined);
  });
  await page.waitForFunction(() =>
    document.querySelector("gambol-player").shadowRoot.querySelector(".again + details button"),
  );
  assert.equal(await page.$eval("#error", ({ hidden }) => hidden), true);
  await page.evaluate(() => document.querySelector("gambol-player").shadowRoot.querySelector(".again").focus());
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.clips.length === 2);
}
