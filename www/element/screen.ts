/** A player's way onto its canvas: the device, the size, and what to do while the GPU is away. */
import { connect, type Backend, type Connection, type Engine, type WasmUrls } from "./loader.js";
import type { Stage } from "./stage.js";
import type { GpuHandle, Images, PlayerHandle } from "./wasm.js";

export interface ScreenHost {
  /** There is reason to draw. */
  changed(): void;
  contextLost(): void;
  contextRestored(): void;
  /** The GPU went away and doesn't come back. */
  failed(error: unknown): void;
  /** The pictures of the model that is shown, decoded anew; null without a model. */
  decodeImages(maxSize: number): Promise<Images | null>;
}

export class Screen {
  readonly #stage: Stage;
  readonly #handle: PlayerHandle;
  readonly #urls: WasmUrls | undefined;
  readonly #host: ScreenHost;
  readonly #life = new AbortController();
  readonly #engine: Engine;
  /** Null while it is away; the model, the pose and the camera stay meanwhile. */
  #gpu: GpuHandle | null = null;
  #drawnSize = "";

  constructor(
    stage: Stage,
    connection: Connection,
    handle: PlayerHandle,
    urls: WasmUrls | undefined,
    host: ScreenHost,
  ) {
    this.#stage = stage;
    this.#engine = connection.engine;
    this.#handle = handle;
    this.#urls = urls;
    this.#host = host;
    this.#attach(connection.gpu);
    this.#watchWebgl();
  }

  /** While the GPU is away, what WebGL2 guarantees. */
  get maxTextureSize(): number {
    return this.#gpu?.maxTextureSize ?? 2048;
  }

  /** Draws in this very task. Nothing is drawn while the GPU is away. */
  draw(): void {
    if (this.#gpu?.lost) this.#loseGpu();
    if (!this.#gpu) return;
    this.#stage.refresh();
    const { width, height } = this.#stage;
    // Only now, since a resized canvas is blank until something is drawn.
    if (this.#drawnSize !== `${width}×${height}`) this.#handle.resize(width, height);
    this.#drawnSize = `${width}×${height}`;
    this.#handle.render();
  }

  stop(): void {
    this.#life.abort();
  }

  /** Gives the device back, unless others draw with it. */
  free(): void {
    if (this.#backend === "webgl2") this.#gpu?.free();
    this.#gpu = null;
  }

  get #backend(): Backend {
    return this.#engine.flavour;
  }

  #attach(gpu: GpuHandle): void {
    this.#handle.attach(gpu, this.#stage.canvas, this.#stage.width, this.#stage.height);
    this.#gpu = gpu;
    this.#drawnSize = "";
  }

  #watchWebgl(): void {
    if (this.#backend !== "webgl2") return;
    const options = { signal: this.#life.signal };
    this.#stage.canvas.addEventListener(
      "webglcontextlost",
      (event) => {
        // Says that we can live with a context that comes back.
        event.preventDefault();
        this.#loseGpu();
      },
      options,
    );
    this.#stage.canvas.addEventListener("webglcontextrestored", () => void this.#reconnect(), options);
  }

  #loseGpu(): void {
    if (!this.#gpu) return;
    // What belongs to a lost context can be deleted only until another one takes its place.
    this.#handle.detach();
    this.free();
    // Later, since a WebGL context can't be asked back before all have heard that it is gone.
    setTimeout(() => {
      if (this.#life.signal.aborted) return;
      this.#host.contextLost();
      // WebGL2 says when to ask again; for a WebGPU device we can ask at once.
      if (this.#backend === "webgpu") void this.#reconnect();
    });
  }

  async #reconnect(): Promise<void> {
    try {
      const { gpu } = await connect(this.#stage.canvas, this.#backend, this.#urls);
      const images = await this.#host.decodeImages(gpu.maxTextureSize);
      if (this.#life.signal.aborted) {
        if (this.#backend === "webgl2") gpu.free();
        return;
      }
      this.#attach(gpu);
      if (images) this.#handle.upload(images);
      for (const image of images ?? []) image?.close();
      this.#host.contextRestored();
      this.#host.changed();
    } catch (error) {
      if (!this.#life.signal.aborted) this.#host.failed(error);
    }
  }
}
