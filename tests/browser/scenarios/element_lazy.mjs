/** `loading="lazy"`: a distant element requests no GPU device until it comes near or is asked to play. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const space = document.createElement("div");
    space.style.blockSize = "5000px";
    document.body.append(space);
    const lazy = (properties = {}) => {
      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, src: "/fixtures/swing.glb", loading: "lazy", ...properties });
      window.heard = stage.record(element, "loadstart", "load", "error");
      document.body.append(element);
      return element;
    };
    /** Waits until an intersection observer of the element has been called, and a load that it starts has started. */
    const looked = async (element) => {
      await new Promise((told) => new IntersectionObserver(told).observe(element));
      await new Promise(requestAnimationFrame);
    };
    const idle = (element) => element.player === null && element.shadowRoot.querySelector("[part=progress]").hidden;

    const element = lazy();
    await looked(element);
    const told = { far: idle(element) };
    element.src = "/fixtures/stroll.glb";
    await looked(element);
    told.otherModel = idle(element);
    // Removed and inserted again, the element still waits. Removed for good, it gets no notification.
    element.remove();
    document.body.append(element);
    await looked(element);
    told.moved = idle(element);
    const loaded = stage.once(element, "load");
    scrollTo(0, 5000 - 2 * innerHeight + 20);
    const { name } = await loaded;
    told.near = {
      name,
      visible: element.getBoundingClientRect().top < innerHeight,
      heard: heard.map(({ name }) => name),
    };
    element.remove();
    scrollTo(0, 0);

    const played = lazy();
    await looked(played);
    const idleBefore = idle(played);
    const run = await played.play("Raise");
    told.played = [idleBefore, run.clip.name];
    played.remove();

    const changed = lazy();
    await looked(changed);
    const nowLoaded = stage.once(changed, "load");
    changed.loading = "eager";
    await nowLoaded;
    told.eager = heard.map(({ name }) => name);
    changed.remove();

    // A stop before the start prevents the start.
    const stopped = lazy({ autoplay: true });
    stopped.pause();
    await looked(stopped);
    const stoppedLoaded = stage.once(stopped, "load");
    scrollTo(0, 5000);
    await stoppedLoaded;
    await looked(stopped);
    told.stopped = stopped.paused && stopped.player.clip.name;
    stopped.remove();
    scrollTo(0, 0);

    const gone = lazy();
    await looked(gone);
    gone.remove();
    scrollTo(0, 5000);
    await looked(space);
    told.gone = gone.player === null && heard.length === 0;
    space.remove();
    return told;
  }, backend);
  assert.deepEqual(told, {
    far: true,
    otherModel: true,
    moved: true,
    near: { name: "stroll.glb", visible: false, heard: ["loadstart", "load"] },
    played: [true, "Raise"],
    eager: ["loadstart", "load"],
    stopped: "Swing",
    gone: true,
  });
}
