/** What is drawn on: of the page, or handed to a worker. */
export type Canvas = HTMLCanvasElement | OffscreenCanvas;

/** What every wasm file of this package exports, whatever it is for. */
export interface StartableModule {
  default(options: { module_or_path: WasmSource | Promise<WasmSource> }): Promise<unknown>;
  /** Throws the instance away and starts a fresh one of the same compiled module. */
  __wbg_reset_state?(): void;

  onPanic(listener: (report: string) => void): void;
  /** Makes what failing calls throw. */
  onError(make: (code: string, message: string, place: string) => Error): void;
}

/**
 * The wasm module as this package sees it: what `src/web` exports, by hand, since generated types are never committed.
 *
 * Calls are flat and cheap: numbers, strings and copied-out typed arrays; motions and controllers are JSON.
 */
export interface WasmModule extends StartableModule {
  /** WebGL2 needs the canvas to find a device; WebGPU must not touch it yet. */
  requestGpu(canvas: Canvas | undefined): Promise<GpuHandle>;
  /** The pieces `importModel` will ask for, as the file writes them. */
  externalBuffers(bytes: Uint8Array): string[];
  /** `chord`: rotations go along the chord from key to key, not along the arc. */
  importModel(bytes: Uint8Array, uris: string[], pieces: Uint8Array[], chord: boolean): ModelHandle;
  PlayerHandle: new () => PlayerHandle;
}

export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

export interface Handle {
  free(): void;
}

export interface GpuHandle extends Handle {
  readonly lost: boolean;
  /** Resolves when it is; on WebGL2, events of the context come first. */
  whenLost(): Promise<void>;
  readonly maxTextureSize: number;
  /** Whether some player draws this model with the device, so that it takes no pictures to show it once more. */
  holds(model: ModelHandle): boolean;
}

/** One imported file. */
export interface ModelHandle extends Handle {
  /** Code, place, message and count of each warning, one after another. */
  warnings(): string[];
  clipNames(): string[];
  clipDurations(): Float32Array;
  clipBytes(): Uint32Array;
  /** In the file's order, as all of nodes are. */
  nodeNames(): string[];
  /** −1 for a root. */
  nodeParents(): Int32Array;
  /** 1 where the node has one. */
  nodeMeshes(): Uint8Array;
  /** 16 a node. */
  restMatrices(): Float32Array;
  skinNames(): string[];
  /** Numbers of nodes. */
  skinJoints(skin: number): Uint32Array;
  materialNames(): string[];
  readonly imageCount: number;
  /** Empty where the image lies in the file. */
  imageUri(image: number): string;
  /** Empty where the image lies beside the file. */
  imageBytes(image: number): Uint8Array<ArrayBuffer>;
  /** Empty where neither the file nor its bytes tell. */
  imageMimeType(image: number): string;
}

export interface PlayerHandle extends Handle {
  /** Draws into the canvas from now on. A model that is shown must be uploaded again. */
  attach(gpu: GpuHandle, canvas: Canvas, width: number, height: number): void;
  /** Gives everything on the GPU back; all else goes on. */
  detach(): void;
  resize(width: number, height: number): void;
  /** All or nothing: when it throws, the model shown before is still shown. */
  show(model: ModelHandle, images: Images): void;
  /** Gives the model that is shown to a device that was attached after it. */
  upload(images: Images): void;

  /**
   * `numbers`: seconds of fade, easing, crossing, passes (0 is for ever), whether every other one runs back, speed,
   * seconds to start at, and seconds of release (below 0 holds). Answers with the number of the run.
   */
  play(layer: string, motion: string, numbers: Float64Array, sync: string | undefined): number;
  resume(): void;
  pause(): void;
  stop(): void;
  /** An index into `STATES`. */
  readonly state: number;
  /** −1 when stopped. */
  readonly clip: number;
  /** −1 when stopped. */
  readonly run: number;
  readonly duration: number;
  currentTime: number;
  playbackRate: number;
  /** For the clip that plays. */
  setLooping(passes: number, bounce: boolean): void;

  /** Makes a layer, or changes one. */
  setLayer(layer: string, options: string): void;
  removeLayer(layer: string): void;
  /** The base first. */
  layerNames(): string[];
  /** In the order of `LAYER`. */
  layer(layer: string): Float64Array;
  fadeLayer(layer: string, weight: number, secs: number, easing: number): void;
  seekLayer(layer: string, timeSecs: number): void;
  /** Back to what lies below. */
  stopLayer(layer: string, fadeSecs: number): void;
  /** Of the layer's machine: the state of that number, or the one it is in. */
  stateName(layer: string, state?: number): string | undefined;

  /** All or nothing. */
  setController(controller: string | undefined): void;
  parameterNames(): string[];
  /** An index into `PARAMETER_KINDS`, and what it is now. */
  parameter(parameter: string): Float32Array;
  setParameter(parameter: string, value: number): void;

  /** What the JSON doesn't name stays. */
  setNotes(clip: number, notes: string): void;
  markerNames(clip: number): string[];
  markerTimes(clip: number): Float64Array;
  /** −1 where there is none; setting it finds one. */
  rootNode: number;
  /** Since it was last taken: x, y, z, and radians round y. */
  takeTravel(character: number): Float32Array;

  nodeMatrix(node: number): Float32Array;
  /** `part` is an index into `PARTS`, `relation` into `RELATIONS`. */
  setNode(node: number, part: number, value: Float32Array, relation: number, weight: number): void;
  releaseNode(node: number): void;
  /** With all below it. */
  setVisible(node: number, visible: boolean): void;
  /** Not those below them. */
  hiddenNodes(): Uint32Array;
  /** Vectors are empty for none: without a target the node plays again. */
  lookAt(
    node: number,
    target: Float32Array,
    forward: Float32Array,
    limit: number | undefined,
    weight: number,
    smoothing: number | undefined,
  ): void;
  reach(node: number, target: Float32Array, pole: Float32Array, weight: number): void;
  morphNames(): string[];
  morph(morph: string): number;
  /** Without a weight, gives it back. */
  setMorph(morph: string, weight: number | undefined): void;

  /** `part` is an index into `MATERIAL`; nothing gives the file's back. */
  setMaterial(material: number, part: number, value: Float32Array): void;
  /** In the order of `MATERIAL`: 4 numbers and 3 of linear colours, and one each. */
  material(material: number): Float32Array;
  /** In the place of the texture of the base colour; without one, the file's. */
  setPicture(material: number, picture: ImageBitmap | undefined): void;

  /** Seconds of a step of the clock; 0 takes time as it comes. */
  clockStep: number;
  /** Passes time; whether another frame would look different. */
  advance(dtSecs: number): boolean;
  /** The same with the poses, which drawing would else do. 1 as above, and 2 more where something happened. */
  update(dtSecs: number): number;
  /** Asking is twenty times cheaper than draining nothing: that makes an array each time. */
  readonly hasEvents: boolean;
  /** Five numbers an event: an index into `EVENTS`, the layer, the run, the clip, and an extra. */
  drainEvents(): Float64Array;
  /** Whether another picture would only wait for the GPU. Always false with WebGL2, whose calls wait themselves. */
  readonly behind: boolean;
  /** Draws now, in this very task; what has moved and isn't posed yet is posed first. */
  render(): void;
  /** RGBA, 8 bits each, top row first. */
  screenshot(width: number, height: number, transparent: boolean): Promise<Uint8Array<ArrayBuffer>>;

  worldMatrices(character: number): Float32Array;
  skinMatrices(skin: number, character: number): Float32Array;
  morphWeights(node: number, character: number): Float32Array;

  /** `places` holds a column-major 4×4 matrix a character, `phases` fractions of the clip; either may be empty. */
  crowd(count: number, clip: number, phases: Float32Array, places: Float32Array): void;
  readonly characterCount: number;
  /** As `play`, in the base layer of one character. */
  playMember(character: number, motion: string, numbers: Float64Array, sync: string | undefined): void;
  /** `part` is an index into `MEMBER`. The state is set to 1 to go on, to 0 to pause, and to nothing to stop. */
  setMember(character: number, part: number, value: Float64Array): void;
  /** In the order of `MEMBER`: 16 numbers of a matrix, 4 of a linear colour, and one each. */
  member(character: number): Float64Array;
  /** Least x, y, z and greatest x, y, z of the model over the whole clip; empty without anything to see. */
  bounds(): Float32Array;

  orbit(yaw: number, pitch: number): void;
  /** In fractions of the canvas's height. */
  pan(x: number, y: number): void;
  zoom(factor: number): void;
  frame(): void;
  resetCamera(): void;
  /**
   * Target x, y, z, yaw, pitch, distance, vertical field of view, roll, 1 if orthographic, and where across the canvas the
   * target is seen: x and y from −1 to 1.
   */
  camera(): Float32Array;
  /** But for the last two. */
  setCamera(state: Float32Array): void;
  /** Least and greatest yaw, pitch and distance; what isn't a number limits as if nothing was said. */
  setCameraLimits(limits: Float32Array): void;
  /** Room to keep free, as shares of the canvas's height and width. */
  setInsets(top: number, right: number, bottom: number, left: number): void;
  /**
   * Where framing puts it from now on: target x, y, z, yaw, pitch, distance, and the share of the distance that framing
   * finds. What isn't a number is found.
   */
  wishCamera(wish: Float32Array): void;
  /** Radians a second that the camera goes round by itself. */
  spin: number;

  skeleton: boolean;
  ground: boolean;
  exposure: number;
  /** As CSS writes colours, up to 1; empty shows the page behind. */
  background: Float32Array;

  /** How many primitives each drawn node has. */
  primitiveCounts(): Uint32Array;
  /** The farthest that the GPU puts a vertex of a primitive from where the CPU does. */
  skinningError(drawable: number, primitive: number): Promise<number>;

  /** In the order of `STATS`. */
  stats(): Float64Array;
}

export type Images = (ImageBitmap | undefined)[];

/** What a layer does. `"finished"` holds the last pose; `"stopped"` plays nothing. */
export type PlayState = (typeof STATES)[number];

// The browser scenarios `play` and `motion_docs` fail when these drift from `src/web`.
export const STATES = ["stopped", "playing", "paused", "finished"] as const;
/** Their extras: none, none, passes, an index into `FINISHES`, a number of a marker, a number of a state. */
export const EVENTS = ["play", "pause", "loop", "finished", "marker", "statechange"] as const;
export const FINISHES = ["ended", "replaced", "stopped"] as const;
export const EASINGS = ["linear", "smooth", "in", "out"] as const;
export const CROSSINGS = ["fade", "inertia"] as const;
export const LAYER = ["state", "clip", "run", "currentTime", "weight"] as const;
export const PARAMETER_KINDS = ["number", "boolean", "trigger"] as const;
export const PARTS = ["translation", "rotation", "scale"] as const;
export const RELATIONS = ["rest", "pose", "parent"] as const;
export const MATERIAL = ["color", "emissive", "metallic", "roughness", "visible"] as const;
export const MEMBER = ["place", "tint", "visible", "playbackRate", "currentTime", "state"] as const;
export const STATS = ["draws", "triangles", "joints", "characters", "gpuBytes"] as const;
