/** Another model replaces the old one between two frames: every frame shows one or the other, posed. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", clip: "Swing", currentTime: 1, controls: false });
    document.body.append(element);

    // Records every drawn frame, in the task that draws it.
    const pictures = [];
    const { PlayerHandle } = await import(`/gambol/wasm/${backend === "webgpu" ? "webgpu" : "webgl"}/gambol.js`);
    const { render } = PlayerHandle.prototype;
    PlayerHandle.prototype.render = function () {
      render.call(this);
      const canvas = element.shadowRoot.querySelector("canvas");
      pictures.push({
        url: canvas.toDataURL(),
        model: element.player?.name,
        clip: element.player?.clip?.name ?? null,
        shown: canvas.classList.contains("shown"),
      });
    };
    const frames = async (count) => {
      for (; count > 0; count--) await new Promise(requestAnimationFrame);
    };
    const tell = async (act) => {
      pictures.length = 0;
      await act();
      await frames(3);
      return Promise.all(
        pictures.map(async ({ url, ...rest }) => {
          const image = await stage.pixelsOfPng(
            new Blob([Uint8Array.from(atob(url.split(",")[1]), (letter) => letter.charCodeAt(0))]),
          );
          return { ...rest, part: stage.coverage(image).part, url: undefined };
        }),
      );
    };
    const told = {};
    told.first = await tell(() => stage.once(element, "seeked"));
    const canvas = element.shadowRoot.querySelector("canvas");
    const { player } = element;
    // The old model is drawn while the new one is loading.
    told.swap = await tell(async () => {
      element.autoplay = true;
      element.play();
      await stage.once(element, "timeupdate");
      element.src = "/fixtures/stroll.glb";
      await stage.once(element, "load");
      await stage.once(element, "timeupdate");
    });
    told.controlled = await tell(async () => {
      element.controller = "/fixtures/up_and_down.json";
      element.src = "/fixtures/swing.glb?controlled";
      await stage.once(element, "load");
      await stage.once(element, "statechange");
    });
    told.failed = await tell(async () => {
      element.src = "/fixtures/truncated.glb";
      await stage.once(element, "error");
      await stage.once(element, "timeupdate");
    });
    told.same = element.shadowRoot.querySelector("canvas") === canvas && element.player === player;
    PlayerHandle.prototype.render = render;
    element.remove();
    return told;
  }, backend);

  for (const [what, pictures] of Object.entries(told)) {
    if (what === "same") continue;
    assert.ok(pictures.length > 0, what);
    for (const picture of pictures.filter(({ model }) => model)) {
      assert.ok(picture.clip, `${what}: a frame of ${picture.model} without a pose`);
      assert.ok(picture.part > 0.02, `${what}: an empty frame of ${picture.model}: ${picture.part}`);
    }
  }
  assert.equal(told.first.find(({ model }) => model).shown, false, "what is shown has been drawn before");
  for (const what of ["swap", "controlled", "failed"])
    assert.ok(
      told[what].every(({ shown }) => shown),
      `${what} hides nothing`,
    );
  const models = told.swap.map(({ model }) => model);
  assert.deepEqual([...new Set(models)], ["swing.glb", "stroll.glb"], "the old one until the new one, and never again");
  assert.equal(told.same, true);
}
