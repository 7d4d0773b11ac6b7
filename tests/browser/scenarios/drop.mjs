/**
 * The viewer opens with a moving character, accepts dropped files, and shows a message for files that it can't
 * show.
 */

import assert from "node:assert/strict";

export const address = "gambol/viewer/";

export default async function ({ page, backend, url }) {
  if (backend === "webgl2") await withoutWebgpu(page, url);
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.clips.length > 0);
  const opened = await page.evaluate(async () => {
    const element = document.querySelector("gambol-player");
    await untilEvent(element, "timeupdate");
    return {
      backend: element.player.backend,
      paused: element.paused,
      clips: document.querySelectorAll("#clips li").length,
    };
  });
  assert.equal(opened.backend, backend);
  assert.equal(opened.paused, false);
  assert.ok(opened.clips >= 5, `the character has ${opened.clips} clips`);
  const invited = () => page.$eval("#invite", (invite) => invite.checkVisibility() && /model/.test(invite.innerText));
  assert.equal(await invited(), true, "the stage says that models can be dropped on it");
  const dragged = await page.evaluate(async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([""], "a.glb"));
    document.body.dispatchEvent(new DragEvent("dragenter", { dataTransfer: transfer, bubbles: true }));
    const overlay = document.querySelector("#drop");
    await Promise.all(overlay.getAnimations().map(({ finished }) => finished));
    const shown = getComputedStyle(overlay).opacity;
    document.body.dispatchEvent(new DragEvent("dragleave", { dataTransfer: transfer, bubbles: true }));
    return { shown, says: overlay.innerText, left: document.body.classList.contains("dropping") };
  });
  assert.deepEqual([dragged.shown, dragged.left], ["1", false]);
  assert.match(dragged.says, /Drop to open.*\.glb.*folder/s);

  const drop = async (...names) => {
    await page.evaluate(async (names) => {
      const transfer = new DataTransfer();
      for (const name of names) {
        transfer.items.add(new File([await (await fetch(`/fixtures/${name}`)).arrayBuffer()], name));
      }
      const element = document.querySelector("gambol-player");
      window.outcome = new Promise((resolve) => {
        for (const name of ["load", "error"]) element.addEventListener(name, () => resolve(name), { once: true });
      });
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      await window.outcome;
    }, names);
    return page.evaluate(async () => ({
      outcome: await window.outcome,
      clips: [...document.querySelectorAll("#clips li")].map((item) => item.textContent.trim()),
      error: document.querySelector("#error").hidden ? "" : document.querySelector("#error").textContent,
    }));
  };

  const whole = await drop("swing.glb");
  assert.equal(whole.outcome, "load");
  assert.equal(whole.clips.length, 2);
  assert.match(whole.clips[0], /Swing/);
  assert.equal(await invited(), false, "it is known by now");
  const packed = await drop("swing.zip");
  assert.deepEqual([packed.outcome, packed.error], ["load", ""]);
  const pieces = await drop("checks.png", "swing.bin", "swing.gltf");
  assert.equal(pieces.outcome, "load");
  const broken = await drop("truncated.glb");
  assert.equal(broken.outcome, "error");
  assert.ok(broken.error.length > 20, "the page says what went wrong");
  assert.equal(broken.clips.length, 2, "the model before stays");
  assert.equal((await drop("swing.glb")).error, "", "a good file clears the message");
}

/** Removes WebGPU, since the page selects the backend itself. */
async function withoutWebgpu(page, url) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.goto(`${url}gambol/viewer/`);
}
