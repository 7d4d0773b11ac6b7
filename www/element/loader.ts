/** Chooses the flavour, fetches its one wasm file, and shares it with every player of the page. */
import { asError, GambolError } from "./errors.js";
import type { GpuHandle, WasmModule, WasmSource } from "./wasm.js";

export type Backend = "webgpu" | "webgl2";
export type BackendChoice = Backend | "auto";

/** Where the wasm files lie, for pages that serve them from elsewhere. Default: beside this module. */
export type WasmUrls = Partial<Record<Backend, WasmSource>>;

/** A canvas's way to the GPU. */
export interface Connection {
  readonly engine: Engine;
  readonly gpu: GpuHandle;
}

/** One wasm instance, with memory that all its players share. */
export interface Engine {
  readonly backend: Backend;
  readonly wasm: WasmModule;
  /** What a panic left behind; its memory can no longer be trusted. */
  readonly panicReport: string | null;
  /** Has every player told when the error is a trap, such as memory that ran out: those run no panic hook. */
  checkTrap(error: unknown): void;
  /** Called once, when it panics. Returns how to stop listening. */
  onPanic(listener: (error: GambolError) => void): () => void;
}

/**
 * Finds a device for the canvas, without touching the canvas unless it is for WebGL2: a canvas that once gave a
 * `webgpu` context never gives `webgl2`.
 */
export async function connect(
  canvas: HTMLCanvasElement,
  choice: BackendChoice = "auto",
  urls: WasmUrls = {},
): Promise<Connection> {
  let webgpuFailure: unknown = null;
  if (choice !== "webgl2") {
    try {
      return await connectWebgpu(urls);
    } catch (error) {
      if (choice === "webgpu" || (error instanceof GambolError && error.code === "WASM_NOT_LOADED")) throw error;
      webgpuFailure = error;
    }
  }
  return connectWebgl(canvas, urls, webgpuFailure);
}

/** Fetches and compiles ahead of the first player. */
export async function preload(choice: BackendChoice = "auto", urls: WasmUrls = {}): Promise<Backend> {
  const backend = choice === "auto" ? ((await hasWebgpuAdapter()) ? "webgpu" : "webgl2") : choice;
  await openEngine(backend, urls);
  return backend;
}

async function connectWebgpu(urls: WasmUrls): Promise<Connection> {
  // Asked before the fetch: `navigator.gpu` may exist and have nothing to give.
  if (!(await hasWebgpuAdapter())) {
    throw new GambolError("NO_WEBGPU", "This browser has no WebGPU adapter. Use the backend “auto” or “webgl2”.");
  }
  const engine = await openEngine("webgpu", urls);
  return { engine, gpu: await sharedGpu(engine) };
}

async function connectWebgl(canvas: HTMLCanvasElement, urls: WasmUrls, cause: unknown): Promise<Connection> {
  if (typeof WebGL2RenderingContext === "undefined") {
    throw new GambolError("NO_GPU", "This browser offers neither WebGPU nor WebGL2. Is hardware acceleration off?", { cause });
  }
  const engine = await openEngine("webgl2", urls);
  try {
    return { engine, gpu: await engine.wasm.requestGpu(canvas) };
  } catch (error) {
    engine.checkTrap(error);
    const advice = "Is hardware acceleration off, or was this canvas used for something else before?";
    throw new GambolError("NO_GPU", `The browser gives no GPU for this canvas. ${advice} (${asError(error).message})`, {
      cause: cause ?? error,
    });
  }
}

async function hasWebgpuAdapter(): Promise<boolean> {
  // Typed here: DOM libraries of TypeScript don't all know `navigator.gpu`.
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu;
  try {
    return (await gpu?.requestAdapter()) != null;
  } catch {
    return false;
  }
}

const devices = new WeakMap<Engine, Promise<GpuHandle>>();

/** On WebGPU all canvases of a page draw through one device. */
async function sharedGpu(engine: Engine): Promise<GpuHandle> {
  const held = devices.get(engine);
  if (held) {
    const gpu = await held.catch(() => null);
    if (gpu && !gpu.lost) return gpu;
    // Another player may have replaced it while we waited.
    if (devices.get(engine) !== held) return sharedGpu(engine);
  }
  const requested = engine.wasm.requestGpu(undefined);
  devices.set(engine, requested);
  return requested;
}

const engines = new Map<Backend, Promise<EngineInstance>>();

function openEngine(backend: Backend, urls: WasmUrls): Promise<Engine> {
  let opening = engines.get(backend);
  if (!opening) {
    opening = startEngine(backend, urls[backend]);
    engines.set(backend, opening);
    opening.then(
      // The next player gets a fresh instance; this one's are told by their listeners.
      (engine) => engine.onPanic(() => engines.delete(backend)),
      () => engines.delete(backend),
    );
  }
  return opening;
}

/** Glue modules that already hold an instance, and so must be reset before they are used again. */
const started = new Set<WasmModule>();

async function startEngine(backend: Backend, override: WasmSource | undefined): Promise<EngineInstance> {
  try {
    // Written out twice: bundlers find assets by reading `import("…")` and `new URL("…", import.meta.url)` as text.
    const [wasm, source]: [WasmModule, URL] =
      backend === "webgpu"
        ? [await import("./wasm/webgpu/gambol.js"), new URL("./wasm/webgpu/gambol_bg.wasm", import.meta.url)]
        : [await import("./wasm/webgl/gambol.js"), new URL("./wasm/webgl/gambol_bg.wasm", import.meta.url)];
    if (started.has(wasm)) wasm.__wbg_reset_state?.();
    else await wasm.default({ module_or_path: override ?? source });
    started.add(wasm);
    return new EngineInstance(backend, wasm);
  } catch (error) {
    throw new GambolError("WASM_NOT_LOADED", explainStartFailure(error), { cause: error });
  }
}

function explainStartFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (/unsafe-eval|Content Security Policy/i.test(reason)) {
    return `The page's Content-Security-Policy forbids WebAssembly. Add 'wasm-unsafe-eval' to its script-src. (${reason})`;
  }
  return `The player's WebAssembly could not be started. Are the package's wasm files served beside its JavaScript? (${reason})`;
}

class EngineInstance implements Engine {
  readonly backend: Backend;
  readonly wasm: WasmModule;
  panicReport: string | null = null;
  readonly #listeners = new Set<(error: GambolError) => void>();

  constructor(backend: Backend, wasm: WasmModule) {
    this.backend = backend;
    this.wasm = wasm;
    wasm.onPanic((report) => this.#poison(report));
    wasm.onError((code, message, place) => new GambolError(code, message, { place }));
  }

  checkTrap(error: unknown): void {
    if (error instanceof WebAssembly.RuntimeError) this.#poison(error.message);
  }

  onPanic(listener: (error: GambolError) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #poison(report: string): void {
    if (this.panicReport !== null) return;
    this.panicReport = report;
    const error = poisoned(report);
    for (const listener of [...this.#listeners]) listener(error);
  }
}

export function poisoned(report: string): GambolError {
  return new GambolError(
    "PLAYER_POISONED",
    `The player hit a bug of its own and stopped; load again for a fresh one. Please report this: ${report}`,
  );
}
