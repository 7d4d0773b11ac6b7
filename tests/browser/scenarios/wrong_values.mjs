/**
 * Every public member is called with wrong values, on the page's thread and with a worker: it accepts them, or
 * throws a `GambolError` and changes nothing. The members are found in the classes, so that a new one needs a row
 * in the table.
 */

import assert from "node:assert/strict";

export const longestSecs = 300;
/** Some requests are for files that don't exist. */
export const expectedErrors = [/Failed to load resource/];

export default async function ({ page, backend }) {
  for (const worker of [false, true]) {
    const told = await page.evaluate(callAll, backend, worker);
    const where = worker ? "with a worker" : "in the page";
    for (const [what, { wrong, calls, refusals }] of Object.entries(told.classes)) {
      assert.deepEqual(wrong, [], `${what} ${where}`);
      assert.ok(calls > 10 && refusals > 3, `${what} ${where}: ${refusals} of ${calls} calls were refused`);
    }
    assert.deepEqual(told.loads, [], `loads ${where}`);
    assert.deepEqual(told.events, [], `errors that are none of ours, ${where}`);
    assert.equal(told.differing, 0, `the picture afterwards, ${where}`);
    assert.ok(told.part > 0.005, `the character is seen, ${where}`);
    console.log(
      `# ${where}: ${Object.entries(told.classes)
        .map(([what, { calls, refusals }]) => `${what} ${calls}/${refusals}`)
        .join(", ")} calls/refusals`,
    );
  }
  assert.deepEqual(await page.evaluate(callFunctions, backend), []);
  assert.deepEqual(await page.evaluate(callElement, backend), []);
}

async function callAll(backend, worker) {
  const tables = await import("/wrong_values.js");
  const { GambolError, Layer, Parameters, PlayerCamera, PlayerCharacter, PlayerMaterial, PlayerMorph, PlayerNode } =
    await import("/gambol/index.js");
  const CHARACTER = "/gambol/viewer/character.glb";
  const player = await stage.open(backend, { worker });
  await player.load(CHARACTER);
  const isOurs = (error) =>
    (error instanceof GambolError && /^[A-Z][A-Z0-9_]+$/.test(error.code)) || error?.name === "AbortError";
  const events = [];
  player.addEventListener("error", ({ detail }) => isOurs(detail) || events.push(String(detail?.stack ?? detail)));

  const pose = () => [player.worldMatrices(), player.skinMatrices(), player.node("Head").worldMatrix];
  const cameraOf = ({ camera }) => [
    ...camera.target,
    camera.yaw,
    camera.pitch,
    camera.distance,
    camera.fov,
    camera.roll,
    ...camera.eye,
    ...camera.unproject(1, 1, 1),
  ];
  const homeOf = ({ target, yaw, pitch, distance, distanceShare }) => [target, yaw, pitch, distance, distanceShare];
  const limitsOf = ({ yaw, pitch, distance }) => [yaw, pitch, distance];
  const state = () =>
    player.alive &&
    JSON.stringify([
      cameraOf(player),
      homeOf(player.camera.home),
      limitsOf(player.camera.limits),
      player.camera.insets,
      player.camera.projection,
      player.autoRotate,
      player.exposure,
      player.environmentIntensity,
      player.environmentRotation,
      player.lightsIntensity,
      player.toneMapping,
      player.view,
      player.guides,
      player.variant,
      player.skinning,
      player.background,
      player.clock,
      player.loop,
      player.playbackRate,
      player.currentTime,
      player.state,
      player.clip?.name,
      player.layers,
      player.characterCount,
      player.ground,
      player.skeleton,
      player.autoUpdate,
      player.cameraControls,
      player.rootNode?.index,
      player.parameters.names,
      [...player.morphs.map((name) => player.morph(name).weight)],
    ]);
  const sound = () => {
    if (!player.alive) return "a dead player";
    const numbers = [
      ...cameraOf(player),
      player.exposure,
      player.currentTime,
      player.playbackRate,
      ...(player.background ?? []),
    ];
    if (!stage.allFinite(numbers)) return `numbers that aren't finite: ${numbers}`;
    if (!pose().every(stage.allFinite)) return "a pose that isn't finite";
    return null;
  };
  /** Restores the initial state, in which the picture must be the same as at first. */
  const restore = async () => {
    await player.load(CHARACTER);
    player.setController(null);
    await player.setEnvironment(null);
    await player.showEnvironment("none");
    await player.setView(null);
    await player.setGuides(null);
    Object.assign(player, {
      autoUpdate: false,
      autoRotate: 0,
      exposure: 1,
      environmentIntensity: 1,
      environmentRotation: 0,
      lightsIntensity: 1,
      toneMapping: "neutral",
      skinning: "linear",
      background: null,
      clock: "free",
      loop: "repeat",
      playbackRate: 1,
      ground: true,
      skeleton: false,
    });
    Object.assign(player.camera, { fov: 0.6, roll: 0, projection: "perspective", home: {}, limits: {}, insets: {} });
    player.play("Idle");
    player.currentTime = 0.4;
    player.frame();
    await player.settled();
    // A worker reports weights after they were first read.
    state();
    await player.settled();
  };
  const picture = async () => stage.pixelsOfPng(await player.screenshot({ width: 120, height: 120 }));
  await restore();
  const before = await picture();

  const help = { isOurs, state, sound, tidy: restore };
  const { callWrongly, membersOf } = tables;
  const classes = {};
  const call = async (what, target, Class, table) => {
    classes[what] = await callWrongly(what, target, membersOf(Class), table, help);
  };
  await call("player", player, stage.Player, tables.PLAYER);
  await call("camera", player.camera, PlayerCamera, tables.CAMERA);
  await call("node", player.node("LeftHand"), PlayerNode, tables.NODE);
  await call("character", player.characters[0], PlayerCharacter, tables.CHARACTER);
  await call("material", player.material("Knit"), PlayerMaterial, tables.MATERIAL);
  await call("morph", player.morph("smile"), PlayerMorph, tables.MORPH);
  // A load ends the throng.
  let throng = await player.throng(2);
  await call("throng", throng, throng.constructor, tables.THRONG);
  throng = await player.throng(2);
  const member = throng.at(1);
  await call("member of a throng", member, member.constructor, tables.THRONG_MEMBER);
  const arm = await player.constrain("arm", { chain: ["LeftUpperArm", "LeftHand"] });
  help.tidy = async () => {
    await restore();
    await player.constrain("arm", { chain: ["LeftUpperArm", "LeftHand"] });
    await player.settled();
  };
  await help.tidy();
  await call("constraint", arm, arm.constructor, tables.CONSTRAINT);
  // A load removes the layers.
  const layer = player.layer("upper");
  help.tidy = async () => {
    await restore();
    player.layer("upper").play("Wave");
    player.setController({
      parameters: { go: "trigger", speed: 1 },
      layers: [{ name: "base", start: "A", states: { A: { clip: "Idle" } } }],
    });
    player.layer("upper");
    await player.settled();
  };
  await help.tidy();
  await call("layer", layer, Layer, tables.LAYER);
  const actor = await player.add("/fixtures/swing.glb");
  const Actor = actor.constructor;
  const { position, rotation, scale } = actor;
  classes.actor = await callWrongly("actor", actor, membersOf(Actor, Object.getPrototypeOf(Actor)), tables.ACTOR, {
    ...help,
    state: () => JSON.stringify([actor.position, actor.rotation, actor.scale, actor.visible]),
    tidy: () => Object.assign(actor, { position, rotation, scale, visible: true }),
  });
  actor.remove();
  await call("parameters", player.parameters, Parameters, tables.PARAMETERS);
  layer.remove();
  for (const failure of [await stage.failure(() => layer.remove()), await stage.failure(() => (layer.weight = 0.5))]) {
    if (failure?.code !== "UNKNOWN_LAYER")
      classes.layer.wrong.push(`a layer that is gone says ${JSON.stringify(failure)}`);
  }

  const loads = [];
  for (const [name, wrong] of Object.entries(tables.WRONG)) {
    const attempts = {
      source: () => player.load(wrong),
      "a list of it": () => player.load([wrong]),
      "a map of it": () => player.load(new Map([[wrong, wrong]])),
      options: () => player.load(CHARACTER, wrong),
      "an actor's source": async () => (await player.add(wrong)).remove(),
      "an actor's options": async () => (await player.add("/fixtures/swing.glb", wrong)).remove(),
      signal: () => player.load(CHARACTER, { signal: wrong }),
      onProgress: () => player.load(CHARACTER, { onProgress: wrong }),
      rotations: () => player.load(CHARACTER, { rotations: wrong }),
      clip: () => player.load(CHARACTER, { clip: wrong }),
      ticksPerSecond: () => player.load("/formats/flag.x", { ticksPerSecond: wrong }),
      matrixKeys: () => player.load("/formats/flag.x", { matrixKeys: wrong }),
      "matrixKeys of a clip": () => player.load("/formats/flag.x", { matrixKeys: { Wave: wrong } }),
    };
    for (const [how, attempt] of Object.entries(attempts)) {
      try {
        await attempt();
      } catch (error) {
        if (!isOurs(error) || tables.NATIVE.test(error.message))
          loads.push(`${how} is ${name}: ${error?.stack ?? String(error)}`);
      }
    }
  }
  const { code } = (await stage.failure(() => player.load(CHARACTER, { clip: ["Walk"] }))) ?? {};
  if (code !== "WRONG_TYPE") loads.push(`a list as the clip gives ${code}`);
  await restore();
  const after = await picture();
  const { differing } = stage.compare(before, after, 0);
  const { part } = stage.coverage(after);
  stage.close();
  return { classes, loads, events, differing, part };
}

/** The exports of the package that aren't classes. */
async function callFunctions(backend) {
  const { WRONG } = await import("/wrong_values.js");
  const [core, element, { drive, ...otherDrives }] = await Promise.all(
    ["index", "element", "drive"].map((name) => import(`/gambol/${name}.js`)),
  );
  const { GambolError, Player } = core;
  const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk" });
  const isOurs = (error) => error instanceof GambolError || error?.name === "AbortError";
  const wrong = [];
  const known = [
    "GambolError",
    "GambolPlayerElement",
    "Layer",
    "Parameters",
    "Player",
    "PlayerCamera",
    "PlayerCharacter",
    "PlayerMaterial",
    "PlayerMorph",
    "PlayerNode",
    "drive",
    "preload",
    "setWords",
    "toGlb",
  ];
  for (const name of [...Object.keys(core), ...Object.keys(element), ...Object.keys(otherDrives)]) {
    if (!known.includes(name)) wrong.push(`${name} is exported and never called here`);
  }
  const canvas = () => document.body.appendChild(document.createElement("canvas"));
  const made = async (making) => {
    const player = await making;
    player.dispose();
  };
  for (const [name, value] of Object.entries(WRONG)) {
    const attempts = {
      "Player.create's canvas": () => made(Player.create(value, { backend })),
      "Player.create's options": () => made(Player.create(canvas(), value)),
      backend: () => made(Player.create(canvas(), { backend: value })),
      worker: () => made(Player.create(canvas(), { backend, worker: value })),
      cameraControls: () => made(Player.create(canvas(), { backend, cameraControls: value })),
      preload: () => core.preload(value),
      "preload's addresses": () => core.preload(backend, typeof value === "object" ? value : null),
      "toGlb's source": () => core.toGlb(value),
      "toGlb's options": () => core.toGlb("/formats/flag.x", value),
      "toGlb's signal": () => core.toGlb("/formats/flag.x", { signal: value }),
      "toGlb's matrixKeys": () => core.toGlb("/formats/flag.x", { matrixKeys: value }),
      "toGlb's compress": () => core.toGlb("/formats/flag.x", { compress: value }),
      "toGlb's reduceKeys": () => core.toGlb("/formats/flag.x", { reduceKeys: value }),
      "drive's player": () => drive(value, 0.5).stop(),
      "drive's driver": () => drive(player, value).stop(),
      "drive's options": () => drive(player, 0.5, value).stop(),
      "drive's clip": () => drive(player, 0.5, { clip: value }).stop(),
      "drive's range": () => drive(player, 0.5, { range: value }).stop(),
      "drive's range's end": () => drive(player, 0.5, { range: [0, value] }).stop(),
      "drive's loop": () => drive(player, 0.5, { loop: value }).stop(),
      setWords: () => element.setWords(value),
    };
    for (const [how, attempt] of Object.entries(attempts)) {
      try {
        await attempt();
      } catch (error) {
        if (!isOurs(error)) wrong.push(`${how} is ${name}: ${error?.stack ?? String(error)}`);
      }
    }
    element.setWords({});
    if (!player.alive || !stage.allFinite(player.worldMatrices())) wrong.push(`${name} has hurt the player`);
  }
  stage.close();
  for (const canvas of document.querySelectorAll("canvas")) canvas.remove();
  return wrong;
}

async function callElement(backend) {
  const { callWrongly, ELEMENT, membersOf, STARTS_ANEW, WRONG } = await import("/wrong_values.js");
  const { GambolError, GambolPlayerElement } = await import("/gambol/element.js");
  const isOurs = (error) => error instanceof GambolError || error?.name === "AbortError";
  const element = document.createElement("gambol-player");
  const wrong = [];
  element.addEventListener(
    "error",
    ({ detail }) => isOurs(detail) || wrong.push(`an event: ${detail?.stack ?? detail}`),
  );
  Object.assign(element, { backend, src: "/gambol/viewer/character.glb" });
  document.body.append(element);
  await untilEvent(element, "load");

  // Attributes with invalid values give the default, and properties set attributes.
  const members = membersOf(GambolPlayerElement, HTMLElement);
  const table = { ...ELEMENT };
  for (const [name, kind] of members)
    if (kind === "property" && !(name in table)) table[name] = STARTS_ANEW.includes(name) ? "later" : [element[name]];
  const tidy = async () => {
    await null;
    for (const { name } of [...element.attributes])
      if (!["src", "backend"].includes(name)) element.removeAttribute(name);
    await null;
  };
  const sound = () => {
    if (!element.player?.alive) return "a dead player";
    const { camera } = element.player;
    return stage.allFinite([...camera.target, camera.yaw, camera.pitch, camera.distance])
      ? null
      : "a camera that isn't finite";
  };
  const told = await callWrongly("element", element, members, table, { isOurs, state: () => "", sound, tidy });
  wrong.push(...told.wrong);
  if (told.calls < 500) wrong.push(`only ${told.calls} calls`);

  for (const name of STARTS_ANEW) {
    for (const [how, value] of Object.entries(WRONG)) {
      try {
        element[name] = value;
        await null;
      } catch (error) {
        if (!isOurs(error)) wrong.push(`${name} is ${how}: ${error?.stack ?? error}`);
      }
    }
    await tidy();
    Object.assign(element, { backend, src: "/gambol/viewer/character.glb" });
  }
  for (const [how, value] of Object.entries(WRONG)) {
    for (const load of [() => element.load(value), () => element.load("/gambol/viewer/character.glb", value)]) {
      try {
        await load();
      } catch (error) {
        if (!isOurs(error)) wrong.push(`load(${how}): ${error?.stack ?? error}`);
      }
    }
  }
  await element.load("/gambol/viewer/character.glb");
  await element.play("Walk");
  if (element.paused || element.player.clip.name !== "Walk") wrong.push("the element doesn't play any more");
  element.remove();
  return wrong;
}
