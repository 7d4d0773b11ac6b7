/** A player's way onto its canvas: the device, the size, and what to do while the GPU is away. */
import { CanvasSize } from "./canvas_size.js";
import { connect, type Backend, type Connection, type Engine, type WasmUrls } from "./loader.js";
import type { Images, PlayerHandle } from "./wasm.js";

export interface ScreenHost {
  /** There is reason to draw. */
  changed(): void;
  contextLost(): void;
  contextRestored(): void;
  /** The GPU went away and doesn't come back. */
  failed(error: unknown): void;
  /** The pictures of the model that is shown, decoded anew; null without a model. */
  decodeImages(): Promise<Images | null>;
}

export class Screen {
  readonly canvas: HTMLCanvasElement;
  readonly #handle: PlayerHandle;
  readonly #urls: WasmUrls | undefined;
  readonly #host: ScreenHost;
  readonly #size: CanvasSize;
  readonly #life = new AbortController();
  #connection: Connection;
  /** The model, the pose and the camera stay meanwhile. */
  #gpuAway = false;
  #drawnSize = "";

  constructor(
    canvas: HTMLCanvasElement,
    connection: Connection,
    handle: PlayerHandle,
    urls: WasmUrls | undefined,
    host: ScreenHost,
  ) {
    this.canvas = canvas;
    this.#connection = connection;
    this.#handle = handle;
    this.#urls = urls;
    this.#host = host;
    this.#size = new CanvasSize(canvas, () => host.changed());
    this.#attach();
    this.#watchWebgl();
  }

  get engine(): Engine {
    return this.#connection.engine;
  }

  get backend(): Backend {
    return this.engine.backend;
  }

  get maxTextureSize(): number {
    return this.#connection.gpu.maxTextureSize;
  }

  get width(): number {
    return this.#size.width;
  }

  get height(): number {
    return this.#size.height;
  }

  /** Draws in this very task. Nothing is drawn while the GPU is away. */
  draw(): void {
    if (this.#connection.gpu.lost) this.#loseGpu();
    if (this.#gpuAway) return;
    const { width, height } = this.#size;
    // Only now, since a resized canvas is blank until something is drawn.
    if (this.#drawnSize !== `${width}×${height}`) this.#handle.resize(width, height);
    this.#drawnSize = `${width}×${height}`;
    this.#handle.render();
  }

  stop(): void {
    this.#size.stop();
    this.#life.abort();
  }

  /** Gives the device back, unless others draw with it. */
  free(): void {
    if (this.backend === "webgl2") this.#connection.gpu.free();
  }

  #attach(): void {
    this.#handle.attach(this.#connection.gpu, this.canvas, this.#size.width, this.#size.height);
    this.#drawnSize = "";
  }

  #watchWebgl(): void {
    if (this.backend !== "webgl2") return;
    const options = { signal: this.#life.signal };
    this.canvas.addEventListener(
      "webglcontextlost",
      (event) => {
        // Says that we can live with a context that comes back.
        event.preventDefault();
        this.#loseGpu();
      },
      options,
    );
    this.canvas.addEventListener("webglcontextrestored", () => void this.#reconnect(), options);
  }

  #loseGpu(): void {
    if (this.#gpuAway) return;
    this.#gpuAway = true;
    this.#connection.gpu.markLost();
    this.#host.contextLost();
    // WebGL2 says when to ask again; for a WebGPU device we can ask at once.
    if (this.backend === "webgpu") void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    try {
      this.#connection = await connect(this.canvas, this.backend, this.#urls);
      const images = await this.#host.decodeImages();
      if (this.#life.signal.aborted) return;
      this.#attach();
      if (images) this.#handle.upload(images);
      for (const image of images ?? []) image?.close();
      this.#gpuAway = false;
      this.#host.contextRestored();
      this.#host.changed();
    } catch (error) {
      if (!this.#life.signal.aborted) this.#host.failed(error);
    }
  }
}
