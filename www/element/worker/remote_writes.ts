/** Predicts the values that a call sets, before the worker reports them. Nothing else is predicted. */
import type { LAYER, MEMBER, PlayerHandle, PlayRecord, STATES } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";

type Member = keyof PlayerHandle;
type LayerItem = (typeof LAYER)[number];
/** An item's index in a list. Importing the lists themselves would make bundlers split the main script. */
type IndexIn<List extends readonly string[], Item extends List[number]> =
  Extract<{ [Index in keyof List]: List[Index] extends Item ? Index : never }[number], string> extends infer Index
    ? Index extends `${infer Digits extends number}`
      ? Digits
      : never
    : never;

/** The result of reading a member after a call: `value`, or the previous numbers with `value` from offset `at` on. */
export interface Write {
  readonly member: Member;
  readonly args: readonly unknown[];
  readonly value: unknown;
  readonly at?: number;
}

/** Values known before a call. */
export interface KnownValues {
  readonly contents: Contents | null;
  read(member: Member, ...args: unknown[]): unknown;
}

export function writesOf(known: KnownValues, member: Member, args: readonly unknown[]): Write[] {
  // The callers of the members have checked the types.
  const [first, second, third] = args as [never, never, never];
  switch (member) {
    case "play":
      return started(known, first, JSON.parse(second), third);
    case "stop":
      return names(known).flatMap(stopped);
    case "stopLayer":
      return stopped(first);
    case "setLayer":
      return layerSet(known, first, JSON.parse(second));
    case "removeLayer": {
      const left = names(known).filter((name) => name !== first);
      return first === "base" ? stopped(first) : [write("layerNames", [], left)];
    }
    case "fadeLayer":
      return third === 0 ? [ofLayer(first, "weight", second)] : [];
    case "seekLayer":
      return [ofLayer(first, "currentTime", second)];
    case "setController":
      return first === undefined ? layersSet([{}]) : controllerSet(JSON.parse(first));
    case "setParameter":
      return [write("parameter", [first], [second], 1)];
    case "setMorph":
      return second === undefined ? [] : [write("morph", [first], Math.fround(second))];
    case "setVisible": {
      const others = [...(known.read("hiddenNodes") as Uint32Array)].filter((node) => node !== first);
      return [write("hiddenNodes", [], Uint32Array.from(second ? others : [...others, first]))];
    }
    case "setNotes":
      return notesSet(first, JSON.parse(second));
    case "crowd":
      return [write("characterCount", [], first), ...leadSet(args[3] as Float32Array)];
    case "setMaterial":
      // No numbers restore the file's value, which the worker reports.
      return (third as Float32Array).length === 0 ? [] : [write("material", [first], third, MATERIAL_OFFSETS[second])];
    case "setMember":
      return second === MEMBER_STATE ? [] : [write("member", [first], third, MEMBER_OFFSETS[second])];
    case "setCamera":
      return [write("camera", [], Float32Array.from(first))];
    case "rootNode":
      // With −1 the worker finds the root and reports it.
      return first === -1 ? [] : [write("rootNode", [], first)];
    case "spin":
      return [write(member, [], Math.fround(first))];
    case "currentTime":
      return [write(member, [], first), ofLayer("base", "currentTime", first)];
    case "playbackRate":
    case "clockStep":
    case "background":
    case "look":
    case "variant":
    case "skinning":
      return [write(member, [], first)];
    default:
      return [];
  }
}

/** Offset of each part in the numbers of `material`, in the order of `MATERIAL`. Colours have 4 and 3 numbers. */
const MATERIAL_OFFSETS = [0, 4, 7, 8, 9] as const;
/** Where each part begins in the numbers of `member`, in the order of `MEMBER`: a matrix has 16 numbers, a colour 4. */
const MEMBER_OFFSETS = [0, 16, 20, 21, 22, 23] as const;
const MEMBER_STATE: IndexIn<typeof MEMBER, "state"> = 5;
const STOPPED: IndexIn<typeof STATES, "stopped"> = 0;
/** Where each item is in the numbers of `layer`. */
const LAYER_OFFSETS: { readonly [Item in LayerItem]: IndexIn<typeof LAYER, Item> } = {
  state: 0,
  clip: 1,
  run: 2,
  currentTime: 3,
  weight: 4,
};
const UNPLACED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function write(member: Member, args: readonly unknown[], value: unknown, at?: number): Write {
  return at === undefined ? { member, args, value } : { member, args, value, at };
}

function ofLayer(layer: string, what: LayerItem, ...numbers: number[]): Write {
  return write("layer", [layer], numbers, LAYER_OFFSETS[what]);
}

function names(known: KnownValues): string[] {
  return known.read("layerNames") as string[];
}

/** Returns the writes for a layer that plays nothing any more. */
function stopped(layer: string): Write[] {
  return playing(layer, -1, -1);
}

function playing(layer: string, clip: number, run: number): Write[] {
  const writes = [ofLayer(layer, "clip", clip, run)];
  return layer === "base" ? [...writes, write("clip", [], clip)] : writes;
}

/** Returns the writes of `play`. A layer that resumes keeps its clip, with the new run number if there is one. */
function started(known: KnownValues, layer: string, motion: Playable, { run, resumes }: PlayRecord): Write[] {
  if (run === undefined) return [];
  const [clipNow, runNow] = (known.read("layer", layer) as Float64Array).subarray(LAYER_OFFSETS.clip);
  const clip = resumes && runNow! >= 0 ? clipNow! : clipOf(known, motion);
  return playing(layer, clip, run);
}

interface Playable {
  clip?: string | number;
  motions?: Playable[];
  mix?: Playable[];
}

/** Returns the clip index of a motion, or of the first motion of a blend; −1 if no clip has the name. */
function clipOf(known: KnownValues, motion: Playable): number {
  const [inner] = motion.motions ?? motion.mix ?? [];
  if (inner) return clipOf(known, inner);
  const { clip } = motion;
  return typeof clip === "number" ? clip : (known.contents?.clips ?? []).findIndex(({ name }) => name === clip);
}

function layerSet(known: KnownValues, layer: string, { weight = 1 }: { weight?: number }): Write[] {
  const layers = names(known);
  if (layers.includes(layer)) return [ofLayer(layer, "weight", weight)];
  return [write("layerNames", [], [...layers, layer]), write("layer", [layer], silentLayer(weight))];
}

/** The numbers of a new layer, in the order of `LAYER`. */
function silentLayer(weight: number): Float64Array {
  return Float64Array.of(STOPPED, -1, -1, 0, weight);
}

interface Controller {
  parameters?: Record<string, number | boolean | "trigger">;
  layers: LayerStart[];
}

interface LayerStart {
  name?: string;
  weight?: number;
}

/** Returns the names and initial values that a controller sets. The worker reports what its state machines start. */
function controllerSet({ parameters = {}, layers }: Controller): Write[] {
  const writes = [...layersSet(layers), write("parameterNames", [], Object.keys(parameters))];
  for (const [name, first] of Object.entries(parameters)) {
    const kind = ["number", "boolean"].indexOf(typeof first);
    writes.push(write("parameter", [name], Float32Array.of(kind < 0 ? 2 : kind, kind < 0 ? 0 : +first)));
  }
  return writes;
}

/** Returns the writes for new layers instead of all others. */
function layersSet(layers: LayerStart[]): Write[] {
  const named = layers.map(({ name = "base", weight = 1 }) => write("layer", [name], silentLayer(weight)));
  const layerNames = named.flatMap(({ args }) => args);
  return [write("layerNames", [], layerNames), write("clip", [], -1), ...named];
}

function notesSet(clip: number, { markers }: { markers?: { name: string; time: number }[] }): Write[] {
  if (!markers) return [];
  const ordered = [...markers].sort((a, b) => a.time - b.time);
  const markerNames = ordered.map(({ name }) => name);
  const times = Float64Array.from(ordered, ({ time }) => time);
  return [write("markerNames", [clip], markerNames), write("markerTimes", [clip], times)];
}

/** Returns the place, tint and visibility of the first character of a new crowd. */
function leadSet(places: Float32Array): Write[] {
  const place = places.length > 0 ? places.subarray(0, 16) : UNPLACED;
  return [write("member", [0], [...place, 1, 1, 1, 1, 1], 0)];
}
