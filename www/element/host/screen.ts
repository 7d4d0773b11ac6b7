/** Connects a player to its canvas: the GPU device, the size, and recovery after the GPU was lost. */
import type { Connection, GpuBinding } from "../engine/connection.js";
import type { GpuHandle, Images, ModelHandle, PlayerHandle } from "../engine/wasm.js";
import type { ImageTarget } from "../files/loading.js";
import type { SharedFile } from "../files/shared_file.js";
import type { Stage } from "./stage.js";

export interface ScreenHost {
  /** Called when a frame must be drawn. */
  changed(): void;
  contextLost(): void;
  contextRestored(): void;
  /** Called when the GPU is lost for good. */
  failed(error: unknown): void;
  /** What the player itself and its other actors show. */
  readonly roles: Iterable<Role>;
}

/** A model that is shown. */
interface Role {
  /** Handle whose `upload` concerns the model. */
  readonly handle: PlayerHandle;
  readonly file: SharedFile | null;
}

export class Screen {
  readonly #stage: Stage;
  readonly #binding: GpuBinding;
  readonly #handle: PlayerHandle;
  readonly #host: ScreenHost;
  /** Null while the GPU is lost. The model, the pose and the camera are kept. */
  #gpu: GpuHandle | null = null;
  /** Longest side of a picture. */
  #limit = 0;
  /** Size of the last picture; -1 before the first. */
  #width = -1;
  #height = -1;
  /** Draws a picture of the drawn size. */
  #present: ((draw: () => void) => void) | undefined;
  /** Number of the current attempt to reconnect; older ones are discarded. */
  #attempt = 0;
  /** A loss is about to be reported. */
  #lossPending = false;
  /** A loss has been reported, and its end hasn't. */
  #lossReported = false;
  #stopped = false;

  constructor(stage: Stage, { gpu, binding }: Connection, handle: PlayerHandle, host: ScreenHost) {
    this.#stage = stage;
    this.#binding = binding;
    this.#handle = handle;
    this.#host = host;
    binding.watch(
      () => {
        // Discard a running attempt.
        if (binding.lost) this.#attempt++;
        this.#hasGpu();
      },
      () => {
        if (!this.#lossPending) void this.#reconnect();
      },
    );
    this.#gpu = gpu;
    if (this.#hasGpu()) this.#attach(gpu);
  }

  /** What the GPU can take. While it is lost, the size is the one that WebGL2 guarantees. */
  get imageTarget(): ImageTarget {
    return this.#targetOf(this.#gpu);
  }

  #targetOf(gpu: GpuHandle | null): ImageTarget {
    return {
      maxSize: gpu?.maxTextureSize ?? 2048,
      blockFeatures: gpu?.blockFeatures ?? 0,
      software: this.#binding.software,
    };
  }

  /** Whether the GPU has the model with its pictures, because some player shows it there. */
  holds(model: ModelHandle): boolean {
    return this.#hasGpu() && this.#gpu!.holds(model);
  }

  /** Runs an action that uses the GPU if there is one. If the GPU proves to be lost, runs it again without. */
  use(action: () => unknown): void {
    const hadGpu = this.#hasGpu();
    try {
      action();
    } catch (error) {
      if (!hadGpu || this.#hasGpu()) throw error;
      action();
    }
  }

  /** Whether there is nothing to draw on a fresh canvas, which is transparent already. */
  get blank(): boolean {
    return this.#width < 0 && this.#shown.length === 0 && this.#handle.background.length === 0;
  }

  /** Whether another frame would only wait for the GPU. */
  get behind(): boolean {
    return this.#hasGpu() && this.#handle.behind;
  }

  /**
   * Draws synchronously. Does nothing while the GPU is lost. With `mayDefer`, the GPU's first pictures lack
   * antialiasing, mip levels, the shadow or the ground. Returns whether this one does. `scale` is a factor of its
   * sides.
   */
  draw(mayDefer: boolean, scale: number): boolean {
    let isDeferred = false;
    this.use(() => {
      if (!this.#gpu) return;
      if (this.blank) return;
      this.#stage.refresh();
      const [width, height] = [Math.ceil(this.#stage.width * scale), Math.ceil(this.#stage.height * scale)];
      // Resize right before drawing, since a resized canvas is blank.
      if (this.#width !== width || this.#height !== height) this.#handle.resize(width, height);
      this.#width = width;
      this.#height = height;
      this.#present = (draw) => this.#binding.draw(Math.min(width, this.#limit), Math.min(height, this.#limit), draw);
      this.#present(() => (isDeferred = this.#handle.render(mayDefer)));
    });
    return isDeferred;
  }

  /** Refines the last picture, which must be as it was drawn. Returns whether another call refines it further. */
  refine(): boolean {
    let goesOn = false;
    this.use(() => this.#gpu && this.#present?.(() => (goesOn = this.#handle.refine())));
    return goesOn;
  }

  /** Checks whether the GPU is lost without waiting for its event. */
  check(): void {
    this.#hasGpu();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Frees the connection. The WebAssembly's GPU objects are freed only if its memory is intact (`trusted`). */
  free(trusted: boolean): void {
    if (this.#gpu && trusted) this.#binding.free(this.#gpu);
    this.#gpu = null;
    this.#binding.close();
  }

  #hasGpu(): boolean {
    if (this.#gpu && (this.#gpu.lost || this.#binding.lost)) this.#lose();
    return this.#gpu !== null;
  }

  #attach(gpu: GpuHandle): void {
    this.#handle.attach(gpu, this.#binding.surface, this.#stage.width, this.#stage.height);
    this.#gpu = gpu;
    this.#limit = gpu.maxTextureSize;
    this.#width = -1;
  }

  #lose(): void {
    if (!this.#gpu || this.#stopped) return;
    // Objects of a lost context must be deleted before another context replaces it.
    this.#handle.detach();
    this.#binding.free(this.#gpu);
    this.#gpu = null;
    this.#lossPending = true;
    // In a later task: a WebGL context can't be restored until all listeners of its loss have run.
    setTimeout(() => {
      this.#lossPending = false;
      if (this.#stopped) return;
      if (!this.#lossReported) this.#host.contextLost();
      this.#lossReported = true;
      // WebGL2 has an event for when to ask again; a WebGPU device can be requested at once.
      if (!this.#binding.lost) void this.#reconnect();
    });
  }

  /** Requests a GPU and uploads the model with its pictures, so that it is never drawn without them. */
  async #reconnect(): Promise<void> {
    const attempt = ++this.#attempt;
    let pictures: readonly Upload[] = [];
    try {
      const gpu = await this.#request();
      pictures = await this.#borrowPictures(this.#targetOf(gpu));
      if (attempt !== this.#attempt || this.#stopped) return this.#binding.free(gpu);
      // Lost again: `#hasGpu` requests another one unless the context comes back by itself.
      this.#gpu = gpu;
      if (!this.#hasGpu()) return;
      this.#attach(gpu);
      for (const { role, images } of pictures) role.handle.upload(images);
      this.#lossReported = false;
      this.#host.contextRestored();
      this.#host.changed();
    } catch (error) {
      if (attempt === this.#attempt && !this.#stopped && !this.#binding.lost) this.#host.failed(error);
    } finally {
      for (const { close } of pictures) close();
    }
  }

  async #request(): Promise<GpuHandle> {
    for (const pauseMillis of RETRY_DELAYS_MILLIS) {
      try {
        return await this.#binding.request();
      } catch (error) {
        if (this.#stopped || this.#binding.lost) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMillis));
    }
    return this.#binding.request();
  }

  /**
   * Decodes the pictures of the models that are shown when they are there, even if others were shown at the request.
   */
  async #borrowPictures(target: ImageTarget): Promise<readonly Upload[]> {
    for (;;) {
      const shown = this.#shown;
      const borrowed = shown.map(({ file }) => file!.borrowPictures(target));
      const isSame = (): boolean => {
        const now = this.#shown;
        return now.length === shown.length && now.every(({ file }, at) => file === shown[at]!.file);
      };
      const close = (): void => borrowed.forEach((pictures) => pictures.close());
      try {
        const images = await Promise.all(borrowed.map(({ all }) => all));
        if (isSame()) return shown.map((role, at) => ({ role, images: images[at]!, close: borrowed[at]!.close }));
      } catch (error) {
        if (isSame()) {
          close();
          throw error;
        }
      }
      close();
    }
  }

  /** The roles that show a model. */
  get #shown(): Role[] {
    return [...this.#host.roles].filter(({ file }) => file);
  }
}

/** The pictures of a model, to upload. */
interface Upload {
  readonly role: Role;
  readonly images: Images;
  close(): void;
}

/**
 * Delays between requests for a GPU. After its GPU process crashed, a browser may have none for a while. Chromium 156
 * gives none to a page that has lost two within a short time.
 */
const RETRY_DELAYS_MILLIS = [100, 500, 2000, 5000, 10_000, 20_000, 40_000, 60_000];
