/** The host that runs on the current thread: that of the page or of a worker. */
import { connect, type Connection } from "../engine/connection.js";
import { panicError, type Backend, type Engine, type WasmUrls } from "../engine/engine.js";
import type { Images, PlayerHandle, Picture } from "../engine/wasm.js";
import { prefetch } from "../files/prefetch.js";
import { missingImage } from "../files/loading.js";
import { SharedFile, type Pictures } from "../files/shared_file.js";
import type { LoadOptions, Source } from "../files/source.js";
import { asError, type Warning } from "../errors.js";
import { FrameLoop } from "./frame_loop.js";
import type { HostListener, Host, ShownModel } from "./host.js";
import type { PlayerOptions } from "./options.js";
import { Screen } from "./screen.js";
import { PageStage, type Stage } from "./stage.js";
import type { Timings } from "./stats.js";

/**
 * Starts a host. When WebGPU fails after the canvas was claimed for it, a copy of the canvas replaces it in the page.
 */
export async function startLocal(canvas: HTMLCanvasElement, options: PlayerOptions): Promise<LocalHost> {
  const choice = options.backend ?? "auto";
  const cancelPrefetch = prefetch(options);
  try {
    const connection = await connect(canvas, choice, options.wasm);
    try {
      return new LocalHost(new PageStage(canvas), connection, options.wasm, cancelPrefetch);
    } catch (error) {
      if (choice !== "auto" || connection.engine.flavour === "webgl2") throw error;
      const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
      canvas.replaceWith(fresh);
      return new LocalHost(
        new PageStage(fresh),
        await connect(fresh, "webgl2", options.wasm),
        options.wasm,
        cancelPrefetch,
      );
    }
  } catch (error) {
    cancelPrefetch();
    throw asError(error, "NO_GPU");
  }
}

export class LocalHost implements Host {
  readonly stage: Stage;
  readonly rust: PlayerHandle;
  readonly timings: Timings = { updateMillis: 0, renderMillis: 0 };
  readonly upToDate = true;
  autoUpdate = true;
  listener!: HostListener;
  readonly #engine: Engine;
  readonly #urls: WasmUrls | undefined;
  readonly #screen: Screen;
  readonly #frames: FrameLoop;
  readonly #stopListening: () => void;
  /** Cancels the prefetch. */
  readonly #cancelPrefetch: () => void;
  #file: SharedFile | null = null;
  /** Whether a requested draw is still pending. */
  #drawPending = false;
  /** Whether something has changed since the last draw, other than by the passing of time. */
  #stale = true;
  /** Whether the last draw lacked details. */
  #deferred = false;

  constructor(stage: Stage, connection: Connection, urls: WasmUrls | undefined, cancelPrefetch: () => void) {
    const { engine } = connection;
    this.#cancelPrefetch = cancelPrefetch;
    const own = (): LocalHost => this;
    this.#engine = engine;
    this.#urls = urls;
    this.stage = stage;
    this.rust = new engine.wasm.PlayerHandle();
    try {
      this.#screen = new Screen(stage, connection, this.rust, {
        changed: () => this.changed(),
        contextLost: () => this.listener.contextLost(),
        contextRestored: () => this.listener.contextRestored(),
        failed: (error) => this.listener.failed(asError(error, "GPU_LOST")),
        get file() {
          return own().#file;
        },
      });
    } catch (error) {
      stage.stop();
      connection.binding.close();
      throw error;
    }
    this.#frames = new FrameLoop(
      () => stage.visible,
      () => this.#screen.behind,
      (dtSecs) => this.#tick(dtSecs),
    );
    stage.changed = () => this.changed();
    this.#stopListening = engine.onPanic((error) => this.listener.failed(error));
  }

  get backend(): Backend {
    return this.#engine.flavour;
  }

  changed(): void {
    this.#stale = true;
    if (this.autoUpdate && !this.#screen.blank) this.#frames.wake();
  }

  draw(mayDefer: boolean): true {
    const before = performance.now();
    this.#drawPending = this.#stale = false;
    this.#deferred = this.#screen.draw(mayDefer);
    if (this.#deferred) this.#frames.wake();
    this.timings.renderMillis = performance.now() - before;
    return true;
  }

  /** Draws at once or, while the GPU is behind, with the next frame. */
  requestDraw(mayDefer: boolean): void {
    this.#drawPending = this.#stale = true;
    if (!this.#screen.behind) return this.flushDraw(mayDefer);
    // Smoothed turns depend on the poses before them.
    this.rust.pose();
    this.#frames.wake();
  }

  flushDraw(mayDefer: boolean): void {
    if (!this.#drawPending) return;
    this.draw(mayDefer);
    this.listener.drawn(false);
  }

  advance(dtSecs: number): void {
    this.#timed(() => this.rust.advance(dtSecs));
  }

  async load(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<ShownModel> {
    let file: SharedFile | null = null;
    try {
      const opening = SharedFile.open(this.#engine, source, { ...options, wasm: this.#urls }, this.#file);
      // The load has taken over the prefetch by now.
      this.#cancelPrefetch();
      file = await opening;
      const { model, name, contents } = file.loaded;
      // Nothing may run between this check and `show`.
      const isWhole = this.#screen.holds(model) && file.unfinished === 0;
      const pictures = isWhole ? null : file.borrowPictures(this.#screen.imageTarget);
      const isLater = options.textures === "later";
      // The copy on the GPU lacks its pictures until it is shown.
      if (pictures) file.unfinished++;
      try {
        if (pictures) this.#screen.use(() => this.rust.prepare(model));
        const images: Images = isLater || !pictures ? [] : await pictures.all;
        options.signal.throwIfAborted();
        this.rearrange(() => this.#screen.use(() => this.rust.show(model, images)));
      } catch (error) {
        pictures?.close();
        throw error;
      } finally {
        if (pictures) file.unfinished--;
      }
      this.#file?.close();
      this.#file = file;
      this.changed();
      const later = this.#finish(file, pictures, isLater, options);
      return { name, contents, warnings: file.warnings, ...(isLater && { later }) };
    } catch (error) {
      this.#engine.checkTrap(error);
      file?.unwatch(options.onProgress);
      file?.close();
      throw error;
    }
  }

  /** Ends a load. With `isLater`, sets the pictures as they are decoded first. Resolves to the file's warnings. */
  async #finish(
    file: SharedFile,
    pictures: Pictures | null,
    isLater: boolean,
    { onProgress }: LoadOptions,
  ): Promise<readonly Warning[]> {
    if (pictures && isLater) {
      file.unfinished++;
      // Aborted when the file has no users any more.
      await Promise.all(pictures.each.map((picture, index) => this.#setImage(file, pictures, picture, index))).catch(
        () => undefined,
      );
      file.unfinished--;
    }
    pictures?.close();
    file.unwatch(onProgress);
    return file.warnings;
  }

  async #setImage(
    file: SharedFile,
    { warnings }: Pictures,
    decoding: Promise<Picture | undefined>,
    index: number,
  ): Promise<void> {
    const picture = await decoding;
    if (!picture || this.#file !== file || this.#engine.panicReport !== null) return;
    try {
      this.#screen.use(() => this.rust.setImage(index, picture));
      this.changed();
    } catch (error) {
      this.#engine.checkTrap(error);
      warnings.push(missingImage(`/images/${index}`, error));
    }
  }

  check(): void {
    this.#screen.check();
  }

  rearrange(change: () => void): void {
    this.listener.collect();
    const layers = this.rust.layerNames();
    change();
    this.listener.collect(layers);
    this.changed();
  }

  async settled(): Promise<void> {
    // Calls on this thread have taken effect when they return.
  }

  stop(): void {
    this.#frames.stop();
    this.#screen.stop();
    this.stage.stop();
    this.#stopListening();
  }

  free(): void {
    const trusted = this.#engine.panicReport === null;
    this.#cancelPrefetch();
    this.#file?.close();
    this.#file = null;
    if (trusted) this.rust.free();
    this.#screen.free(trusted);
  }

  explain(error: Error): Error {
    const report = this.#engine.panicReport;
    return report === null ? error : panicError(report);
  }

  #tick(dtSecs: number): boolean {
    try {
      const flags = this.autoUpdate ? this.#timed(() => this.rust.update(dtSecs)) : 0;
      // The first frame after a rest takes no time, and may have been drawn.
      if (dtSecs > 0 || this.#stale) this.draw(this.autoUpdate);
      else if (this.#deferred) this.#frames.wake();
      // After the draw: a listener of `finished` may rely on the last pose being on the canvas.
      this.listener.drawn((flags & 2) !== 0);
      return (flags & 1) !== 0;
    } catch (error) {
      // A panic is reported by `onPanic`.
      this.#engine.checkTrap(error);
      this.listener.failed(asError(error, "RENDER_FAILED"));
      return false;
    }
  }

  #timed<Result>(update: () => Result): Result {
    const before = performance.now();
    const result = update();
    this.timings.updateMillis = performance.now() - before;
    return result;
  }
}
