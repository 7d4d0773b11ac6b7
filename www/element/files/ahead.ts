/**
 * What is fetched ahead: the bytes of a model, while the WebAssembly that will read them is still on its way. Whoever loads
 * that model then takes them over.
 */
import { wasmWatchers } from "../engine/download.js";
import { hasEngine } from "../engine/engine.js";
import { addressOf, open, type FetchOptions, type Opened, type Progress, type Source } from "./source.js";

/** How much has come before there is a player. */
export interface StartProgress {
  /** Of the WebAssembly. */
  readonly wasm: Progress;
  /** Of the model that is fetched ahead. */
  readonly model: Progress;
}

/** What a player fetches before there is one. */
export interface AheadOptions {
  /** URL of the model that `load` will be called with: its bytes are fetched while the WebAssembly is. */
  preload?: string | URL | undefined;
  /** Called as the WebAssembly and the model come in, unless the page has the WebAssembly already. */
  onProgress?: ((came: StartProgress) => void) | undefined;
  /** Gives up, and what is fetched ahead with it. */
  signal?: AbortSignal | undefined;
}

interface Ahead {
  readonly opened: Promise<Opened>;
  readonly stop: AbortController;
  readonly watchers: Set<(progress: Progress) => void>;
  came: Progress;
  users: number;
}

const NOTHING: Progress = { loaded: 0, total: 0 };
/** By address, until somebody loads it. */
const ahead = new Map<string, Ahead>();

/** Begins. Returns how to give up what nobody has taken over, which several may wait for. */
export function fetchAhead({ preload, onProgress, signal }: AheadOptions): () => void {
  // With an engine there is a player at once, and what others show needs no fetching.
  if (hasEngine()) return () => undefined;
  let came: StartProgress = { wasm: NOTHING, model: NOTHING };
  const tell = (part: Partial<StartProgress>): void => onProgress?.((came = { ...came, ...part }));
  const watchWasm = (wasm: Progress): void => tell({ wasm });
  const watchModel = (model: Progress): void => tell({ model });
  const address = addressOf(preload);
  const file = address === null ? undefined : (ahead.get(address) ?? begin(address));
  const end = (): void => {
    wasmWatchers.delete(watchWasm);
    signal?.removeEventListener("abort", end);
    if (!file?.watchers.delete(watchModel) || --file.users > 0 || ahead.get(address!) !== file) return;
    ahead.delete(address!);
    file.stop.abort();
  };
  wasmWatchers.add(watchWasm);
  file?.watchers.add(watchModel);
  if (file) file.users++;
  signal?.addEventListener("abort", end);
  return end;
}

function begin(address: string): Ahead {
  const stop = new AbortController();
  const watchers: Ahead["watchers"] = new Set();
  const onProgress = (came: Progress): void => {
    file.came = came;
    for (const watch of watchers) watch(came);
  };
  const file: Ahead = { opened: open(address, { signal: stop.signal, onProgress }), stop, watchers, came: NOTHING, users: 0 };
  // Whoever takes it over hears of what went wrong.
  file.opened.catch(() => undefined);
  ahead.set(address, file);
  return file;
}

/** Opens a source, or takes over what was fetched ahead of it. */
export function openAhead(source: Source, options: FetchOptions): Promise<Opened> {
  const address = addressOf(source);
  const file = address === null ? undefined : ahead.get(address);
  if (!file) return open(source, options);
  ahead.delete(address!);
  const { signal, onProgress } = options;
  signal?.addEventListener("abort", () => file.stop.abort(signal.reason));
  if (signal?.aborted) file.stop.abort(signal.reason);
  if (onProgress) {
    file.watchers.add(onProgress);
    if (file.came.loaded > 0) onProgress(file.came);
  }
  return file.opened;
}
