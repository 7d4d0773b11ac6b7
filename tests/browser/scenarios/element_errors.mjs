/**
 * Errors of the element: an event and a console message for the page, one sentence over the poster for the visitor.
 * A valid address afterwards recovers.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const expectedErrors = [/Failed to load resource.*404/];

/** Text that a visitor's message must not contain. */
const TECHNICAL = /nowhere|http|404|status|\.glb|[A-Z]{3,}_|\/\w+\//;

export default async function ({ page, backend, out }) {
  const heard = [];
  const listen = (message) =>
    message.text().startsWith("<gambol-player>") && message.type() === "warn" && heard.push(message.text());
  page.on("console", listen);
  const told = await page.evaluate(async (backend) => {
    const element = Object.assign(document.createElement("gambol-player"), {
      backend,
      poster: "/fixtures/checks.png",
      src: "/nowhere.glb",
    });
    element.style.cssText = "width: 470px; height: 300px";
    const failed = stage.once(element, "error");
    document.body.append(element);
    const { code } = await failed;
    const notice = element.shadowRoot.querySelector("[part=error]");
    Object.assign(window, { element, notice });
    const words = notice.innerText;
    await until(() => notice.querySelector("details"));
    const poster = element.shadowRoot.querySelector("[part=poster]");
    const folded = notice.innerText;
    const { color, backgroundColor } = getComputedStyle(notice);
    return {
      code,
      words,
      folded,
      colors: [color, backgroundColor],
      poster: poster.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    };
  }, backend);
  writeFileSync(join(out, `element_errors_${backend}.png`), await page.screenshot());
  const opened = await page.evaluate(() => {
    notice.querySelector("summary").click();
    return notice.innerText;
  });
  writeFileSync(join(out, `element_errors_${backend}_details.png`), await page.screenshot());
  assert.equal(told.code, "HTTP_STATUS");
  assert.match(told.words, /^This model can't be shown\s+Please try again later\.$/);
  assert.doesNotMatch(told.folded, TECHNICAL);
  assert.match(told.folded, /Details$/);
  assert.match(opened, /There is no file at this address.*nowhere\.glb\s+HTTP_STATUS/s);
  assert.equal(told.poster, true, "the poster stays");
  for (const color of told.colors) {
    const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
    assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) < 16, `a calm colour: ${color}`);
  }
  assert.equal(heard.length, 1, heard.join("\n"));
  assert.match(heard[0], /<gambol-player> HTTP_STATUS.*nowhere\.glb/);

  const healed = await page.evaluate(async () => {
    const loaded = stage.once(element, "load");
    element.src = "/fixtures/swing.glb";
    await loaded;
    await new Promise(requestAnimationFrame);
    const healed = notice.hidden;
    // If the page handles the error itself, nothing is logged either.
    element.addEventListener("error", (event) => event.preventDefault());
    await element.load("/fixtures/truncated.glb").catch(() => undefined);
    return [healed, notice.hidden];
  });
  assert.deepEqual(healed, [true, true]);
  assert.equal(heard.length, 1, heard.join("\n"));
  page.off("console", listen);
  await page.evaluate(() => element.remove());
}
