/**
 * Random sequences of calls: nothing panics, poses stay finite, and each run causes exactly one `finished` event,
 * in its own layer.
 */

import assert from "node:assert/strict";

export const backends = ["webgpu"];
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const STEPS = 600;

export default async function ({ page, backend }) {
  await page.evaluate(async () => {
    const named = async (name) => (await fetch(`/gambol/viewer/controllers/${name}.json`)).text();
    window.controllers = [null, await named("locomotion"), await named("upper_body")];
  });
  for (const seed of SEEDS) {
    const told = await page.evaluate(storm, backend, seed, STEPS);
    assert.deepEqual(told.wrong, [], `seed ${seed}`);
    assert.equal(told.pending, 0, `seed ${seed}: promises that hang`);
    assert.ok(told.begun > 20 && told.refused > 5, `seed ${seed}: ${told.begun} runs, ${told.refused} refusals`);
  }
}

async function storm(backend, seed, steps) {
  let state = seed * 2654435761;
  const random = () => {
    // xorshift: the same on every machine.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const secs = () => pick([0, 0.1, 0.3, random(), 2, -0.2]);

  const player = await stage.open(backend);
  await player.load("/gambol/viewer/character.glb");
  const [clips, nodes] = [player.clips, player.nodes];
  const open = new Map();
  const wrong = [];
  let paused = false;
  player.addEventListener("pause", () => (paused = true));
  player.addEventListener("play", ({ detail }) => {
    const { layer } = detail;
    const held = open.get(layer);
    const goesOn = paused && held?.clip === detail.clip.name;
    paused = false;
    if (held?.ended === false && !goesOn) wrong.push(`${layer} plays ${detail.clip.name} before it told of an end`);
    open.set(layer, { clip: detail.clip.name, ended: false });
  });
  player.addEventListener("finished", ({ detail }) => {
    const held = open.get(detail.layer);
    if (!held || held.ended) wrong.push(`${detail.layer} ends what never began: ${detail.clip.name}`);
    else if (held.clip !== detail.clip.name) wrong.push(`${detail.layer} ends ${detail.clip.name}, not ${held.clip}`);
    else held.ended = true;
  });
  player.addEventListener("error", ({ detail }) => wrong.push(detail.message));

  const motion = (depth = 0) => {
    const clip = { clip: pick(clips).name, ...(random() < 0.2 && { from: 0.1, to: 0.4 }) };
    if (depth > 1 || random() < 0.6) return clip;
    const inPhase = random() < 0.5;
    return pick([
      () => ({ along: "speed", inPhase, motions: [0, 1, 2].map((at) => ({ at, ...motion(depth + 1) })) }),
      () => ({
        across: ["x", "y"],
        inPhase,
        motions: [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ].map((at) => ({ at, ...motion(depth + 1) })),
      }),
      () => ({
        mix: [
          { weight: 1, ...motion(depth + 1) },
          { weight: pick([0, 0.5, "speed"]), ...motion(depth + 1) },
        ],
        inPhase,
      }),
    ])();
  };
  const options = () => ({
    fade: secs(),
    easing: pick(["linear", "smooth", "in", "out"]),
    crossing: pick(["fade", "inertia", "dead-blending"]),
    loop: pick(["once", "repeat", "pingpong", 2]),
    speed: pick([1, 1, 0.5, -1, 0, 3]),
    start: secs(),
    ending: pick(["hold", { release: 0.2 }]),
    ...(random() < 0.3 && { sync: pick(["feet", "hands"]) }),
  });
  const layerName = () => pick(["base", "upper", "sum", "top"]);
  const runs = [];
  const actions = [
    () => runs.push(player.play(motion(), options())),
    () => runs.push(player.layer(layerName()).play(motion(), options())),
    () =>
      player.layer(pick(["upper", "sum", "top"]), {
        mode: pick(["override", "add"]),
        weight: random(),
        mask: { [pick(nodes).name]: random() },
      }),
    () => player.layer(layerName()).fadeTo(random(), secs()),
    () => player.layer(layerName()).stop({ fade: secs() }),
    () => player.layer(layerName()).remove(),
    () => player.setController(pick(window.controllers)),
    () => player.parameters.set(pick(player.parameters.names) ?? "nothing", random() * 2),
    () => {
      player.currentTime = random() * 3;
      // As with a video, a seek back from the end continues playback, which ends again.
      const held = open.get("base");
      if (held) held.ended &&= player.ended || player.clip === null;
    },
    () => (player.playbackRate = pick([1, 1, -1, 0, 2])),
    () => (player.clock = pick(["free", { step: 1 / 60 }])),
    () => player.setBeats(pick(clips).index, [0.1, 0.3]),
    () => player.setMarkers(pick(clips).index, [{ name: "here", time: 0.2 }]),
    () => player.setRootMotion(pick(clips).index, pick(["keep", "pin", "extract", "move"])),
    () => player.node(pick(nodes).index).rotate([random(), random(), random(), random()], { weight: random() }),
    () => player.node(pick(nodes).index).release(),
    () => player.reach("LeftHand", pick([null, [random(), random(), random()]])),
    () => player.lookAt("Head", pick([null, [random(), random(), 1]])),
    () => (player.morph("smile").weight = pick([null, random()])),
    () => player.crowd(pick([1, 3])),
    () => player.pause(),
    () => player.play(),
    () => player.stop(),
    // Invalid calls between valid ones.
    () => player.play(pick(["Fly", { along: "x", motions: [] }, { clip: "Run", from: 9 }])),
    () => player.setController(pick(["{", "{}", '{"layers":[{"start":"A","states":{}}]}'])),
    () => player.advance(NaN),
  ];
  let refused = 0;
  for (let step = 0; step < steps && wrong.length === 0; step++) {
    try {
      pick(actions)();
    } catch (error) {
      refused++;
      if (error?.name !== "GambolError" || error.code === "PLAYER_POISONED")
        wrong.push(`step ${step}: ${error?.stack ?? error}`);
    }
    player.advance(pick([0, 1 / 60, 0.1, 1, 30]));
    if (!stage.allFinite(player.worldMatrices())) wrong.push(`step ${step}: a matrix isn't finite`);
    const { translation, yaw } = player.takeTravel();
    if (!stage.allFinite([...translation, yaw])) wrong.push(`step ${step}: the travel isn't finite`);
    await null;
  }
  let pending = runs.length;
  for (const run of runs) void run.finished.then(() => pending--);
  player.dispose();
  await new Promise((resolve) => setTimeout(resolve));
  player.canvas.remove();
  return { wrong: wrong.slice(0, 3), pending, begun: runs.length, refused };
}
