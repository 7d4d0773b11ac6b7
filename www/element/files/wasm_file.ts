/** The wasm file of a decoder, which is fetched once for all models. */
import type { DecoderName, WasmUrls } from "../engine/engine.js";
import type { WasmSource } from "../engine/wasm.js";
import type { MainExports } from "./decoders.js";

export class WasmFile {
  readonly #name: DecoderName;
  /** Called only if needed, since scripts that aren't modules have no `import.meta.url`. */
  readonly #url: () => URL;
  readonly #modules = new Map<WasmSource | undefined, Promise<WebAssembly.Module>>();

  constructor(name: DecoderName, url: () => URL) {
    this.#name = name;
    this.#url = url;
  }

  /** Returns the compiled module. A download that fails is tried again by the next call. */
  fetch({ fetchModule, notLoaded, pageUrls }: MainExports, urls: WasmUrls = {}): Promise<WebAssembly.Module> {
    const given = urls[this.#name] ?? pageUrls[this.#name];
    let module = this.#modules.get(given);
    if (!module) {
      // Not aborted with a model: the next one needs it, too.
      const { signal } = new AbortController();
      module = (async () => fetchModule(given ?? this.#url(), false, signal))().catch((error) => {
        this.#modules.delete(given);
        throw notLoaded(error);
      });
      this.#modules.set(given, module);
    }
    return module;
  }
}
