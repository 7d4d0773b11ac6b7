/** Helpers of the accessibility scenarios: checks with axe-core, and a walk through the page with the Tab key. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../www/toolchain.mjs";

const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

/**
 * Asserts that axe-core finds no violations, with all its rules except one of level AAA. The script is evaluated
 * through the debugger, which a strict Content-Security-Policy allows.
 */
export async function assertAccessible(page, state) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations, incomplete } = await page.evaluate(async () => {
    const short = (results) =>
      results.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, any, all, none }) =>
            `${id}: ${target.flat().join(" ")}: ${[...any, ...all, ...none].map(({ message }) => message).join("; ")}`,
        ),
      );
    // A contrast of 7:1 allows hardly any colour.
    const rules = axe
      .getRules()
      .map(({ ruleId }) => ruleId)
      .filter((rule) => rule !== "color-contrast-enhanced");
    const { violations, incomplete } = await axe.run(document, { runOnly: { type: "rule", values: rules } });
    return { violations: short(violations), incomplete: short(incomplete) };
  });
  if (process.env.AXE_ALL) console.log(state, { violations, incomplete });
  assert.deepEqual(violations, [], state);
}

/** Dispatches the `error` event of a panic, and waits until the element shows a report that can be copied. */
export function fail(page) {
  return page.evaluate(async () => {
    const { GambolError } = await import("/gambol/index.js");
    const element = document.querySelector("gambol-player");
    const detail = new GambolError("PLAYER_POISONED", "it came upon an unreachable instruction", { place: "/skins/0" });
    element.player.dispatchEvent(new CustomEvent("error", { detail }));
    await until(() => element.shadowRoot.querySelector(".again + details"));
  });
}

/**
 * Presses Tab from the page's beginning until the focus leaves the page, then all the way back, and asserts that
 * this reaches every visible control, in shadow roots too. Each control must look different with the focus: in its
 * styles, and in screenshots if `judge`, a page that can compare them, is given.
 *
 * @returns the labels of the reached controls, in order
 */
export async function walkByTab(page, judge) {
  await page.evaluate(walkedThings);
  const expected = await page.evaluate(() => walked.begin());
  const plain = judge && (await screenshot(page));
  const there = [];
  for (let step = 0; step < 100; step++) {
    await page.keyboard.press("Tab");
    const on = await page.evaluate(() => walked.onNow());
    // After the last control the focus moves to the browser's own controls, or, without any, to the first again.
    if (!on || (on.isFirst && step > 0)) break;
    there.push(on.name);
    assert.ok(on.styled, `${on.name} looks no different with the focus on it`);
    const seen = judge ? await judge.evaluate(differing, plain, await screenshot(page), on.box) : Infinity;
    assert.ok(
      seen >= on.around,
      `${on.name}: the focus shows in ${seen} pixels, which is less than once round it (${on.around})`,
    );
  }
  const back = [];
  await page.keyboard.down("Shift");
  for (let step = 0; step <= there.length && back.length < there.length; step++) {
    await page.keyboard.press("Tab");
    const on = await page.evaluate(() => walked.onNow());
    if (on) back.push(on.name);
  }
  await page.keyboard.up("Shift");
  assert.deepEqual([...there].sort(), [...expected].sort(), "Tab reaches every control");
  assert.deepEqual(back.reverse(), there, "Shift and Tab go the same way back");
  return there;
}

function walkedThings() {
  const all = (root) =>
    [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const isControl = (node) =>
    node.matches("a[href], button, select, textarea, input, summary, [tabindex]:not([tabindex='-1'])") &&
    !node.disabled &&
    // A group of radio buttons is one tab stop, at the checked one.
    !(node.type === "radio" && !node.checked) &&
    node.checkVisibility({ visibilityProperty: true });
  const name = (node) => node.getAttribute("aria-label") ?? (node.labels?.[0] ?? node).textContent.trim();
  // A sibling may show the focus in the control's place.
  const looks = (node) =>
    [node, ...node.parentNode.children]
      .map((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
        return [outlineStyle === "none" ? "" : outlineWidth, boxShadow];
      })
      .join();
  const before = new Map();
  window.walked = {
    begin() {
      // `blur()` would keep the position from which Tab continues.
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
      for (const node of all(document.body).filter(isControl)) before.set(node, looks(node));
      return [...before.keys()].map(name);
    },
    onNow() {
      let on = document.activeElement;
      while (on?.shadowRoot?.activeElement) on = on.shadowRoot.activeElement;
      if (!on || on === document.body) return null;
      const { left, top, right, bottom } = on.getBoundingClientRect();
      return {
        name: name(on),
        isFirst: on === [...before.keys()][0],
        styled: looks(on) !== before.get(on),
        around: 2 * (right - left + bottom - top),
        box: [left, top, right, bottom],
      };
    },
  };
}

async function screenshot(page) {
  return `data:image/png;base64,${await page.screenshot({ encoding: "base64" })}`;
}

/** Returns the number of pixels that differ clearly within a box enlarged by four pixels on each side. */
async function differing(before, after, [left, top, right, bottom]) {
  const [a, b] = await Promise.all([before, after].map((url) => stage.pixelsOfPng(url)));
  let count = 0;
  for (let y = Math.max(0, Math.floor(top) - 4); y < Math.min(a.height, bottom + 4); y++) {
    for (let x = Math.max(0, Math.floor(left) - 4); x < Math.min(a.width, right + 4); x++) {
      const at = 4 * (y * a.width + x);
      if ([0, 1, 2].some((lane) => Math.abs(a.data[at + lane] - b.data[at + lane]) > 48)) count++;
    }
  }
  return count;
}
