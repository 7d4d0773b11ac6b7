/** What the page and its worker say to each other about a player. */
import type { Backend, BackendChoice, WasmUrls } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { StartProgress } from "../files/ahead.js";
import type { Clip, ModelNode, Named, Skin } from "../files/contents.js";
import type { LoadOptions, Progress, Source } from "../files/source.js";
import type { Timings } from "../host/stats.js";
import type { Warning } from "../errors.js";

/**
 * How the page's side of a player in a worker does what the wasm side does:
 *
 * - `inner`: it doesn't; the worker's host sees to it.
 * - `command`: it is sent on, and left out when it meets another model than the one it was meant for.
 * - `move`: it is sent on, whatever the model.
 * - `value`, `setting`, `list`: what the worker told last; it tells after every change. Settings are sent on as well.
 * - `ofLayer`, `ofParameter`: the same for each of them.
 * - `asked`: told with a new model, and from the first time that the page asks for it after every change.
 * - `question`: the answer is a promise anyway.
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
  wishCamera: "move",

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

/** Settings that mean nothing to another model. */
export const OF_THE_MODEL = ["currentTime", "rootNode"];

/** A member and what it was asked with. */
export function keyOf(member: string, ...args: unknown[]): string {
  return [member, ...args].join("\n");
}

/** One thing to do, in the order asked. */
export type Call =
  | { readonly do: "command"; readonly member: string; readonly args: readonly unknown[]; readonly run?: number | undefined }
  | { readonly do: "move"; readonly member: string; readonly args: readonly unknown[] }
  | { readonly do: "set"; readonly member: string; readonly value: unknown }
  | { readonly do: "watch"; readonly member: string; readonly args: readonly unknown[] }
  | { readonly do: "stage"; readonly seen: Seen }
  | { readonly do: "autoUpdate"; readonly on: boolean }
  | { readonly do: "advance"; readonly secs: number }
  | { readonly do: "draw" };

/** How the canvas lies in the page. */
export interface Seen {
  readonly width: number;
  readonly height: number;
  readonly visible: boolean;
}

/** The number of the first question: whether the player can be opened. */
export const OPENING = 0;

export type LoadWishes = Omit<LoadOptions, "signal" | "onProgress">;

/** From the page. */
export type Asked =
  | { readonly open: BackendChoice; readonly id: number; readonly canvas: OffscreenCanvas; readonly seen: Seen; readonly wasm: WasmUrls; readonly preload: string | undefined }
  /** `model` counts the models that the page has seen. */
  | { readonly calls: readonly Call[]; readonly id: number; readonly batch: number; readonly model: number }
  | { readonly load: Source; readonly id: number; readonly question: number; readonly options: LoadWishes }
  | { readonly abort: number; readonly id: number }
  | { readonly question: number; readonly id: number; readonly member: string; readonly args: readonly unknown[] }
  | { readonly dispose: true; readonly id: number };

/** From the worker; what has no `id` is about the worker itself. */
export type Answer =
  | { readonly ready: true }
  | { readonly id: number; readonly came: StartProgress }
  | { readonly id: number; readonly opened: Backend; readonly news: News }
  | { readonly id: number; readonly news: News }
  | { readonly id: number; readonly question: number; readonly value: unknown }
  | { readonly id: number; readonly question: number; readonly shown: ShownThere; readonly news: News }
  | { readonly id: number; readonly question: number; readonly failure: Failure }
  | { readonly id: number; readonly question: number; readonly progress: Progress }
  /** A command failed, or, without a failure, was left out; `run` doesn't begin. */
  | { readonly id: number; readonly refused: true; readonly run: number | undefined; readonly failure?: Failure }
  | { readonly id: number; readonly context: "lost" | "restored" }
  /** `claimed`: the canvas is of no use to another backend. */
  | { readonly id: number; readonly failed: Failure; readonly claimed?: boolean };

export interface ShownThere {
  readonly name: string;
  readonly clips: readonly Clip[];
  readonly nodes: readonly ModelNode[];
  readonly skins: readonly Skin[];
  readonly materials: readonly Named[];
  readonly warnings: readonly Warning[];
}

/** What is other than it was told. */
export interface News {
  /** What was told before is void. */
  readonly fresh: boolean;
  readonly changes: readonly (readonly [key: string, value: unknown])[];
  readonly happened: readonly Happened[];
  /** The newest calls that had been followed. */
  readonly batch: number;
  readonly timings: Timings;
  /** A frame was drawn; whether something happened in it. */
  readonly drawn?: { readonly eventful: boolean };
}

/** Events, and what their numbers stood for. */
export interface Happened {
  readonly numbers: Float64Array;
  readonly layers: string[];
  /** What layers there were for those that ended. */
  readonly endedIn: string[] | undefined;
  /** Markers and states. */
  readonly names: readonly (readonly [key: string, value: unknown])[];
}

/** An error, on its way from one side to the other. */
export interface Failure {
  readonly name: string;
  readonly code: string | undefined;
  readonly place: string;
  readonly message: string;
}

/** What stands for a value that can't be had. */
export interface Refusal {
  readonly refusal: Failure;
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refusal" in value;
}
