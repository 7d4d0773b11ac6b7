/** What can be played, as a page writes it down: motions, how to start them, and whole controllers. Plain data. */
import { CROSSINGS, EASINGS } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import { isObject, json, number } from "../checks.js";
import type { Loop } from "./run.js";

/** A clip by name or number, a part of one, or a blend. */
export type Motion = string | number | Playable;

/** What a blend mixes; blends nest. */
export type Playable = ClipPart | AlongBlend | AcrossBlend | MixBlend;

/** A clip, or a part of one. */
export interface ClipPart {
  /** By name, or by its number in the file. */
  readonly clip: string | number;
  /** Where the part begins and ends, in seconds; default: all of the clip. */
  readonly from?: number | undefined;
  /** Where the part ends, in seconds; default: the clip's end. */
  readonly to?: number | undefined;
  /** Against the others of its blend. */
  readonly speed?: number;
}

/** The two neighbours of a parameter's value share the weight. */
export interface AlongBlend {
  /** The name of the parameter. */
  readonly along: string;
  /** Each with the value of the parameter at which it plays alone. */
  readonly motions: readonly (Playable & { readonly at: number })[];
  /** Whether all go through their passes together. On by default. */
  readonly inPhase?: boolean;
}

/** The nearer a motion stands to the point that two parameters make, the more it weighs. */
export interface AcrossBlend {
  /** The names of the two parameters. */
  readonly across: readonly [string, string];
  /** Each with the point at which it plays alone. */
  readonly motions: readonly (Playable & { readonly at: readonly [number, number] })[];
  /** On by default. */
  readonly inPhase?: boolean;
}

/** Each motion has its share in the sum of the weights; a parameter's name makes it one that changes. */
export interface MixBlend {
  /** Each with its weight, or the name of the parameter that is its weight. */
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

/** How a motion begins, goes on and ends. */
export interface PlayOptions {
  /** Seconds from what plays now; default: a cut. */
  fade?: number;
  /** How the fade goes; default: evenly. */
  easing?: Easing;
  /** Whether what played before plays on during the fade; default: it does. */
  crossing?: Crossing;
  /** Default: the player's `loop` in the base layer, `"repeat"` in the others. */
  loop?: Loop;
  /** On top of `playbackRate`; negative runs backwards. */
  speed?: number;
  /** The part of a clip that is played, in seconds. */
  from?: number;
  /** Where the part ends; default: with the clip. */
  to?: number;
  /** Seconds into the part at which to begin. */
  start?: number;
  /** What becomes of the last pose; default: it is held. */
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

/** What a layer does with what it plays. */
export interface LayerOptions {
  /** Whether it takes the place of what lies below, or adds to it. Default: `"override"`. */
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
  /** What the event `marker` says. */
  readonly name: string;
  /** In seconds. */
  readonly time: number;
}

/**
 * What becomes of the way that a clip's root goes over the ground: shown, taken out, taken out and handed to the page by
 * `takeTravel()`, or taken out and added to the character's `place`.
 */
export type RootMotion = "keep" | "pin" | "extract" | "move";

/** A state machine a layer. `controller.schema.json` says the same. */
export interface Controller {
  /** For editors, which check the file by it. */
  readonly $schema?: string;
  /** Numbers, booleans and triggers, with what they are at first. */
  readonly parameters?: { readonly [name: string]: number | boolean | "trigger" };
  /** Notes on clips, by their names. */
  readonly clips?: { readonly [clip: string]: ClipNotes };
  /** The node whose way over the ground is pinned or handed out; default: found. */
  readonly root?: string;
  /** The first is the base. */
  readonly layers: readonly ControllerLayer[];
}

/** What a file can't say of a clip. */
export interface ClipNotes {
  /** Times that cause an event when they are passed. */
  readonly markers?: readonly Marker[];
  /** Times that correspond between clips played in phase, such as footfalls. */
  readonly beats?: readonly number[];
  /** What becomes of its way over the ground. */
  readonly root?: RootMotion;
}

/** A state machine, and the layer in which it plays. */
export interface ControllerLayer extends Readonly<LayerOptions> {
  /** May be left out for the base. */
  readonly name?: string;
  /** The name of the state it begins in. */
  readonly start: string;
  /** By name. Null plays nothing, and lets through what lies below. */
  readonly states: { readonly [name: string]: ControllerState | string | null };
  /** Looked at in order: the first that may be taken is. */
  readonly transitions?: readonly Transition[];
}

/** A motion, and how it is played while the machine is in that state. */
export type ControllerState = Playable & {
  readonly loop?: Loop;
  readonly ending?: Ending;
  readonly sync?: string;
  /** Of all it plays. */
  readonly speed?: number;
};

/** A way from one state to another. */
export interface Transition {
  /** `"*"` is any state. */
  readonly from: string | readonly string[];
  /** The name of the state it leads to. */
  readonly to: string;
  /** All must hold. */
  readonly when?: { readonly [parameter: string]: boolean | Limits };
  /** How many passes of the state must have gone by. */
  readonly exit?: number;
  /** In seconds. */
  readonly fade?: number;
  /** How the fade goes; default: evenly. */
  readonly easing?: Easing;
  /** Whether the old state plays on during the fade; default: it does. */
  readonly crossing?: Crossing;
  /** Whose transitions may cut this one short. */
  readonly interrupt?: "none" | "target" | "source" | "either";
  /** The new state begins at the phase of the old one. */
  readonly keepPhase?: boolean;
}

/** What a number must be for a transition; all that is given must hold. */
export interface Limits {
  /** More than this. */
  readonly above?: number;
  /** This or more. */
  readonly atLeast?: number;
  /** Less than this. */
  readonly below?: number;
  /** This or less. */
  readonly atMost?: number;
}

/** For the wasm side; a part that is asked for with the options belongs to the motion there. */
export function motionJson(motion: Motion, { from, to }: PlayOptions, contents: Contents): string {
  const source = isObject(motion) ? motion : { clip: contents.clip(motion).index };
  const part = (name: string, secs: unknown) => (secs == null ? {} : { [name]: number("time", secs) });
  return json("motion", { ...source, ...part("from", from), ...part("to", to) });
}
