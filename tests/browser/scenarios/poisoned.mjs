/**
 * After a trap the WebAssembly instance isn't called again. The element reports the error, and its next load starts
 * a fresh instance. Players of the other backend have their own memory and continue.
 */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", autoplay: true });
    const playing = stage.once(element, "timeupdate");
    document.body.append(element);
    await playing;
    const bystander = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    const heard = stage.record(bystander, "error");
    const stranger = await stage.openModel(backend === "webgpu" ? "webgl2" : "webgpu", "/fixtures/swing.glb", {
      clip: "Swing",
    });
    const unheard = stage.record(stranger, "error", "contextlost");
    const before = await stage.look(stranger);

    const flavour = backend === "webgpu" ? "webgpu" : "webgl";
    const { PlayerHandle } = await import(`/gambol/wasm/${flavour}/gambol.js`);
    const { update } = PlayerHandle.prototype;
    PlayerHandle.prototype.update = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    const first = element.player;
    const error = await stage.once(element, "error");
    PlayerHandle.prototype.update = update;

    await until(() => element.shadowRoot.querySelector("details"));
    const notice = element.shadowRoot.querySelector("[part=error]").textContent;
    const later = await stage.failure(() => first.pause());
    const others = await stage.failure(() => bystander.render());
    await element.load("/fixtures/swing.glb");
    await element.play();
    await stage.once(element, "timeupdate");
    const fresh = element.player !== first && element.player.alive;
    element.remove();
    // Also in a script, while the device or the contexts of the failed instance still exist.
    const another = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    const alike = stage.compare(before, await stage.look(another), 12).differing;
    stranger.currentTime = 0;
    const same = stage.compare(before, await stage.look(stranger), 0).count;
    await stranger.load("/fixtures/stroll.glb");
    return {
      alike,
      same,
      strangers: { unheard, alive: stranger.alive, name: stranger.name },
      code: error.code,
      notice,
      later,
      others,
      heard: heard.map(({ detail }) => detail.code),
      fresh,
    };
  }, backend);
  assert.equal(told.code, "PLAYER_POISONED");
  assert.match(told.notice, /unreachable/, "the report can be copied");
  assert.equal(told.later.code, "PLAYER_POISONED");
  assert.equal(told.others.code, "PLAYER_POISONED", "they share memory");
  assert.deepEqual(told.heard, ["PLAYER_POISONED"]);
  assert.equal(told.fresh, true);
  assert.ok(told.alike < 0.005, `the fresh one draws as another backend does, but for ${told.alike}`);
  assert.equal(told.same, 0, "the other backend's player is as it was");
  assert.deepEqual(told.strangers, { unheard: [], alive: true, name: "stroll.glb" });
}
