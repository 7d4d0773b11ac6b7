/** The player: one canvas, one model, and everyone who plays it. */
import { BACKENDS, type Backend } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { Clip, Contents, ModelNode, Named, Skin } from "../files/contents.js";
import { checkSource, type LoadOptions, type Source } from "../files/source.js";
import type { Host, Shown } from "../host/host.js";
import { startHere } from "../host/local_host.js";
import { CAMERA_ZOOMS, type CameraZoom, type PlayerOptions } from "../host/options.js";
import { statsOf, type Stats } from "../host/stats.js";
import { startThere } from "../worker/elsewhere.js";
import { asError, GambolError, isAbort, type Warning } from "../errors.js";
import { PlayerCamera } from "./camera.js";
import { given, isObject, number, word, wrong } from "../checks.js";
import { rgbaOf } from "./color.js";
import { Delivery } from "./delivery.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import { listenForGestures } from "./gestures.js";
import type { Clock, Color, Rgba, ScreenshotOptions } from "./options.js";
import { Performer } from "./performer.js";
import { checkSize, encodePng } from "./png.js";
import { Runs } from "./run.js";

/** A canvas and the model that plays in it. All of `gambol` is reached from here. */
export class Player extends Performer {
  /**
   * Finds a device and starts a player on the canvas.
   *
   * When WebGPU fails after the canvas was claimed for it, a copy of the canvas takes its place in the page:
   * see {@link canvas}.
   */
  static async create(canvas: HTMLCanvasElement, options: PlayerOptions = {}): Promise<Player> {
    options = given(options);
    const { signal, worker } = options;
    if (!canvas?.getContext || !canvas.cloneNode) throw wrong("canvas", canvas, "a canvas element");
    word("backend", options.backend ?? "auto", BACKENDS);
    word("cameraZoom", options.cameraZoom ?? "auto", CAMERA_ZOOMS);
    signal?.throwIfAborted();
    const host = await (worker ? startThere : startHere)(canvas, options);
    if (!signal?.aborted) return new Player(host, options);
    host.stop();
    host.free();
    throw signal.reason;
  }

  /** Where it is seen from. */
  readonly camera: PlayerCamera;

  readonly #host: Host;
  readonly #delivery = new Delivery(this.link.runs, (name, detail) => this.#emit(name, detail));
  readonly #life = new AbortController();
  /** Why nothing can be asked of it any more. */
  #end: GambolError | null = null;
  #shown: Shown | null = null;
  #loading: AbortController | null = null;
  #drainQueued = false;
  #gestures: AbortController | null = null;
  #cameraZoom: CameraZoom = "auto";
  #shownTime = 0;
  #shownClip: Clip | null = null;
  #sought = false;

  private constructor(host: Host, options: PlayerOptions) {
    // Read later than this line, when there is a player.
    const own = (): Player => this;
    const changed = () => own().#changed();
    super({
      get rust() {
        return own().#rust;
      },
      get contents() {
        return own().#contents;
      },
      runs: new Runs(),
      rearrange: (change) => {
        own().#host.rearrange(change);
        changed();
      },
      sought: () => own().#seek(),
      changed,
    });
    this.#host = host;
    host.audience = {
      drawn: (eventful) => this.#drawn(eventful),
      told: () => this.#drain(),
      collect: (endedIn) => this.#collect(endedIn),
      contextLost: () => this.#emit("contextlost", null),
      contextRestored: () => this.#emit("contextrestored", null),
      refused: (runs, error) => {
        for (const run of runs) this.link.runs.end(run, "stopped");
        if (error) this.#emit("error", error as GambolError);
      },
      failed: (error) => this.#die(error),
    };
    this.camera = new PlayerCamera(() => this.#rust, changed, () => this.canvas, this.#life.signal);
    this.cameraZoom = options.cameraZoom ?? "auto";
    this.cameraControls = options.cameraControls ?? true;
    changed();
  }

  /** Where it draws. */
  get canvas(): HTMLCanvasElement {
    return this.#host.stage.canvas as HTMLCanvasElement;
  }

  /** What draws it. */
  get backend(): Backend {
    return this.#host.backend;
  }

  /** False after `dispose()`, a panic, or a GPU that doesn't come back. */
  get alive(): boolean {
    return this.#end === null;
  }

  // ── the file ──

  /**
   * Shows a model at its rest pose. Until it is ready, and for ever if it can't be shown, what was there goes on.
   * A newer call cancels an older one.
   */
  async load(source: Source, options: LoadOptions = {}): Promise<void> {
    options = given(options);
    word("rotations", options.rotations ?? "slerp", ["slerp", "nlerp"]);
    const own = this.#replaceLoading(options.signal ?? undefined);
    this.#emit("loadstart", { source });
    try {
      checkSource(source);
      const shown = await this.#living(this.#host).load(source, {
        ...options,
        signal: own.signal,
        onProgress: (progress) => {
          options.onProgress?.(progress);
          this.#emit("progress", progress);
        },
      });
      // What ended with the model before is told before the next is spoken of.
      this.#drain();
      this.#shown = shown;
      this.#changed();
      this.#emit("load", { name: this.name, clips: this.clips, warnings: this.warnings });
    } catch (error) {
      throw this.#reportLoad(asError(error, "LOAD_FAILED"), own.signal);
    }
  }

  /** 0 before the first model, 4 once one is shown: the two of `HTMLMediaElement`'s numbers that occur. */
  get readyState(): 0 | 4 {
    return this.#shown ? 4 : 0;
  }

  /** File name of the model that is shown; empty before the first and for bare bytes. */
  get name(): string {
    return this.#shown?.name ?? "";
  }

  /** The animations of the model, in the order of the file; none before one is loaded. */
  get clips(): readonly Clip[] {
    return this.#shown?.contents.clips ?? [];
  }

  /** What was odd about the file. */
  get warnings(): readonly Warning[] {
    return this.#shown?.warnings ?? [];
  }

  /** In the file's order, which is that of `worldMatrices()`. */
  get nodes(): readonly ModelNode[] {
    return this.#living(this.#shown)?.contents.nodes ?? [];
  }

  /** In the file's order, which is what `skinMatrices()` counts by. */
  get skins(): readonly Skin[] {
    return this.#living(this.#shown)?.contents.skins ?? [];
  }

  /** In the file's order, for `material()`. Names may repeat. */
  get materials(): readonly Named[] {
    return this.#living(this.#shown)?.contents.materials ?? [];
  }

  // ── time and drawing ──

  /** In steps of equal length, or as time comes: then one huge step equals many small ones, up to rounding. */
  get clock(): Clock {
    const step = this.#rust.clockStep;
    return step > 0 ? { step } : "free";
  }

  set clock(clock: Clock) {
    if (clock !== "free" && !isObject(clock)) throw wrong("clock", clock, "“free” or { step }");
    this.#rust.clockStep = clock === "free" ? 0 : number("step", clock.step);
  }

  /** When false, nothing moves or is drawn until the page calls `advance` and `render`. */
  get autoUpdate(): boolean {
    return this.#host.autoUpdate;
  }

  set autoUpdate(on: boolean) {
    this.#host.autoUpdate = !!on;
    this.#changed();
  }

  /** Passes time. Events have been delivered when it returns; with a worker, when `settled()` has resolved. */
  advance(dtSecs: number): void {
    this.#living(this.#host).advance(number("time", dtSecs));
    this.#drain();
    this.#host.changed();
  }

  /** Draws now, in this very task; with a worker, as soon as the GPU has finished what it was given before. */
  render(): void {
    if (this.#living(this.#host).draw()) this.#drawn(false);
  }

  /**
   * Resolves when everything that was asked so far has been done, its events delivered, and what can be read is no older
   * than this call. Makes a difference with a worker alone: see {@link PlayerOptions.worker}.
   */
  async settled(): Promise<void> {
    await this.#living(this.#host).settled();
  }

  /** Puts the whole of what plays, or may play by a controller, into view; of a crowd too. */
  frame(): void {
    this.#rust.frame();
    this.#changed();
  }

  /** Radians a second that the camera goes round the model by itself, to the left; 0 stands still. */
  get autoRotate(): number {
    return this.#rust.spin;
  }

  set autoRotate(radians: number) {
    this.#rust.spin = number("autoRotate", radians);
    this.#changed();
  }

  /** How much light the picture takes up; 1 leaves it as it is. */
  get exposure(): number {
    return this.#rust.exposure;
  }

  set exposure(exposure: number) {
    this.#rust.exposure = number("exposure", exposure);
    this.#changed();
  }

  /**
   * What lies behind the model; null shows the page. Reading gives red, green, blue and alpha from 0 to 1; setting takes
   * those with or without alpha, and any colour of CSS.
   */
  get background(): Rgba | null {
    const [red, green, blue, alpha] = this.#rust.background;
    return red === undefined ? null : [red, green!, blue!, alpha!];
  }

  set background(color: Color | null) {
    this.#rust.background = rgbaOf("background", color);
    this.#changed();
  }

  /** Lines from joint to joint, over the mesh. */
  get skeleton(): boolean {
    return this.#rust.skeleton;
  }

  set skeleton(on: boolean) {
    this.#rust.skeleton = !!on;
    this.#changed();
  }

  /** A soft shadow under the feet. */
  get ground(): boolean {
    return this.#rust.ground;
  }

  set ground(on: boolean) {
    this.#rust.ground = !!on;
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
    if (this.#gestures) listenForGestures(this.canvas, this.camera, () => this.#cameraZoom, this.#gestures.signal);
  }

  /**
   * When wheel, pinch and keys zoom. `"auto"`, the default, leaves the wheel to the page until the canvas has the focus, by
   * a click or a key, or while Ctrl is held; `"always"` takes it from the page; `"none"` never zooms.
   */
  get cameraZoom(): CameraZoom {
    return this.#cameraZoom;
  }

  set cameraZoom(zoom: CameraZoom) {
    word("cameraZoom", zoom, CAMERA_ZOOMS);
    this.#cameraZoom = zoom;
  }

  /**
   * A PNG of what would be drawn now.
   *
   * Up to 16,384 pixels a side and 67,108,864 (2²⁶) in all, whatever the GPU's limits: large pictures are drawn in tiles.
   * Other sizes fail with `SCREENSHOT_SIZE`, and a lack of memory with `SCREENSHOT_FAILED`; the player goes on.
   */
  async screenshot(options: ScreenshotOptions = {}): Promise<Blob> {
    options = given(options);
    const width = options.width ?? Math.max(1, this.#host.stage.width);
    const height = options.height ?? Math.max(1, this.#host.stage.height);
    checkSize(width, height);
    this.#host.check?.();
    try {
      return await encodePng(await this.#rust.screenshot(width, height, !!options.transparent), width, height);
    } catch (error) {
      if (error instanceof GambolError) throw error;
      throw new GambolError("SCREENSHOT_FAILED", "the browser couldn't make the screenshot; try a smaller one", {
        cause: error,
      });
    }
  }

  /**
   * The farthest that the GPU puts a vertex from where a plain calculation on the CPU does, as a share of the model's
   * size. For telling a driver's fault from a file's; slow.
   */
  async skinningError(): Promise<number> {
    const [minX = 0, minY = 0, minZ = 0, maxX = 1, maxY = 0, maxZ = 0] = this.#rust.bounds();
    let farthest = 0;
    try {
      for (const [drawable, count] of this.#rust.primitiveCounts().entries()) {
        for (let primitive = 0; primitive < count; primitive++) {
          farthest = Math.max(farthest, await this.#rust.skinningError(drawable, primitive));
        }
      }
    } catch (error) {
      throw asError(error);
    }
    return farthest / Math.hypot(maxX - minX, maxY - minY, maxZ - minZ);
  }

  /** What the last frame cost, and what there is to draw. */
  get stats(): Stats {
    return statsOf(this.#rust.stats(), this.backend, this.#host.timings);
  }

  /** Frees everything. Whatever is asked of it afterwards fails with `PLAYER_DISPOSED`. */
  dispose(): void {
    if (this.#life.signal.aborted) return;
    this.#shutDown(new GambolError("PLAYER_DISPOSED", "This player was disposed of; create another one."));
  }

  // ── inside ──

  get #rust(): PlayerHandle {
    return this.#living(this.#host.rust);
  }

  /** After a panic or the end nothing may be asked of the wasm side. */
  #living<Thing>(thing: Thing): Thing {
    if (this.#end) throw this.#end;
    return thing;
  }

  get #contents(): Contents {
    const shown = this.#living(this.#shown);
    if (!shown) throw new GambolError("NO_MODEL", "No model is loaded; load one first.");
    return shown.contents;
  }

  #replaceLoading(signal: AbortSignal | undefined): AbortController {
    this.#loading?.abort();
    const own = new AbortController();
    this.#loading = own;
    if (signal?.aborted) own.abort(signal.reason);
    signal?.addEventListener("abort", () => own.abort(signal.reason), { signal: this.#life.signal, once: true });
    return own;
  }

  #reportLoad(error: Error, signal: AbortSignal): Error {
    // The end of a player has been told already.
    if (this.#end) return this.#end;
    if (signal.aborted) return isAbort(signal.reason) ? signal.reason : asError(signal.reason);
    if (error instanceof GambolError) this.#emit("error", error);
    return error;
  }

  #changed(): void {
    if (!this.#end) this.#host.changed();
    if (this.#drainQueued) return;
    // Later, not now: nobody expects their listener to run before `play()` has returned.
    this.#drainQueued = true;
    queueMicrotask(() => {
      this.#drainQueued = false;
      this.#drain();
    });
  }

  #seek(): void {
    const { currentTime } = this;
    this.#delivery.tell("seeking", { currentTime });
    this.#sought = true;
    this.#changed();
  }

  #drawn(eventful: boolean): void {
    if (this.#end) return;
    const { currentTime } = this;
    if (currentTime !== this.#shownTime) this.#emit("timeupdate", { currentTime });
    this.#shownTime = currentTime;
    if (eventful || this.#sought) this.#drain(true);
  }

  #drain(drawn = !this.#host.stage.visible): void {
    if (this.#end) return;
    this.#collect();
    const { upToDate } = this.#host;
    if (this.#sought && drawn && upToDate) {
      this.#sought = false;
      this.#delivery.tell("seeked", { currentTime: this.currentTime });
    }
    const clip = upToDate ? this.#shown && this.clip : this.#shownClip;
    if (clip !== this.#shownClip) this.#delivery.tell("clipchange", { clip });
    this.#shownClip = clip;
    this.#delivery.deliver();
  }

  #collect(endedIn?: string[]): void {
    if (this.#shown && this.#rust.hasEvents) this.#delivery.collect(this.#rust, this.#shown.contents, endedIn);
  }

  #emit<Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #die(error: Error): void {
    if (this.#end) return;
    const why = this.#host.explain(error) as GambolError;
    this.#shutDown(why);
    this.#emit("error", why);
  }

  #shutDown(why: GambolError): void {
    this.#end = why;
    this.#host.stop();
    this.#gestures?.abort();
    this.#loading?.abort();
    this.#life.abort();
    this.#delivery.forget();
    this.link.runs.endAll();
    this.#host.free();
  }
}
