/** Motions, playback options and controllers as plain data. */
import type { CROSSINGS, EASINGS } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import { isObject, json, number } from "../checks.js";
import type { Loop } from "./run.js";

/** A clip by name or index, a part of a clip, or a blend. */
export type Motion = string | number | Playable;

/** A part of a clip, or a blend. Blends nest. */
export type Playable = ClipPart | AlongBlend | AcrossBlend | MixBlend;

/** A clip, or a part of one. */
export interface ClipPart {
  /** Name of the clip, or its index in the file. */
  readonly clip: string | number;
  /** Start of the part, in seconds. Default: the start of the clip. */
  readonly from?: number | undefined;
  /** End of the part, in seconds. Default: the end of the clip. */
  readonly to?: number | undefined;
  /** Speed relative to the other motions of its blend. */
  readonly speed?: number;
}

/** A one-dimensional blend: the two motions nearest to a parameter's value, one on either side, share the weight. */
export interface AlongBlend {
  /** Name of the parameter. */
  readonly along: string;
  /** The motions, each with the value of the parameter at which it plays alone. */
  readonly motions: readonly (Playable & { readonly at: number })[];
  /** Whether all motions are kept in phase. Default: true. */
  readonly inPhase?: boolean;
}

/** A two-dimensional blend: the nearer a motion is to the point given by two parameters, the greater its weight. */
export interface AcrossBlend {
  /** Names of the parameters for x and y. */
  readonly across: readonly [string, string];
  /** The motions, each with the point at which it plays alone. */
  readonly motions: readonly (Playable & { readonly at: readonly [number, number] })[];
  /** Whether all motions are kept in phase. Default: true. */
  readonly inPhase?: boolean;
}

/**
 * A blend by weight: each motion has its share of the sum of all weights. A parameter's name makes a weight variable.
 */
export interface MixBlend {
  /** The motions, each with its weight or the name of the parameter that is its weight. */
  readonly mix: readonly (Playable & { readonly weight: number | string })[];
  /** Whether all motions are kept in phase. Default: false. */
  readonly inPhase?: boolean;
}

/** Easing of a fade from 0 to 1. */
export type Easing = (typeof EASINGS)[number];

/**
 * How one motion gives way to the next. With `"fade"`, both keep playing and are mixed. With `"inertia"`, the new
 * motion plays alone, and its offset to the old pose and velocity decays over the fade time, within one second at
 * most. With `"dead-blending"`, the new motion plays alone and is mixed with the old pose, which goes on with a
 * velocity that decays; additive layers use `"inertia"` instead. Both keep the velocity of the pose and ignore
 * `easing`.
 */
export type Crossing = (typeof CROSSINGS)[number];

/** The ending of a motion: its last pose is held, or fades out to the layers below over so many seconds. */
export type Ending = "hold" | { readonly release: number };

/** How a motion starts, plays and ends. */
export interface PlayOptions {
  /** Duration of the fade from the current motion, in seconds. Default: 0, a cut. */
  fade?: number;
  /** Easing of the fade. Default: `"linear"`. */
  easing?: Easing;
  /** Whether the previous motion keeps playing during the fade. Default: `"fade"`, it does. */
  crossing?: Crossing;
  /** How often the motion plays. Default: the player's `loop` in the base layer, `"repeat"` in the others. */
  loop?: Loop;
  /** Speed, multiplied with `playbackRate`. Negative plays backwards. */
  speed?: number;
  /** Start of the part of the clip to play, in seconds. Default: the start of the clip. */
  from?: number;
  /** End of the part of the clip to play, in seconds. Default: the end of the clip. */
  to?: number;
  /** Time at which to begin, in seconds from the start of the part. */
  start?: number;
  /** Whether the last pose is held or fades out. Default: it is held. */
  ending?: Ending;
  /** Name of a sync group. Motions of one group are kept in phase, in whichever layers they play. */
  sync?: string;
  /** Stops the motion when aborted, unless another one has replaced it. */
  signal?: AbortSignal;
}

/** Reference pose of an additive layer: the pose subtracted from each clip before it is added. */
export type Reference = "first" | "rest" | { readonly clip: string | number; readonly time: number };

/**
 * Weights by node name, each for the node and its descendants unless `subtree` is false. Weights of deeper nodes win.
 */
export type Mask = { readonly [node: string]: number | { readonly weight: number; readonly subtree?: boolean } };

/** How a layer combines with the layers below it. */
export interface LayerOptions {
  /** Whether the layer overrides the layers below or adds to them. Default: `"override"`. */
  mode?: "override" | "add";
  /** Reference pose for the mode `"add"`. Default: the first pose of each clip. */
  reference?: Reference;
  /** Weight of the layer, from 0 to 1. Default: 1. */
  weight?: number;
  /** The nodes that the layer moves. Default: all. */
  mask?: Mask;
}

/** A named time in a clip. */
export interface Marker {
  /** Name, as passed to the `marker` event. */
  readonly name: string;
  /** Time in the clip, in seconds. */
  readonly time: number;
}

/**
 * How root motion, the movement of a clip's root node over the ground, is applied:
 * - `"keep"` leaves it in the pose;
 * - `"pin"` removes it from the pose;
 * - `"extract"` removes it from the pose, and `takeTravel()` returns it;
 * - `"move"` removes it from the pose and moves the character's `place` by it.
 */
export type RootMotion = "keep" | "pin" | "extract" | "move";

/** A controller: layers, each with a state machine. `controller.schema.json` describes the same format. */
export interface Controller {
  /** URL of the JSON schema, for editors. */
  readonly $schema?: string;
  /** The parameters, with their initial values. */
  readonly parameters?: { readonly [name: string]: number | boolean | "trigger" };
  /** Markers, beats and root motion of clips, by clip name. */
  readonly clips?: { readonly [clip: string]: ClipNotes };
  /** Name of the node whose movement over the ground is the root motion. Default: found automatically. */
  readonly root?: string;
  /** The layers, lowest first. The first is the base layer. */
  readonly layers: readonly ControllerLayer[];
}

/** Properties of a clip that model files can't contain. */
export interface ClipNotes {
  /** Times that fire a `marker` event when playback passes them. */
  readonly markers?: readonly Marker[];
  /** Times, in seconds, that correspond between clips played in phase, such as footfalls. */
  readonly beats?: readonly number[];
  /** How the clip's root motion is applied. */
  readonly root?: RootMotion;
}

/** A layer and its state machine. */
export interface ControllerLayer extends Readonly<LayerOptions> {
  /** Name of the layer. It can be left out for the base layer. */
  readonly name?: string;
  /** Name of the initial state. */
  readonly start: string;
  /** The states, by name. Null plays nothing, so that the layers below show. */
  readonly states: { readonly [name: string]: ControllerState | string | null };
  /** The transitions. The first one whose conditions hold is taken. */
  readonly transitions?: readonly Transition[];
}

/** A motion, and how it plays in that state. */
export type ControllerState = Playable & {
  readonly loop?: Loop;
  readonly ending?: Ending;
  readonly sync?: string;
  /** Speed of the whole motion. */
  readonly speed?: number;
};

/** A transition between states. */
export interface Transition {
  /** Name of the state it leaves, or several names. `"*"` is any state but `to`. */
  readonly from: string | readonly string[];
  /** Name of the state it enters. */
  readonly to: string;
  /** Conditions on parameters, all of which must hold. */
  readonly when?: { readonly [parameter: string]: boolean | Limits };
  /** Number of passes, fractions included, that the state must have played. */
  readonly exit?: number;
  /** Duration of the fade, in seconds. */
  readonly fade?: number;
  /** Easing of the fade. Default: `"linear"`. */
  readonly easing?: Easing;
  /** Whether the old state keeps playing during the fade. Default: `"fade"`, it does. */
  readonly crossing?: Crossing;
  /**
   * Whose transitions may interrupt this one while it fades: the state entered (`"target"`), the state left
   * (`"source"`) or both. Default: `"none"`.
   */
  readonly interrupt?: "none" | "target" | "source" | "either";
  /** Whether the new state starts at the phase of the old one. */
  readonly keepPhase?: boolean;
}

/** Conditions on a number parameter. All that are given must hold. */
export interface Limits {
  /** Exclusive lower limit. */
  readonly above?: number;
  /** Inclusive lower limit. */
  readonly atLeast?: number;
  /** Exclusive upper limit. */
  readonly below?: number;
  /** Inclusive upper limit. */
  readonly atMost?: number;
}

/** Serializes a motion for the WebAssembly, with the part of the clip from the playback options. */
export function motionJson(motion: Motion, { from, to }: PlayOptions, contents: Contents): string {
  const source = isObject(motion) ? motion : { clip: contents.clip(motion).index };
  const part = (name: string, secs: unknown) => (secs == null ? {} : { [name]: number("time", secs) });
  return json("motion", { ...source, ...part("from", from), ...part("to", to) });
}
