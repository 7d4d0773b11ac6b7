/** Without scripts the content of the tag is visible; in print the model is shown without buttons. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const backends = ["webgl2"];

export default async function ({ page, backend, out, url }) {
  await withoutScripts(page, url, out);
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  await onPaper(page, backend, out);
}

async function withoutScripts(page, url, out) {
  await page.setJavaScriptEnabled(false);
  await page.goto(`${url}without_scripts.html`);
  const told = await page.evaluate(() => {
    const picture = document.querySelector("[slot=poster]");
    const { width, height } = picture.getBoundingClientRect();
    return {
      isTag: document.querySelector("gambol-player").shadowRoot === null,
      seen: picture.checkVisibility(),
      loaded: picture.complete && picture.naturalWidth > 0,
      width,
      height,
    };
  });
  writeFileSync(join(out, "element_without_scripts.png"), await page.screenshot());
  await page.setJavaScriptEnabled(true);
  assert.deepEqual(told, { isTag: true, seen: true, loaded: true, width: 320, height: 240 });
}

async function onPaper(page, backend, out) {
  const seen = () =>
    page.evaluate(() => {
      const parts = ["canvas", "controls", "big-play-button"].map((name) => [
        name,
        element.shadowRoot.querySelector(`[part~=${name}]`).checkVisibility(),
      ]);
      const own = element.querySelector("[slot=controls]");
      const buttons = [...element.shadowRoot.querySelectorAll("button, select, input, summary")].filter((control) =>
        control.checkVisibility(),
      );
      return { ...Object.fromEntries(parts), ...(own && { own: own.checkVisibility() }), buttons: buttons.length };
    });
  await page.evaluate(async (backend) => {
    const element = Object.assign(document.createElement("gambol-player"), {
      backend,
      src: "/fixtures/swing.glb",
      controls: true,
      autoplay: true,
    });
    element.style.cssText = "width: 600px; height: 400px";
    document.body.append(element);
    await stage.once(element, "load");
    await until(() => element.shadowRoot.querySelector("[part~=controls]")?.hidden === false);
    element.pause();
    window.element = element;
  }, backend);
  assert.deepEqual(await seen(), { canvas: true, controls: true, "big-play-button": false, buttons: 5 });
  await page.emulateMediaType("print");
  assert.deepEqual(await seen(), { canvas: true, controls: false, "big-play-button": false, buttons: 0 }, "no bar");
  writeFileSync(join(out, "element_paper.png"), await page.screenshot());
  writeFileSync(
    join(out, "element_paper.pdf"),
    await page.pdf({ width: "640px", height: "480px", printBackground: true }),
  );

  // The buttons of a notice, the play button and slotted controls are hidden too.
  await page.evaluate(async () => {
    element.addEventListener("error", () => undefined, { once: true });
    await element.load("/fixtures/truncated.glb").catch(() => undefined);
    await until(() => element.shadowRoot.querySelector("details"));
  });
  assert.equal((await seen()).buttons, 0);
  await page.evaluate(() => {
    element.controls = false;
    element.autoRotate = 10;
    element.insertAdjacentHTML("beforeend", "<button slot=controls style='display: block'>Mine</button>");
  });
  const mine = await seen();
  assert.deepEqual([mine.own, mine.buttons], [false, 0]);
  await page.emulateMediaType("screen");
  assert.equal((await seen()).own, true);

  // Each colour that older browsers don't support has a fallback.
  const mixes = await page.evaluate(() =>
    element.shadowRoot.adoptedStyleSheets
      .flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
      .filter((rule) => rule.includes("color-mix")),
  );
  assert.deepEqual(mixes, []);
  await page.evaluate(() => element.remove());
}
