/** Prefetching: the bytes of a model are fetched while the WebAssembly is. Loading that model then takes them over. */
import { wasmWatchers } from "../engine/download.js";
import { hasEngine, type Flavour } from "../engine/engine.js";
import { decodeEarly } from "./early_pictures.js";
import { prepareNeeds } from "./needs.js";
import { addressOf, open, type FetchOptions, type Opened, type Progress, type Source } from "./source.js";

/** Download progress before the player exists. */
export interface StartProgress {
  /** Progress of the WebAssembly. */
  readonly wasm: Progress;
  /** Progress of the prefetched model. */
  readonly model: Progress;
}

/** Options for prefetching while a player is created. */
export interface AheadOptions {
  /**
   * URL of the model that `load` will be called with, or a list that also has those of its clips. Their bytes are
   * fetched at the same time as the WebAssembly.
   */
  preload?: string | URL | readonly (string | URL)[] | undefined;
  /** Called as the WebAssembly and the model arrive, unless the page has the WebAssembly already. */
  onProgress?: ((came: StartProgress) => void) | undefined;
  /** Cancels the creation, and the prefetch, when aborted. */
  signal?: AbortSignal | undefined;
}

interface Prefetch {
  readonly opened: Promise<Opened>;
  readonly stop: AbortController;
  readonly watchers: Set<(progress: Progress) => void>;
  came: Progress;
  users: number;
  /** Whether a load has taken it over, which then decides whether it is cancelled. */
  isTaken: boolean;
}

const NOTHING: Progress = { loaded: 0, total: 0 };
/** Prefetched files, by URL, until one is loaded. */
const prefetches = new Map<string, Prefetch>();

/**
 * Starts a prefetch. Returns a function that cancels it, unless the file has been loaded or others wait for it.
 *
 * @param isShown whether the first file's pictures are decoded as well
 */
export function prefetch({ preload, onProgress, signal }: AheadOptions, isShown = true): () => void {
  // With a running engine the player exists at once, and files that others show need no fetch.
  if (hasEngine()) return () => undefined;
  let came: StartProgress = { wasm: NOTHING, model: NOTHING };
  const report = (part: Partial<StartProgress>): void => onProgress?.((came = { ...came, ...part }));
  const watchWasm = (wasm: Progress): void => report({ wasm });
  const watchModel = (model: Progress): void => report({ model });
  const [model, ...others] = [preload].flat();
  const ends = others.map((preload) => prefetch({ preload, signal }, false));
  const address = addressOf(model);
  const file = address === null ? undefined : (prefetches.get(address) ?? startPrefetch(address, isShown));
  const end = (): void => {
    for (const end of ends) end();
    wasmWatchers.delete(watchWasm);
    signal?.removeEventListener("abort", end);
    if (!file?.watchers.delete(watchModel) || --file.users > 0 || prefetches.get(address!) !== file) return;
    prefetches.delete(address!);
    if (!file.isTaken) file.stop.abort();
  };
  wasmWatchers.add(watchWasm);
  file?.watchers.add(watchModel);
  if (file) file.users++;
  signal?.addEventListener("abort", end);
  return end;
}

function startPrefetch(address: string, isShown: boolean): Prefetch {
  const stop = new AbortController();
  const watchers: Prefetch["watchers"] = new Set();
  const onProgress = (came: Progress): void => {
    file.came = came;
    for (const watch of watchers) watch(came);
  };
  const file: Prefetch = {
    opened: open(address, { signal: stop.signal, onProgress, onStart: prepareNeeds }),
    stop,
    watchers,
    came: NOTHING,
    users: 0,
    isTaken: false,
  };
  // The load that takes it over gets the error.
  file.opened.then((opened) => isShown && decodeEarly(opened)).catch(() => undefined);
  prefetches.set(address, file);
  return file;
}

/** Returns whether a source has a prefetch that no load has taken over. */
export function isPrefetched(source: Source | undefined): source is Source {
  return prefetches.has(addressOf(source) ?? "");
}

/** Opens a source, or takes over its prefetch. With `isAhead`, another load of the source may follow. */
export function openPrefetched(
  source: Source,
  options: FetchOptions & { isAhead?: boolean },
  flavour: Flavour,
): Promise<Opened> {
  const address = addressOf(source);
  const file = address === null ? undefined : prefetches.get(address);
  if (!file) return open(source, { ...options, onStart: (text, isWhole) => prepareNeeds(text, isWhole, flavour) });
  if (!options.isAhead) prefetches.delete(address!);
  file.isTaken = true;
  const { signal, onProgress } = options;
  signal?.addEventListener("abort", () => file.stop.abort(signal.reason));
  if (signal?.aborted) file.stop.abort(signal.reason);
  if (onProgress) {
    file.watchers.add(onProgress);
    if (file.came.loaded > 0) onProgress(file.came);
  }
  return file.opened;
}
