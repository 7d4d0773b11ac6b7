/** Fetches and instantiates the WebAssembly, and reports the progress of its download. */
import type { WasmSource } from "./wasm.js";

/** Bytes received and in total; `total` is 0 if no server has sent a length. */
interface Download {
  readonly loaded: number;
  readonly total: number;
}

/** Callbacks for the progress of a backend's WebAssembly. */
export const wasmWatchers = new Set<(download: Download) => void>();

/**
 * Returns the length of a body, or 0 if it is unknown. The length of an encoded body isn't that of the decoded bytes.
 */
export function contentLength({ headers }: Response): number {
  const encoded = headers.get("content-encoding");
  return encoded && encoded !== "identity" ? 0 : Number(headers.get("content-length") ?? 0);
}

/** A source that has been fetched. */
type Fetched = Exclude<WasmSource, string | URL | Request>;

/** Fetches the WebAssembly, unless the page has. With `watched`, reports the progress to the watchers. */
export async function fetchWasm(
  given: WasmSource | Promise<WasmSource>,
  watched: boolean,
  signal: AbortSignal,
): Promise<Fetched> {
  const source = await given;
  const isAddress = typeof source === "string" || source instanceof URL || source instanceof Request;
  const fetched = isAddress ? await fetch(source, { signal }) : source;
  if (watched && fetched instanceof Response) watch(fetched);
  return fetched;
}

/** Counts a clone of the response: browsers cache the compiled code for the response itself. */
function watch(response: Response): void {
  const total = contentLength(response);
  let loaded = 0;
  const write = ({ length }: Uint8Array): void => {
    loaded += length;
    for (const report of wasmWatchers) report({ loaded, total });
  };
  // Errors are reported by the start of the WebAssembly.
  response
    .clone()
    .body?.pipeTo(new WritableStream({ write }))
    .catch(() => undefined);
}

/** Compiles and instantiates the WebAssembly. */
export async function instantiate(
  source: Fetched,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  if (source instanceof WebAssembly.Module) {
    return { module: source, instance: await WebAssembly.instantiate(source, imports) };
  }
  if (!(source instanceof Response)) return WebAssembly.instantiate(source, imports);
  if (!source.ok) throw new Error(`status ${source.status} ${source.url}`);
  // Browsers compile while they receive only what has this type.
  return source.headers.get("content-type") === "application/wasm"
    ? WebAssembly.instantiateStreaming(source, imports)
    : WebAssembly.instantiate(await source.arrayBuffer(), imports);
}
