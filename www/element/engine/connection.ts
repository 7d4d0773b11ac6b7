/** How a canvas comes to a GPU: by WebGPU, where one device serves all canvases of a page, else by WebGL2. */
import { asError, GambolError } from "../errors.js";
import { notStarted, openBackend, type BackendChoice, type Engine, type WasmUrls } from "./engine.js";
import type { Canvas, GpuHandle } from "./wasm.js";

/** A canvas and the GPU that it found. */
export interface Connection {
  readonly engine: Engine;
  readonly gpu: GpuHandle;
  readonly way: Way;
}

/** How a canvas comes to a GPU, and to another when that one is lost. */
export interface Way {
  /** What the wasm side draws on: the canvas itself, or one that it copies from. */
  readonly surface: Canvas;
  /** Of a WebGL2 context: it knows before its GPU does. */
  readonly lost: boolean;
  request(): Promise<GpuHandle>;
  /** Tells of a loss, be it this canvas's or not, and, where there is a time for it, of when to ask again. */
  watch(lost: () => void, found: () => void): void;
  /** Has a picture drawn, and brings it to the canvas. */
  draw(width: number, height: number, render: () => void): void;
  /** Frees a GPU, unless others draw with it. */
  drop(gpu: GpuHandle): void;
  /** The canvas needs no GPU any more. */
  leave(): void;
}

/**
 * Finds a device for the canvas, without touching the canvas unless it is for WebGL2: a canvas that once gave a
 * `webgpu` context never gives `webgl2`.
 */
export async function connect(
  canvas: Canvas,
  choice: BackendChoice = "auto",
  urls: WasmUrls = {},
): Promise<Connection> {
  let webgpuFailure: unknown = null;
  if (choice !== "webgl2") {
    try {
      return await connectWebgpu(canvas, urls);
    } catch (error) {
      if (choice === "webgpu" || (error instanceof GambolError && error.code === "WASM_NOT_LOADED")) throw error;
      webgpuFailure = error;
    }
  }
  return connectWebgl(canvas, urls, webgpuFailure);
}

async function connectWebgpu(canvas: Canvas, urls: WasmUrls): Promise<Connection> {
  // Asked before the fetch: `navigator.gpu` may exist and have nothing to give.
  if (!(await hasWebgpuAdapter())) {
    throw new GambolError("NO_WEBGPU", "This browser has no WebGPU adapter. Use the backend “auto” or “webgl2”.");
  }
  const engine = await openBackend("webgpu", urls);
  const way = new DeviceWay(engine, canvas);
  return { engine, gpu: await way.request(), way };
}

async function connectWebgl(canvas: Canvas, urls: WasmUrls, cause: unknown): Promise<Connection> {
  if (typeof WebGL2RenderingContext === "undefined") {
    throw new GambolError("NO_GPU", "This browser offers neither WebGPU nor WebGL2. Is hardware acceleration off?", { cause });
  }
  const [engine, { openWay }] = await Promise.all([openBackend("webgl2", urls), fetchWebgl()]);
  let way: Way | undefined;
  try {
    way = openWay({ SharedGpu }, engine, canvas);
    return { engine, gpu: await way.request(), way };
  } catch (error) {
    way?.leave();
    engine.checkTrap(error);
    const advice = "Is hardware acceleration off, or was this canvas used for something else before?";
    throw new GambolError("NO_GPU", `The browser gives no GPU for this canvas. ${advice} (${asError(error).message})`, {
      cause: cause ?? error,
    });
  }
}

export async function hasWebgpuAdapter(): Promise<boolean> {
  // Typed here: DOM libraries of TypeScript don't all know `navigator.gpu`.
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu;
  try {
    return (await gpu?.requestAdapter()) != null;
  } catch {
    return false;
  }
}

/** The script that pages with WebGPU never need. */
async function fetchWebgl() {
  try {
    return await import("./webgl_contexts.js");
  } catch (error) {
    throw notStarted(error);
  }
}

/** One GPU for several canvases. */
export class SharedGpu {
  /** Told when one is lost, be it theirs or not: who rests would find out only when there is something to draw. */
  readonly watchers = new Set<() => void>();
  readonly #request: () => Promise<GpuHandle>;
  #held: Promise<GpuHandle> | null = null;

  constructor(request: () => Promise<GpuHandle>) {
    this.#request = request;
  }

  /** Another one where the one before is lost. */
  async get(): Promise<GpuHandle> {
    const held = this.#held;
    if (held) {
      const gpu = await held.catch(() => null);
      if (gpu && !gpu.lost) return gpu;
      // Another player may have replaced it while we waited.
      if (this.#held !== held) return this.get();
    }
    const requested = this.#request();
    requested.then((gpu) => gpu.whenLost()).then(() => this.watchers.forEach((watch) => watch()), () => undefined);
    return (this.#held = requested);
  }

  /** Frees it, unless the memory that it lies in can't be trusted. */
  forget({ panicReport }: Engine): void {
    const held = this.#held;
    this.#held = null;
    if (panicReport === null) held?.then((gpu) => gpu.free()).catch(() => undefined);
  }
}

const devices = new WeakMap<Engine, SharedGpu>();

/** On WebGPU all canvases of a page draw through one device. */
class DeviceWay implements Way {
  readonly surface: Canvas;
  readonly lost = false;
  readonly #gpu: SharedGpu;
  #lost: () => void = () => undefined;

  constructor(engine: Engine, canvas: Canvas) {
    this.surface = canvas;
    this.#gpu = devices.get(engine) ?? new SharedGpu(() => engine.wasm.requestGpu(undefined));
    devices.set(engine, this.#gpu);
  }

  request(): Promise<GpuHandle> {
    return this.#gpu.get();
  }

  watch(lost: () => void): void {
    this.#lost = lost;
    this.#gpu.watchers.add(lost);
  }

  draw(_width: number, _height: number, render: () => void): void {
    render();
  }

  drop(): void {}

  leave(): void {
    this.#gpu.watchers.delete(this.#lost);
  }
}
