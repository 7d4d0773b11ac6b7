/** Connects a player to its canvas: the GPU device, the size, and recovery after the GPU was lost. */
import type { Connection, Way } from "../engine/connection.js";
import type { GpuHandle, ModelHandle, PlayerHandle } from "../engine/wasm.js";
import type { FileInUse, Pictures } from "../files/file_in_use.js";
import type { Stage } from "./stage.js";

export interface ScreenHost {
  /** Called when a frame must be drawn. */
  changed(): void;
  contextLost(): void;
  contextRestored(): void;
  /** Called when the GPU is lost for good. */
  failed(error: unknown): void;
  /** File of the model that is shown. */
  readonly file: FileInUse | null;
}

export class Screen {
  readonly #stage: Stage;
  readonly #way: Way;
  readonly #handle: PlayerHandle;
  readonly #host: ScreenHost;
  /** Null while the GPU is lost. The model, the pose and the camera are kept. */
  #gpu: GpuHandle | null = null;
  #drawnSize = "";
  /** Number of the current attempt to reconnect; older ones are discarded. */
  #attempt = 0;
  /** A loss is about to be reported. */
  #telling = false;
  /** A loss has been reported, and its end hasn't. */
  #told = false;
  #stopped = false;

  constructor(stage: Stage, { gpu, way }: Connection, handle: PlayerHandle, host: ScreenHost) {
    this.#stage = stage;
    this.#way = way;
    this.#handle = handle;
    this.#host = host;
    way.watch(
      () => {
        // Discard a running attempt.
        if (way.lost) this.#attempt++;
        this.#isThere();
      },
      () => {
        if (!this.#telling) void this.#reconnect();
      },
    );
    this.#gpu = gpu;
    if (this.#isThere()) this.#attach(gpu);
  }

  /** Largest texture side. While the GPU is lost, the one that WebGL2 guarantees. */
  get maxTextureSize(): number {
    return this.#gpu?.maxTextureSize ?? 2048;
  }

  /** Whether the GPU has the model with its pictures, because some player shows it there. */
  holds(model: ModelHandle): boolean {
    return this.#isThere() && this.#gpu!.holds(model);
  }

  /** Runs an action that uses the GPU if there is one. If the GPU proves to be lost, runs it again without. */
  use(action: () => void): void {
    const there = this.#isThere();
    try {
      action();
    } catch (error) {
      if (!there || this.#isThere()) throw error;
      action();
    }
  }

  /** Whether another frame would only wait for the GPU. */
  get behind(): boolean {
    return this.#isThere() && this.#handle.behind;
  }

  /** Draws synchronously. Does nothing while the GPU is lost. */
  draw(): void {
    this.use(() => {
      if (!this.#gpu) return;
      this.#stage.refresh();
      const { width, height } = this.#stage;
      // Resize right before drawing, since a resized canvas is blank.
      if (this.#drawnSize !== `${width}×${height}`) this.#handle.resize(width, height);
      this.#drawnSize = `${width}×${height}`;
      const limit = this.#gpu.maxTextureSize;
      this.#way.draw(Math.min(width, limit), Math.min(height, limit), () => this.#handle.render());
    });
  }

  /** Checks whether the GPU is lost without waiting for its event. */
  check(): void {
    this.#isThere();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Frees the connection. The WebAssembly's GPU objects are freed only if its memory is intact (`trusted`). */
  free(trusted: boolean): void {
    if (this.#gpu && trusted) this.#way.drop(this.#gpu);
    this.#gpu = null;
    this.#way.leave();
  }

  #isThere(): boolean {
    if (this.#gpu && (this.#gpu.lost || this.#way.lost)) this.#lose();
    return this.#gpu !== null;
  }

  #attach(gpu: GpuHandle): void {
    this.#handle.attach(gpu, this.#way.surface, this.#stage.width, this.#stage.height);
    this.#gpu = gpu;
    this.#drawnSize = "";
  }

  #lose(): void {
    if (!this.#gpu || this.#stopped) return;
    // Objects of a lost context must be deleted before another context replaces it.
    this.#handle.detach();
    this.#way.drop(this.#gpu);
    this.#gpu = null;
    this.#telling = true;
    // In a later task: a WebGL context can't be restored until all listeners of its loss have run.
    setTimeout(() => {
      this.#telling = false;
      if (this.#stopped) return;
      if (!this.#told) this.#host.contextLost();
      this.#told = true;
      // WebGL2 has an event for when to ask again; a WebGPU device can be requested at once.
      if (!this.#way.lost) void this.#reconnect();
    });
  }

  /** Requests a GPU and uploads the model with its pictures, so that it is never drawn without them. */
  async #reconnect(): Promise<void> {
    const attempt = ++this.#attempt;
    let pictures: Pictures | null = null;
    try {
      const gpu = await this.#request();
      pictures = await this.#borrowPictures(gpu.maxTextureSize);
      if (attempt !== this.#attempt || this.#stopped) return this.#way.drop(gpu);
      // Lost again: `#isThere` requests another one unless the context comes back by itself.
      this.#gpu = gpu;
      if (!this.#isThere()) return;
      this.#attach(gpu);
      if (pictures) this.#handle.upload(pictures.images);
      this.#told = false;
      this.#host.contextRestored();
      this.#host.changed();
    } catch (error) {
      if (attempt === this.#attempt && !this.#stopped && !this.#way.lost) this.#host.failed(error);
    } finally {
      pictures?.giveBack();
    }
  }

  async #request(): Promise<GpuHandle> {
    for (const pauseMillis of PATIENCE_MILLIS) {
      try {
        return await this.#way.request();
      } catch (error) {
        if (this.#stopped || this.#way.lost) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMillis));
    }
    return this.#way.request();
  }

  /** Borrows the pictures of the model that is shown when they arrive, even if another one was shown at the request. */
  async #borrowPictures(maxSize: number): Promise<Pictures | null> {
    for (;;) {
      const { file } = this.#host;
      let pictures: Pictures | null = null;
      try {
        pictures = file && (await file.borrowPictures(maxSize));
      } catch (error) {
        if (file === this.#host.file) throw error;
      }
      if (file === this.#host.file) return pictures;
      pictures?.giveBack();
    }
  }
}

/**
 * Delays between requests for a GPU. After its GPU process crashed, a browser may have none for a while. Chromium 156
 * gives none to a page that has lost two within a short time.
 */
const PATIENCE_MILLIS = [100, 500, 2000, 5000, 10_000, 20_000, 40_000, 60_000];
