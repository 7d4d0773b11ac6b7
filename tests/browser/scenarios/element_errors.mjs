/** A page hears of a failure by an event, a visitor by words; a later good address heals it. */

import assert from "node:assert/strict";

export const expectedErrors = [/Failed to load resource.*404/];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/nowhere.glb" });
    const failed = stage.once(element, "error");
    document.body.append(element);
    const error = await failed;
    const notice = element.shadowRoot.querySelector("[part=error]");
    const words = notice.hidden ? "" : notice.textContent;
    const loaded = stage.once(element, "load");
    element.src = "/fixtures/swing.glb";
    await loaded;
    await new Promise(requestAnimationFrame);
    const healed = notice.hidden;
    element.remove();
    return { code: error.code, words, healed };
  }, backend);
  assert.equal(told.code, "HTTP_STATUS");
  assert.match(told.words, /404|no file/i);
  assert.equal(told.healed, true);
}
