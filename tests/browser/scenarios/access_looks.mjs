/**
 * Styling: the list of custom properties at the head of `styles.ts` is complete and correct. At every size, in
 * every language and writing direction, nothing is clipped or overlaps, targets are large enough, and text has
 * enough contrast.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../../www/toolchain.mjs";
import { fail } from "../access.mjs";

export const backends = ["webgl2"];
export const longestSecs = 180;

/** For each custom property: its value, and the element and style that show it. */
const SHOWN = {
  "--gambol-accent": ["rgb(1, 2, 3)", "[part~=timeline]", "accentColor"],
  "--gambol-bar": ["rgb(1, 2, 4)", "[part~=controls]", "backgroundColor"],
  "--gambol-bar-text": ["rgb(1, 2, 5)", "[part~=time]", "color"],
  "--gambol-notice": ["rgb(1, 2, 6)", "[part~=error]", "backgroundColor"],
  "--gambol-notice-text": ["rgb(1, 2, 7)", "[part~=error] p", "color"],
  "--gambol-focus": ["rgb(1, 2, 8)", "[part~=timeline]", "outlineColor"],
  "--gambol-radius": ["7px", "[part~=error]", "borderTopLeftRadius"],
  "--gambol-font": ["italic 700 19px / 23px monospace", "[part~=controls]", "font"],
};

export default async function ({ page, backend }) {
  const styles = readFileSync(join(root, "www/element/tag/styles.ts"), "utf8");
  const documented = (tag) =>
    [...styles.matchAll(new RegExp(`@${tag} \\[?([\\w-]+)[^\\]\\n]*\\]? (\\S.*)`, "g"))].map(([, name]) => name);
  const properties = documented("cssproperty");
  const parts = documented("csspart");
  assert.ok(properties.length > 5 && parts.length > 8);

  await page.setViewport({ width: 1000, height: 700, deviceScaleFactor: 1 });
  await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", autoplay: true, controls: true });
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [sheet];
    sheet.replaceSync("gambol-player { width: 700px; height: 400px }");
    document.body.append(element);
    await stage.once(element, "load");
    await until(() => element.shadowRoot.querySelector("[part~=timeline]:enabled"));
    element.pause();
    Object.assign(window, { element, sheet });
    window.part = (name) => element.shadowRoot.querySelector(`[part~=${name}]`);
  }, backend);

  // ── contrast, over the whitest and the blackest model ──

  const contrasts = await page.evaluate(() => {
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) =>
      [r, g, b]
        .map((value) => (value / 255 <= 0.04045 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, lane) => sum + value * [0.2126, 0.7152, 0.0722][lane], 0);
    const between = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const { backgroundColor, color } = getComputedStyle(part("controls"));
    const [r, g, b, alpha = 1] = channels(backgroundColor);
    const accent = channels(getComputedStyle(part("timeline")).accentColor);
    return [0, 255].map((behind) => {
      const bar = [r, g, b].map((lane) => lane * alpha + behind * (1 - alpha));
      return { words: between(channels(color), bar), accent: between(accent, bar) };
    });
  });
  // The default colour of an input differs between browsers.
  const colors = await page.evaluate(() =>
    ["controls", "play-button", "timeline", "speed-select"].map((name) => getComputedStyle(part(name)).color),
  );
  assert.equal(new Set(colors).size, 1, colors.join());
  for (const { words, accent } of contrasts) assert.ok(words >= 7 && accent >= 3, JSON.stringify(contrasts));

  // ── the list ──

  await fail(page);
  const there = await page.evaluate(() =>
    [...element.shadowRoot.querySelectorAll("[part]")].flatMap(({ part }) => [...part]),
  );
  assert.deepEqual([...parts].sort(), [...new Set(there)].sort(), "parts, and those that are documented");
  const reached = await page.evaluate((parts) => {
    const indents = parts.map((name) => `gambol-player::part(${name}) { text-indent: 3px }`);
    sheet.replaceSync(`gambol-player { width: 700px; height: 400px }${indents.join("")}`);
    return parts.filter((name) => getComputedStyle(part(name)).textIndent === "3px");
  }, parts);
  assert.deepEqual(reached, parts);

  const used = await page.evaluate(() => [
    ...new Set(
      element.shadowRoot.adoptedStyleSheets
        .flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
        .join()
        .match(/--gambol-[\w-]+/g),
    ),
  ]);
  assert.deepEqual([...properties].sort(), used.sort(), "custom properties, and those that are documented");
  assert.deepEqual([...properties].sort(), [...Object.keys(SHOWN), "--gambol-loaded"].sort());
  // Keyboard input makes the focus visible.
  await page.evaluate(() => part("timeline").focus());
  await page.keyboard.press("Home");
  for (const [property, [value, selector, shownBy]] of Object.entries(SHOWN)) {
    const shown = await page.evaluate(
      (property, value, selector, shownBy) => {
        const look = () => getComputedStyle(element.shadowRoot.querySelector(selector))[shownBy];
        const before = look();
        element.style.setProperty(property, value);
        const after = look();
        element.style.removeProperty(property);
        return [before !== after, after];
      },
      property,
      value,
      selector,
      shownBy,
    );
    assert.deepEqual(shown, [true, value], property);
  }
  await page.evaluate(() => part("error").querySelector("button").click());

  // ── sizes, words, directions ──

  for (const width of [200, 260, 320, 480, 700, 960]) {
    for (const [font, dir] of [
      ["", "ltr"],
      ["", "rtl"],
      ["500 26px/1.4 sans-serif", "ltr"],
    ]) {
      for (const long of [false, true]) {
        const wrong = await page.evaluate(
          (width, font, dir, long) => {
            element.dir = dir;
            element.words = long
              ? { repeat: "Immer wieder von vorn", clip: "Bewegung", speedText: (rate) => `${rate}-fach` }
              : {};
            sheet.replaceSync(
              `gambol-player { width: ${width}px; height: 400px; ${font && `--gambol-font: ${font}`} }`,
            );
            const bounds = element.getBoundingClientRect();
            const boxes = ["play-button", "timeline", "time", "clip-select", "speed-select", "loop-select"].map(
              (name) => {
                const { left, right, top, bottom } = part(name).getBoundingClientRect();
                return { name, left, right, top, bottom };
              },
            );
            const wrong = [];
            for (const { name, left, right, top, bottom } of boxes) {
              if (
                left < bounds.left - 0.5 ||
                right > bounds.right + 0.5 ||
                top < bounds.top ||
                bottom > bounds.bottom + 0.5
              )
                wrong.push(`${name} is cut off`);
              if (name !== "time" && (right - left < 24 || bottom - top < 24))
                wrong.push(`${name} is ${right - left} by ${bottom - top}`);
              for (const other of boxes) {
                if (
                  other.name > name &&
                  left < other.right - 0.5 &&
                  other.left < right - 0.5 &&
                  top < other.bottom - 0.5 &&
                  other.top < bottom - 0.5
                )
                  wrong.push(`${name} lies over ${other.name}`);
              }
            }
            const room = part("controls").clientWidth - 20;
            for (const select of element.shadowRoot.querySelectorAll("select")) {
              const given = select.offsetWidth;
              select.style.flex = "none";
              const wished = Math.min(select.offsetWidth, room);
              select.style.flex = "";
              if (given < wished - 1) wrong.push(`${select.className} has ${given} of ${wished} px`);
            }
            const [button, timeline] = boxes;
            if (Math.sign(timeline.left - button.left) !== (dir === "rtl" ? -1 : 1))
              wrong.push(`the play button is on the wrong side`);
            return wrong;
          },
          width,
          font,
          dir,
          long,
        );
        assert.deepEqual(wrong, [], `${width} px, ${dir}, ${font || "its own font"}, ${long ? "long" : "short"} words`);
      }
    }
  }

  // ── reduced motion ──

  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  const moving = await page.evaluate(() =>
    [...element.shadowRoot.querySelectorAll("*")].flatMap((node) =>
      ["", "::before"]
        .filter((pseudo) => getComputedStyle(node, pseudo).transitionDuration !== "0s")
        .map((pseudo) => node.className + pseudo),
    ),
  );
  assert.deepEqual(moving, []);

  // ── forced colours ──

  await page.evaluate(() => {
    element.dir = "ltr";
    element.words = {};
    sheet.replaceSync("gambol-player { width: 700px; height: 200px }");
    document.activeElement.blur();
  });
  const session = await page.createCDPSession();
  const picture = async () => {
    const box = await page.evaluate(() => {
      const { x, y, width, height } = part("controls").getBoundingClientRect();
      return { x, y, width, height };
    });
    return `data:image/png;base64,${await page.screenshot({ encoding: "base64", clip: box })}`;
  };
  const differing = (a, b) =>
    page.evaluate(
      async (a, b) => stage.compare(await stage.pixelsOfPng(a), await stage.pixelsOfPng(b), 60).count,
      a,
      b,
    );
  for (const scheme of ["light", "dark"]) {
    await session.send("Emulation.setEmulatedMedia", {
      features: [
        { name: "forced-colors", value: "active" },
        { name: "prefers-color-scheme", value: scheme },
      ],
    });
    assert.equal(await page.evaluate(() => matchMedia("(forced-colors: active)").matches), true);
    const at = (part) => page.evaluate((part) => (element.currentTime = element.duration * part), part);
    const settle = () =>
      page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await at(0.1);
    await settle();
    const begin = await picture();
    await at(0.9);
    await settle();
    const end = await picture();
    assert.ok((await differing(begin, end)) > 300, `${scheme}: where the timeline is can be seen`);
    const edges = await page.evaluate(() =>
      ["controls", "play-button", "speed-select"].map((name) => [
        getComputedStyle(part(name)).borderTopWidth,
        getComputedStyle(part(name)).borderTopColor !== getComputedStyle(part("controls")).backgroundColor,
      ]),
    );
    assert.deepEqual(edges, [
      ["1px", true],
      ["1px", true],
      ["1px", true],
    ]);
    for (const name of ["play-button", "timeline", "speed-select"]) {
      await page.evaluate((name) => part(name).focus(), name);
      await page.keyboard.press("Shift");
      await settle();
      const focused = await picture();
      assert.ok((await differing(end, focused)) > 60, `${scheme}: the focus on ${name} can be seen`);
    }
    await page.evaluate(() => element.shadowRoot.activeElement.blur());
  }
}
