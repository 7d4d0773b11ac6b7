/** Invalid input is an immediate error with a code, and the character keeps its pose and motion. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk" });
    const upper = player.layer("upper", { mask: { Spine: 1 } });
    upper.play("Wave");
    const gone = player.layer("gone");
    gone.remove();
    player.advance(0.3);
    const state = () =>
      JSON.stringify([
        player.layers,
        player.clip?.name,
        player.currentTime,
        upper.clip?.name,
        upper.currentTime,
        upper.weight,
        player.parameters.names,
      ]);
    const pose = () => new Uint32Array(player.worldMatrices().buffer);
    const [before, stateBefore] = [pose(), state()];
    const heard = stage.record(player, "play", "pause", "loop", "finished", "marker", "statechange", "error");

    const machine =
      (states, transitions, more = {}) =>
      () =>
        player.setController({
          parameters: { go: true },
          layers: [{ name: "base", start: "A", states, transitions, ...more }],
        });
    const A = { clip: "Idle" };
    const attempts = {
      unknownClip: () => player.play("Fly"),
      unknownClipNumber: () => player.play(99),
      unknownClipInBlend: () =>
        player.play({
          along: "speed",
          motions: [
            { at: 0, clip: "Idle" },
            { at: 1, clip: "Fly" },
          ],
        }),
      emptyBlend: () => player.play({ along: "speed", motions: [] }),
      nanTime: () => (player.currentTime = NaN),
      nanStep: () => player.advance(NaN),
      nanRate: () => (player.playbackRate = NaN),
      nanFade: () => player.play("Run", { fade: NaN }),
      nanStart: () => player.play("Run", { start: Infinity }),
      nanFrom: () => player.play("Run", { from: NaN }),
      nanLoop: () => player.play("Run", { loop: NaN }),
      wrongLoop: () => player.play("Run", { loop: "forever" }),
      unknownKind: () => player.parameters.kind("courage"),
      nanSpeed: () => upper.play("Run", { speed: NaN }),
      wrongEasing: () => player.play("Run", { fade: 1, easing: "bouncy" }),
      nanWeight: () => (upper.weight = NaN),
      nanParameter: () => player.parameters.set("speed", NaN),
      unknownParameter: () => player.parameters.get("courage"),
      maskOfNothing: () => player.layer("hat", { mask: { Hat: 1 } }),
      maskChanged: () => player.layer("upper", { mask: { Spine: 1, Hat: 1 } }),
      unknownLayer: () => gone.play("Run"),
      unknownNode: () => player.node("Wheel"),
      unknownNodeNumber: () => player.node(1e6),
      nanRotation: () => player.node("Head").rotate([NaN, 0, 0, 1]),
      noRotation: () => player.node("Head").rotate([0, 0, 0, 0]),
      unknownMorph: () => player.morph("frown"),
      nanMorph: () => (player.morph("smile").weight = NaN),
      nanMarker: () => player.setMarkers("Walk", [{ name: "left", time: NaN }]),
      unknownRoot: () => (player.rootNode = "Wheel"),
      clock: () => (player.clock = { step: NaN }),
      noJson: () => player.setController("{"),
      noController: () => player.setController("[]"),
      unknownState: machine({ A }, [{ from: "A", to: "B" }]),
      unknownTest: machine({ A, B: A }, [{ from: "A", to: "B", when: { courage: true } }]),
      instantCycle: machine({ A, B: A }, [
        { from: "A", to: "B" },
        { from: "B", to: "A" },
      ]),
      controllerMask: machine({ A }, [], { mask: { Hat: 1 } }),
      unknownClipInState: machine({ A: { clip: "Fly" } }, []),
    };
    const failures = {};
    const changed = [];
    for (const [name, attempt] of Object.entries(attempts)) {
      failures[name] = await stage.failure(attempt);
      await null;
      const now = pose();
      if (now.some((bits, at) => bits !== before[at]) || state() !== stateBefore) changed.push(`${name}: ${state()}`);
      if (changed.length > 0) break;
    }
    player.advance(0.1);
    const moved = pose().some((bits, at) => bits !== before[at]);
    return { failures, changed, moved, heard: heard.map(({ name }) => name) };
  }, backend);

  const silent = Object.entries(told.failures).filter(([, failure]) => !failure?.isOurs);
  assert.deepEqual(silent, []);
  for (const [name, { code, message }] of Object.entries(told.failures)) {
    assert.match(code, /^[A-Z][A-Z0-9_]+$/, name);
    assert.ok(message.length > 10, name);
  }
  assert.deepEqual(told.changed, []);
  assert.deepEqual(told.heard, []);
  assert.ok(told.moved, "and it goes on");
  const code = (name) => told.failures[name].code;
  for (const name of ["unknownClip", "unknownClipNumber"]) assert.equal(code(name), "UNKNOWN_CLIP", name);
  for (const name of ["nanTime", "nanStep", "nanRate", "nanFade", "nanStart", "nanWeight"])
    assert.equal(code(name), "NOT_FINITE", name);
  for (const name of ["unknownNode", "unknownNodeNumber", "unknownRoot"])
    assert.equal(code(name), "UNKNOWN_NODE", name);
  assert.equal(code("unknownParameter"), "UNKNOWN_PARAMETER");
  assert.equal(code("unknownMorph"), "UNKNOWN_MORPH");
  assert.match(told.failures.instantCycle.place, /transitions/);
  assert.match(told.failures.controllerMask.place, /mask/);
  assert.match(told.failures.unknownClipInState.place, /states\/A/);
}
