/** The WebAssembly: each backend needs one file at first, which is fetched once and shared by all players of a page. */
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

/**
 * Part of a backend in a wasm file of its own: rare calls, what few files need, what refines still pictures, or what
 * computes tangents for normal maps.
 */
export type Part = "late" | "import" | "still" | "tangents";

/** Name of a wasm file with a part of a backend. */
export type PartName = `${Backend}${Capitalize<Part>}`;

/** URLs of the wasm files, for pages that serve them from elsewhere. Default: beside this module. */
export type WasmUrls = Partial<Record<Flavour | PartName | DecoderName, WasmSource>>;

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
  /** Resolves when the functions of a part can be called. The first call fetches them. */
  extend(part?: Part): Promise<void>;
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
  /** URLs of the wasm files of parts. */
  readonly parts?: Readonly<Record<Part, () => URL>>;
}

// Written out, because bundlers find assets by reading `import("…")` and `new URL("…", import.meta.url)` as text.
const FILES: { readonly [Name in Backend]: Flavoured<Name> } = {
  webgpu: {
    glue: () => import("./wasm/webgpu/gambol.js"),
    url: () => new URL("./wasm/webgpu/gambol_bg.wasm", import.meta.url),
    parts: {
      late: () => new URL("./wasm/webgpu/gambol_late.wasm", import.meta.url),
      import: () => new URL("./wasm/webgpu/gambol_import.wasm", import.meta.url),
      still: () => new URL("./wasm/webgpu/gambol_still.wasm", import.meta.url),
      tangents: () => new URL("./wasm/webgpu/gambol_tangents.wasm", import.meta.url),
    },
  },
  webgl2: {
    glue: () => import("./wasm/webgl/gambol.js"),
    url: () => new URL("./wasm/webgl/gambol_bg.wasm", import.meta.url),
    parts: {
      late: () => new URL("./wasm/webgl/gambol_late.wasm", import.meta.url),
      import: () => new URL("./wasm/webgl/gambol_import.wasm", import.meta.url),
      still: () => new URL("./wasm/webgl/gambol_still.wasm", import.meta.url),
      tangents: () => new URL("./wasm/webgl/gambol_tangents.wasm", import.meta.url),
    },
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
  { glue, url, parts }: Flavoured<Name>,
  usable: Promise<unknown> | undefined,
): Promise<Engine<Name>> {
  const stop = new AbortController();
  try {
    const restarts = started.has(flavour);
    // A page may start an element before it sets its URLs, in one script.
    await Promise.resolve();
    const from = urls[flavour] ?? pageUrls[flavour] ?? url();
    if (parts) {
      partSources.set(flavour, (part) => {
        const name = (flavour + part[0]!.toUpperCase() + part.slice(1)) as PartName;
        return urls[name] ?? pageUrls[name] ?? parts[part]();
      });
      for (const part of expectedParts) fetchEarly(flavour, part);
    }
    // Compiled while the glue is fetched and `usable` is awaited.
    const compiling = restarts || fetchModule(from, flavour !== "formats", stop.signal);
    const [wasm, module] = await Promise.all([glue(), compiling, usable]);
    if (module === true) wasm.__wbg_reset_state();
    else wasm.start(await WebAssembly.instantiate(module, wasm.imports()), module);
    started.add(flavour);
    backendLoaded ||= flavour !== "formats";
    return new EngineInstance(flavour, wasm);
  } catch (error) {
    stop.abort();
    throw error instanceof GambolError ? error : notLoaded(error);
  }
}

/** The parts that the importer must know of, by their numbers. */
const IMPORTERS: readonly Part[] = ["import", "tangents"];

/** The compiled parts by flavour and name, also for instances after a panic. */
const partModules = new Map<string, Promise<WebAssembly.Module>>();
/** Where the parts of the backends are fetched from. Set when a backend starts. */
const partSources = new Map<Flavour, (part: Part) => WasmSource>();
/** Parts that models need which came before a backend. */
const expectedParts = new Set<Part>();

/** Starts to fetch a part that a model on its way needs, for a backend or for those that have started or will. */
export function expectPart(part: Part, flavour?: Flavour): void {
  if (!flavour) expectedParts.add(part);
  for (const one of flavour ? [flavour] : partSources.keys()) fetchEarly(one, part);
}

function fetchEarly(flavour: Flavour, part: Part): void {
  // The load gets the error.
  fetchPart(flavour, part).catch(() => undefined);
}

function fetchPart(flavour: Flavour, part: Part): Promise<WebAssembly.Module> {
  const key = flavour + part;
  let fetching = partModules.get(key);
  if (!fetching) {
    // Not aborted with the call that needs it first.
    const { signal } = new AbortController();
    fetching = (async () => fetchModule(partSources.get(flavour)!(part), false, signal))();
    fetching.catch(() => partModules.delete(key));
    partModules.set(key, fetching);
  }
  return fetching;
}

/** Returns the error for a script or wasm file of the package that can't be loaded. */
export function notLoaded(error: unknown): GambolError {
  return new GambolError("WASM_NOT_LOADED", explainStartFailure(error), { cause: error });
}

/** Returns what a script of the package exports, or rejects with the error of one that can't be loaded. */
export function fetched<Script>(script: Promise<Script>): Promise<Script> {
  return script.catch((error) => {
    throw notLoaded(error);
  });
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
  readonly #extending = new Map<Part, Promise<void>>();

  constructor(flavour: Name, wasm: Modules[Name]) {
    this.flavour = flavour;
    this.wasm = wasm;
    wasm.onPanic((report) => this.#panic(report));
    wasm.onError((code, message, place) => new GambolError(code, message, { place }));
  }

  extend(part: Part = "late"): Promise<void> {
    const extending =
      this.#extending.get(part) ??
      this.#extend(part).catch((error) => {
        this.#extending.delete(part);
        throw error instanceof GambolError ? error : notLoaded(error);
      });
    this.#extending.set(part, extending);
    return extending;
  }

  async #extend(part: Part): Promise<void> {
    const wasm = this.wasm as WasmModule;
    const instance = await WebAssembly.instantiate(await fetchPart(this.flavour, part), wasm.partImports());
    // The glue belongs to another instance after a panic.
    if (this.panicReport !== null) throw panicError(this.panicReport);
    wasm.join(part, instance);
    const number = IMPORTERS.indexOf(part);
    if (number >= 0) wasm.partJoined(number);
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
