/**
 * axe-core reports no violation on the viewer's page: empty, with a model, notes, a controller, another format, an
 * error.
 */

import { assertAccessible } from "../access.mjs";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const longestSecs = 180;
export const expectedErrors = [/Failed to load resource.*ERR_FAILED/];

export default async function ({ page }) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.setViewport({ width: 1200, height: 800, deviceScaleFactor: 1 });
  // Requests are held back: the page as it looks on a slow connection.
  let held = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => (held && request.url().endsWith(".glb") ? held.push(request) : request.continue()));
  await page.reload();
  await page.waitForFunction(() =>
    document.querySelector("gambol-player").shadowRoot?.querySelector("[part~=progress]:not([hidden])"),
  );
  await assertAccessible(page, "loading");

  const waiting = held;
  held = null;
  for (const request of waiting) request.continue();
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.clips.length > 0);
  await page.evaluate(() => document.querySelector("gambol-player").pause());
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await assertAccessible(page, `a model, ${scheme}`);
  }
  await page.setViewport({ width: 320, height: 256, deviceScaleFactor: 1 });
  await assertAccessible(page, "at four times the size");
  await page.setViewport({ width: 1200, height: 800, deviceScaleFactor: 1 });

  await page.evaluate(() =>
    ["#morphs-section", "#nodes-section"].forEach((section) => (document.querySelector(section).open = true)),
  );
  await page.waitForSelector("#nodes [role=treeitem]");
  await page.evaluate(() => document.querySelector("#nodes li").click());
  for (const scheme of ["dark", "light"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await assertAccessible(page, `morphs and nodes, ${scheme}`);
  }
  await page.evaluate(() => document.querySelector("#help").showPopover());
  await assertAccessible(page, "help");
  await page.evaluate(() => document.querySelector("#help").hidePopover());

  await page.select("#controller", "controllers/upper_body.json");
  await page.waitForFunction(() => document.querySelectorAll("#states dt").length === 2);
  await assertAccessible(page, "a controller");

  const drop = (name) =>
    page.evaluate(async (name) => {
      const element = document.querySelector("gambol-player");
      const settled = Promise.race([untilEvent(element, "load"), untilEvent(element, "error")]);
      const content = name.startsWith("no")
        ? "not a model"
        : await (await fetch(`/fixtures/formats/${name}`)).arrayBuffer();
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      await settled;
    }, name);
  await drop("ticks.x");
  await page.waitForSelector("#ticks:not([hidden])");
  await assertAccessible(page, "another format, with a note and a question");
  await page.click("#save-glb");
  await page.waitForSelector("#saved-section:not([hidden])");
  await assertAccessible(page, "saved");
  await drop("not_a_model.glb");
  await page.waitForSelector("#error:not([hidden])");
  await assertAccessible(page, "an error");
}
