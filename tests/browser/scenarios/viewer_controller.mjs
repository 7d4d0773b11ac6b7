/**
 * The viewer opens both example controllers on the character: parameters can be changed and triggers fired, also by
 * keyboard.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const longestSecs = 180;

export default async function ({ page, out }) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.reload();
  await page.setViewport({ width: 1200, height: 900, deviceScaleFactor: 1 });
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.clips.length > 0);

  for (const [url, layers] of [
    ["controllers/locomotion.json", 1],
    ["controllers/upper_body.json", 2],
  ]) {
    await page.select("#controller", url);
    await page.waitForFunction((layers) => document.querySelectorAll("#states dt").length === layers, {}, layers);
    const panel = await page.evaluate(() => ({
      labelled: [...document.querySelectorAll("#parameters input")].every((input) => input.labels[0]?.textContent),
      knobs: document.querySelectorAll("#parameters input, #parameters button").length,
      names: document.querySelector("gambol-player").player.parameters.names.length,
      error: document.querySelector("#error").hidden,
    }));
    assert.deepEqual([panel.labelled, panel.error], [true, true]);
    assert.equal(panel.knobs, panel.names);

    const states = () => page.$$eval("#states dd", (states) => states.map(({ textContent }) => textContent));
    const changes = (layer, from) =>
      page.waitForFunction(
        (layer, from) => document.querySelectorAll("#states dd")[layer].textContent !== from,
        {},
        layer,
        from,
      );
    // With the slider at its end, set by keyboard, the character runs, and markers are shown.
    await page.focus("#parameters input[type=range]");
    await page.keyboard.press("End");
    assert.ok((await page.evaluate(() => document.querySelector("gambol-player").player.parameters.get("speed"))) > 1);
    await page.waitForFunction(() => document.getAnimations().some(({ effect }) => effect.target?.closest("#markers")));
    if (layers === 2) {
      await page.evaluate(() =>
        [...document.querySelectorAll("#parameters .switch")]
          .find((label) => label.textContent === "wave")
          .querySelector("input")
          .focus(),
      );
      await page.keyboard.press("Space");
      await changes(1, "Nothing");
    } else {
      const [before] = await states();
      await page.focus("#parameters .trigger");
      await page.keyboard.press("Enter");
      await changes(0, before);
    }
    await new Promise((resolve) => setTimeout(resolve, 400));
    writeFileSync(join(out, `viewer_${layers}.png`), await page.screenshot());
  }

  await page.select("#controller", "");
  await page.waitForFunction(() => document.querySelector("#controller-panel").hidden);
  const dropped = await page.evaluate(async () => {
    const json = JSON.stringify({ layers: [{ start: "Idle", states: { Idle: { clip: "Fly" } } }] });
    const transfer = new DataTransfer();
    transfer.items.add(new File([json], "fly.json"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    for (let wait = 0; document.querySelector("#error").hidden && wait < 100; wait++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return document.querySelector("#error").textContent;
  });
  assert.match(dropped, /at \/layers\/0\/states\/Idle\/clip.*UNKNOWN_CLIP/s);
}
