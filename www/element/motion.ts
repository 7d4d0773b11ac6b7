/** What can be played, as a page writes it down: motions, how to start them, and whole controllers. Plain data. */
import type { Contents } from "./contents.js";
import type { Loop } from "./run.js";
import { CROSSINGS, EASINGS } from "./wasm.js";

/** A clip by name or number, a part of one, or a blend. */
export type Motion = string | number | Playable;

/** What a blend mixes; blends nest. */
export type Playable = ClipPart | AlongBlend | AcrossBlend | MixBlend;

export interface ClipPart {
  readonly clip: string | number;
  /** Where the part begins and ends, in seconds; default: all of the clip. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Against the others of its blend. */
  readonly speed?: number;
}

/** The two neighbours of a parameter's value share the weight. */
export interface AlongBlend {
  readonly along: string;
  readonly motions: readonly (Playable & { readonly at: number })[];
  /** Whether all go through their passes together. On by default. */
  readonly inPhase?: boolean;
}

/** The nearer a motion stands to the point that two parameters make, the more it weighs. */
export interface AcrossBlend {
  readonly across: readonly [string, string];
  readonly motions: readonly (Playable & { readonly at: readonly [number, number] })[];
  /** On by default. */
  readonly inPhase?: boolean;
}

/** Each motion has its share in the sum of the weights; a parameter's name makes it one that changes. */
export interface MixBlend {
  readonly mix: readonly (Playable & { readonly weight: number | string })[];
  /** Off by default. */
  readonly inPhase?: boolean;
}

/** How a fade goes from nothing to all. */
export type Easing = (typeof EASINGS)[number];

/**
 * `"fade"` lets both motions play on; with `"inertia"` the old one's pose and speed die away over the new one, within a
 * second whatever the fade.
 */
export type Crossing = (typeof CROSSINGS)[number];

/** What becomes of the last pose: held, or faded out over so many seconds to what lies below. */
export type Ending = "hold" | { readonly release: number };

export interface PlayOptions {
  /** Seconds from what plays now; default: a cut. */
  fade?: number;
  easing?: Easing;
  crossing?: Crossing;
  /** Default: the player's `loop` in the base layer, `"repeat"` in the others. */
  loop?: Loop;
  /** On top of `playbackRate`; negative runs backwards. */
  speed?: number;
  /** The part of a clip that is played, in seconds. */
  from?: number;
  to?: number;
  /** Seconds into the part at which to begin. */
  start?: number;
  ending?: Ending;
  /** Motions of one name keep in phase, in whatever layer. */
  sync?: string;
  /** Stops what this call started, unless something took its place before. */
  signal?: AbortSignal;
}

/** The pose from which an added clip is a change. */
export type Reference = "first" | "rest" | { readonly clip: string | number; readonly time: number };

/** By name of a node, with all below it unless it says otherwise; nodes deeper down win. */
export type Mask = { readonly [node: string]: number | { readonly weight: number; readonly subtree?: boolean } };

export interface LayerOptions {
  mode?: "override" | "add";
  /** For `"add"`; default: the first pose of what is played. */
  reference?: Reference;
  /** Default: 1. */
  weight?: number;
  /** Which nodes it moves; default: all. */
  mask?: Mask;
}

/** A time of a clip that has a name. */
export interface Marker {
  readonly name: string;
  /** In seconds. */
  readonly time: number;
}

/** What becomes of the way that a clip's root goes over the ground: shown, taken out, or taken out and handed to the page. */
export type RootMotion = "keep" | "pin" | "extract";

/** A state machine a layer. `controller.schema.json` says the same. */
export interface Controller {
  readonly $schema?: string;
  /** Numbers, booleans and triggers, with what they are at first. */
  readonly parameters?: { readonly [name: string]: number | boolean | "trigger" };
  readonly clips?: { readonly [clip: string]: ClipNotes };
  /** The node whose way over the ground is pinned or handed out; default: found. */
  readonly root?: string;
  /** The first is the base. */
  readonly layers: readonly ControllerLayer[];
}

export interface ClipNotes {
  readonly markers?: readonly Marker[];
  /** Times that correspond between clips played in phase, such as footfalls. */
  readonly beats?: readonly number[];
  readonly root?: RootMotion;
}

export interface ControllerLayer extends Readonly<LayerOptions> {
  /** May be left out for the base. */
  readonly name?: string;
  readonly start: string;
  /** By name. Null plays nothing, and lets through what lies below. */
  readonly states: { readonly [name: string]: ControllerState | string | null };
  readonly transitions?: readonly Transition[];
}

export type ControllerState = Playable & {
  readonly loop?: Loop;
  readonly ending?: Ending;
  readonly sync?: string;
  /** Of all it plays. */
  readonly speed?: number;
};

export interface Transition {
  /** `"*"` is any state. */
  readonly from: string | readonly string[];
  readonly to: string;
  /** All must hold. */
  readonly when?: { readonly [parameter: string]: boolean | Limits };
  /** How many passes of the state must have gone by. */
  readonly exit?: number;
  /** In seconds. */
  readonly fade?: number;
  readonly easing?: Easing;
  readonly crossing?: Crossing;
  /** Whose transitions may cut this one short. */
  readonly interrupt?: "none" | "target" | "source" | "either";
  /** The new state begins at the phase of the old one. */
  readonly keepPhase?: boolean;
}

export interface Limits {
  readonly above?: number;
  readonly atLeast?: number;
  readonly below?: number;
  readonly atMost?: number;
}

/** For the wasm side; a part that is asked for with the options belongs to the motion there. */
export function motionJson(motion: Motion, { from, to }: PlayOptions, contents: Contents): string {
  const source = typeof motion === "object" ? motion : { clip: contents.clip(motion).index };
  return JSON.stringify({ ...source, ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
}
