/**
 * Makes random calls, attribute changes and frames on a player and an element. Each step depends only on the seed and
 * its number, so that the last steps can be repeated without the ones before.
 */
import {
  ACTOR,
  CAMERA,
  CHARACTER,
  CONSTRAINT,
  ELEMENT,
  LAYER,
  MATERIAL,
  membersOf,
  MORPH,
  NODE,
  PARAMETERS,
  PLAYER,
  STARTS_ANEW,
  THRONG,
  THRONG_MEMBER,
  WRONG,
} from "/wrong_values.js";
import {
  GambolError,
  Layer,
  Parameters,
  Player,
  PlayerCamera,
  PlayerCharacter,
  PlayerMaterial,
  PlayerMorph,
  PlayerNode,
} from "/gambol/index.js";
import { GambolPlayerElement } from "/gambol/element.js";

const MODELS = [
  "/gambol/viewer/character.glb",
  "/fixtures/swing.glb",
  "/fixtures/stroll.glb",
  "/fixtures/swing.gltf",
  "/formats/flag.x",
];
const ODD_NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e-12,
  1e9,
  -1e9,
  1e12,
  5e-324,
  Number.MAX_VALUE,
  2 ** 32,
  NaN,
  Infinity,
  -Infinity,
];
/** Number of last steps that are kept for the report. */
const LAST_SAID = 64;
const NODE_NAMES = ["Head", "Hips", "Spine", "LeftHand", "RightHand", "LeftLeg"];

/** Returns a random generator for a step. It gives the same numbers on every machine. */
function randomFor(seed, step) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b)) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 8; round++) next();
  return next;
}

const written = (value) => {
  if (typeof value === "symbol" || typeof value === "bigint" || typeof value === "function") return String(value);
  if (typeof value === "number") return String(value);
  if (Array.isArray(value) && value.length > 50) return `[${value.length} of ${value[0]}]`;
  try {
    return (
      JSON.stringify(value, (_, inner) =>
        typeof inner === "number" && !Number.isFinite(inner) ? `${inner}` : inner,
      ) ?? "undefined"
    );
  } catch {
    return "{ itself }";
  }
};

/** Sometimes replaces a value by a similar, an unusual or a wrong one. */
function stirred(value, random, pick, depth = 0) {
  const chance = random();
  if (chance < 0.04) return pick(Object.values(WRONG));
  if (typeof value === "number")
    return chance < 0.12 ? pick(ODD_NUMBERS) : chance < 0.6 ? value + (random() - 0.5) * 2 : value;
  if (typeof value === "boolean") return random() < 0.5;
  if (Array.isArray(value)) return value.map((each) => stirred(each, random, pick, depth + 1));
  if (value instanceof Float32Array) {
    const number = (each) => (typeof each === "number" ? each : NaN);
    return value.map((each) => number(stirred(each, random, pick)));
  }
  if (typeof value === "object" && value !== null && !(value instanceof AbortSignal)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(() => random() > 0.2)
        .map(([key, each]) => [key, stirred(each, random, pick, depth + 1)]),
    );
  }
  return value;
}

/** The class that players and actors have in common. */
let Performer = Player;
while (!Object.hasOwn(Performer.prototype, "addClips")) Performer = Object.getPrototypeOf(Performer);

const MEMBERS = {
  player: membersOf(Player),
  // The class is fetched with the first actor.
  actor: new Map([
    ...membersOf(Performer),
    ...Object.entries(ACTOR).map(([name]) => [name, /^(attachTo|wear)$/.test(name) ? "method" : "property"]),
  ]),
  camera: membersOf(PlayerCamera),
  character: membersOf(PlayerCharacter),
  // The class is fetched with the first constraint.
  constraint: new Map(Object.keys(CONSTRAINT).map((name) => [name, "method"])),
  // These classes are fetched with the first throng.
  throng: new Map(Object.keys(THRONG).map((name) => [name, name === "playbackRate" ? "property" : "method"])),
  member: new Map(
    Object.keys(THRONG_MEMBER).map((name) => [name, /^(seek|time|worldM)/.test(name) ? "method" : "property"]),
  ),
  material: membersOf(PlayerMaterial),
  node: membersOf(PlayerNode),
  morph: membersOf(PlayerMorph),
  layer: membersOf(Layer),
  parameters: membersOf(Parameters),
  element: membersOf(GambolPlayerElement, HTMLElement),
};
const TABLES = {
  player: PLAYER,
  actor: { ...PLAYER, ...ACTOR },
  camera: CAMERA,
  character: CHARACTER,
  constraint: CONSTRAINT,
  throng: THRONG,
  member: THRONG_MEMBER,
  material: MATERIAL,
  node: NODE,
  morph: MORPH,
  layer: LAYER,
  parameters: PARAMETERS,
  element: ELEMENT,
};
/** Targets of the calls. A target that is listed more often is called more often. */
const SHARES = [
  "player",
  "player",
  "player",
  "player",
  "actor",
  "actor",
  "camera",
  "camera",
  "character",
  "constraint",
  "throng",
  "member",
  "material",
  "node",
  "node",
  "morph",
  "layer",
  "layer",
  "parameters",
  "element",
  "element",
];

export class Storm {
  constructor(backend, worker, seed) {
    Object.assign(this, { backend, worker, seed, wrong: [], calls: 0, refusals: 0, loads: 0, frames: 0 });
    this.isLost = false;
    this.said = [];
    /** Calls that are under way. */
    this.left = new Set();
    for (const name of ["error", "unhandledrejection"]) {
      addEventListener(name, (event) =>
        this.wrong.push(`${name}: ${event.reason?.stack ?? event.error?.stack ?? event.message}`),
      );
    }
  }

  /** Creates a new player and a new element. */
  async open() {
    this.player = await stage.open(this.backend, { worker: this.worker });
    await this.player.load(MODELS[0]);
    this.listen(this.player, "the player");
    this.element = document.createElement("gambol-player");
    this.listen(this.element, "the element");
    this.element.addEventListener("error", (event) => event.preventDefault());
    if (this.worker) this.element.setAttribute("worker", "");
    this.element.setAttribute("backend", this.backend);
    this.element.setAttribute("src", MODELS[0]);
    document.body.append(this.element);
    await stage.once(this.element, "load");
    this.player.addEventListener("timeupdate", () => this.frames++);
    this.player.addEventListener("contextlost", () => (this.isLost = true));
    this.player.addEventListener("contextrestored", () => (this.isLost = false));
  }

  close() {
    this.element.remove();
    stage.close();
  }

  listen(target, who) {
    target.addEventListener("error", ({ detail }) => {
      if (!this.isOurs(detail)) this.wrong.push(`${who} tells of ${detail?.stack ?? String(detail)}`);
      else if (/^(PLAYER_POISONED|RENDER_FAILED|GPU_|WORKER_BROKEN|LOAD_FAILED|FAILED)/.test(detail.code))
        this.wrong.push(`${who} tells of ${detail.code}: ${detail.message}`);
    });
  }

  isOurs(error) {
    return error instanceof GambolError || error?.name === "AbortError";
  }

  /** Returns whether the step found no problem. */
  async step(number) {
    const random = randomFor(this.seed, number);
    const pick = (list) => list[Math.floor(random() * list.length)];
    const [words, action] = this.choose(random, pick);
    this.said[number % LAST_SAID] = words;
    this.calls++;
    try {
      const answer = action();
      if (answer instanceof Promise) {
        // Sometimes the next call doesn't wait for this one.
        if (random() < 0.8) await answer;
        else this.leave(words, answer);
      }
    } catch (error) {
      this.refusals++;
      if (!this.isOurs(error)) this.wrong.push(`${words} throws ${error?.stack ?? String(error)}`);
    }
    if (number % 8 === 0) await new Promise(requestAnimationFrame);
    try {
      this.look();
    } catch (error) {
      this.wrong.push(`after ${words}, reading throws ${error?.stack ?? String(error)}`);
    }
    return this.wrong.length === 0;
  }

  /** Lets a call go on while others are made. */
  leave(words, answer) {
    const left = answer
      .catch((error) => this.isOurs(error) || this.wrong.push(`${words} rejects with ${error?.stack ?? String(error)}`))
      .finally(() => this.left.delete(left));
    this.left.add(left);
  }

  /** Returns a step as a description and a function. */
  choose(random, pick) {
    const { player, element } = this;
    const kind = random();
    if (kind < 0.12) {
      const secs = pick([0, 0.016, 0.016, 0.1, 1, -0.1, 1e6]);
      return [`player.advance(${secs})`, () => player.advance(secs)];
    }
    if (kind < 0.17) return ["player.render()", () => player.render()];
    if (kind < 0.19) {
      const model = pick(MODELS);
      this.loads++;
      return [`player.load(${written(model)})`, () => player.load(model)];
    }
    if (kind < 0.2) {
      const wrong = stirred(MODELS[0], () => 0, pick);
      return [`player.load(${written(wrong)})`, () => player.load(wrong)];
    }
    if (kind < 0.21) {
      const { actors } = player;
      if (actors.length === 0) return ["player.add(…)", () => player.add(pick(MODELS))];
      if (actors.length < 3 && random() < 0.5) {
        const add = async () => (await player.add(pick(MODELS))).attachTo(actors[0].node(0));
        return ["player.add(…).attachTo(player.actors[0].node(0))", add];
      }
      return ["player.actors[0].remove()", () => actors[0].remove()];
    }
    if (kind < 0.23) {
      const size = [pick([0, 1, 37, 240, 240, 300, 5000]), pick([0, 1, 53, 240, 240, 1000])];
      return [
        `player.canvas is ${size.join(" by ")}`,
        () => Object.assign(player.canvas.style, { width: `${size[0]}px`, height: `${size[1]}px` }),
      ];
    }
    if (kind < 0.25) {
      const display = pick(["none", "block", "block"]);
      return [`player.canvas.style.display = ${display}`, () => void (player.canvas.style.display = display)];
    }
    if (kind < 0.27) {
      const on = random() < 0.5;
      return [`player.autoUpdate = ${on}`, () => void (player.autoUpdate = on)];
    }
    if (kind < 0.31) return this.attribute(pick);
    if (kind < 0.32) return ["the element is moved", () => document.body.append(element)];
    return this.call(random, pick);
  }

  attribute(pick) {
    const { element } = this;
    const names = GambolPlayerElement.observedAttributes.filter((name) => !STARTS_ANEW.includes(name));
    const name = pick([...names, "width", "style"]);
    const value = pick([
      null,
      "",
      "1",
      "-1",
      "0.5",
      "nonsense",
      "NaN",
      "1e300",
      "red",
      "#1234",
      "10deg 20deg 150%",
      "0 1 0",
      "auto auto auto",
      "none",
      "Walk",
      "once",
      MODELS[0],
    ]);
    if (value === null) return [`element.removeAttribute(${name})`, () => element.removeAttribute(name)];
    return [`element.setAttribute(${name}, ${written(value)})`, () => element.setAttribute(name, value)];
  }

  call(random, pick) {
    const what = pick(SHARES);
    const names = [...MEMBERS[what].keys()].filter((name) => Array.isArray(TABLES[what][name]));
    const name = pick(names);
    const right = pick(TABLES[what][name]);
    const isMethod = MEMBERS[what].get(name) === "method";
    const args = stirred(isMethod ? right : [right], random, pick);
    const nodeName = pick(NODE_NAMES);
    const layerName = pick(["base", "upper", "upper", "sum"]);
    const targets = {
      player: ["player", () => this.player],
      actor: ["player.actors[0]", async () => this.player.actors[0] ?? this.player.add(pick(MODELS))],
      camera: ["player.camera", () => this.player.camera],
      character: ["player.characters.at(-1)", () => this.player.characters.at(-1)],
      constraint: ['player.constrain("arm", …)', () => this.player.constrain("arm", { chain: ["Hips", "LeftHand"] })],
      throng: ["throng", () => this.ofThrong()],
      member: ["throng.at(1)", async () => (await this.ofThrong()).at(1)],
      material: ["player.material(0)", () => this.player.material(0)],
      node: [`player.node(${written(nodeName)})`, () => this.player.node(nodeName)],
      morph: ['player.morph("smile")', () => this.player.morph("smile")],
      layer: [`player.layer(${written(layerName)})`, () => this.player.layer(layerName)],
      parameters: ["player.parameters", () => this.player.parameters],
      element: ["element", () => this.element],
    };
    const [title, find] = targets[what];
    const given = Array.isArray(args) ? args : [args];
    const isLate = ["actor", "constraint", "member", "throng"].includes(what);
    if (isMethod) {
      const call = isLate ? async () => (await find())[name](...given) : () => find()[name](...given);
      return [`${title}.${name}(${given.map(written).join(", ")})`, call];
    }
    const set = (target) => void (target[name] = given[0]);
    return [`${title}.${name} = ${written(given[0])}`, () => (isLate ? find().then(set) : set(find()))];
  }

  /** Resolves to the throng of the player, which a load ends. */
  async ofThrong() {
    if (this.throng?.hasEnded ?? true) this.throng = await this.player.throng(5);
    return this.throng;
  }

  /** Checks that all readable numbers are finite, and that the player and the element are alive. */
  look() {
    const { player, element } = this;
    if (!player.alive) return void this.wrong.push("the player is dead");
    if (element.player && !element.player.alive) this.wrong.push("the element's player is dead");
    for (const [who, held] of [
      ["player", player],
      ["element", element.player],
    ]) {
      if (!held?.readyState) continue;
      for (const actor of held.actors) {
        if (!stage.allFinite(actor.worldMatrices())) this.wrong.push(`${who}: an actor's matrices that aren't finite`);
      }
      const { camera } = held;
      const numbers = [
        ...camera.target,
        camera.yaw,
        camera.pitch,
        camera.distance,
        camera.fov,
        camera.roll,
        ...camera.eye,
        held.exposure,
        held.environmentIntensity,
        held.environmentRotation,
        held.lightsIntensity,
        held.currentTime,
        held.playbackRate,
        held.autoRotate,
        ...(held.background ?? []),
      ];
      if (!stage.allFinite(numbers)) this.wrong.push(`${who}: numbers that aren't finite: ${numbers}`);
      const matrices = held.worldMatrices();
      if (!stage.allFinite(matrices)) {
        const first = matrices.findIndex((number) => !Number.isFinite(number));
        this.wrong.push(`${who}: matrices that aren't finite, from ${first} of ${matrices.length}`);
      }
    }
  }

  /** Returns the descriptions of the last steps, and of the next one. */
  lastSaid(step) {
    const from = Math.max(0, step - LAST_SAID);
    return Array.from({ length: step - from }, (_, at) => this.said[(from + at) % LAST_SAID]);
  }

  /** Restores the state after opening, so that memory can be compared. */
  async rest() {
    const { player, element } = this;
    // One that ended later, such as `player.add`, would add to what is measured.
    await Promise.all(this.left);
    Object.assign(player.canvas.style, { width: "", height: "", display: "" });
    for (const { name } of [...element.attributes])
      if (!["src", "backend", "worker"].includes(name)) element.removeAttribute(name);
    element.words = {};
    await element.load(MODELS[0]);
    element.stop();
    player.crowd(1);
    for (const actor of player.actors) actor.remove();
    await player.load(MODELS[0]);
    await player.setEnvironment(null);
    await player.showEnvironment("none");
    await player.setOcclusion(0);
    await player.setDynamicRange("standard");
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
      background: null,
      clock: "free",
      loop: "repeat",
      playbackRate: 1,
      pixelRatio: 0,
      ground: true,
      skeleton: false,
    });
    Object.assign(player.camera, { fov: 0.6, roll: 0, projection: "perspective", home: {}, limits: {}, insets: {} });
    player.play(0);
    player.frame();
    // Chromium takes the GPU away from a page that overloads it, and gives another one after a while.
    for (let wait = 0; this.isLost && wait < 100; wait++) await new Promise((resolve) => setTimeout(resolve, 200));
    player.render();
    await player.settled();
    await new Promise(requestAnimationFrame);
    this.look();
    this.wrong.push(...(window.gpuErrors ?? []).splice(0));
    return this.wrong;
  }
}
