/** A player's way onto its canvas: the device, the size, and what to do while the GPU is away. */
import type { Connection, Way } from "../engine/connection.js";
import type { GpuHandle, ModelHandle, PlayerHandle } from "../engine/wasm.js";
import type { FileInUse, Pictures } from "../files/file_in_use.js";
import type { Stage } from "./stage.js";

export interface ScreenHost {
  /** There is reason to draw. */
  changed(): void;
  contextLost(): void;
  contextRestored(): void;
  /** The GPU went away and doesn't come back. */
  failed(error: unknown): void;
  /** Of the model that is shown. */
  readonly file: FileInUse | null;
}

export class Screen {
  readonly #stage: Stage;
  readonly #way: Way;
  readonly #handle: PlayerHandle;
  readonly #host: ScreenHost;
  /** Null while it is away; the model, the pose and the camera stay meanwhile. */
  #gpu: GpuHandle | null = null;
  #drawnSize = "";
  /** Which attempt to have a GPU again is the one that counts. */
  #attempt = 0;
  /** Whoever listens has yet to hear of a loss. */
  #telling = false;
  /** They have heard of it, and not yet of its end. */
  #told = false;
  #stopped = false;

  constructor(stage: Stage, { gpu, way }: Connection, handle: PlayerHandle, host: ScreenHost) {
    this.#stage = stage;
    this.#way = way;
    this.#handle = handle;
    this.#host = host;
    way.watch(
      () => {
        // Whatever attempt is under way is in vain.
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

  /** While the GPU is away, what WebGL2 guarantees. */
  get maxTextureSize(): number {
    return this.#gpu?.maxTextureSize ?? 2048;
  }

  /** Whether the GPU has the model with its pictures, because somebody shows it there. */
  holds(model: ModelHandle): boolean {
    return this.#isThere() && this.#gpu!.holds(model);
  }

  /** Does what takes the GPU if there is one, and once more without it where it proves to be lost. */
  use(action: () => void): void {
    const there = this.#isThere();
    try {
      action();
    } catch (error) {
      if (!there || this.#isThere()) throw error;
      action();
    }
  }

  /** Whether another picture would only wait for the GPU. */
  get behind(): boolean {
    return this.#isThere() && this.#handle.behind;
  }

  /** Draws in this very task. Nothing is drawn while the GPU is away. */
  draw(): void {
    this.use(() => {
      if (!this.#gpu) return;
      this.#stage.refresh();
      const { width, height } = this.#stage;
      // Only now, since a resized canvas is blank until something is drawn.
      if (this.#drawnSize !== `${width}×${height}`) this.#handle.resize(width, height);
      this.#drawnSize = `${width}×${height}`;
      const limit = this.#gpu.maxTextureSize;
      this.#way.draw(Math.min(width, limit), Math.min(height, limit), () => this.#handle.render());
    });
  }

  /** Finds out now what events would tell later: of what is lost, nothing may be asked. */
  check(): void {
    this.#isThere();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Gives the way to the GPU back. What the wasm side has there is freed before, or not to be touched any more. */
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
    // What belongs to a lost context can be deleted only until another one takes its place.
    this.#handle.detach();
    this.#way.drop(this.#gpu);
    this.#gpu = null;
    this.#telling = true;
    // Later, since a WebGL context can't be asked back before all have heard that it is gone.
    setTimeout(() => {
      this.#telling = false;
      if (this.#stopped) return;
      if (!this.#told) this.#host.contextLost();
      this.#told = true;
      // WebGL2 says when to ask again; for a WebGPU device we can ask at once.
      if (!this.#way.lost) void this.#reconnect();
    });
  }

  /** The model that is shown comes along, so that nothing is ever seen without its pictures. */
  async #reconnect(): Promise<void> {
    const attempt = ++this.#attempt;
    let pictures: Pictures | null = null;
    try {
      const gpu = await this.#request();
      pictures = await this.#borrowPictures(gpu.maxTextureSize);
      if (attempt !== this.#attempt || this.#stopped) return this.#way.drop(gpu);
      // Lost once more: where it doesn't come back by itself, another one is asked for.
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

  /** Those of the model that is shown when they are there, even when it wasn't shown when they were asked for. */
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
 * A browser whose GPU process crashed may have no GPU to give for a while. One that lost GPUs twice because of a page gives
 * it none for two minutes.
 */
const PATIENCE_MILLIS = [100, 500, 2000, 5000, 10_000, 20_000, 40_000, 60_000];
