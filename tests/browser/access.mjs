/** What the scenarios on access share: axe-core, which no page fetches, and what the Tab key comes by. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../www/toolchain.mjs";

const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

/** Every rule there is, experimental ones and nearly all of level AAA too. Evaluated, which a strict policy allows a debugger. */
export async function assertAccessible(page, state) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations, incomplete } = await page.evaluate(async () => {
    const short = (results) =>
      results.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any, all, none }) => `${id}: ${target.flat().join(" ")}: ${[...any, ...all, ...none].map(({ message }) => message).join("; ")}`),
      );
    // Seven to one leaves no room for a colour.
    const rules = axe.getRules().map(({ ruleId }) => ruleId).filter((rule) => rule !== "color-contrast-enhanced");
    const { violations, incomplete } = await axe.run(document, { runOnly: { type: "rule", values: rules } });
    return { violations: short(violations), incomplete: short(incomplete) };
  });
  if (process.env.AXE_ALL) console.log(state, { violations, incomplete });
  assert.deepEqual(violations, [], state);
}

/** As a panic would have it: the player is at an end, and says so. */
export function fail(page) {
  return page.evaluate(async () => {
    const { GambolError } = await import("/gambol/index.js");
    const element = document.querySelector("gambol-player");
    const detail = new GambolError("PLAYER_POISONED", "it came upon an unreachable instruction", { place: "/skins/0" });
    element.player.dispatchEvent(new CustomEvent("error", { detail }));
    const copy = () => element.shadowRoot.querySelectorAll("[part~=error] .actions button")[1];
    while (!copy()) await new Promise(requestAnimationFrame);
    copy().click();
    await new Promise(requestAnimationFrame);
  });
}
