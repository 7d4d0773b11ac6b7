/** Chooses the flavour, fetches its one wasm file, and shares it with every player of the page. */
import { asError, GambolError } from "../errors.js";
import type { FormatsModule } from "./formats_wasm.js";
import type { Canvas, GpuHandle, StartableModule, WasmModule, WasmSource } from "./wasm.js";

/** What draws: the WebGPU of the browser, or its WebGL2. */
export type Backend = "webgpu" | "webgl2";
/** A backend, or the best that there is. */
export type BackendChoice = Backend | "auto";

/** A wasm file: one a backend, and one that reads files other than glTF. */
export type Flavour = Backend | "formats";

/** Where the wasm files lie, for pages that serve them from elsewhere. Default: beside this module. */
export type WasmUrls = Partial<Record<Flavour, WasmSource>>;

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

interface Modules {
  webgpu: WasmModule;
  webgl2: WasmModule;
  formats: FormatsModule;
}

/** One wasm instance, with memory that all its users share. */
export interface Engine<Name extends Flavour = Backend> {
  readonly flavour: Name;
  readonly wasm: Modules[Name];
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

/** Where the page said that wasm lies, for players that aren't told: those of elements, say. */
export const saidOfPage: WasmUrls = {};

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

/** The glue, and where its wasm lies, which scripts that are no modules can't tell. */
type Glue<Name extends Flavour> = readonly [Modules[Name], () => URL];

// Written out: bundlers find assets by reading `import("…")` and `new URL("…", import.meta.url)` as text.
const GLUES: { [Name in Backend]: () => Promise<Glue<Name>> } = {
  webgpu: async () => [await import("./wasm/webgpu/gambol.js"), () => new URL("./wasm/webgpu/gambol_bg.wasm", import.meta.url)],
  webgl2: async () => [await import("./wasm/webgl/gambol.js"), () => new URL("./wasm/webgl/gambol_bg.wasm", import.meta.url)],
};

export function openBackend(backend: Backend, urls: WasmUrls): Promise<Engine> {
  return openEngine(backend, urls, GLUES[backend]);
}

const engines = new Map<Flavour, Promise<unknown>>();

/** One for all who ask, until it panics: then the next gets a fresh instance, and this one's are told by their listeners. */
export function openEngine<Name extends Flavour>(
  flavour: Name,
  urls: WasmUrls,
  fetchGlue: () => Promise<Glue<Name>>,
): Promise<Engine<Name>> {
  let opening = engines.get(flavour) as Promise<Engine<Name>> | undefined;
  if (!opening) {
    opening = startEngine(flavour, urls[flavour], fetchGlue);
    engines.set(flavour, opening);
    opening.then(
      (engine) => engine.onPanic(() => engines.delete(flavour)),
      () => engines.delete(flavour),
    );
  }
  return opening;
}

/** Glue modules that already hold an instance, and so must be reset before they are used again. */
const started = new Set<StartableModule>();

async function startEngine<Name extends Flavour>(
  flavour: Name,
  override: WasmSource | undefined,
  fetchGlue: () => Promise<Glue<Name>>,
): Promise<Engine<Name>> {
  try {
    const [wasm, source] = await fetchGlue();
    if (started.has(wasm)) wasm.__wbg_reset_state?.();
    else await wasm.default({ module_or_path: override ?? saidOfPage[flavour] ?? source() });
    started.add(wasm);
    return new EngineInstance(flavour, wasm);
  } catch (error) {
    throw notStarted(error);
  }
}

/** Why a script of the package or its WebAssembly can't be had. */
export function notStarted(error: unknown): GambolError {
  return new GambolError("WASM_NOT_LOADED", explainStartFailure(error), { cause: error });
}

function explainStartFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (/unsafe-eval|Content Security Policy/i.test(reason)) {
    return `The page's Content-Security-Policy forbids WebAssembly. Add 'wasm-unsafe-eval' to its script-src. (${reason})`;
  }
  return `The player's WebAssembly could not be started. Are the package's wasm files served beside its JavaScript? (${reason})`;
}

class EngineInstance<Name extends Flavour> implements Engine<Name> {
  readonly flavour: Name;
  readonly wasm: Modules[Name];
  panicReport: string | null = null;
  readonly #listeners = new Set<(error: GambolError) => void>();

  constructor(flavour: Name, wasm: Modules[Name]) {
    this.flavour = flavour;
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
