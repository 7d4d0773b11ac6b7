/** Messages between the page and its worker. */
import type { Backend, BackendChoice, WasmUrls } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { StartProgress } from "../files/ahead.js";
import type { Clip, ModelNode, Named, Skin } from "../files/contents.js";
import type { LoadOptions, Progress, Source } from "../files/source.js";
import type { Timings } from "../host/stats.js";
import type { Warning } from "../errors.js";

/**
 * Members of `PlayerHandle`, each with the way in which the page implements it for a player in a worker:
 *
 * - `inner`: not forwarded; the worker's host calls it.
 * - `command`: forwarded, and skipped if the worker shows another model than the page did at the call.
 * - `move`: forwarded for any model.
 * - `value`, `setting`, `list`: returns the value that the worker reported last. The worker reports every change.
 *   Assigning to a `setting` is forwarded.
 * - `ofLayer`, `ofParameter`: a reported value for each layer or parameter.
 * - `asked`: returns the value reported last. Most values are reported with a new model. After the first read, every
 *   change is reported.
 * - `question`: asynchronous in any case, so each call is forwarded and answered.
 */
export const MEMBERS = {
  attach: "inner",
  detach: "inner",
  resize: "inner",
  show: "inner",
  upload: "inner",
  free: "inner",
  advance: "inner",
  update: "inner",
  pose: "inner",
  behind: "inner",
  render: "inner",
  hasEvents: "inner",
  drainEvents: "inner",
  takeTravel: "inner",

  play: "command",
  pause: "command",
  stop: "command",
  setLooping: "command",
  setLayer: "command",
  removeLayer: "command",
  fadeLayer: "command",
  seekLayer: "command",
  stopLayer: "command",
  setController: "command",
  setParameter: "command",
  setNotes: "command",
  setNode: "command",
  releaseNode: "command",
  setVisible: "command",
  lookAt: "command",
  reach: "command",
  setMorph: "command",
  crowd: "command",
  playMember: "command",
  setMember: "command",
  setMaterial: "command",
  setPicture: "command",

  orbit: "move",
  pan: "move",
  zoom: "move",
  frame: "move",
  resetCamera: "move",
  setCamera: "move",
  setCameraLimits: "move",
  setInsets: "move",
  setHomeView: "move",

  state: "value",
  clip: "value",
  characterCount: "value",
  currentTime: "setting",
  playbackRate: "setting",
  clockStep: "setting",
  rootNode: "setting",
  spin: "setting",
  skeleton: "setting",
  ground: "setting",
  exposure: "setting",
  background: "setting",
  camera: "list",
  layerNames: "list",
  parameterNames: "list",
  morphNames: "list",
  hiddenNodes: "list",
  stats: "list",
  layer: "ofLayer",
  stateName: "ofLayer",
  parameter: "ofParameter",

  nodeMatrix: "asked",
  worldMatrices: "asked",
  skinMatrices: "asked",
  morphWeights: "asked",
  morph: "asked",
  markerNames: "asked",
  markerTimes: "asked",
  bounds: "asked",
  member: "asked",
  material: "asked",
  primitiveCounts: "asked",

  screenshot: "question",
  skinningError: "question",
} as const satisfies Record<keyof PlayerHandle, string>;

export type Kind = (typeof MEMBERS)[keyof PlayerHandle];

/** Settings that apply only to the model for which they were set. */
export const OF_THE_MODEL = ["currentTime", "rootNode"];

/** Returns the key of a member with its arguments. */
export function keyOf(member: string, ...args: unknown[]): string {
  return [member, ...args].join("\n");
}

/** One call of a batch. The calls of a batch run in order. */
export type Call =
  | {
      readonly do: "command";
      readonly member: string;
      readonly args: readonly unknown[];
      readonly run?: number | undefined;
    }
  | { readonly do: "move"; readonly member: string; readonly args: readonly unknown[] }
  | { readonly do: "set"; readonly member: string; readonly value: unknown }
  | { readonly do: "watch"; readonly member: string; readonly args: readonly unknown[] }
  | { readonly do: "stage"; readonly seen: Seen }
  | { readonly do: "autoUpdate"; readonly on: boolean }
  | { readonly do: "advance"; readonly secs: number }
  | { readonly do: "draw" };

/** Size and visibility of the canvas in the page. */
export interface Seen {
  readonly width: number;
  readonly height: number;
  readonly visible: boolean;
}

/** Number of the first question, which is answered when the player is open. */
export const OPENING = 0;

export type LoadWishes = Omit<LoadOptions, "signal" | "onProgress">;

/** A message from the page. */
export type Asked =
  | {
      readonly open: BackendChoice;
      readonly id: number;
      readonly canvas: OffscreenCanvas;
      readonly seen: Seen;
      readonly wasm: WasmUrls;
      readonly preload: string | undefined;
    }
  /** `model` is the number of models that the page has received so far. */
  | { readonly calls: readonly Call[]; readonly id: number; readonly batch: number; readonly model: number }
  | { readonly load: Source; readonly id: number; readonly question: number; readonly options: LoadWishes }
  | { readonly abort: number; readonly id: number }
  | { readonly question: number; readonly id: number; readonly member: string; readonly args: readonly unknown[] }
  | { readonly dispose: true; readonly id: number };

/** A message from the worker. One without an `id` concerns the worker itself. */
export type Answer =
  | { readonly ready: true }
  | { readonly id: number; readonly came: StartProgress }
  | { readonly id: number; readonly opened: Backend; readonly news: News }
  | { readonly id: number; readonly news: News }
  | { readonly id: number; readonly question: number; readonly value: unknown }
  | { readonly id: number; readonly question: number; readonly shown: ShownThere; readonly news: News }
  | { readonly id: number; readonly question: number; readonly failure: Failure }
  | { readonly id: number; readonly question: number; readonly progress: Progress }
  /** A call failed or, without a failure, was skipped because the model has changed. The run `run` doesn't begin. */
  | { readonly id: number; readonly refused: true; readonly run: number | undefined; readonly failure?: Failure }
  | { readonly id: number; readonly context: "lost" | "restored" }
  /** `claimed` is whether the canvas has become unusable for another backend. */
  | { readonly id: number; readonly failed: Failure; readonly claimed?: boolean };

export interface ShownThere {
  readonly name: string;
  readonly clips: readonly Clip[];
  readonly nodes: readonly ModelNode[];
  readonly skins: readonly Skin[];
  readonly materials: readonly Named[];
  readonly warnings: readonly Warning[];
}

/** A report of what has changed since the previous one. */
export interface News {
  /** Whether all values reported before are invalid. */
  readonly fresh: boolean;
  readonly changes: readonly (readonly [key: string, value: unknown])[];
  readonly happened: readonly Happened[];
  /** Number of the newest batch of calls that was carried out. */
  readonly batch: number;
  readonly timings: Timings;
  /** Present if a frame was drawn. `eventful` is whether events were recorded in it. */
  readonly drawn?: { readonly eventful: boolean };
}

/** Recorded events, with the names to which their numbers refer. */
export interface Happened {
  readonly numbers: Float64Array;
  readonly layers: string[];
  /** Layer names before a rearrangement, for the runs that it ended. */
  readonly endedIn: string[] | undefined;
  /** Names and times of markers, and names of states, by key. */
  readonly names: readonly (readonly [key: string, value: unknown])[];
}

/** An error in the form in which it is sent between the threads. */
export interface Failure {
  readonly name: string;
  readonly code: string | undefined;
  readonly place: string;
  readonly message: string;
}

/** Stands in for a value whose read threw an error. */
export interface Refusal {
  readonly refusal: Failure;
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refusal" in value;
}
