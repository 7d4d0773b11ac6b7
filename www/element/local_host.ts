/** The host on this thread. */
import { asError } from "./errors.js";
import { FrameLoop } from "./frame_loop.js";
import type { Audience, Host, Shown } from "./host.js";
import { connect, poisoned, type Backend, type Connection, type Engine, type WasmUrls } from "./loader.js";
import { decodeImages, loadFile, type LoadedFile } from "./loading.js";
import type { PlayerOptions } from "./options.js";
import { Screen } from "./screen.js";
import type { LoadOptions, Source } from "./source.js";
import { PageStage, type Stage } from "./stage.js";
import type { Timings } from "./stats.js";
import type { PlayerHandle } from "./wasm.js";

/** When WebGPU fails after the canvas was claimed for it, a copy of the canvas takes its place in the page. */
export async function startHere(canvas: HTMLCanvasElement, options: PlayerOptions): Promise<LocalHost> {
  const choice = options.backend ?? "auto";
  try {
    const connection = await connect(canvas, choice, options.wasm);
    try {
      return new LocalHost(new PageStage(canvas), connection, options.wasm);
    } catch (error) {
      if (choice !== "auto" || connection.engine.flavour === "webgl2") throw error;
      const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
      canvas.replaceWith(fresh);
      return new LocalHost(new PageStage(fresh), await connect(fresh, "webgl2", options.wasm), options.wasm);
    }
  } catch (error) {
    throw asError(error, "NO_GPU");
  }
}

export class LocalHost implements Host {
  readonly rust: PlayerHandle;
  readonly timings: Timings = { updateMillis: 0, renderMillis: 0 };
  readonly upToDate = true;
  autoUpdate = true;
  audience!: Audience;
  readonly #engine: Engine;
  readonly #urls: WasmUrls | undefined;
  readonly #stage: Stage;
  readonly #screen: Screen;
  readonly #frames: FrameLoop;
  readonly #stopListening: () => void;
  #file: LoadedFile | null = null;

  constructor(stage: Stage, { engine, gpu }: Connection, urls: WasmUrls | undefined) {
    this.#engine = engine;
    this.#urls = urls;
    this.#stage = stage;
    this.rust = new engine.wasm.PlayerHandle();
    try {
      this.#screen = new Screen(stage, { engine, gpu }, this.rust, urls, {
        changed: () => this.changed(),
        contextLost: () => this.audience.contextLost(),
        contextRestored: () => this.audience.contextRestored(),
        failed: (error) => this.audience.failed(asError(error, "GPU_LOST")),
        decodeImages: async (maxSize) => this.#file && (await decodeImages(this.#file, maxSize)).images,
      });
    } catch (error) {
      stage.stop();
      throw error;
    }
    this.#frames = new FrameLoop(
      () => stage.visible,
      (dtSecs) => this.#tick(dtSecs),
    );
    stage.changed = () => this.changed();
    this.#stopListening = engine.onPanic((error) => this.audience.failed(error));
  }

  get canvas(): HTMLCanvasElement {
    return this.#stage.canvas as HTMLCanvasElement;
  }

  get backend(): Backend {
    return this.#engine.flavour;
  }

  get width(): number {
    return this.#stage.width;
  }

  get height(): number {
    return this.#stage.height;
  }

  get visible(): boolean {
    return this.#stage.visible;
  }

  changed(): void {
    if (this.autoUpdate) this.#frames.wake();
  }

  draw(): true {
    const before = performance.now();
    this.#screen.draw();
    this.timings.renderMillis = performance.now() - before;
    return true;
  }

  advance(dtSecs: number): void {
    this.#timed(() => this.rust.advance(dtSecs));
  }

  async load(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<Shown> {
    const { wasm } = this.#engine;
    let file: LoadedFile | null = null;
    try {
      file = await loadFile(wasm, source, { ...options, wasm: this.#urls });
      const pictures = await decodeImages(file, this.#screen.maxTextureSize);
      options.signal.throwIfAborted();
      try {
        const { model } = file;
        this.rearrange(() => this.rust.show(model, pictures.images));
      } finally {
        for (const image of pictures.images) image?.close();
      }
      this.#file?.model.free();
      this.#file = file;
      return { name: file.name, contents: file.contents, warnings: [...file.warnings, ...pictures.warnings] };
    } catch (error) {
      this.#engine.checkTrap(error);
      if (file && file !== this.#file && this.#engine.panicReport === null) file.model.free();
      throw error;
    }
  }

  rearrange(change: () => void): void {
    this.audience.collect();
    const layers = this.rust.layerNames();
    change();
    this.audience.collect(layers);
    this.changed();
  }

  async settled(): Promise<void> {
    // Whatever is asked of this thread is done when the call returns.
  }

  stop(): void {
    this.#frames.stop();
    this.#screen.stop();
    this.#stage.stop();
    this.#stopListening();
  }

  free(): void {
    this.#file?.model.free();
    this.rust.free();
    this.#screen.free();
  }

  explain(error: Error): Error {
    const report = this.#engine.panicReport;
    return report === null ? error : poisoned(report);
  }

  #tick(dtSecs: number): boolean {
    try {
      const told = this.autoUpdate ? this.#timed(() => this.rust.update(dtSecs)) : 0;
      this.draw();
      // Only now: whoever hears that something finished may rely on its last pose being seen.
      this.audience.drawn((told & 2) !== 0);
      return (told & 1) !== 0;
    } catch (error) {
      // A panic goes its own way.
      this.#engine.checkTrap(error);
      this.audience.failed(asError(error, "RENDER_FAILED"));
      return false;
    }
  }

  #timed<Told>(update: () => Told): Told {
    const before = performance.now();
    const told = update();
    this.timings.updateMillis = performance.now() - before;
    return told;
  }
}
