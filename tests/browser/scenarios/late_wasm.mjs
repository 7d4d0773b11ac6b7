/**
 * What few pages need is in a wasm file of its own. It is fetched once, with the first call that needs it, tried again
 * after a failure, and started again after a panic. A file of another build is refused.
 */

import assert from "node:assert/strict";
import { join } from "node:path";

import { root } from "../../../www/toolchain.mjs";
import { readWasm } from "../../packed.mjs";

export const expectedErrors = [/net::ERR_FAILED .*gambol_late\.wasm/];

export default async function ({ page, backend }) {
  const flavour = backend === "webgpu" ? "webgpu" : "webgl";
  const late = `/gambol/wasm/${flavour}/gambol_late.wasm`;
  const asked = [];
  let isBroken = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === late) asked.push(pathname);
    if (pathname === late && isBroken) request.abort();
    else request.continue();
  });

  const missing = await page.evaluate(async (backend) => {
    window.arm = { chain: ["LeftUpperArm", "LeftHand"] };
    window.player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Idle" });
    window.other = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk" });
    await stage.look(player);
    const missing = await stage.failure(() => player.constrain("arm", arm));
    // The reset functions of springs need nothing.
    player.resetSprings();
    player.fadeSprings(0.5);
    return missing;
  }, backend);
  assert.equal(missing.code, "WASM_NOT_LOADED");
  assert.deepEqual(asked, [late], "nothing before fetches it");
  const core = new WebAssembly.Module(readWasm(join(root, `dist/wasm/${flavour}/gambol_bg.wasm`)));
  const names = WebAssembly.Module.exports(core).map(({ name }) => name);
  assert.equal(names.filter((name) => /^m[0-9a-f]+$/.test(name)).length, 1, "the build is part of a name");

  isBroken = false;
  const after = await page.evaluate(async () => {
    await Promise.all([player.constrain("arm", arm), other.constrain("arm", arm), player.setSprings(null)]);
    return [player.constraints, other.constraints, await player.skinningError()];
  });
  assert.deepEqual(after.slice(0, 2), [["arm"], ["arm"]]);
  assert.ok(after[2] < 1e-4, `${after[2]}`);
  assert.deepEqual(asked, [late, late], "two players fetch it once");

  const again = await page.evaluate(
    async (backend, flavour) => {
      const { PlayerHandle } = await import(`/gambol/wasm/${flavour}/gambol.js`);
      const { update } = PlayerHandle.prototype;
      const failed = stage.once(player, "error");
      PlayerHandle.prototype.update = () => {
        throw new WebAssembly.RuntimeError("unreachable");
      };
      player.autoUpdate = true;
      player.play("Walk");
      await failed;
      PlayerHandle.prototype.update = update;
      const refused = await stage.failure(() => player.constrain("arm", arm));
      const fresh = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Idle" });
      const constraint = await fresh.constrain("arm", arm);
      constraint.goal([0.5, 1, 0.5]);
      fresh.advance(0.1);
      return [refused.code, fresh.constraints];
    },
    backend,
    flavour,
  );
  assert.deepEqual(again, ["PLAYER_POISONED", ["arm"]]);
  assert.equal(asked.length, 2, "it was compiled before");
}
