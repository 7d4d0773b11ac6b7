/** axe-core reports no violation in any state of the element. */

import { assertAccessible, fail } from "../access.mjs";

export const backends = ["webgl2"];
export const longestSecs = 180;
export const expectedErrors = [/Failed to load resource.*404/];

const STATES = {
  "no model": {},
  "on its way": { src: "/held.glb", controls: true },
  "a poster": { src: "/held.glb", poster: "/fixtures/checks.png" },
  "going round": { src: "/fixtures/swing.glb", autoRotate: 0.5, cameraControls: true },
  "standing still": { src: "/fixtures/swing.glb" },
  "playing, with a button": { src: "/fixtures/swing.glb", autoplay: true },
  "playing, with the bar": { src: "/fixtures/swing.glb", autoplay: true, controls: true },
  "a bar in one that reads from the right": { src: "/fixtures/swing.glb", controls: true, dir: "rtl" },
  "under a controller": {
    src: "/fixtures/swing.glb",
    controller: "/fixtures/up_and_down.json",
    autoplay: true,
    controls: true,
  },
  "what can't be shown": { src: "/nowhere.glb", controls: true },
};

export default async function ({ page, backend }) {
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = (address, ...more) =>
      String(address).endsWith("/held.glb") ? new Promise(() => undefined) : fetch(address, ...more);
    document.title = "A page with a model";
    const main = document.createElement("main");
    main.append(Object.assign(document.createElement("h1"), { textContent: "A model" }));
    document.body.append(main);
  });
  for (const [state, properties] of Object.entries(STATES)) {
    await page.evaluate(
      async (backend, properties) => {
        const element = document.createElement("gambol-player");
        Object.assign(element, { backend, ...properties });
        element.style.cssText = "width: 600px; height: 400px";
        const settled = Promise.race(["load", "error"].map((name) => stage.once(element, name)));
        document.querySelector("main").append(element);
        if (properties.src === "/held.glb")
          await until(() => !element.shadowRoot.querySelector("[part~=progress]").hidden);
        else if (properties.src) await settled;
        const bar = () => element.shadowRoot.querySelector("[part=controls]:not([hidden])");
        await until(() => !properties.controls || bar());
      },
      backend,
      properties,
    );
    await assertAccessible(page, state);
    if (state === "under a controller") {
      await fail(page);
      await assertAccessible(page, "a failure of ours");
      await page.evaluate(async () => {
        document.execCommand = () => false;
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        const { shadowRoot } = document.querySelector("gambol-player");
        shadowRoot.querySelector("details").open = true;
        shadowRoot.querySelector("details button").click();
        await until(() => shadowRoot.querySelector("textarea"));
      });
      await assertAccessible(page, "with its report, to be copied by hand");
    }
    await page.evaluate(() => document.querySelector("gambol-player").remove());
  }
}
