/** What will be read after what was asked, as far as a page can count on it before the worker has told. */
import type { PlayerHandle } from "../engine/wasm.js";
import type { Runs } from "./remote_messages.js";
import type { RemoteRust } from "./remote_rust.js";

/** A member, what it is asked with, and its answer. */
export type Guess = readonly [member: keyof PlayerHandle, args: readonly unknown[], value: unknown];

/** As `STATES` counts. */
const [STOPPED, PLAYING, PAUSED, FINISHED] = [0, 1, 2, 3];

/** In the order of `LAYER`. */
type LayerNumbers = [state: number, clip: number, run: number, currentTime: number, weight: number];

export function predict(rust: RemoteRust, member: keyof PlayerHandle, args: readonly unknown[], runs: Runs): Guess[] {
  const [first, second, third] = args as [never, never, never];
  switch (member) {
    case "play":
      return played(rust, first, JSON.parse(second), third, runs[0]![1]);
    case "pause":
      return inAll(rust, ([state, ...rest]) => [state === PLAYING ? PAUSED : state, ...rest]);
    case "resume":
      return inAll(rust, ([state, ...rest]) => [state === PAUSED || state === FINISHED ? PLAYING : state, ...rest]);
    case "stop":
      return inAll(rust, silent);
    case "currentTime":
      return inLayer(rust, "base", sought(rust, first));
    case "seekLayer":
      return inLayer(rust, first, sought(rust, second));
    case "setLayer":
      return layerSet(rust, first, JSON.parse(second));
    case "removeLayer":
      if (first === "base") return inLayer(rust, "base", silent);
      return [["layerNames", [], rust.layers().filter((name) => name !== first)]];
    case "stopLayer":
      return second === 0 ? inLayer(rust, first, silent) : [];
    case "fadeLayer":
      return third === 0 ? inLayer(rust, first, ([state, clip, run, time]) => [state, clip, run, time, second]) : [];
    case "setController":
      return first === undefined ? [] : controlled(rust, first, runs);
    case "setParameter":
      return [["parameter", [first], Float32Array.of((rust.read("parameter", first) as Float32Array)[0]!, second)]];
    case "setMorph":
      return second === undefined ? [] : [["morph", [first], Math.fround(second)]];
    case "setVisible": {
      const others = [...(rust.read("hiddenNodes") as Uint32Array)].filter((node) => node !== first);
      return [["hiddenNodes", [], Uint32Array.from(second ? others : [...others, first])]];
    }
    case "setNotes":
      return noted(first, JSON.parse(second));
    case "crowd":
      return [["characterCount", [], first], ...settled(rust, args[3] as Float32Array)];
    case "setMaterial": {
      const numbers = (rust.read("material", first) as Float32Array | undefined)?.slice();
      // What the file says is told.
      if (!numbers || (third as Float32Array).length === 0) return [];
      numbers.set(third, [0, 4, 7, 8, 9][second]);
      return [["material", [first], numbers]];
    }
    case "setMember":
      return memberSet(rust, first, second, third);
    case "setCamera":
      return [["camera", [], Float32Array.from(first)]];
    case "rootNode":
      // Without one it is found there.
      return first === -1 ? [] : [["rootNode", [], first]];
    case "exposure":
    case "spin":
      return [[member, [], Math.fround(first)]];
    case "playbackRate":
    case "clockStep":
    case "skeleton":
    case "ground":
    case "background":
      return [[member, [], first]];
    default:
      return [];
  }
}

/** In the order of `MEMBER`, where each part begins in its numbers. */
const [PLACE, TINT, VISIBLE, RATE, TIME, STATE] = [0, 16, 20, 21, 22, 23] as const;
const ORIGIN = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** What isn't known of a character stays unknown. */
function memberSet(rust: RemoteRust, character: number, part: number, value: Float64Array): Guess[] {
  const numbers = (rust.read("member", character) as Float64Array | undefined)?.slice();
  if (!numbers) return [];
  const at = [PLACE, TINT, VISIBLE, RATE, TIME, STATE][part]!;
  if (at !== STATE) numbers.set(value, at);
  else if (value.length === 0) [numbers[STATE], numbers[TIME]] = [STOPPED!, 0];
  else if (value[0] === 0 && numbers[STATE] === PLAYING) numbers[STATE] = PAUSED!;
  else if (value[0] !== 0 && numbers[STATE] !== STOPPED) numbers[STATE] = PLAYING!;
  return [["member", [character], numbers]];
}

/** The lead of a new crowd. */
function settled(rust: RemoteRust, places: Float32Array): Guess[] {
  const numbers = (rust.read("member", 0) as Float64Array | undefined)?.slice();
  if (!numbers) return [];
  numbers.set(places.length > 0 ? places.subarray(0, 16) : ORIGIN);
  numbers.fill(1, TINT, RATE);
  return [["member", [0], numbers]];
}

type Change = (numbers: LayerNumbers) => LayerNumbers;

function silent([, , , , weight]: LayerNumbers): LayerNumbers {
  return [STOPPED!, -1, -1, 0, weight];
}

function sought(rust: RemoteRust, time: number): Change {
  return ([state, clip, run, , weight]) => [state, clip, run, Math.min(Math.max(time, 0), durationOf(rust, clip)), weight];
}

function durationOf(rust: RemoteRust, clip: number): number {
  return rust.contents?.clips[clip]?.duration ?? 0;
}

function inAll(rust: RemoteRust, change: Change): Guess[] {
  return rust.layers().flatMap((layer) => inLayer(rust, layer, change));
}

/** What the player itself says of what plays is what its base layer says. */
function inLayer(rust: RemoteRust, layer: string, change: Change): Guess[] {
  const before = Array.from((rust.read("layer", layer) as Float64Array | undefined) ?? [STOPPED, -1, -1, 0, 1]);
  const after = change(before as LayerNumbers);
  const guesses: Guess[] = [["layer", [layer], Float64Array.from(after)]];
  if (layer !== "base") return guesses;
  const [state, clip, run, currentTime] = after;
  const values = { state, clip, run, currentTime, duration: durationOf(rust, clip) };
  for (const [member, value] of Object.entries(values)) guesses.push([member as keyof PlayerHandle, [], value]);
  return guesses;
}

interface Playable {
  clip?: string | number;
  from?: number;
  to?: number;
  motions?: Playable[];
  mix?: Playable[];
}

/** Of a blend the first that it names. */
function leafOf(motion: Playable): Playable {
  const [inner] = motion.motions ?? motion.mix ?? [];
  return inner ? leafOf(inner) : motion;
}

function clipOf(rust: RemoteRust, { clip }: Playable): number {
  const clips = rust.contents?.clips ?? [];
  return typeof clip === "number" ? clip : clips.findIndex(({ name }) => name === clip);
}

function played(rust: RemoteRust, layer: string, motion: Playable, numbers: Float64Array, run: number): Guess[] {
  const leaf = leafOf(motion);
  const clip = clipOf(rust, leaf);
  const { from = 0, to = durationOf(rust, clip) } = leaf;
  const [, , , , , speed, start] = numbers as unknown as number[];
  const forward = speed! * (rust.read("playbackRate") as number) >= 0;
  const time = forward ? Math.min(from + start!, to) : Math.max(to - start!, from);
  return inLayer(rust, layer, ([, , , , weight]) => [PLAYING!, clip, run, time, weight]);
}

function layerSet(rust: RemoteRust, layer: string, { weight }: { weight?: number }): Guess[] {
  const guesses = inLayer(rust, layer, ([state, clip, run, time, was]) => [state, clip, run, time, weight ?? was]);
  const layers = rust.layers();
  return layers.includes(layer) ? guesses : [...guesses, ["layerNames", [], [...layers, layer]]];
}

interface Machines {
  parameters?: Record<string, number | boolean | "trigger">;
  layers?: { name?: string; start: string; states: Record<string, Playable | string | null> }[];
}

/** Each machine begins in the state that it says. */
function controlled(rust: RemoteRust, json: string, runs: Runs): Guess[] {
  let machines: Machines;
  try {
    machines = JSON.parse(json) as Machines;
  } catch {
    // It will be refused.
    return [];
  }
  const parameters = Object.entries(machines.parameters ?? {});
  const guesses: Guess[] = [["parameterNames", [], parameters.map(([name]) => name)]];
  // One without layers will be refused.
  if (!machines.layers?.length) return [];
  guesses.push(["layerNames", [], machines.layers.map(({ name = "base" }) => name)]);
  for (const [name, first] of parameters) {
    const kind = ["number", "boolean"].indexOf(typeof first);
    guesses.push(["parameter", [name], Float32Array.of(kind < 0 ? 2 : kind, kind < 0 ? 0 : +first)]);
  }
  const [base] = machines.layers;
  const run = runs.find(([layer]) => layer === "base");
  if (!base || !run) return guesses;
  const state = base.states?.[base.start];
  const leaf = typeof state === "string" ? { clip: state } : state && leafOf(state);
  guesses.push(["stateName", ["base"], base.start]);
  if (leaf) guesses.push(...inLayer(rust, "base", ([, , , , weight]) => [PLAYING!, clipOf(rust, leaf), run[1], leaf.from ?? 0, weight]));
  return guesses;
}

function noted(clip: number, { markers }: { markers?: { name: string; time: number }[] }): Guess[] {
  if (!markers) return [];
  const ordered = [...markers].sort((a, b) => a.time - b.time);
  return [
    ["markerNames", [clip], ordered.map(({ name }) => name)],
    ["markerTimes", [clip], Float64Array.from(ordered, ({ time }) => time)],
  ];
}
