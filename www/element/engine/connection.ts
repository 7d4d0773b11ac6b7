/** Connects a canvas to a GPU: by WebGPU, where one device serves all canvases of a page, or else by WebGL2. */
import { asError, GambolError } from "../errors.js";
import { fetched, openBackend, type BackendChoice, type Engine, type WasmUrls } from "./engine.js";
import type { Canvas, Device, GpuHandle } from "./wasm.js";

/** The engine, GPU and connection of a canvas. */
export interface Connection {
  readonly engine: Engine;
  readonly gpu: GpuHandle;
  readonly binding: GpuBinding;
}

/** The connection of a canvas to a GPU, which can request another one after a loss. */
export interface GpuBinding {
  /** Canvas that the WebAssembly draws on: the canvas itself, or one that is copied to it. */
  readonly surface: Canvas;
  /** Whether the WebGL2 context is lost. It is so before the GPU handle is. Always false with WebGPU. */
  readonly lost: boolean;
  /** Whether the CPU does the work of the GPU. Known with WebGPU only. */
  readonly software?: boolean | undefined;
  request(): Promise<GpuHandle>;
  /**
   * Sets the callbacks. `lost` is called on a loss, which may be another canvas's. `found` is called when a GPU can
   * be requested again, with WebGL2 only.
   */
  watch(lost: () => void, restored: () => void): void;
  /** Draws a frame and, if necessary, copies it to the canvas. */
  draw(width: number, height: number, render: () => void): void;
  /** Frees a GPU, unless others draw with it. */
  free(gpu: GpuHandle): void;
  /** Frees the connection. */
  close(): void;
}

/** Whether WebGPU draws, as far as is known. False once a player has had to replace it. */
export const webgpu = { draws: true };

/**
 * Requests a device for the canvas. The canvas is touched only for WebGL2, since a canvas that once had a `webgpu`
 * context can't have a `webgl2` context.
 *
 * @param meanwhile called while a device is requested, which takes time. A WebGL2 context comes at once
 */
export async function connect(
  canvas: Canvas,
  choice: BackendChoice = "auto",
  urls: WasmUrls = {},
  meanwhile?: (engine: Engine) => void,
): Promise<Connection> {
  let webgpuFailure: unknown = null;
  if (choice === "webgpu" || (choice === "auto" && webgpu.draws)) {
    try {
      return await connectWebgpu(canvas, urls, meanwhile);
    } catch (error) {
      if (choice === "webgpu" || (error instanceof GambolError && error.code === "WASM_NOT_LOADED")) throw error;
      webgpuFailure = error;
    }
  }
  return connectWebgl(canvas, urls, webgpuFailure);
}

async function connectWebgpu(
  canvas: Canvas,
  urls: WasmUrls,
  meanwhile: ((engine: Engine) => void) | undefined,
): Promise<Connection> {
  // The WebAssembly is fetched meanwhile, except without the API.
  if (!("gpu" in navigator)) await requireWebgpu();
  let request!: () => void;
  const usable = new Promise<void>((done) => (request = done)).then(requireWebgpu);
  if (!isShared) requestFirst(usable);
  const opening = openBackend("webgpu", urls, usable);
  // The first call takes milliseconds. The WebAssembly is requested before, in an earlier microtask.
  queueMicrotask(request);
  const [engine, adapter] = await Promise.all([opening, usable]);
  const binding = new DeviceBinding(engine, canvas, adapter);
  const requested = binding.request();
  meanwhile?.(engine);
  return { engine, gpu: await requested, binding };
}

async function connectWebgl(canvas: Canvas, urls: WasmUrls, cause: unknown): Promise<Connection> {
  if (typeof WebGL2RenderingContext === "undefined") {
    throw new GambolError("NO_GPU", "This browser offers neither WebGPU nor WebGL2. Is hardware acceleration off?", {
      cause,
    });
  }
  const contexts = fetchWebgl();
  // While the WebAssembly is fetched.
  contexts.then(({ openEarly }) => openEarly(canvas)).catch(() => undefined);
  const [engine, { openBinding }] = await Promise.all([openBackend("webgl2", urls), contexts]);
  let binding: GpuBinding | undefined;
  try {
    binding = openBinding({ SharedGpu }, engine, canvas);
    return { engine, gpu: await binding.request(), binding };
  } catch (error) {
    binding?.close();
    engine.checkTrap(error);
    const advice = "Is hardware acceleration off, or does this canvas have another context?";
    throw new GambolError("NO_GPU", `The browser gives no GPU for this canvas. ${advice} (${asError(error).message})`, {
      cause: cause ?? error,
    });
  }
}

/** A `GPUAdapter`. Typed here because not every TypeScript DOM library has `navigator.gpu`. */
interface Adapter {
  readonly info?: { readonly isFallbackAdapter?: boolean };
  readonly features: Iterable<string>;
  readonly limits: Readonly<Record<string, number>>;
  requestDevice(description: object): Promise<Device>;
}

/** Whether there is a device that the page's players share. */
let isShared = false;

/** The device of the page's first player, which is requested while the WebAssembly is compiled. */
let first: Promise<Device | string> | null = null;

function requestFirst(usable: Promise<Adapter>): void {
  if (first) return;
  const requested = usable.then(requestDevice);
  first = requested;
  requested.catch(() => first === requested && (first = null));
}

/** Requests a device whose other limits are WebGPU's defaults. Returns the reason if there is none. */
async function requestDevice(adapter: Adapter): Promise<Device | string> {
  const { maxTextureDimension2D, maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  try {
    return await adapter.requestDevice({
      requiredFeatures: [...adapter.features].filter((name) => name.startsWith("texture-compression-")),
      requiredLimits: { maxTextureDimension2D, maxBufferSize, maxStorageBufferBindingSize },
    });
  } catch (error) {
    return asError(error).message;
  }
}

/** Returns the WebGPU adapter. Throws `NO_WEBGPU` if there is none. */
async function requireWebgpu(): Promise<Adapter> {
  const adapter = await webgpuAdapter();
  if (adapter) return adapter;
  throw new GambolError("NO_WEBGPU", "This browser has no WebGPU adapter. Use the backend “auto” or “webgl2”.");
}

/** Returns the WebGPU adapter or null: `navigator.gpu` may exist without one. */
export async function webgpuAdapter(): Promise<Adapter | null | undefined> {
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<Adapter | null> } }).gpu;
  try {
    return await gpu?.requestAdapter();
  } catch {
    return null;
  }
}

/** Imports the script for WebGL2, which pages with WebGPU don't need. */
function fetchWebgl() {
  return fetched(import("./webgl_contexts.js"));
}

/** A GPU shared by several canvases. */
export class SharedGpu {
  /** Called when a GPU is lost. An idle player would otherwise notice only at its next draw. */
  readonly watchers = new Set<() => void>();
  readonly #request: () => Promise<GpuHandle>;
  #current: Promise<GpuHandle> | null = null;

  constructor(request: () => Promise<GpuHandle>) {
    this.#request = request;
  }

  /** Returns the GPU, or requests a new one if it is lost. */
  async get(): Promise<GpuHandle> {
    const held = this.#current;
    if (held) {
      const gpu = await held.catch(() => null);
      if (gpu && !gpu.lost) return gpu;
      // Another player may have replaced it during the `await`.
      if (this.#current !== held) return this.get();
    }
    const requested = this.#request();
    requested.then(
      (gpu) => gpu.whenLost()?.then(() => this.watchers.forEach((watch) => watch())),
      () => undefined,
    );
    return (this.#current = requested);
  }

  /** Frees the GPU, unless a panic has made the memory unusable. */
  discard({ panicReport }: Engine): void {
    const held = this.#current;
    this.#current = null;
    if (panicReport === null) held?.then((gpu) => gpu.free()).catch(() => undefined);
  }
}

const devices = new WeakMap<Engine, SharedGpu>();

function share(engine: Engine): SharedGpu {
  const gpu = new SharedGpu(async () => {
    // An adapter has one device, so another one needs another adapter.
    const device = first ?? requireWebgpu().then(requestDevice);
    first = null;
    return engine.wasm.requestGpu(await device);
  });
  devices.set(engine, gpu);
  isShared = true;
  engine.onPanic(() => (isShared = false));
  return gpu;
}

/** With WebGPU, all canvases of a page draw through one device. */
class DeviceBinding implements GpuBinding {
  readonly surface: Canvas;
  readonly lost = false;
  readonly software: boolean | undefined;
  readonly #gpu: SharedGpu;
  #lost: () => void = () => undefined;

  constructor(engine: Engine, canvas: Canvas, { info }: Adapter) {
    this.surface = canvas;
    this.software = info?.isFallbackAdapter;
    this.#gpu = devices.get(engine) ?? share(engine);
  }

  async request(): Promise<GpuHandle> {
    const gpu = await this.#gpu.get();
    if (this.software) gpu.drawInSoftware();
    return gpu;
  }

  watch(lost: () => void): void {
    this.#lost = lost;
    this.#gpu.watchers.add(lost);
  }

  draw(_width: number, _height: number, render: () => void): void {
    render();
  }

  free(): void {}

  close(): void {
    this.#gpu.watchers.delete(this.#lost);
  }
}
