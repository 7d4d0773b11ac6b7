import { webgpu, webgpuAdapter } from "../engine/connection.js";
import {
  BACKENDS,
  openBackend,
  pageUrls,
  type Backend,
  type BackendChoice,
  type Flavour,
  type WasmUrls,
} from "../engine/engine.js";
import { checkOptions, wordIndex } from "../checks.js";
import { fetchFormats } from "./needs.js";
import { fetchFileList } from "./source.js";

/**
 * Fetches and compiles the WebAssembly ahead of the first player. With `"formats"`, fetches what opens the files of
 * visitors instead: lists of files, and formats other than glTF.
 *
 * `urls` becomes the default for every player of the page, including elements created in the same task.
 */
export async function preload(choice: "formats", urls?: WasmUrls): Promise<"formats">;
export async function preload(choice?: BackendChoice, urls?: WasmUrls): Promise<Backend>;
export async function preload(choice: BackendChoice | "formats" = "auto", urls: WasmUrls = {}): Promise<Flavour> {
  wordIndex("backend", choice, [...BACKENDS, "formats"]);
  urls = Object.assign(pageUrls, checkOptions(urls));
  if (choice === "formats") {
    const [formats] = await Promise.all([fetchFormats(), fetchFileList()]);
    return (await formats.start(urls)).flavour;
  }
  const backend = choice !== "auto" ? choice : webgpu.draws && (await webgpuAdapter()) ? "webgpu" : "webgl2";
  await openBackend(backend, urls);
  return backend;
}
