/** Messages between the page and its worker. */
import type { Backend, BackendChoice, WasmUrls } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { StartProgress } from "../files/prefetch.js";
import type { Clip, FileCamera, ModelNode, Named, Skin } from "../files/contents.js";
import type { AddClipsOptions, LoadOptions, Progress, RolePair, Source } from "../files/source.js";
import type { Timings } from "../host/stats.js";
import type { Warning } from "../errors.js";

/**
 * Members of `PlayerHandle`, each with the way in which the page implements it for a player in a worker:
 *
 * - `host`: not forwarded; the worker's host calls it.
 * - `command`: forwarded, and skipped if the worker shows another model than the page did at the call.
 * - `move`: forwarded for any model.
 * - `value`, `setting`, `list`: returns the value that the worker reported last. The worker reports every change.
 *   Assigning to a `setting` is forwarded.
 * - `ofLayer`, `ofParameter`: a reported value for each layer or parameter.
 * - `watched`: returns the value reported last. Most values are reported with a new model. After the first read, every
 *   change is reported.
 * - `async`: asynchronous in any case, so each call is forwarded and answered. It fails if the worker shows another
 *   model than the page did at the call.
 */
export const MEMBERS = {
  attach: "host",
  detach: "host",
  resize: "host",
  prepare: "host",
  show: "host",
  addClips: "host",
  borrowClips: "host",
  upload: "host",
  setImage: "host",
  free: "host",
  address: "host",
  addActor: "host",
  removeActor: "host",
  advance: "host",
  update: "host",
  behind: "host",
  probe: "host",
  render: "host",
  refine: "host",
  hasEvents: "host",
  drainEvents: "host",
  takeTravel: "host",

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
  setGoal: "command",
  turnTip: "command",
  setGazeTarget: "command",
  setGroundBelow: "command",
  fadeConstraint: "command",
  removeConstraint: "command",
  fadeSprings: "command",
  pushRagdoll: "command",
  fadeRagdoll: "command",
  resetSprings: "command",
  setMorph: "command",
  crowd: "command",
  coarsen: "command",
  setMembers: "command",
  setThrongRate: "command",
  playMember: "command",
  setMember: "command",
  setMaterial: "command",
  setPicture: "command",
  setSkinning: "command",
  setRoom: "command",
  showEnvironment: "command",
  setOcclusion: "command",
  setHighRange: "command",
  setPanorama: "command",

  orbit: "move",
  pan: "move",
  zoom: "move",
  frame: "move",
  resetCamera: "move",
  setCamera: "move",
  setCameraLimits: "move",
  setInsets: "move",
  setHomeView: "move",
  setView: "move",
  setGuides: "move",
  placeActor: "move",
  showActor: "move",
  attachActor: "move",
  wearActor: "move",
  pose: "move",

  state: "value",
  clip: "value",
  characterCount: "value",
  springWeight: "value",
  ragdollMotion: "value",
  currentTime: "setting",
  playbackRate: "setting",
  clockStep: "setting",
  rootNode: "setting",
  spin: "setting",
  look: "setting",
  variant: "setting",
  wind: "setting",
  skinning: "setting",
  background: "setting",
  camera: "list",
  layerNames: "list",
  parameterNames: "list",
  morphNames: "list",
  constraintNames: "list",
  hiddenNodes: "list",
  stats: "list",
  layer: "ofLayer",
  stateName: "ofLayer",
  parameter: "ofParameter",

  nodeMatrix: "watched",
  worldMatrices: "watched",
  skinMatrices: "watched",
  morphWeights: "watched",
  morph: "watched",
  markerNames: "watched",
  markerTimes: "watched",
  bounds: "watched",
  member: "watched",
  material: "watched",

  setChain: "async",
  setGaze: "async",
  setFeet: "async",
  setFileCamera: "async",
  setSprings: "async",
  startRagdoll: "async",
  pick: "async",
  placePins: "async",
  primitiveCounts: "async",
  screenshot: "async",
  skinningError: "async",
  setThrong: "async",
  throngTime: "async",
  throngMarkers: "async",
  throngMatrices: "async",
  throngError: "async",
} as const satisfies Record<keyof PlayerHandle, string>;

export type Kind = (typeof MEMBERS)[keyof PlayerHandle];

/** Settings that apply only to the model for which they were set. */
export const OF_THE_MODEL = ["currentTime", "rootNode", "variant", "wind"];

/** Members that don't concern one model, whatever actor a handle is addressed to. */
export const OF_THE_PLAYER = [
  "background",
  "bounds",
  "camera",
  "clockStep",
  "look",
  "setGuides",
  "setHighRange",
  "setOcclusion",
  "setPanorama",
  "setRoom",
  "setView",
  "showEnvironment",
  "spin",
];

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
  | { readonly do: "stage"; readonly stage: StageState }
  | { readonly do: "autoUpdate"; readonly on: boolean }
  | { readonly do: "advance"; readonly secs: number }
  | { readonly do: "draw"; readonly mayDefer: boolean }
  | { readonly do: "remove" };

/** A call of an actor, or of the player itself. */
export type ActorCall = Call & { readonly actor: number };

/** Size and visibility of the canvas in the page. */
export interface StageState {
  readonly width: number;
  readonly height: number;
  readonly slack: number;
  readonly refines: boolean;
  readonly visible: boolean;
}

/** Number of the first request, which is answered when the player is open. */
export const OPENING = 0;

type Cloneable<Options> = Omit<Options, "signal" | "onProgress">;

/** A message from the page. */
export type PageMessage =
  | {
      readonly open: BackendChoice;
      readonly id: number;
      readonly canvas: OffscreenCanvas;
      readonly stage: StageState;
      readonly wasm: WasmUrls;
      readonly preload: readonly string[];
    }
  /** `model` is the number of models that the page has received so far. */
  | { readonly calls: readonly ActorCall[]; readonly id: number; readonly batch: number; readonly model: number }
  | {
      readonly load: Source;
      /** Whether the model is that of a further actor. */
      readonly isAdded: boolean;
      readonly id: number;
      readonly request: number;
      readonly options: Cloneable<LoadOptions>;
    }
  | {
      readonly clipsOf: Source;
      readonly actor: number;
      readonly id: number;
      readonly request: number;
      readonly options: Cloneable<AddClipsOptions>;
    }
  | { readonly abort: number; readonly id: number }
  | { readonly spare: OffscreenCanvas; readonly id: number }
  | {
      readonly request: number;
      readonly id: number;
      readonly actor: number;
      readonly member: string;
      readonly args: readonly unknown[];
      readonly model: number;
    }
  | { readonly dispose: true; readonly id: number };

/** A message from the worker. One without an `id` concerns the worker itself. */
export type WorkerMessage =
  | { readonly ready: true }
  | { readonly id: number; readonly opening: StartProgress }
  | { readonly id: number; readonly opened: Backend; readonly update: StateUpdate }
  | { readonly id: number; readonly update: StateUpdate }
  | { readonly id: number; readonly request: number; readonly value: unknown; readonly update?: StateUpdate }
  | { readonly id: number; readonly request: number; readonly shown: ShownModelData; readonly update: StateUpdate }
  | { readonly id: number; readonly request: number; readonly added: AddedData; readonly update: StateUpdate }
  | { readonly id: number; readonly request: number; readonly error: SerializedError }
  | { readonly id: number; readonly request: number; readonly progress: Progress }
  /** A call failed or, without an error, was skipped because the model has changed. The run `run` doesn't begin. */
  | {
      readonly id: number;
      readonly rejected: true;
      readonly actor: number;
      readonly run: number | undefined;
      readonly error?: SerializedError;
    }
  | { readonly id: number; readonly context: "lost" | "restored" }
  /** WebGPU draws nothing, so another canvas is needed. */
  | { readonly id: number; readonly blank: true }
  /** That canvas is drawn on now, with this backend. */
  | { readonly id: number; readonly replaced: Backend }
  /** `claimed` is whether the canvas has become unusable for another backend. */
  | { readonly id: number; readonly failed: SerializedError; readonly claimed?: boolean };

export interface ShownModelData {
  /** Number of the actor that was added; 0 for the player itself. */
  readonly actor: number;
  readonly name: string;
  readonly clips: readonly Clip[];
  readonly nodes: readonly ModelNode[];
  readonly skins: readonly Skin[];
  readonly materials: readonly Named[];
  readonly variants: readonly Named[];
  readonly cameras: readonly FileCamera[];
  readonly warnings: readonly Warning[];
  /** Whether the request is answered once more: with all warnings, when the last texture is there. */
  readonly isLater: boolean;
}

export interface AddedData {
  readonly actor: number;
  readonly clips: readonly Clip[];
  readonly warnings: readonly Warning[];
  readonly map: readonly RolePair[] | undefined;
}

/** A report of what has changed of an actor, or of the player itself, since the previous one. */
export interface ActorUpdate {
  readonly actor: number;
  /** Whether all values reported before are invalid. */
  readonly fresh: boolean;
  readonly changes: readonly (readonly [key: string, value: unknown])[];
}

/** A report of what has changed since the previous one. */
export interface StateUpdate {
  readonly actors: readonly ActorUpdate[];
  readonly events: readonly EventBatch[];
  /** Number of the newest batch of calls that was carried out. */
  readonly batch: number;
  readonly timings: Timings;
  /** Present if a frame was drawn. `eventful` is whether events were recorded in it. */
  readonly drawn?: { readonly hasEvents: boolean };
}

/** Recorded events, with the names to which their numbers refer. */
export interface EventBatch {
  readonly actor: number;
  readonly numbers: Float64Array;
  readonly layers: string[];
  /** Layer names before a rearrangement, for the runs that it ended. */
  readonly endedIn: string[] | undefined;
  /** Names and times of markers, and names of states, by key. */
  readonly names: readonly (readonly [key: string, value: unknown])[];
}

/** An error in the form in which it is sent between the threads. */
export interface SerializedError {
  readonly name: string;
  readonly code: string | undefined;
  readonly place: string;
  readonly message: string;
}

/** Stands in for a value whose read threw an error. */
export interface ReadError {
  readonly thrown: SerializedError;
}

export function isReadError(value: unknown): value is ReadError {
  return typeof value === "object" && value !== null && "thrown" in value;
}
