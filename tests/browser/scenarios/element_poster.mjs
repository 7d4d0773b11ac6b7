/** The poster is visible until the model is drawn; slotted content replaces the built-in parts. */

import assert from "node:assert/strict";

export const expectedErrors = [/Failed to load resource.*404/];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const make = (properties, content = "") => {
      const element = document.createElement("gambol-player");
      element.innerHTML = content;
      Object.assign(element, { backend, ...properties });
      document.body.append(element);
      return element;
    };
    const part = (element, name) => element.shadowRoot.querySelector(`[part~=${name}]`);
    const seen = (part) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const settled = (element) =>
      Promise.all(
        element
          .getAnimations({ subtree: true })
          .concat(...[...element.shadowRoot.querySelectorAll("*")].map((part) => part.getAnimations()))
          .map(({ finished }) => finished),
      );
    const told = {};

    // Without a model to load, the poster is shown alone.
    const element = make({ poster: "/fixtures/checks.png" });
    const poster = part(element, "poster");
    await untilEvent(poster, "load");
    const order = [];
    told.before = [seen(poster), seen(part(element, "canvas")), poster.naturalWidth];
    element.addEventListener("load", () => order.push("load", seen(poster)));
    element.src = "/fixtures/swing.glb";
    await element.play("Swing");
    order.push("played");
    await new Promise(requestAnimationFrame);
    await settled(element);
    told.after = [seen(poster), seen(part(element, "canvas")), order];
    element.remove();

    const broken = make({ poster: "/fixtures/no_such.png", src: "/fixtures/swing.glb" });
    const heard = stage.record(broken, "error");
    const [brokenPoster] = [part(broken, "poster")];
    if (!brokenPoster.hidden) await untilEvent(brokenPoster, "error");
    told.broken = [brokenPoster.hidden, heard.length, part(broken, "error").hidden];
    broken.poster = "/fixtures/checks.png";
    await null;
    told.healed = part(broken, "canvas").classList.contains("shown") || !brokenPoster.hidden;
    broken.remove();

    const slotted = make(
      { poster: "/fixtures/checks.png", controls: true },
      `<b slot="poster">Soon</b><i slot="progress">…</i><p slot="error">Pity</p><button slot="controls">Mine</button>`,
    );
    const [soon, dots, pity, mine] = slotted.children;
    told.slots = { begin: [soon, dots, pity, mine].map(seen), ours: seen(part(slotted, "poster")) };
    const failed = stage.once(slotted, "error");
    slotted.src = "/fixtures/truncated.glb";
    await null;
    const busy = seen(dots);
    await failed;
    told.slots.failed = [busy, seen(soon), seen(pity), part(slotted, "error").checkVisibility()];
    await slotted.load("/fixtures/swing.glb");
    await settled(slotted);
    told.slots.loaded = [soon, dots, pity, mine].map(seen);
    told.slots.ownBar = part(slotted, "controls") === null;
    told.slots.loadedShare = getComputedStyle(dots).getPropertyValue("--gambol-loaded");
    mine.remove();
    await until(() => part(slotted, "controls")?.hidden === false);
    told.slots.bar = seen(part(slotted, "controls"));
    slotted.remove();

    const handled = make({ src: "/fixtures/truncated.glb" }, `<p slot="error">Pity</p>`);
    handled.addEventListener("error", (event) => event.preventDefault());
    await stage.once(handled, "error");
    told.prevented = seen(handled.firstElementChild);
    handled.remove();
    return told;
  }, backend);
  assert.deepEqual(told, {
    before: [true, false, 4],
    after: [false, true, ["load", true, "played"]],
    broken: [true, 0, true],
    healed: true,
    slots: {
      begin: [true, false, false, true],
      ours: false,
      failed: [true, true, true, false],
      loaded: [false, false, false, true],
      ownBar: true,
      loadedShare: "1",
      bar: true,
    },
    prevented: false,
  });
}
