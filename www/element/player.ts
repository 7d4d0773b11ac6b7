/** The player: one canvas, one model, and everyone who plays it. */
import { PlayerCamera } from "./camera.js";
import type { Clip, Contents, ModelNode, Skin } from "./contents.js";
import { Delivery } from "./delivery.js";
import { asError, GambolError, isAbort, type Warning } from "./errors.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import { FrameLoop } from "./frame_loop.js";
import { listenForGestures } from "./gestures.js";
import { connect, poisoned, type Backend, type Connection, type WasmUrls } from "./loader.js";
import { decodeImages, loadFile, type LoadedFile } from "./loading.js";
import type { Clock, PlayerOptions, ScreenshotOptions } from "./options.js";
import { Performer } from "./performer.js";
import { encodePng } from "./png.js";
import { Runs } from "./run.js";
import { Screen } from "./screen.js";
import type { LoadOptions, Source } from "./source.js";
import { statsOf, type Stats, type Timings } from "./stats.js";
import type { PlayerHandle } from "./wasm.js";

export class Player extends Performer {
  /**
   * Finds a device and starts a player on the canvas.
   *
   * When WebGPU fails after the canvas was claimed for it, a copy of the canvas takes its place in the page:
   * see {@link canvas}.
   */
  static async create(canvas: HTMLCanvasElement, options: PlayerOptions = {}): Promise<Player> {
    const choice = options.backend ?? "auto";
    try {
      const connection = await connect(canvas, choice, options.wasm);
      try {
        return new Player(canvas, connection, options);
      } catch (error) {
        if (choice !== "auto" || connection.engine.flavour === "webgl2") throw error;
        const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
        canvas.replaceWith(fresh);
        return new Player(fresh, await connect(fresh, "webgl2", options.wasm), options);
      }
    } catch (error) {
      throw asError(error, "NO_GPU");
    }
  }

  readonly camera: PlayerCamera;

  readonly #urls: WasmUrls | undefined;
  readonly #handle: PlayerHandle;
  readonly #screen: Screen;
  readonly #frames: FrameLoop;
  readonly #delivery = new Delivery(this.link.runs, (name, detail) => this.#emit(name, detail));
  readonly #life = new AbortController();
  /** Why nothing can be asked of it any more. */
  #end: GambolError | null = null;
  #file: LoadedFile | null = null;
  #loading: AbortController | null = null;
  #warnings: readonly Warning[] = [];
  #autoUpdate = true;
  #drainQueued = false;
  #gestures: AbortController | null = null;
  #shownTime = 0;
  readonly #timings: Timings = { updateMillis: 0, renderMillis: 0 };

  private constructor(canvas: HTMLCanvasElement, connection: Connection, options: PlayerOptions) {
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
      rearrange: (change) => own().#rearrange(change),
      changed,
    });
    this.#urls = options.wasm;
    this.#handle = new connection.engine.wasm.PlayerHandle();
    this.#screen = new Screen(canvas, connection, this.#handle, options.wasm, {
      changed,
      contextLost: () => this.#emit("contextlost", null),
      contextRestored: () => this.#emit("contextrestored", null),
      failed: (error) => this.#die(asError(error, "GPU_LOST")),
      decodeImages: async (maxSize) => this.#file && (await decodeImages(this.#file, maxSize)).images,
    });
    this.#frames = new FrameLoop(canvas, (dtSecs) => this.#tick(dtSecs));
    this.camera = new PlayerCamera(() => this.#rust, changed, () => this.canvas);
    this.cameraControls = options.cameraControls ?? true;
    this.#life.signal.addEventListener(
      "abort",
      connection.engine.onPanic((error) => this.#die(error)),
    );
    changed();
  }

  /** Where it draws. */
  get canvas(): HTMLCanvasElement {
    return this.#screen.canvas;
  }

  get backend(): Backend {
    return this.#screen.backend;
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
    const own = this.#replaceLoading(options.signal);
    let file: LoadedFile | null = null;
    try {
      file = await loadFile(this.#living(this.#screen.engine.wasm), source, {
        ...options,
        wasm: this.#urls,
        signal: own.signal,
        onProgress: (progress) => {
          options.onProgress?.(progress);
          this.#emit("progress", progress);
        },
      });
      const pictures = await decodeImages(file, this.#screen.maxTextureSize);
      own.signal.throwIfAborted();
      try {
        const { model } = file;
        this.#rearrange(() => this.#rust.show(model, pictures.images));
      } finally {
        for (const image of pictures.images) image?.close();
      }
      // What ended with the model before is told before the next is spoken of.
      this.#drain();
      this.#take(file, pictures.warnings);
    } catch (error) {
      this.#screen.engine.checkTrap(error);
      if (file && file !== this.#file && this.#screen.engine.panicReport === null) file.model.free();
      throw this.#reportLoad(asError(error, "LOAD_FAILED"), own.signal);
    }
  }

  /** File name of the model that is shown; empty before the first and for bare bytes. */
  get name(): string {
    return this.#file?.name ?? "";
  }

  get clips(): readonly Clip[] {
    return this.#file?.contents.clips ?? [];
  }

  /** What was odd about the file. */
  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** In the file's order, which is that of `worldMatrices()`. */
  get nodes(): readonly ModelNode[] {
    return this.#living(this.#file)?.contents.nodes ?? [];
  }

  get skins(): readonly Skin[] {
    return this.#living(this.#file)?.contents.skins ?? [];
  }

  // ── time and drawing ──

  /** In steps of equal length, or as time comes: then one huge step equals many small ones, up to rounding. */
  get clock(): Clock {
    const step = this.#rust.clockStep;
    return step > 0 ? { step } : "free";
  }

  set clock(clock: Clock) {
    this.#rust.clockStep = clock === "free" ? 0 : clock.step;
  }

  /** When false, nothing moves or is drawn until the page calls `advance` and `render`. */
  get autoUpdate(): boolean {
    return this.#autoUpdate;
  }

  set autoUpdate(on: boolean) {
    this.#autoUpdate = on;
    this.#changed();
  }

  /** Passes time. Events have been delivered when it returns. */
  advance(dtSecs: number): void {
    this.#timed(() => this.#rust.advance(dtSecs));
    this.#drain();
    if (this.#autoUpdate) this.#frames.wake();
  }

  /** Draws now, in this very task. */
  render(): void {
    this.#render();
  }

  /** Puts the whole of what plays, or may play by a controller, into view; of a crowd too. */
  frame(): void {
    this.#rust.frame();
    this.#changed();
  }

  /** Lines from joint to joint, over the mesh. */
  get skeleton(): boolean {
    return this.#rust.skeleton;
  }

  set skeleton(on: boolean) {
    this.#rust.skeleton = on;
    this.#changed();
  }

  /** A soft shadow and a grid under the feet. */
  get ground(): boolean {
    return this.#rust.ground;
  }

  set ground(on: boolean) {
    this.#rust.ground = on;
    this.#changed();
  }

  get cameraControls(): boolean {
    return this.#gestures !== null;
  }

  set cameraControls(on: boolean) {
    if (on === this.cameraControls) return;
    this.#gestures?.abort();
    this.#gestures = on ? new AbortController() : null;
    if (this.#gestures) listenForGestures(this.canvas, this.camera, this.#gestures.signal);
  }

  /** A PNG of what would be drawn now. */
  async screenshot(options: ScreenshotOptions = {}): Promise<Blob> {
    const width = Math.max(1, Math.round(options.width ?? this.#screen.width));
    const height = Math.max(1, Math.round(options.height ?? this.#screen.height));
    try {
      return await encodePng(await this.#rust.screenshot(width, height, options.transparent ?? false), width, height);
    } catch (error) {
      throw asError(error, "SCREENSHOT_FAILED");
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

  get stats(): Stats {
    return statsOf(this.#rust.stats(), this.backend, this.#timings);
  }

  /** Frees everything. Whatever is asked of it afterwards fails with `PLAYER_DISPOSED`. */
  dispose(): void {
    if (this.#life.signal.aborted) return;
    const alive = this.#end === null;
    this.#shutDown(new GambolError("PLAYER_DISPOSED", "This player was disposed of; create another one."));
    // After a panic its memory must not be touched, not even to free it.
    if (alive) {
      this.#file?.model.free();
      this.#handle.free();
      this.#screen.free();
    }
  }

  // ── inside ──

  get #rust(): PlayerHandle {
    return this.#living(this.#handle);
  }

  /** After a panic or the end nothing may be asked of the wasm side. */
  #living<Thing>(thing: Thing): Thing {
    if (this.#end) throw this.#end;
    return thing;
  }

  get #contents(): Contents {
    const file = this.#living(this.#file);
    if (!file) throw new GambolError("NO_MODEL", "No model is loaded; load one first.");
    return file.contents;
  }

  #replaceLoading(signal: AbortSignal | undefined): AbortController {
    this.#loading?.abort();
    const own = new AbortController();
    this.#loading = own;
    if (signal?.aborted) own.abort(signal.reason);
    signal?.addEventListener("abort", () => own.abort(signal.reason), { signal: this.#life.signal, once: true });
    return own;
  }

  #take(file: LoadedFile, imageWarnings: readonly Warning[]): void {
    this.#file?.model.free();
    this.#file = file;
    this.#warnings = [...file.warnings, ...imageWarnings];
    this.#changed();
    this.#emit("load", { name: file.name, clips: this.clips, warnings: this.#warnings });
  }

  #reportLoad(error: Error, signal: AbortSignal): Error {
    // The end of a player has been told already.
    if (this.#end) return this.#end;
    if (signal.aborted) return isAbort(signal.reason) ? signal.reason : asError(signal.reason);
    if (error instanceof GambolError) this.#emit("error", error);
    return error;
  }

  #changed(): void {
    if (this.#autoUpdate && !this.#end) this.#frames?.wake();
    if (this.#drainQueued) return;
    // Later, not now: nobody expects their listener to run before `play()` has returned.
    this.#drainQueued = true;
    queueMicrotask(() => {
      this.#drainQueued = false;
      this.#drain();
    });
  }

  #tick(dtSecs: number): boolean {
    if (this.#end) return false;
    try {
      const told = this.#autoUpdate ? this.#timed(() => this.#rust.update(dtSecs)) : 0;
      this.#render();
      // Only now: whoever hears that something finished may rely on its last pose being seen.
      if (told & 2) this.#drain();
      return (told & 1) !== 0;
    } catch (error) {
      // A panic goes its own way.
      this.#screen.engine.checkTrap(error);
      if (!this.#end) this.#die(asError(error, "RENDER_FAILED"));
      return false;
    }
  }

  #timed<Told>(update: () => Told): Told {
    const before = performance.now();
    const told = update();
    this.#timings.updateMillis = performance.now() - before;
    return told;
  }

  #render(): void {
    const rust = this.#rust;
    const before = performance.now();
    this.#screen.draw();
    this.#timings.renderMillis = performance.now() - before;
    const currentTime = rust.currentTime;
    if (currentTime !== this.#shownTime) this.#emit("timeupdate", { currentTime });
    this.#shownTime = currentTime;
  }

  /** What ends by the change belonged to layers as they were before it. */
  #rearrange(change: () => void): void {
    this.#collect();
    const layers = this.#rust.layerNames();
    change();
    this.#collect(layers);
    this.#changed();
  }

  #drain(): void {
    if (this.#end) return;
    this.#collect();
    this.#delivery.deliver();
  }

  #collect(endedIn?: string[]): void {
    if (this.#file && this.#rust.hasEvents) this.#delivery.collect(this.#rust, this.#file.contents, endedIn);
  }

  #emit<Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #die(error: Error): void {
    if (this.#end) return;
    const report = this.#screen.engine.panicReport;
    const why = report === null ? (error as GambolError) : poisoned(report);
    this.#shutDown(why);
    this.#emit("error", why);
  }

  #shutDown(why: GambolError): void {
    this.#end = why;
    this.#frames.stop();
    this.#screen.stop();
    this.#gestures?.abort();
    this.#loading?.abort();
    this.#life.abort();
    this.#delivery.forget();
    this.link.runs.endAll();
  }
}
