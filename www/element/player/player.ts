/** The `Player` class: one canvas, one model and the characters that play it. */
import { BACKENDS, fetched, type Backend } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import { checkSource, type LoadOptions, type Source } from "../files/source.js";
import type { FileCamera } from "../files/contents.js";
import type { Host, ShownModel } from "../host/host.js";
import { startLocal } from "../host/local_host.js";
import { CAMERA_ZOOMS, type CameraZoom, type PlayerOptions, type StillPicture } from "../host/options.js";
import { statsOf, type Stats } from "../host/stats.js";
import { startInWorker } from "../worker/start_in_worker.js";
import { abortedBy, asError, GambolError, isAbort } from "../errors.js";
import type { Actor, Member } from "./actor.js";
import { PlayerCamera } from "./camera.js";
import { controlCamera, loadGestures } from "./camera_controls.js";
import { checkOptions, isObject, number, numbers, wordIndex, wrongValue } from "../checks.js";
import { EventQueue } from "./event_queue.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import { Look } from "./look.js";
import type { Clock, ScreenshotOptions } from "./options.js";
import { createAlone } from "./owners.js";
import { noModel, Performer } from "./performer.js";
import type { Picked } from "./pick.js";
import { Runs } from "./run.js";

type ReadBack = typeof import("./read_back.js");

/** Draws a frame at once, as the frame loop does: the GPU's first frames may lack details, which later ones have. */
export let drawWithLoop: (player: Player) => void;

/** Calls `follow` after each frame of a player. */
export let followFrames: (player: Player, follow: () => void) => void;

/** A canvas and the model that it shows. Every other object of `gambol` is reached through a player. */
export class Player extends Look {
  /**
   * Requests a GPU device and creates a player that draws on the canvas. CSS gives it its size on the page, or else its
   * attributes do, which then get the numbers of pixels that are drawn. A canvas has one player: without `worker`,
   * another one is disposed of first.
   *
   * With the backend `"auto"`, WebGPU can fail after it has claimed the canvas, or draw nothing. A copy of the canvas
   * then replaces it in the page: see {@link canvas}.
   */
  static async create(canvas: HTMLCanvasElement, options: PlayerOptions = {}): Promise<Player> {
    options = checkOptions(options);
    const { signal, worker } = options;
    if (!canvas?.getContext || !canvas.cloneNode) throw wrongValue("canvas", canvas, "a canvas element");
    wordIndex("backend", options.backend ?? "auto", BACKENDS);
    wordIndex("cameraZoom", options.cameraZoom ?? "auto", CAMERA_ZOOMS);
    signal?.throwIfAborted();
    const create = async (): Promise<Player> => {
      signal?.throwIfAborted();
      // Fetched beside the wasm, which takes longer.
      const gestures = (options.cameraControls ?? true) && loadGestures();
      const host = await (worker ? startInWorker : startLocal)(canvas, options);
      await gestures;
      if (!signal?.aborted) return new Player(host, options);
      host.stop();
      host.free();
      throw signal.reason;
    };
    // A worker has the canvas for good.
    return worker ? create() : createAlone(canvas, create);
  }

  /** The camera that the model is seen from. */
  readonly camera: PlayerCamera;

  #host: Host;
  readonly #events = new EventQueue(this, this.context);
  /** The other actors, by number. */
  readonly #members = new Map<number, Member>();
  readonly #abort = new AbortController();
  /** The error that every call fails with after the player's end; null before. */
  #fatalError: GambolError | null = null;
  #shown: ShownModel | null = null;
  #loading: AbortController | null = null;
  /** Aborted when another model is shown. */
  #replaced = new AbortController();
  #drainQueued = false;
  /** The code for screenshots; null before the first. */
  #readBack: ReadBack | null = null;
  /** Called after each frame. */
  #follow: (() => void) | null = null;
  #gestures: AbortController | null = null;
  #cameraZoom: CameraZoom = "auto";

  private constructor(host: Host, options: PlayerOptions) {
    // The getters below run only after `super()` has returned.
    const own = (): Player => this;
    const changed = () => own().#changed();
    super({
      actor: 0,
      get rust() {
        return own().#rust;
      },
      get shown() {
        return own().#shown;
      },
      get contents() {
        const shown = own().#ifAlive(own().#shown);
        if (!shown) throw noModel();
        return shown.contents;
      },
      get upToDate() {
        return own().#host.upToDate;
      },
      get replaced() {
        return own().#replaced.signal;
      },
      get ended() {
        return own().#abort.signal;
      },
      runs: new Runs(),
      addClips: (source, options) => own().#ifAlive(own().#host).addClips(source, options, 0),
      rearrange: (change) => {
        own().#host.rearrange(change, 0);
        changed();
      },
      extend: (part) => own().#ifAlive(own().#host).extend(part),
      seeking: () => {
        own().#events.seeking();
        changed();
      },
      changed,
    });
    this.#host = host;
    host.listener = {
      replaced: (replace) => {
        const { camera, cameraControls } = this;
        const { listener } = this.#host;
        this.cameraControls = false;
        this.#tell((events) => events.collect());
        this.#host = replace();
        this.#host.listener = listener;
        this.cameraControls = cameraControls;
        if (camera.insets.top !== undefined) camera.insets = { ...camera.insets };
        this.#changed();
        this.#dispatch("backendchange", { backend: this.backend });
      },
      drawn: (eventful) => this.#drawn(eventful),
      updated: () => this.#drain(),
      collect: (actor, endedIn) => {
        if (!this.#fatalError) this.#queueOf(actor)?.collect(endedIn);
      },
      contextLost: () => this.#dispatch("contextlost", null),
      contextRestored: () => this.#dispatch("contextrestored", null),
      rejected: (actor, run, error) => {
        const { context } = this.#members.get(actor)?.actor ?? this;
        if (run !== undefined) context.runs.end(run, "stopped");
        if (error) this.#dispatch("error", error as GambolError);
      },
      failed: (error) => this.#fail(error),
    };
    this.camera = new PlayerCamera(
      () => this.#rust,
      changed,
      () => this.canvas,
      this.#abort.signal,
    );
    this.cameraZoom = options.cameraZoom ?? "auto";
    this.cameraControls = options.cameraControls ?? true;
    changed();
  }

  /**
   * The canvas that the player draws on. It can differ from the one passed to {@link create}, and is another one after
   * the event `backendchange`.
   */
  get canvas(): HTMLCanvasElement {
    return this.#host.stage.canvas as HTMLCanvasElement;
  }

  /** The graphics API that draws the model. When it changes, the event `backendchange` is fired. */
  get backend(): Backend {
    return this.#host.backend;
  }

  /**
   * Whether the player can be used. False after `dispose()` and after a fatal error, such as a panic in the
   * WebAssembly, a draw that failed, or a GPU that was lost for good.
   */
  get alive(): boolean {
    return this.#fatalError === null;
  }

  // ── the file ──

  /**
   * Loads a model and shows it at its rest pose. The model shown before keeps playing until the new one is ready, and
   * stays if loading fails. A newer call cancels an older one.
   */
  async load(source: Source, options: LoadOptions = {}): Promise<void> {
    options = checkLoadOptions(options);
    const own = this.#replaceLoading(options.signal ?? undefined);
    this.#dispatch("loadstart", { source });
    try {
      checkSources(source, options);
      const shown = await this.#ifAlive(this.#host).load(source, {
        ...options,
        signal: own.signal,
        onProgress: (progress) => {
          if (own.signal.aborted) return;
          options.onProgress?.(progress);
          this.#dispatch("progress", progress);
        },
      });
      // Deliver the events of the previous model's end before `load`.
      this.#drain();
      this.#shown = shown;
      this.#replaced.abort(new DOMException("Another model is shown.", "AbortError"));
      this.#replaced = new AbortController();
      this.#changed();
      this.#dispatch("load", { name: this.name, clips: this.clips, warnings: this.warnings });
      void shown.later?.then((warnings) => {
        if (this.#shown !== shown || this.#fatalError) return;
        shown.warnings = warnings;
        this.#dispatch("textures", { warnings });
      });
    } catch (error) {
      throw this.#reportLoad(asError(error, "LOAD_FAILED"), own.signal);
    }
  }

  /**
   * The load state: 0 before the first model, 4 once one is shown. The values are those of
   * `HTMLMediaElement.readyState`; 1 to 3 don't occur.
   */
  get readyState(): 0 | 4 {
    return this.#shown ? 4 : 0;
  }

  /** The cameras on the nodes of the model, in the order of the nodes, for {@link useCamera}. */
  get cameras(): readonly FileCamera[] {
    return this.#shown?.contents.cameras ?? [];
  }

  /** The camera of the model that the picture is seen from; null for the orbit camera. */
  get usedCamera(): FileCamera | null {
    const used = this.#rust.camera().at(-1);
    return this.cameras.find(({ node }) => node === used) ?? null;
  }

  /**
   * Shows the picture from a camera of the model, which follows its node through every animation. Null returns to the
   * orbit camera as it was before. The first call of a page fetches the code for it.
   *
   * The whole frame of the camera is visible: a wider canvas shows more at the sides, a higher one above and below.
   * Gestures, and the methods and setters of {@link camera}, leave the camera and go on from its view. `frame()`,
   * `camera.reset()` and another model return to the orbit camera.
   */
  async useCamera(nameOrIndex: string | number | null): Promise<void> {
    const { context } = this;
    await context.extend("import");
    await this.#rust.setFileCamera(nameOrIndex === null ? -1 : context.contents.camera(nameOrIndex).node);
    this.#changed();
  }

  // ── further models ──

  /**
   * Adds another model to the picture, such as a prop or an outfit, and returns it: an actor, which stands at the
   * origin of the world and plays by itself. The camera doesn't move, unless nothing was shown before. The first actor
   * of a page fetches the code for them.
   */
  async add(source: Source, options: LoadOptions = {}): Promise<Actor> {
    options = checkLoadOptions(options);
    checkSources(source, options);
    const { addActor } = await fetched(import("./actor.js"));
    const host = (): Host => this.#ifAlive(this.#host);
    const company = {
      get host() {
        return host();
      },
      context: this.context,
      members: this.#members,
      ended: this.#abort.signal,
    };
    return addActor(source, options, company, {
      abortedBy,
      asError,
      checkOptions,
      EventQueue,
      GambolError,
      isObject,
      number,
      numbers,
      Performer,
      Runs,
      wrongValue,
    });
  }

  /** The actors, in the order in which they were added. The player's own model isn't among them. */
  get actors(): readonly Actor[] {
    return [...this.#members.values()].map(({ actor }) => actor);
  }

  /**
   * Returns what is visible at a place of the canvas: the nearest point of the posed surface, or null if nothing is
   * there. x and y are CSS pixels from the left and the top of the canvas, as `offsetX` and `offsetY` of its pointer
   * events. The first pick of a page fetches the code for it.
   *
   * Faces count as they are drawn: the back of a face counts if its material is double-sided. Transparent parts count
   * as solid. Points and lines don't count.
   */
  async pick(x: number, y: number): Promise<Picked | null> {
    const { clientWidth, clientHeight } = this.canvas;
    const place = [number("place", x) / clientWidth, number("place", y) / clientHeight] as const;
    const { pickAt } = await fetched(import("./pick.js"));
    return pickAt(...place, this.context, (actor) => (actor === 0 ? this : this.#members.get(actor)?.actor));
  }

  // ── time and drawing ──

  /**
   * How time advances: `"free"` applies each time step whole. `{ step }` divides time into equal steps of so many
   * seconds, and keeps the remainder for the next call. With `"free"`, one large step has the same result as many
   * small ones, up to rounding.
   */
  get clock(): Clock {
    const step = this.#rust.clockStep;
    return step > 0 ? { step } : "free";
  }

  set clock(clock: Clock) {
    if (clock !== "free" && !isObject(clock)) throw wrongValue("clock", clock, "“free” or { step }");
    this.#rust.clockStep = clock === "free" ? 0 : number("step", clock.step);
  }

  /** Whether the player advances and draws by itself. When false, the page calls {@link advance} and {@link render}. */
  get autoUpdate(): boolean {
    return this.#host.autoUpdate;
  }

  set autoUpdate(on: boolean) {
    this.#host.autoUpdate = !!on;
    this.#changed();
  }

  /**
   * Advances time by so many seconds. Its events have been dispatched when it returns; with a worker, when
   * {@link settled} has resolved.
   */
  advance(dtSecs: number): void {
    this.#ifAlive(this.#host).advance(number("time", dtSecs));
    this.#drain();
    this.#host.changed();
  }

  /**
   * Computes the poses of the present time, for a page that measures what they take, or draws later. {@link render}
   * does so by itself, and so does whatever reads a pose.
   */
  pose(): void {
    this.#rust.pose();
  }

  /** Draws a frame synchronously. With a worker, draws as soon as the GPU has finished the frames submitted before. */
  render(): void {
    this.#draw(false);
  }

  /**
   * Resolves when every earlier call has taken effect and its events have been dispatched. What is read afterwards is
   * no older than this call. It matters only with a worker: see {@link PlayerOptions.worker}.
   */
  async settled(): Promise<void> {
    await this.#ifAlive(this.#host).settled();
  }

  /**
   * Moves the camera so that the model is in view over the whole of the clips that play, or that a controller can
   * play. All characters of a crowd are in view.
   */
  frame(): void {
    this.#rust.frame();
    this.#changed();
  }

  /** Whether mouse, touch, wheel and keys on the canvas move the camera. */
  get cameraControls(): boolean {
    return this.#gestures !== null;
  }

  set cameraControls(on: boolean) {
    if (!!on === this.cameraControls) return;
    this.#gestures?.abort();
    this.#gestures = on ? new AbortController() : null;
    if (this.#gestures) controlCamera(this.canvas, this.camera, () => this.#cameraZoom, this.#gestures.signal);
  }

  /**
   * When wheel, pinch and keys zoom. `"auto"`, the default, leaves the wheel to the page unless the canvas has the
   * focus or Ctrl is held. `"always"` takes the wheel from the page; `"none"` never zooms.
   */
  get cameraZoom(): CameraZoom {
    return this.#cameraZoom;
  }

  set cameraZoom(zoom: CameraZoom) {
    wordIndex("cameraZoom", zoom, CAMERA_ZOOMS);
    this.#cameraZoom = zoom;
  }

  /**
   * Number of pixels per CSS pixel, on each side. 0, the default, leaves it to the player: the screen's, or fewer on a
   * large canvas with a ratio above 2, and fewer while frames are late, but at least 1. A still picture has them all.
   */
  get pixelRatio(): number {
    return this.#host.stage.ratio ?? 0;
  }

  set pixelRatio(ratio: number) {
    const checked = number("pixelRatio", ratio);
    if (checked < 0 || checked > 8) throw wrongValue("pixelRatio", ratio, "a number from 0 to 8", "OUT_OF_RANGE");
    this.#host.stage.ratio = checked || null;
    this.#changed();
  }

  /**
   * What becomes of a picture when nothing moves any more. `"refined"`, the default, begins after half a second, and
   * ends with the next change. `"plain"` keeps what was drawn. Without the code for refining, which is fetched with
   * the first still picture, pictures become `"plain"`.
   */
  get still(): StillPicture {
    return this.#host.stage.refines ? "refined" : "plain";
  }

  set still(still: StillPicture) {
    this.#host.stage.refines = wordIndex("still", still, ["refined", "plain"]) === 0;
    this.#host.stage.changed();
  }

  /**
   * Returns a PNG of the current frame.
   *
   * A screenshot can have up to 16,384 pixels a side and 67,108,864 (2²⁶) in all, whatever the GPU's limits: large
   * ones are drawn in tiles. Other sizes reject with `SCREENSHOT_SIZE`, and a lack of memory with
   * `SCREENSHOT_FAILED`; the player stays usable. The first screenshot of a page fetches the code for it, and shows the
   * frame after that.
   */
  async screenshot(options: ScreenshotOptions = {}): Promise<Blob> {
    options = checkOptions(options);
    const width = options.width ?? Math.max(1, this.#host.stage.width);
    const height = options.height ?? Math.max(1, this.#host.stage.height);
    this.#host.check?.();
    // Awaited only once, since what the page does after the call must not be in the picture.
    const { takeScreenshot } = this.#readBack ?? (await this.#fetchReadBack());
    return takeScreenshot(this.context, width, height, !!options.transparent, { GambolError });
  }

  /**
   * Returns the largest distance between a vertex skinned by the GPU and the same vertex skinned by the CPU, as a
   * fraction of the model's size. It helps to distinguish a driver bug from a broken file, and is slow.
   */
  async skinningError(): Promise<number> {
    try {
      const { findSkinningError } = await this.#fetchReadBack();
      return await findSkinningError(this.context);
    } catch (error) {
      throw asError(error);
    }
  }

  /** Timings and counts of the last frame. */
  get stats(): Stats {
    return statsOf(this.#rust.stats(), this.backend, this.#host.timings);
  }

  /** Frees the player and everything that it holds. Later calls fail with `PLAYER_DISPOSED`. */
  dispose(): void {
    if (this.#abort.signal.aborted) return;
    this.#shutDown(new GambolError("PLAYER_DISPOSED", "This player was disposed of; create another one."));
  }

  // ── inside ──

  static {
    drawWithLoop = (player) => player.#draw(true);
    followFrames = (player, follow) => (player.#follow = follow);
  }

  #draw(mayDefer: boolean): void {
    if (this.#ifAlive(this.#host).draw(mayDefer)) this.#drawn(false);
  }

  async #fetchReadBack(): Promise<ReadBack> {
    const importing = fetched(import("./read_back.js"));
    const [script] = await Promise.all([importing, this.context.extend()]);
    return (this.#readBack = script);
  }

  get #rust(): PlayerHandle {
    return this.#ifAlive(this.#host.rust);
  }

  /** Throws after the player's end: the WebAssembly must not be called any more. */
  #ifAlive<Thing>(thing: Thing): Thing {
    if (this.#fatalError) throw this.#fatalError;
    return thing;
  }

  #replaceLoading(signal: AbortSignal | undefined): AbortController {
    this.#loading?.abort();
    const own = new AbortController();
    this.#loading = own;
    if (signal?.aborted) own.abort(signal.reason);
    signal?.addEventListener("abort", () => own.abort(signal.reason), { signal: this.#abort.signal, once: true });
    return own;
  }

  #reportLoad(error: Error, signal: AbortSignal): Error {
    // The error that ended the player was dispatched already.
    if (this.#fatalError) return this.#fatalError;
    if (signal.aborted) return isAbort(signal.reason) ? signal.reason : asError(signal.reason);
    if (error instanceof GambolError) this.#dispatch("error", error);
    return error;
  }

  #changed(): void {
    if (!this.#fatalError) this.#host.changed();
    if (this.#drainQueued) return;
    // A microtask, so that no listener is called before `play()` has returned.
    this.#drainQueued = true;
    queueMicrotask(() => {
      this.#drainQueued = false;
      this.#drain();
    });
  }

  #drawn(eventful: boolean): void {
    this.#tell((events) => events.drawn(eventful));
    this.#follow?.();
  }

  #drain(): void {
    const drawn = !this.#host.stage.visible;
    this.#tell((events) => events.drain(drawn));
  }

  /** Calls `tell` for the events of the player itself, then for those of its actors. Listeners may end any of them. */
  #tell(tell: (events: EventQueue) => void): void {
    if (!this.#fatalError) tell(this.#events);
    for (const { events } of this.#members.values()) if (!this.#fatalError) tell(events);
  }

  #queueOf(actor: number): EventQueue | undefined {
    return actor === 0 ? this.#events : this.#members.get(actor)?.events;
  }

  #dispatch<Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name]): void {
    this.#events.dispatch(name, detail);
  }

  #fail(error: Error): void {
    if (this.#fatalError) return;
    const why = this.#host.explain(error) as GambolError;
    this.#shutDown(why);
    this.#dispatch("error", why);
  }

  #shutDown(why: GambolError): void {
    this.#fatalError = why;
    this.#host.stop();
    this.#gestures?.abort();
    this.#loading?.abort();
    this.#replaced.abort(why);
    this.#abort.abort(why);
    for (const { events, actor } of [{ events: this.#events, actor: this }, ...this.#members.values()]) {
      events.clear();
      actor.context.runs.endAll();
    }
    this.#host.free();
  }
}

function checkLoadOptions(options: LoadOptions): LoadOptions {
  options = checkOptions(options);
  wordIndex("rotations", options.rotations ?? "slerp", ["slerp", "nlerp"]);
  wordIndex("textures", options.textures ?? "wait", ["wait", "later"]);
  const { clip } = options;
  if (clip != null && !["number", "string"].includes(typeof clip)) throw wrongValue("clip", clip, "a name or an index");
  return options;
}

function checkSources(source: Source, { clips }: LoadOptions): void {
  checkSource(source);
  if (clips && !Array.isArray(clips)) throw wrongValue("clips", clips, "a list");
  clips?.forEach(checkSource);
}
