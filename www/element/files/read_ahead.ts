/** Reading ahead: while a GPU is being requested, the model that it will show is imported. */
import type { Engine, WasmUrls } from "../engine/engine.js";
import { isPrefetched, prefetch, type AheadOptions } from "./prefetch.js";
import { SharedFile } from "./shared_file.js";

/** A model that is on its way before it is loaded. */
export interface Ahead {
  /** Imports the model with an engine that has no GPU yet. Loading the model then takes it over. */
  read(engine: Engine): void;
  /** Ends the prefetch. Unless a load has begun, it is cancelled. */
  end(isLoading?: boolean): void;
}

/** Starts to fetch a model. */
export function readAhead(options: AheadOptions, wasm: WasmUrls | undefined): Ahead {
  const endPrefetch = prefetch(options);
  const stop = new AbortController();
  const { signal } = stop;
  let reading: Promise<SharedFile> | undefined;
  const cancel = (): void => end();
  const end = (isLoading = false): void => {
    endPrefetch();
    // A signal that lives on would hold on to all of this.
    options.signal?.removeEventListener("abort", cancel);
    if (!isLoading) stop.abort();
    reading?.then((file) => file.close(isLoading)).catch(() => undefined);
    reading = undefined;
  };
  options.signal?.addEventListener("abort", cancel);
  return {
    end,
    read(engine) {
      const [source] = [options.preload].flat();
      if (reading || !isPrefetched(source)) return;
      reading = SharedFile.open(engine, source, { signal, wasm, isAhead: true }, null);
      // The load gets the error.
      reading.catch(() => undefined);
    },
  };
}
