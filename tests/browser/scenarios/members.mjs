/** Hidden nodes, the placement of the whole character, and single characters of a crowd: pixels and reported values. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const results = {};
    const player = await stage.openModel(backend, "/fixtures/swing.glb", {
      clip: "Swing",
      time: 0.5,
      css: "width:200px;height:200px",
    });
    player.pause();

    // A node, its meshes and its shadow.
    const seen = await stage.look(player);
    const banner = player.node("Banner");
    banner.visible = false;
    const hidden = await stage.look(player);
    player.ground = false;
    const bare = stage.coverage(await stage.look(player), 1).part;
    player.ground = true;
    // A node of scale 0 has no shadow.
    for (const joint of ["Lower", "Upper"]) player.node(joint).scale([0, 0, 0]);
    banner.visible = true;
    const nothing = stage.compare(hidden, await stage.look(player)).count;
    for (const joint of ["Lower", "Upper"]) player.node(joint).release();
    banner.visible = false;
    results.hidden = {
      visible: banner.visible,
      other: player.node("Upper").visible,
      bare,
      nothing,
      shadow: stage.compare(seen, hidden, 2).count,
    };
    player.node("Banner").visible = true;
    player.node("Upper").visible = false;
    results.back = stage.compare(seen, await stage.look(player), 0).count;
    results.upper = player.node("Upper").visible;
    player.ground = false;

    // The whole character moves to the right by the given distance.
    const middle = (image) => {
      const { data, width } = image;
      let [sum, count] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 0) continue;
        sum += (at / 4) % width;
        count++;
      }
      return sum / count;
    };
    const before = middle(await stage.look(player));
    const at = player.camera.project([0, 0, 0]);
    const to = player.camera.project([0.5, 0, 0]);
    player.place = [0.5, 0, 0];
    results.walked = { moved: middle(await stage.look(player)) - before, expected: (to[0] - at[0]) * devicePixelRatio };
    player.place = { position: [1, 0, 2], heading: 0.5, scale: 1.5 };
    results.place = player.place;
    results.world = [...player.node("Upper").worldMatrix];
    const { position, heading, scale } = player.place;
    player.place = Float32Array.of(2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 3, 4, 5, 1);
    results.matrix = player.place;
    player.place = { position, heading, scale };
    player.frame();
    results.framed = stage.coverage(await stage.look(player)).part;

    // Many characters take one draw call while all are visible.
    const crowd = player.crowd(9, {
      clip: "Swing",
      phases: Array(9).fill(0),
      place: (n) => [(n % 3) * 2 - 2, 0, -Math.floor(n / 3) * 2],
    });
    player.frame();
    const plain = await stage.look(player);
    results.crowd = {
      length: crowd.length,
      same: player.characters[4] === crowd[4],
      indices: crowd.map(({ index }) => index),
      draws: player.stats.draws,
    };
    const mean = (image, lane) => {
      let [sum, count] = [0, 0];
      for (let at = 0; at < image.data.length; at += 4) {
        if (image.data[at + 3] > 250) [sum, count] = [sum + image.data[at + lane], count + 1];
      }
      return sum / count;
    };
    for (const character of crowd) character.tint = [1, 0, 0, 1];
    const red = await stage.look(player);
    results.tint = {
      tint: crowd[3].tint,
      draws: player.stats.draws,
      plain: mean(plain, 2),
      blue: mean(red, 2),
      red: mean(red, 0),
    };
    for (const character of crowd) character.tint = [1, 1, 1, 1];
    results.untinted = stage.compare(plain, await stage.look(player), 0).count;
    for (const character of crowd) character.visible = character.index === 4;
    results.alone = {
      part: stage.coverage(await stage.look(player)).part,
      all: stage.coverage(plain).part,
      visible: crowd.map(({ visible }) => visible),
    };
    for (const character of crowd) character.visible = true;

    const turn = (n) => player.worldMatrices(n)[33];
    crowd[1].play("Raise", { start: 0.25, loop: "once" });
    crowd[2].pause();
    crowd[3].playbackRate = 2;
    crowd[5].currentTime = 0.75;
    player.advance(0.25);
    results.times = crowd.map(({ currentTime }) => currentTime);
    results.states = crowd.map(({ state }) => state);
    results.turns = [turn(0), turn(1), turn(2), turn(3)];
    player.advance(0.5);
    results.ended = [crowd[1].state, player.state, crowd[3].playbackRate];
    crowd[4].stop();
    player.pause();
    results.paused = crowd.map(({ state }) => state);
    player.play("Raise");
    results.playing = crowd.map(({ state, currentTime }) => [state, currentTime]);
    results.refused = await stage.failure(() => (crowd[3].tint = [1, NaN, 0, 1]));
    const held = [...crowd];
    player.crowd(2);
    const gone = held.map((character) => stage.failure(() => character.place));
    results.gone = (await Promise.all(gone)).map((failure) => failure?.code);
    results.after = [player.characters.length, player.characters[1].tint];
    return results;
  }, backend);

  assert.deepEqual(told.hidden.visible, false);
  assert.equal(told.hidden.other, true);
  assert.equal(told.hidden.bare, 0);
  assert.ok(
    told.hidden.nothing < 20 && told.hidden.shadow > 500,
    `nothing is left of it, nor of its shadow: ${JSON.stringify(told.hidden)}`,
  );
  assert.equal(told.back, 0);
  assert.equal(told.upper, false);
  assert.ok(
    Math.abs(told.walked.moved - told.walked.expected) < 2,
    `${told.walked.moved}, not ${told.walked.expected}`,
  );
  near([...told.place.position, told.place.heading, told.place.scale], [1, 0, 2, 0.5, 1.5]);
  near(told.world.slice(12, 15), [1, 1.5, 2]);
  near([...told.matrix.position, told.matrix.heading, told.matrix.scale], [3, 4, 5, 0, 2]);
  assert.ok(told.framed > 0.03);

  assert.deepEqual(told.crowd, {
    length: 9,
    same: true,
    indices: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    draws: told.crowd.draws,
  });
  assert.equal(told.tint.draws, told.crowd.draws, "tinted, they are still drawn together");
  near(told.tint.tint, [1, 0, 0, 1]);
  assert.ok(told.tint.blue < told.tint.plain / 2 && told.tint.red > told.tint.blue + 50, JSON.stringify(told.tint));
  assert.equal(told.untinted, 0);
  assert.ok(told.alone.part < told.alone.all / 5 && told.alone.part > 0.002, JSON.stringify(told.alone));
  assert.deepEqual(
    told.alone.visible,
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => n === 4),
  );

  near(told.times, [0.25, 0.5, 0, 0.5, 0.25, 1, 0.25, 0.25, 0.25]);
  assert.deepEqual(
    told.states.map((state) => state === "paused"),
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => n === 2),
  );
  // The sine of the swing's angle, a quarter turn after one second. A raised character doesn't turn.
  near(told.turns, [Math.sin(Math.PI / 8), 0, 0, Math.SQRT1_2]);
  assert.deepEqual(told.ended, ["finished", "playing", 2]);
  assert.deepEqual(told.paused, [
    "paused",
    "finished",
    "paused",
    "paused",
    "stopped",
    "paused",
    "paused",
    "paused",
    "paused",
  ]);
  assert.deepEqual(told.playing, Array(9).fill(["playing", 0]));
  assert.equal(told.refused.code, "NOT_A_COLOR");
  assert.deepEqual(
    told.gone,
    [undefined, undefined, ...Array(7).fill("UNKNOWN_CHARACTER")].map((code) => code ?? null),
  );
  assert.deepEqual(told.after, [2, [1, 1, 1, 1]]);
}

function near(found, expected) {
  found.forEach((number, i) => assert.ok(Math.abs(number - expected[i]) < 1e-4, `${i}: ${number}, not ${expected[i]}`));
}
