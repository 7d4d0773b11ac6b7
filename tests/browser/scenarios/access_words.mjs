/** Translation: with the texts of another language, no English text is shown or announced in any state. */

import assert from "node:assert/strict";

import { fail } from "../access.mjs";

export const backends = ["webgl2"];
export const expectedErrors = [/Failed to load resource.*404/];

export default async function ({ page, backend }) {
  await page.evaluate(async (backend) => {
    const { setWords } = await import("/gambol/element.js");
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", controls: true, loop: 3 });
    window.english = element.words;
    // Each text is replaced by its number, in letters that English doesn't use.
    window.greek = Object.fromEntries(
      Object.entries(english).map(([name, word], index) => {
        if (name === "lang") return [name, "el"];
        if (typeof word === "string") return [name, `λέξη ${index}`];
        const kept = (given) => typeof given === "number" || given === "Swing" || given === "Raise";
        return [name, (...given) => `λέξεις ${index}: ${given.filter(kept).join(" ")}`];
      }),
    );
    setWords(greek);
    document.body.append(element);
    const status = element.shadowRoot.querySelector("[role=status]");
    window.said = [];
    new MutationObserver(() => status.textContent && said.push(status.textContent)).observe(status, {
      childList: true,
    });
    window.element = element;
    window.part = (name) => element.shadowRoot.querySelector(`[part~=${name}]`);
    await stage.once(element, "load");
    await until(() => part("controls"));
  }, backend);

  /** Returns all texts of the shadow tree, hidden or not, with their language. */
  const nothingEnglish = async (state) => {
    const texts = await page.evaluate(() => {
      const found = [...said];
      for (const node of element.shadowRoot.querySelectorAll("*")) {
        for (const name of [
          "aria-label",
          "aria-valuetext",
          "aria-roledescription",
          "aria-placeholder",
          "title",
          "alt",
          "placeholder",
        ]) {
          if (node.getAttribute(name)) found.push(node.getAttribute(name));
        }
        for (const child of node.childNodes) {
          if (child.nodeType !== Node.TEXT_NODE || !child.data.trim()) continue;
          // Texts for developers, not for visitors.
          if (node.matches("code, textarea")) continue;
          found.push(child.data);
          const { lang } = node.closest("[lang]") ?? {};
          if (lang !== "el") found.push(`${child.data}: lang is ${lang}`);
        }
      }
      return found;
    });
    const english = texts.filter((text) => /[a-z]/i.test(text.replaceAll(/Swing|Raise/g, "")));
    assert.deepEqual(english, [], state);
  };

  await nothingEnglish("standing still");
  await page.evaluate(() => element.play("Swing"));
  await page.waitForFunction(() => part("timeline").getAttribute("aria-valuetext"));
  // The initial state isn't announced.
  await page.evaluate(async () => {
    for (let turn = 0; said.length === 0; turn++) {
      await element.play(turn % 2 === 0 ? "Raise" : "Swing");
      await Promise.race([stage.once(element, "loop"), until(() => said.length > 0)]);
    }
  });
  await page.evaluate(() => element.pause());
  await page.waitForFunction(() => said.length >= 2);
  await nothingEnglish("paused");
  await page.evaluate(() => {
    element.playbackRate = 1.25;
    element.loop = "once";
    void element.play("Swing");
    element.currentTime = 1.9;
  });
  await page.waitForFunction(() => element.ended);
  await nothingEnglish("at the end");
  await fail(page);
  await nothingEnglish("a failure of ours");
  await page.evaluate(async () => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
    element.shadowRoot.querySelector("details").open = true;
    element.shadowRoot.querySelector("details button").click();
    await until(() => element.shadowRoot.querySelector("textarea"));
  });
  await nothingEnglish("a report");
  await page.evaluate(async () => {
    const failed = stage.once(element, "error");
    element.src = "/nowhere.glb";
    await failed;
  });
  await nothingEnglish("what can't be shown");

  // Texts of the element take precedence over those of the page. Removing either has an immediate effect.
  const label = () => page.evaluate(() => part("timeline").getAttribute("aria-label"));
  const page_ = await label();
  assert.match(page_, /^λέξη/);
  await page.evaluate(() => (element.words = { timeline: "Zeitachse" }));
  assert.equal(await label(), "Zeitachse");
  await page.evaluate(() => (element.words = {}));
  assert.equal(await label(), page_);
  await page.evaluate(async () => (await import("/gambol/element.js")).setWords({}));
  assert.equal(await label(), "Timeline");
}
