/** Springs swing, are blown, fade and rest, in the page and in a worker alike, and are drawn. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const results = await page.evaluate(async (backend) => {
    const results = {};
    for (const worker of [false, true]) {
      const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { worker, clip: "Idle" });
      player.autoUpdate = false;
      player.pause();
      const tips = player.nodes.filter(({ name }) => name.startsWith("Tail"));
      const tip = tips.at(-1).index;
      const place = async () => {
        player.worldMatrices();
        await player.settled();
        return [...player.worldMatrices().slice(tip * 16 + 12, tip * 16 + 15)];
      };
      const pass = (secs) => {
        for (let frame = 0; frame < secs * 60; frame++) player.advance(1 / 60);
      };
      const picture = async () => stage.pixelsOfPng(await player.screenshot({ width: 240, height: 240 }));
      const failure = async (call) => {
        const heard = new Promise((resolve) =>
          player.addEventListener("error", ({ detail }) => resolve(`${detail.code} ${detail.place}`), { once: true }),
        );
        try {
          await call();
        } catch ({ code, place }) {
          return `${code} ${place}`;
        }
        return heard;
      };
      const told = { weight: player.springWeight, wind: [player.wind] };
      told.played = await place();
      Object.assign(player.camera, { target: told.played, yaw: 3, distance: 0.8 });
      const seen = await picture();
      await player.setSprings({ springs: [{ root: tips[0].name, stiffness: 0.2, gravity: [0, -1, 0] }] });
      pass(3);
      told.hanging = await place();
      player.wind = [4, 0, 0];
      pass(3);
      told.differing = stage.compare(seen, await picture()).differing;
      told.blown = await place();
      told.wind.push(player.wind);
      player.fadeSprings(0, 0.5);
      pass(0.25);
      await player.settled();
      told.half = player.springWeight;
      pass(0.5);
      told.faded = await place();
      player.wind = [0, 0, 0];
      player.fadeSprings(1);
      player.resetSprings();
      told.reset = await place();
      told.codes = [
        await failure(() => player.setSprings({ springs: [{ root: "Tail of a whale" }] })),
        await failure(() => player.setSprings({ springs: [{ root: tips[0].name, drag: 2 }] })),
        await failure(() => (player.wind = [1, Number.NaN, 0])),
        await failure(() => player.fadeSprings(2)),
      ];
      told.after = await place();
      await player.setSprings(null);
      told.none = await place();
      results[worker ? "worker" : "page"] = told;
      player.dispose();
    }
    return results;
  }, backend);

  const apart = (a, b) => Math.hypot(...a.map((number, lane) => number - b[lane]));
  for (const [host, told] of Object.entries(results)) {
    assert.deepEqual(
      [told.weight, told.wind],
      [
        1,
        [
          [0, 0, 0],
          [4, 0, 0],
        ],
      ],
      host,
    );
    assert.ok(told.hanging[1] < told.played[1] - 0.005, `${host}: ${told.hanging} hangs below ${told.played}`);
    assert.ok(told.differing > 0.0005, `${host}: one sees it: ${told.differing}`);
    assert.ok(told.blown[0] > told.hanging[0] + 0.02, `${host}: ${told.blown} is blown from ${told.hanging}`);
    assert.ok(Math.abs(told.half - 0.5) < 0.02, `${host}: ${told.half}`);
    assert.deepEqual(told.faded, told.played, host);
    assert.ok(apart(told.reset, told.hanging) < 0.02, `${host}: ${told.reset} is at rest at ${told.hanging}`);
    assert.deepEqual(told.after, told.reset, `${host}: errors change nothing`);
    assert.deepEqual(told.none, told.played, host);
    assert.deepEqual(
      told.codes.map((code) => code.replace(/^CONTROLLER_\w+/, "…")),
      ["UNKNOWN_NODE /springs/0/root", "… /springs/0/drag", "NOT_FINITE ", "OUT_OF_RANGE "],
      host,
    );
  }
  for (const what of ["hanging", "blown", "faded", "reset"]) {
    const off = apart(results.worker[what], results.page[what]);
    // A worker passes several steps of time at once, whose sum is rounded differently.
    assert.ok(off < 1e-5, `${what}: ${off} between a worker and the page`);
  }
}
