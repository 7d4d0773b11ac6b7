/** A canvas of the page, or one transferred to a worker. */
export type Canvas = HTMLCanvasElement | OffscreenCanvas;

/** Exports that all wasm files of this package have. */
export interface StartableModule {
  /** Returns what an instance imports from the glue. */
  imports(): WebAssembly.Imports;
  /** Starts an instance, which all other exports then call. Does nothing if there is one. */
  start(instance: WebAssembly.Instance, module: WebAssembly.Module): void;
  /** Discards the instance and starts a fresh one of the same compiled module. */
  __wbg_reset_state(): void;

  onPanic(listener: (report: string) => void): void;
  /** Sets the function that creates the errors thrown by failing calls. */
  onError(make: (code: string, message: string, place: string) => Error): void;
}

/**
 * Types of the wasm module: the exports of `src/web`, written by hand because generated types are never committed.
 * The build compares them with the generated ones (`tests/wasm_exports/compare.ts`).
 *
 * Arguments and results are numbers, strings and copied typed arrays. `play` takes a record, of which Rust reads each
 * property. Motions and controllers are JSON: pages write them as plain data, they nest, and one reader in Rust reports
 * the place of each mistake.
 */
export interface WasmModule extends StartableModule {
  /** Returns what the wasm file of a part imports: the glue's functions, and the memory and functions of the core. */
  partImports(): WebAssembly.Imports;
  /** Makes the functions of a part available. Does nothing if they are. */
  join(part: string, instance: WebAssembly.Instance): void;
  /** Tells the importer that the functions of a part can be called: `import` (0) or `tangents` (1). */
  partJoined(part: number): void;
  /** Opens a GPU: that of a canvas for WebGL2, or a device for WebGPU. A text is the reason why there is no device. */
  requestGpu(of: Canvas | Device | string): GpuHandle | Promise<GpuHandle>;
  inspect: Inspect;
  /** Returns the MIME type of an image by its first 18 bytes and the type that its file declares; empty if unknown. */
  imageType(bytes: Uint8Array, declared: string): string;
  /**
   * Imports a model. `uris` and `pieces` are its external files, and decoded data under URIs such as
   * `#/bufferViews/3`. `decoders` are the extensions whose data is decoded. `chord`: whether rotations are
   * interpolated along the chord instead of the arc. Until the part `import` has joined, a file that needs it is
   * refused with the code `PART_MISSING`.
   */
  importModel(bytes: Uint8Array, uris: string[], pieces: Uint8Array[], decoders: string[], chord: boolean): ModelHandle;
  PlayerHandle: new () => PlayerHandle;
}

/**
 * Returns what a file needs before it can be imported, as a flat list of pairs: `"file"` and the URI of an external
 * buffer, `"image"` and the URI of an external image, `"decoder"` and a name: a required extension that the importer
 * doesn't support, or `"formats"` alone. `"late"`, `"import"` and `"tangents"` are parts of the engine.
 */
export type Inspect = (bytes: Uint8Array) => string[];

export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** A `GPUDevice`. */
export type Device = object;

export interface Handle {
  free(): void;
}

/** What a call returns that a worker answers later. */
type Answer = void | Promise<void>;

export interface GpuHandle extends Handle {
  readonly lost: boolean;
  /** Resolves when the GPU is lost. Undefined with WebGL2, whose canvases have events. */
  whenLost(): Promise<unknown> | undefined;
  readonly maxTextureSize: number;
  /** Which compressed formats the device can read: bit 0 for BC, bit 1 for ETC2, bit 2 for ASTC. */
  readonly blockFeatures: number;
  /** Tells that the CPU does the work of the GPU, so that pictures take less of it. */
  drawInSoftware(): void;
  /** Whether some player draws this model with the device, so that it can be shown again without its pictures. */
  holds(model: ModelHandle): boolean;
}

/** An imported model. */
export interface ModelHandle extends Handle {
  /** Returns code, place, message and count of each warning, as a flat list. */
  warnings(): string[];
  /**
   * Returns role, two indices of nodes or empty texts, confidence in thousandths and reason of each pair, as a flat
   * list.
   */
  rolePairs(): string[];
  /**
   * Returns the names of a list: of clips (0), nodes (1), skins (2), materials (3), variants (4), or of the cameras on
   * nodes (5). All lists of nodes are in the file's order.
   */
  names(list: number): string[];
  clipDurations(): Float32Array;
  clipBytes(): Uint32Array;
  /** Computes the bounds over a clip, which framing then needn't do. Does nothing without such a clip. */
  measure(clip: number): void;
  /** Returns the index of each node's parent; −1 for a root. */
  nodeParents(): Int32Array;
  /** Returns flags for each node: 1 if it has a mesh, and 2 if it has a camera. */
  nodeFlags(): Uint8Array<ArrayBuffer>;
  /** Returns 16 numbers per node, column-major. */
  restMatrices(): Float32Array;
  /** Returns the node index of each joint. */
  skinJoints(skin: number): Uint32Array;
  readonly imageCount: number;
  /** Returns the URI of an external image; empty for an embedded one. */
  imageUri(image: number): string;
  /** Returns the bytes of an embedded image; empty for an external one. */
  imageBytes(image: number): Uint8Array<ArrayBuffer>;
  /** Returns the MIME type of an image; empty if neither the file nor its bytes specify it. */
  imageMimeType(image: number): string;
}

export interface PlayerHandle extends Handle {
  /** Attaches a canvas to draw on. The current model must be uploaded again. */
  attach(gpu: GpuHandle, canvas: Canvas, width: number, height: number): void;
  /** Frees everything on the GPU. All other state is kept. */
  detach(): void;
  resize(width: number, height: number): void;
  /**
   * Copies a model to the GPU, which compiles its shaders while the pictures for `show` are decoded. Does nothing
   * without a canvas.
   */
  prepare(model: ModelHandle): void;
  /** Shows a model. If it throws, the model shown before is still shown. */
  show(model: ModelHandle, images: Images): void;
  /**
   * Adds the clips of another model to the current one, with these names. Returns the current model with all clips,
   * and with warnings about what did not match.
   */
  addClips(clips: ModelHandle, names: string[]): ModelHandle;
  /**
   * Adds the clips of another humanoid, converted to the current model's skeleton. `roles` are those of the nodes
   * `from` of the other model, then those of the nodes `to`. The nodes at the same places of `pairFrom` and `pairTo`
   * belong together. `only`: whether no others are looked for.
   */
  borrowClips(
    clips: ModelHandle,
    names: string[],
    roles: string[],
    from: Uint32Array,
    to: Uint32Array,
    pairFrom: Uint32Array,
    pairTo: Uint32Array,
    only: boolean,
  ): ModelHandle;
  /** Uploads the current model to a device that was attached after it. */
  upload(images: Images): void;
  /** Sets an image of the current model that `show` was called without. Does nothing without a canvas. */
  setImage(image: number, picture: Picture): void;

  /**
   * Lets calls that concern one model apply to an actor: `upload`, `setImage`, `addClips`, `borrowClips` and those
   * below, up to `morphWeights`, except the clock's. 0 is the player itself.
   */
  address(actor: number): void;
  /** Adds an actor that shows a model, and returns its number, from 1 on. If it throws, none was added. */
  addActor(model: ModelHandle, images: Images): number;
  removeActor(actor: number): void;
  /** Places an actor by a column-major 4×4 matrix. */
  placeActor(actor: number, worldFromActor: Float32Array): void;
  showActor(actor: number, visible: boolean): void;
  /** Attaches an actor to a node of another. Without a leader, it stands at its own place again. */
  attachActor(actor: number, leader: number | undefined, node: number, nodeFromActor: Float32Array): void;
  /** Lets an actor wear the skeleton of another. Without a wearer, it stands at its own place again. */
  wearActor(actor: number, wearer: number | undefined): void;

  /** Starts a motion, which is JSON in the form of a controller's motions. */
  play(layer: string, motion: string, record: PlayRecord): void;
  pause(): void;
  stop(): void;
  /** Index into `STATES`. */
  readonly state: number;
  /** Index of the clip; −1 when stopped. */
  readonly clip: number;
  currentTime: number;
  playbackRate: number;
  /** Sets how often the current clip plays. */
  setLooping(passes: number, bounce: boolean): void;

  /** Creates or changes a layer. */
  setLayer(layer: string, options: string): void;
  removeLayer(layer: string): void;
  /** Returns the layer names, lowest first. */
  layerNames(): string[];
  /** Returns the numbers of a layer, in the order of `LAYER`. */
  layer(layer: string): Float64Array;
  fadeLayer(layer: string, weight: number, secs: number, easing: number): void;
  seekLayer(layer: string, timeSecs: number): void;
  /** Fades a layer out to those below. */
  stopLayer(layer: string, fadeSecs: number): void;
  /** Returns the name of a state of the layer's state machine: the one of that index, or the current one. */
  stateName(layer: string, state?: number): string | undefined;

  /** Sets or removes the controller. If it throws, nothing has changed. */
  setController(controller: string | undefined): void;
  parameterNames(): string[];
  /** Returns an index into `PARAMETER_KINDS`, and the current value. */
  parameter(parameter: string): Float32Array;
  setParameter(parameter: string, value: number): void;

  /** Sets markers, beats and root motion of a clip. Those not in the JSON are kept. */
  setNotes(clip: number, notes: string): void;
  markerNames(clip: number): string[];
  markerTimes(clip: number): Float64Array;
  /** Index of the root motion's node; −1 if there is none. Setting −1 finds one. */
  rootNode: number;
  /** Returns the root motion since the last call: x, y, z, and radians about y. */
  takeTravel(character: number): Float32Array;

  nodeMatrix(node: number): Float32Array;
  /** Sets a part of a node's transform. `part` is an index into `PARTS`, `relation` into `RELATIONS`. */
  setNode(node: number, part: number, value: Float32Array, relation: number, weight: number): void;
  releaseNode(node: number): void;
  /** Shows or hides a node and its descendants. */
  setVisible(node: number, visible: boolean): void;
  /** Returns the nodes hidden by the file or by `setVisible`, without their descendants. */
  hiddenNodes(): Uint32Array;
  /** Turns a node towards a target. Empty vectors count as missing; without a target the node plays again. */
  lookAt(
    node: number,
    target: Float32Array,
    forward: Float32Array,
    limit: number | undefined,
    weight: number,
    smoothing: number | undefined,
  ): void;
  reach(node: number, target: Float32Array, pole: Float32Array, weight: number): void;

  /**
   * Sets a chain: root, tip, an index into the list of solvers, and the number of iterations. `limits` has seven
   * numbers for each limited joint: node, axis (3), swing, and least and greatest twist. `options` has weight, fade and
   * smoothing, as for every constraint.
   */
  setChain(name: string, chain: Uint32Array, speed: number, limits: Float32Array, options: Float32Array): Answer;
  /** Sets the goal of a node of a chain. An empty target removes it. */
  setGoal(name: string, node: number, target: Float32Array, weight: number): void;
  /** Sets the rotation of a chain's tip in the world. An empty rotation ends it. */
  turnTip(name: string, rotation: Float32Array): void;
  /** Sets a gaze: seven numbers for each joint: node, share, limit, speed and forward (3). NaN stands for a default. */
  setGaze(name: string, joints: Float32Array, options: Float32Array): Answer;
  setGazeTarget(name: string, target: Float32Array): void;
  setFeet(name: string, hips: number, feet: Uint32Array, options: Float32Array): Answer;
  /** Sets the ground below a foot, on one character or on all. */
  setGroundBelow(name: string, foot: number, height: number, normal: Float32Array, character?: number): void;
  fadeConstraint(name: string, weight: number, fadeSecs: number, easing: number): void;
  removeConstraint(name: string, fadeSecs: number): void;
  constraintNames(): string[];

  /** Replaces the springs by those of a JSON text. Without one, sets those of the file. */
  setSprings(springs: string | undefined): Answer;
  fadeSprings(weight: number, fadeSecs: number): void;
  readonly springWeight: number;
  /** Wind in world space: three numbers. */
  wind: Float32Array;
  /** Places the springs where they hang still. */
  resetSprings(): void;

  /**
   * Lets all characters fall, or one. `joints` fall with all below them; without any, everything does. `numbers`:
   * gravity (3), height and normal of the ground (4), friction and damping. NaN stands for a default, and an infinite
   * height for no ground.
   */
  startRagdoll(joints: Uint32Array, numbers: Float32Array, character: number | undefined): Answer;
  pushRagdoll(node: number, impulse: Float32Array, character: number | undefined): void;
  /** Fades the ragdolls. At a weight of 0 they end. */
  fadeRagdoll(weight: number, fadeSecs: number, character: number | undefined): void;
  /**
   * Returns what is picked at a place, in fractions of the canvas's width and height from its left and top: actor,
   * character, node, primitive, triangle, the weights of the triangle's second and third corner, joint, material, point
   * (3), normal (3) and distance. −1 stands for no joint and for the default material. Empty if nothing is there.
   */
  pick(x: number, y: number): Float64Array | Promise<Float64Array>;
  /**
   * Returns where pins are. Each is 7 numbers: actor, character, node, and either −1 and an offset in the space of the
   * node, or primitive, triangle and the weights of its second and third corner. `count` from `first` on are tested for
   * what covers them. For each, returns the fractions of the canvas's width and height, and an index into
   * `PIN_STATES`.
   */
  placePins(pins: Float64Array, first: number, count: number): Float64Array | Promise<Float64Array>;
  /** What the ragdoll of the first character does: an index into `RAGDOLLS`. */
  readonly ragdollMotion: number;

  morphNames(): string[];
  morph(morph: string): number;
  /** Sets the weight of morph targets. Without a weight, they play again. */
  setMorph(morph: string, weight: number | undefined): void;

  /** Sets a value of a material. `part` is an index into `MATERIAL`; an empty value restores the file's. */
  setMaterial(material: number, part: number, value: Float32Array): void;
  /**
   * Returns the values of a material in the order of `MATERIAL`: linear base colour (4 numbers), linear emissive
   * colour (3), and one number each for the others.
   */
  material(material: number): Float32Array;
  /** Index of the variant of the materials; −1 for none. */
  variant: number;
  /** Index into `SKINNINGS`: how skins without a setting of their own are blended. Setting it sets all skins. */
  skinning: number;
  /** Sets how one skin is blended. */
  setSkinning(skin: number, skinning: number): void;
  /** Replaces the base colour texture. Without a picture, restores the file's. */
  setPicture(material: number, picture: ImageBitmap | undefined): void;

  /** Step of the clock, in seconds; 0 applies each time step whole. */
  clockStep: number;
  /** Advances time. Returns whether another frame would look different. */
  advance(dtSecs: number): boolean;
  /**
   * Advances time and computes the poses. Returns bit flags: 1 if another frame would look different, 2 if there are
   * events.
   */
  update(dtSecs: number): number;
  /** Whether there are events. Twenty times cheaper than `drainEvents`, which creates an array each time. */
  readonly hasEvents: boolean;
  /** Returns and clears the events, five numbers each: an index into `EVENTS`, layer, run, clip, and an extra. */
  drainEvents(): Float64Array;
  /** Computes poses that are out of date, as drawing does. */
  pose(): void;
  /** Whether another frame would only wait for the GPU. Always false with WebGL2, whose calls wait by themselves. */
  readonly behind: boolean;
  /**
   * Resolves to whether the picture that was drawn in this task is blank: whether all of its pixels are equal.
   * Undefined if nothing was drawn in it, and with WebGL2.
   */
  probe(): Promise<boolean> | undefined;
  /**
   * Draws synchronously. Computes poses that are out of date first. With `mayDefer`, the GPU's first pictures lack
   * antialiasing, mip levels, the shadow or the ground. Returns whether this one does: another one is needed then.
   */
  render(mayDefer: boolean): boolean;
  /**
   * Refines the picture that `render` has drawn, if nothing has changed since. Returns whether another call refines it
   * further.
   */
  refine(): boolean;
  /** Resolves to the pixels of a screenshot: RGBA, 8 bits each, top row first. */
  screenshot(width: number, height: number, transparent: boolean): Promise<Uint8Array<ArrayBuffer>>;

  worldMatrices(character: number): Float32Array;
  skinMatrices(skin: number, character: number): Float32Array;
  morphWeights(node: number, character: number): Float32Array;

  /**
   * Shows a crowd. `places` contains a column-major 4×4 matrix per character, `phases` fractions of the clip; either
   * may be empty.
   */
  crowd(count: number, clip: number, phases: Float32Array, places: Float32Array): void;
  /** Lets characters that are small in the picture have fewer triangles. In the part `late`. */
  coarsen(): void;
  readonly characterCount: number;
  /** Starts a motion, like `play`, in the base layer of one character. Ignores `run` and `resumes`. */
  playMember(character: number, motion: string, record: PlayRecord): void;
  /**
   * Sets a value of a character. `part` is an index into `MEMBER`. A state of 1 resumes, 0 pauses, and an empty value
   * stops.
   */
  setMember(character: number, part: number, value: Float64Array): void;
  /**
   * Returns the values of a character in the order of `MEMBER`: matrix (16 numbers), linear tint (4), and one number
   * each for the others.
   */
  member(character: number): Float64Array;
  /**
   * Returns the bounds in model space, over the whole of the clips that play or may play: least x, y, z and greatest
   * x, y, z. Empty if there is nothing to see.
   */
  bounds(): Float32Array;

  orbit(yaw: number, pitch: number): void;
  /** Pans by fractions of the canvas's height. */
  pan(x: number, y: number): void;
  zoom(factor: number): void;
  frame(): void;
  resetCamera(): void;
  /**
   * Returns target x, y, z, yaw, pitch, distance, vertical field of view, roll, 1 if orthographic, the target's
   * position on the canvas, x and y from −1 to 1, and the node whose camera is used, or −1.
   */
  camera(): Float32Array;
  /** Sets the values of `camera()`, except the last three. */
  setCamera(state: Float32Array): void;
  /** Shows the picture from a node's camera; −1 returns to the orbit. */
  setFileCamera(node: number): Answer;
  /** Sets least and greatest yaw, pitch and distance. NaN keeps the default limit. */
  setCameraLimits(limits: Float32Array): void;
  /** Sets the insets, as fractions of the canvas's height (top, bottom) and width (right, left). */
  setInsets(top: number, right: number, bottom: number, left: number): void;
  /**
   * Sets the overrides for framing: target x, y, z, yaw, pitch, distance, and a factor on the distance that framing
   * computes. NaN leaves a value to framing.
   */
  setHomeView(wish: Float32Array): void;
  /** Speed at which the camera orbits by itself, in radians per second. */
  spin: number;

  /** Settings of the picture, in the order of `LOOK`: flags are 0 or 1, the tone mapper is an index into `TONES`. */
  look: Float32Array;
  /** Lights the picture by a room. Without numbers, restores the studio. */
  setRoom(numbers: Float32Array): void;
  /** Lights the picture by a panorama: rows of texels with 9 bits for each colour and 5 for an exponent. */
  setPanorama(width: number, texels: Uint32Array): void;
  /** Shows the environment in place of the background: 0 hides it, 1 blurs it, 2 shows it sharp. */
  showEnvironment(how: number): void;
  /** Sets how much limbs darken surfaces behind them, from 0 to 1. */
  setOcclusion(strength: number): void;
  /** Sets whether lit materials can be brighter than white. */
  setHighRange(isHigh: boolean): void;
  /**
   * Shows data of surfaces: an index into `VIEWS`. `joint` is the name of the joint whose weights are shown; empty for
   * those of all joints.
   */
  setView(index: number, joint: string): void;
  /**
   * Shows guides: bits in the order of `GUIDES`. `letters` and `pixels` are those of `LetterPicture`. The last cells
   * are the names of the nodes `named`. `trailed` are the nodes with trails; none for those that are found.
   * `onionSkins` has the number of poses before the present one, that after it, and the seconds between them.
   */
  setGuides(
    shown: number,
    letters: Float32Array,
    pixels: Uint8Array,
    named: Uint32Array,
    trailed: Uint32Array,
    onionSkins: Float32Array,
  ): void;

  /** Shows members beside the characters, in place of those before. Returns a matrix for the place of each. */
  setThrong(count: number): Float32Array | Promise<Float32Array>;
  /** Sets numbers of members: a part of `PARTS` in `throng.ts`, the first member, and their numbers in turn. */
  setMembers(part: number, first: number, numbers: Float32Array): void;
  setThrongRate(rate: number): void;
  /** Returns the time of a member in its first clip. */
  throngTime(member: number): number | Promise<number>;
  /** Returns the markers that a member has passed since the last call: for each, the clip and the index among its. */
  throngMarkers(member: number): Float64Array | Promise<Float64Array>;
  throngMatrices(member: number): Float32Array | Promise<Float32Array>;
  /** Resolves to the largest distance of a member's vertex from that of its clips, as a share of the model's size. */
  throngError(): Promise<number>;

  /** Background as sRGB and alpha, from 0 to 1; empty shows the page behind. */
  background: Float32Array;

  /** Returns the number of primitives of each drawn node. */
  primitiveCounts(): Uint32Array | Promise<Uint32Array>;
  /** Resolves to the largest distance between a vertex skinned by the GPU and by the CPU. */
  skinningError(drawable: number, primitive: number): Promise<number>;

  /** Returns the statistics, in the order of `STATS`. */
  stats(): Float64Array;
}

/** How to start a motion. All times are in seconds. */
export interface PlayRecord {
  /** Duration of the fade. */
  readonly fade: number;
  /** Index into `EASINGS`. */
  readonly easing: number;
  /** Index into `CROSSINGS`. */
  readonly crossing: number;
  /** Number of passes; 0 is endless. */
  readonly passes: number;
  /** Whether every other pass runs backwards. */
  readonly bounce: boolean;
  readonly speed: number;
  /** Time at which to begin, from the start of the motion. */
  readonly start: number;
  /** Duration of the fade-out after the last pass. Undefined holds the last pose. */
  readonly release: number | undefined;
  /** Name of the sync group. */
  readonly sync: string | undefined;
  /** The run's number, from `FIRST_RUN` on. Undefined keeps that of a motion that continues. */
  readonly run: number | undefined;
  /** Whether to continue after a pause or an end instead, if there is anything to continue. */
  readonly resumes: boolean;
}

/** A decoded picture, its pixels, or blocks as `packBlocks` returns them. */
export type Picture = ImageBitmap | Pixels | Uint8Array;

/** Pixels in memory. */
export interface Pixels extends ImageData {
  /** Whether blue comes first and red third. */
  readonly isBgra?: boolean;
}
export type Images = (Picture | undefined)[];

/** Playback state of a layer. `"finished"` holds the last pose; `"stopped"` plays nothing. */
export type PlayState = (typeof STATES)[number];

// The browser scenarios `play` and `motion_docs` fail when these differ from `src/web`.
export const STATES = ["stopped", "playing", "paused", "finished"] as const;
/**
 * Kinds of events. Their extras are: none, none, passes, an index into `FINISHES`, an index of a marker, an index of
 * a state.
 */
export const EVENTS = ["play", "pause", "loop", "finished", "marker", "statechange"] as const;
export const FINISHES = ["ended", "replaced", "stopped"] as const;
export const RAGDOLLS = ["none", "falling", "asleep"] as const;
export const EASINGS = ["linear", "smooth", "in", "out"] as const;
export const CROSSINGS = ["fade", "inertia", "dead-blending"] as const;
export const LOOK = [
  "skeleton",
  "ground",
  "toneMapping",
  "exposure",
  "environmentRotation",
  "environmentIntensity",
  "lightsIntensity",
] as const;
export const TONES = ["neutral", "aces", "agx", "linear"] as const;
export const SKINNINGS = ["linear", "dual-quaternion"] as const;
export const LAYER = ["state", "clip", "run", "currentTime", "weight"] as const;
export const PARAMETER_KINDS = ["number", "boolean", "trigger"] as const;
export const PARTS = ["translation", "rotation", "scale"] as const;
export const RELATIONS = ["rest", "pose", "parent"] as const;
export const MATERIAL = ["color", "emissive", "metallic", "roughness", "visible"] as const;
export const MEMBER = ["place", "tint", "visible", "playbackRate", "currentTime", "state"] as const;
export const STATS = ["draws", "triangles", "joints", "characters", "gpuBytes"] as const;
