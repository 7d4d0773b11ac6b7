/**
 * Calls every public member with wrong values. The table has valid arguments for each member. Each argument, and each
 * field of an argument, is replaced by each wrong value in turn.
 */

const WRONG = {
  undefined: undefined,
  null: null,
  true: true,
  NaN: NaN,
  Infinity: Infinity,
  "-Infinity": -Infinity,
  "-1": -1,
  1.5: 1.5,
  "1e300": 1e300,
  "an empty text": "",
  nonsense: "nonsense",
  "{}": {},
  "[]": [],
  "[NaN]": [NaN],
  "three of NaN": [NaN, NaN, NaN],
  "a function": () => null,
  "a symbol": Symbol("wrong"),
  "a bigint": 1n,
  "itself in itself": (() => {
    const it = {};
    return (it.it = it);
  })(),
  "a long list": new Array(100_000).fill(0.5),
};

const HALF = [0.5, 0.5, 0.5];

/** Valid arguments or property values of each member. `null` skips a member, and a string gives the reason. */
export const PLAYER = {
  add: "has a part of its own",
  addClips: "has a scenario of its own",
  addEventListener: "the browser's",
  advance: [[0.01]],
  autoRotate: [0.1],
  autoUpdate: [false],
  background: [[1, 0, 0, 1], "#336", [0.5, 0.5, 0.5], null],
  cameras: "read only",
  usedCamera: "read only",
  useCamera: "has a scenario of its own",
  cameraControls: [true],
  cameraZoom: ["always", "auto"],
  clock: [{ step: 0.1 }, "free"],
  constrain: [
    [
      "arm",
      {
        chain: ["LeftUpperArm", "LeftHand"],
        solver: "cyclic",
        iterations: 10,
        speed: 5,
        limits: { LeftLowerArm: { axis: [1, 0, 0], swing: 0, twist: [-1, 2] } },
        weight: 0.5,
        fade: 0.1,
        smoothing: 0.1,
      },
    ],
    ["gaze", { gaze: { Neck: 0.5, Head: { share: 1, limit: 1, speed: 2, forward: [0, 0, 1] } }, weight: 0.5 }],
    ["feet", { hips: "Hips", feet: ["LeftFoot", "RightFoot"], smoothing: 0.2 }],
  ],
  constraints: "a list",
  fadeSprings: [[0.5, 0.1]],
  resetSprings: [[]],
  ragdoll: [
    [
      {
        joints: ["LeftUpperArm"],
        gravity: [0, -9, 0],
        ground: { height: 0, normal: [0, 1, 0] },
        friction: 1,
        damping: 4,
        character: 0,
      },
    ],
    [],
  ],
  ragdollState: "read only",
  toneMapping: ["aces"],
  setEnvironment: [["soft"], [null]],
  showEnvironment: [["blurred"]],
  setOcclusion: [[0.5], [0]],
  setDynamicRange: [["high"], ["standard"]],
  setView: [["weights", { joint: "Head" }], [null]],
  view: "read only",
  setGuides: [[{ grid: true, names: ["Head"] }], [null]],
  guides: "read only",
  setSprings: [[{ springs: [{ root: "Tail1", stiffness: 1, drag: 0.4, gravity: [0, -1, 0] }] }], [null]],
  springWeight: "read only",
  wind: [[0, 0, 1]],
  crowd: [
    [3, { clip: 0, phases: [0, 0.1, 0.2], place: (nth) => [nth, 0, 0] }],
    [2, { place: (nth) => ({ position: [nth, 0, 0], heading: 1, scale: 2 }) }],
    [1],
  ],
  currentTime: [0.2],
  dispose: "ends it",
  environmentIntensity: [0.8],
  environmentRotation: [0.5],
  exposure: [0.8],
  frame: [[]],
  lightsIntensity: [0.8],
  pixelRatio: [1.5],
  layer: [["upper", { mode: "add", reference: "rest", weight: 0.5, mask: { Spine: 1 } }]],
  load: "has a scenario's part of its own",
  lookAt: [["Head", [0, 1, 2], { forward: [0, 0, 1], limit: 1, weight: 0.5 }]],
  loop: ["repeat", 2],
  markers: [["Walk"]],
  morph: [["smile"]],
  morphWeights: [[0, 0]],
  node: [["Head"], [1]],
  parameters: "an object",
  pause: [[]],
  pick: [[20, 30]],
  play: [
    [
      "Walk",
      {
        fade: 0.1,
        easing: "smooth",
        crossing: "inertia",
        loop: 2,
        speed: 1,
        from: 0,
        to: 0.5,
        start: 0.1,
        ending: { release: 0.1 },
        sync: "feet",
        signal: new AbortController().signal,
      },
    ],
    [{ clip: "Walk", from: 0, to: 0.5, speed: 1 }],
    [
      {
        along: "speed",
        inPhase: true,
        motions: [
          { at: 0, clip: "Idle" },
          { at: 1, clip: "Walk" },
        ],
      },
    ],
    [
      {
        across: ["x", "y"],
        motions: [
          { at: [0, 0], clip: "Idle" },
          { at: [1, 0], clip: "Walk" },
        ],
      },
    ],
    [{ mix: [{ weight: 1, clip: "Idle" }] }],
    [],
  ],
  playbackRate: [1],
  pose: [[]],
  reach: [["LeftHand", [0.3, 1, 0.3], { pole: [0, 0, 1], weight: 0.5 }]],
  render: [[]],
  rootNode: ["Hips", null],
  screenshot: [[{ transparent: true }]],
  setBeats: [["Walk", [0.1, 0.3]]],
  setController: [[{ layers: [{ name: "base", start: "A", states: { A: { clip: "Idle" } } }] }], [null]],
  setMarkers: [["Walk", [{ name: "left", time: 0.1 }]]],
  setRootMotion: [["Walk", "keep"]],
  settled: [[]],
  skeleton: [false],
  variant: [null],
  ground: [true],
  material: [["Knit"], [1]],
  place: [
    [0.5, 0, 0],
    { position: [0, 0, 1], heading: 1, scale: 2 },
    Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
  ],
  setSkinning: [[0, "linear"]],
  skinMatrices: [[0, 0]],
  skinning: ["linear"],
  skinningError: "asks the GPU for long",
  still: ["plain"],
  stop: [[]],
  takeTravel: [[0]],
  throng: [
    [2, { clip: 0, blend: { clip: 1, weight: 0.5 }, phases: [0, 0.1], speed: 1, tint: "#336", place: () => [1, 0, 0] }],
    [1],
  ],
  worldMatrices: [[0]],
};

export const CAMERA = {
  distance: [3],
  eye: [[1, 2, 3]],
  fov: [0.6],
  home: [{ target: [0, 1, null], yaw: 0.1, pitch: 0.1, distance: 3, distanceShare: 1 }, {}],
  insets: [{ top: 10, right: 20, bottom: 30, left: 40 }, {}],
  limits: [{ yaw: [-1, 1], pitch: [0, 1], distance: [2, 4] }, {}],
  orbit: [[0.1, 0.1]],
  pan: [[0.1, 0.1]],
  pitch: [0.2],
  project: [[HALF]],
  projection: ["orthographic", "perspective"],
  reset: [[]],
  roll: [0.1, 0],
  target: [[0, 1, 0]],
  unproject: [
    [10, 10],
    [10, 10, 3],
  ],
  yaw: [0.3],
  zoom: [[1.1]],
};

const BY_HAND = { relativeTo: "pose", weight: 0.5 };
export const NODE = {
  lookAt: [[[0, 1, 2], { forward: [0, 0, 1], limit: 1, weight: 0.5 }], [null]],
  reach: [[[0.3, 1, 0.3], { pole: [0, 0, 1], weight: 0.5 }], [null]],
  release: [[]],
  rotate: [[[0, 0, 0, 1], BY_HAND]],
  scale: [[[1, 1, 1], BY_HAND]],
  translate: [[[0, 0, 0], BY_HAND]],
  visible: [false, true],
};

export const CONSTRAINT = {
  fadeTo: [[0.5, 0.1, "smooth"]],
  goal: [[[0.2, 1, 0.3], { node: "LeftHand", weight: 0.5 }], [null]],
  ground: "of feet",
  remove: "has a part of its own",
  turnTip: [[[0, 0, 0, 1]], [null]],
};

export const CHARACTER = {
  currentTime: [0.1],
  pause: [[]],
  place: PLAYER.place,
  play: [["Walk", { fade: 0.1, loop: 2, speed: 1, start: 0.1, sync: "feet" }], []],
  playbackRate: [1],
  stop: [[]],
  tint: ["#336", [1, 0, 0, 1], [1, 1, 1]],
  visible: [false, true],
};

export const THRONG = {
  at: [[1]],
  numbers: "internal",
  send: "internal",
  playbackRate: [0.5],
  remove: "has a part of its own",
  setPlaces: [[Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1), 1]],
  setTints: [[Float32Array.of(1, 0.5, 0.5, 1), 1]],
  skinningError: "asks the GPU for long",
};

export const THRONG_MEMBER = {
  blend: [{ clip: "Walk", weight: 0.5 }, null],
  clip: ["Walk", null],
  place: PLAYER.place,
  seek: [[0.5]],
  speed: [2],
  takeMarkers: [[]],
  time: [[]],
  tint: ["#336", [1, 0, 0, 1], [1, 1, 1]],
  visible: [false, true],
  worldMatrices: [[]],
};

/** The members that an actor has and a player hasn't. */
export const ACTOR = {
  attachTo: [[null, { offset: { position: [0, 0.1, 0], rotation: [0, 0, 0, 1], scale: 0.5 } }], [null]],
  position: [[0.5, 0, 0]],
  remove: "has a part of its own",
  rotation: [[0, 0, 0, 1]],
  scale: [0.5, [1, 2, 1]],
  visible: [false, true],
  wear: [[null]],
};

/** A canvas with a context, since browsers make no picture of a canvas without one. */
const canvas = new OffscreenCanvas(2, 2);
canvas.getContext("2d");

export const MATERIAL = {
  color: ["#336", [1, 0, 0, 1], null],
  emissive: ["#336", [1, 0, 0, 1], null],
  metallic: [0.5, null],
  roughness: [0.5, null],
  setTexture: [[canvas], [null]],
  visible: [false, true],
};

export const MORPH = { weight: [0.5, null] };

export const LAYER = {
  currentTime: [0.1],
  fadeTo: [[0.5, 0.1, "smooth"]],
  play: [["Wave", { fade: 0.1, ending: "hold" }]],
  remove: "has a part of its own",
  stop: [[{ fade: 0.1 }]],
  weight: [0.5],
};

export const PARAMETERS = { fire: [["go"]], get: [["speed"]], kind: [["speed"]], set: [["speed", 0.5]] };

export const ELEMENT = {
  adoptedCallback: "the browser's",
  attributeChangedCallback: "the browser's",
  connectedCallback: "the browser's",
  disconnectedCallback: "the browser's",
  load: "has a part of its own",
  pause: [[]],
  play: [["Walk", { fade: 0.1, loop: 2 }]],
  stop: [[]],
  currentTime: [0.1],
  words: [{ play: "Go" }, {}],
};

/** Members that start a load or a new player, and are therefore set when that can be awaited. */
const STARTS_ANEW = ["src", "backend", "worker", "loading"];

/** Returns the public names of a class, including those that it inherits from another class of the package. */
export function membersOf(Class, last = EventTarget) {
  const names = new Map();
  for (
    let at = Class.prototype;
    at && at !== last.prototype && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const [name, { get, set, value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (name === "constructor" || names.has(name)) continue;
      if (get ? set : typeof value === "function") names.set(name, get ? "property" : "method");
    }
  }
  return names;
}

/** Returns named lists of arguments in which one argument, or a field of one, is wrong. */
function* spoiled(args) {
  for (const [at, right] of args.entries()) {
    for (const [name, wrong] of Object.entries(WRONG)) yield [`argument ${at} is ${name}`, args.with(at, wrong)];
    if (typeof right !== "object" || right === null || right instanceof AbortSignal) continue;
    for (const field of Object.keys(right)) {
      for (const [name, wrong] of Object.entries(WRONG)) {
        const copy = Array.isArray(right) ? right.with(Number(field), wrong) : { ...right, [field]: wrong };
        yield [`${field} of argument ${at} is ${name}`, args.with(at, copy)];
      }
    }
    if (typeof right.place !== "function") continue;
    for (const [name, wrong] of Object.entries(WRONG))
      yield [`place gives ${name}`, args.with(at, { ...right, place: () => wrong })];
  }
}

/**
 * Calls every member of `target` with wrong values. Each failure must be a `GambolError` and leave `state()` unchanged.
 * Returns the problems, and the numbers of calls and refusals.
 */
export async function callWrongly(what, target, members, table, { isOurs, state, sound, tidy }) {
  const told = { wrong: [], calls: 0, refusals: 0 };
  for (const [name, kind] of members) {
    const entry = table[name];
    if (entry === undefined) told.wrong.push(`${what}.${name} has no entry in the table`);
    if (!Array.isArray(entry)) continue;
    for (const right of entry) {
      const args = kind === "method" ? right : [right];
      for (const [how, given] of [["as it is meant", args], ...spoiled(args)]) {
        const before = state();
        told.calls++;
        let failure;
        try {
          if (kind === "method") {
            const answer = target[name](...given);
            if (answer instanceof Promise) await answer;
          } else target[name] = given[0];
        } catch (error) {
          failure = error;
        }
        const title = `${what}.${name}: ${how}`;
        if (failure) {
          told.refusals++;
          // A worker reports a value only after it was first read.
          if (how === "as it is meant" && failure.code !== "NOT_TOLD_YET")
            told.wrong.push(`${title} is refused: ${failure}`);
          if (!isOurs(failure)) told.wrong.push(`${title} throws ${failure?.stack ?? String(failure)}`);
          else if (NATIVE.test(failure.message)) told.wrong.push(`${title} says ${failure.message}`);
          const after = state();
          if (after !== before) told.wrong.push(`${title} is refused and changes ${before} to ${after}`);
        }
        const unsound = sound();
        if (unsound) told.wrong.push(`${title} leaves ${unsound}`);
        if (told.wrong.length > 20) return told;
      }
    }
    await tidy();
  }
  return told;
}

/** Messages of JavaScript engines, which don't help callers. */
export const NATIVE = /\(reading|is not (a function|iterable)|cannot (read|convert)|could not be cloned/i;

export { STARTS_ANEW, WRONG };
