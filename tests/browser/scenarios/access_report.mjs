/**
 * The report of an internal error can be copied, with and without a clipboard, and contains all that a bug report
 * needs.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../../www/toolchain.mjs";
import { fail } from "../access.mjs";

export default async function ({ page, backend, url }) {
  const context = page.browserContext();
  await context.overridePermissions(new URL(url).origin, [
    "clipboard-read",
    "clipboard-write",
    "clipboard-sanitized-write",
  ]);
  await page.bringToFront();
  await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb" });
    document.body.append(element);
    await stage.once(element, "load");
    window.element = element;
    window.notice = element.shadowRoot.querySelector("[part~=error]");
    window.spoken = () => element.shadowRoot.querySelector("[role=status]").textContent;
  }, backend);

  await fail(page);
  // Collapsed at first.
  await page.evaluate(() => notice.querySelector("summary").focus());
  assert.equal(await page.evaluate(() => notice.querySelector("details button").checkVisibility()), false);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => notice.querySelector("details").open);
  await page.evaluate(() => notice.querySelector("details button").focus());
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => notice.querySelector("details button").textContent === "Copied");
  await page.waitForFunction(() => spoken() === "Copied");
  const report = await page.evaluate(() => navigator.clipboard.readText());
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.match(report, new RegExp(`^Gambol: ${version.replaceAll(".", "\\.")}$`, "m"));
  assert.match(report, /^Browser: Mozilla.*Chrome/m);
  assert.match(report, new RegExp(`^Backend: ${backend}$`, "m"));
  assert.match(report, /^Code: PLAYER_POISONED$/m);
  assert.match(report, /^Place: \/skins\/0$/m);
  assert.match(report, /^Message: it came upon an unreachable instruction$/m);
  assert.equal(await page.evaluate(() => notice.querySelector("textarea")), null);

  // Without a clipboard, the report is selected.
  const byHand = await page.evaluate(async () => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
    notice.querySelector("details button").click();
    await until(() => notice.querySelector("textarea"));
    const box = notice.querySelector("textarea");
    return {
      text: box.value,
      label: box.ariaLabel,
      selected: box.selectionEnd - box.selectionStart,
      button: notice.querySelector("details button").textContent,
    };
  });
  assert.deepEqual(byHand, {
    text: report,
    label: "Copy report",
    selected: report.length,
    button: "Selected for copying",
  });
  await page.waitForFunction(() => spoken() === "Selected for copying");

  // A restart shows the same model.
  const again = await page.evaluate(async () => {
    const before = element.player;
    const loaded = stage.once(element, "load");
    notice.querySelector(".again").click();
    await loaded;
    await new Promise(requestAnimationFrame);
    return [element.player !== before, notice.hidden, element.player.name];
  });
  assert.deepEqual(again, [true, true, "swing.glb"]);
}
