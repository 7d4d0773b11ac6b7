/** The WebAssembly: each backend needs one file, which is fetched once and shared by all players of the page. */
import { GambolError } from "../errors.js";
import { fetchModule } from "./download.js";
import type { FormatsModule } from "./formats_wasm.js";
import type { WasmModule, WasmSource } from "./wasm.js";

/** Graphics API that draws: WebGPU or WebGL2. */
export type Backend = "webgpu" | "webgl2";
/** A graphics API, or `"auto"` for the best one available. */
export type BackendChoice = Backend | "auto";

export const BACKENDS: readonly BackendChoice[] = ["auto", "webgpu", "webgl2"];

/** Name of a wasm file: one per backend, and one that reads files other than glTF. */
export type Flavour = Backend | "formats";

/** Name of a decoder in a wasm file of its own. */
export type DecoderName = "draco" | "ktx2" | "meshopt";

/** Name of the wasm file with what a backend's pages seldom need. */
export type LateName = `${Backend}Late`;

/** URLs of the wasm files, for pages that serve them from elsewhere. Default: beside this module. */
export type WasmUrls = Partial<Record<Flavour | LateName | DecoderName, WasmSource>>;

/** URLs set by `preload`, for players without URLs of their own, such as those of elements. */
export const pageUrls: WasmUrls = {};

interface Modules {
  webgpu: WasmModule;
  webgl2: WasmModule;
  formats: FormatsModule;
}

/** A wasm instance, whose memory all its users share. */
export interface Engine<Name extends Flavour = Backend> {
  readonly flavour: Name;
  readonly wasm: Modules[Name];
  /** Report of a panic, or null. After a panic, the memory can't be trusted. */
  readonly panicReport: string | null;
  /** Resolves when the functions that pages seldom need can be called. The first call fetches them. */
  extend(): Promise<void>;
  /** Reports a trap, such as running out of memory, to every player: traps don't run the panic hook. */
  checkTrap(error: unknown): void;
  /** Adds a listener that is called once, on a panic. Returns a function that removes it. */
  onPanic(listener: (error: GambolError) => void): () => void;
}

/** What a wasm file is loaded from: its glue module, and its URL unless the page gives another. */
interface Flavoured<Name extends Flavour> {
  glue(): Promise<Modules[Name]>;
  /** Called only if needed, since scripts that aren't modules have no `import.meta.url`. */
  url(): URL;
  /** URL of the wasm file with what pages seldom need. */
  lateUrl?(): URL;
}

// Written out, because bundlers find assets by reading `import("…")` and `new URL("…", import.meta.url)` as text.
const FILES: { readonly [Name in Backend]: Flavoured<Name> } = {
  webgpu: {
    glue: () => import("./wasm/webgpu/gambol.js"),
    url: () => new URL("./wasm/webgpu/gambol_bg.wasm", import.meta.url),
    lateUrl: () => new URL("./wasm/webgpu/gambol_late.wasm", import.meta.url),
  },
  webgl2: {
    glue: () => import("./wasm/webgl/gambol.js"),
    url: () => new URL("./wasm/webgl/gambol_bg.wasm", import.meta.url),
    lateUrl: () => new URL("./wasm/webgl/gambol_late.wasm", import.meta.url),
  },
};

/** Opens a backend. If `usable` rejects, the start ends with its error and stops the download. */
export function openBackend(backend: Backend, urls: WasmUrls, usable?: Promise<unknown>): Promise<Engine> {
  return openEngine(backend, urls, FILES[backend] as Flavoured<Backend>, usable);
}

const engines = new Map<Flavour, Promise<unknown>>();
let backendLoaded = false;

/** Whether the WebAssembly of a backend has been loaded. */
export function hasEngine(): boolean {
  return backendLoaded;
}

/** Returns the shared instance of a wasm file. After a panic, the next call starts a fresh one. */
export function openEngine<Name extends Flavour>(
  flavour: Name,
  urls: WasmUrls,
  files: Flavoured<Name>,
  usable?: Promise<unknown>,
): Promise<Engine<Name>> {
  let opening = engines.get(flavour) as Promise<Engine<Name>> | undefined;
  if (!opening) {
    opening = startEngine(flavour, urls, files, usable);
    engines.set(flavour, opening);
    opening.then(
      (engine) => engine.onPanic(() => engines.delete(flavour)),
      () => engines.delete(flavour),
    );
  }
  return opening;
}

/** Flavours whose glue has an instance, and must be reset before it is used again. */
const started = new Set<Flavour>();

async function startEngine<Name extends Flavour>(
  flavour: Name,
  urls: WasmUrls,
  { glue, url, lateUrl }: Flavoured<Name>,
  usable: Promise<unknown> | undefined,
): Promise<Engine<Name>> {
  const stop = new AbortController();
  try {
    const restarts = started.has(flavour);
    // A page may start an element before it sets its URLs, in one script.
    await Promise.resolve();
    const from = urls[flavour] ?? pageUrls[flavour] ?? url();
    // Compiled while the glue is fetched and `usable` is awaited.
    const compiling = restarts || fetchModule(from, flavour !== "formats", stop.signal);
    const [wasm, module] = await Promise.all([glue(), compiling, usable]);
    if (module === true) wasm.__wbg_reset_state();
    else wasm.start(await WebAssembly.instantiate(module, wasm.imports()), module);
    started.add(flavour);
    backendLoaded ||= flavour !== "formats";
    const late = `${flavour as Backend}Late` as const;
    return new EngineInstance(flavour, wasm, () => urls[late] ?? pageUrls[late] ?? lateUrl!());
  } catch (error) {
    stop.abort();
    throw error instanceof GambolError ? error : notLoaded(error);
  }
}

/** The compiled files with what pages seldom need, for instances after a panic. */
const lateModules = new Map<Flavour, WebAssembly.Module>();

/** Returns the error for a script or wasm file of the package that can't be loaded. */
export function notLoaded(error: unknown): GambolError {
  return new GambolError("WASM_NOT_LOADED", explainStartFailure(error), { cause: error });
}

function explainStartFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (/unsafe-eval|Content Security Policy/i.test(reason)) {
    return (
      "The page's Content-Security-Policy forbids WebAssembly. " +
      `Add 'wasm-unsafe-eval' to its script-src. (${reason})`
    );
  }
  return (
    "The player's WebAssembly could not be started. " +
    `Are the package's wasm files served beside its JavaScript? (${reason})`
  );
}

class EngineInstance<Name extends Flavour> implements Engine<Name> {
  readonly flavour: Name;
  readonly wasm: Modules[Name];
  panicReport: string | null = null;
  readonly #listeners = new Set<(error: GambolError) => void>();
  readonly #late: () => WasmSource;
  #extending: Promise<void> | null = null;

  constructor(flavour: Name, wasm: Modules[Name], late: () => WasmSource) {
    this.flavour = flavour;
    this.wasm = wasm;
    this.#late = late;
    wasm.onPanic((report) => this.#panic(report));
    wasm.onError((code, message, place) => new GambolError(code, message, { place }));
  }

  extend(): Promise<void> {
    return (this.#extending ??= this.#extend().catch((error) => {
      this.#extending = null;
      throw error instanceof GambolError ? error : notLoaded(error);
    }));
  }

  async #extend(): Promise<void> {
    const wasm = this.wasm as WasmModule;
    // Not aborted with the call that needs it first.
    const { signal } = new AbortController();
    const module = lateModules.get(this.flavour) ?? (await fetchModule(this.#late(), false, signal));
    lateModules.set(this.flavour, module);
    const instance = await WebAssembly.instantiate(module, wasm.lateImports());
    // The glue belongs to another instance after a panic.
    if (this.panicReport !== null) throw panicError(this.panicReport);
    wasm.join(instance);
  }

  checkTrap(error: unknown): void {
    if (error instanceof WebAssembly.RuntimeError) this.#panic(error.message);
  }

  onPanic(listener: (error: GambolError) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #panic(report: string): void {
    if (this.panicReport !== null) return;
    this.panicReport = report;
    const error = panicError(report);
    for (const listener of [...this.#listeners]) listener(error);
  }
}

export function panicError(report: string): GambolError {
  return new GambolError(
    "PLAYER_POISONED",
    `The player stopped because of a bug; load again to restart it. Please report this: ${report}`,
  );
}
