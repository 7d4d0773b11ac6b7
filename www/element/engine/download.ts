/** Download progress of the WebAssembly. */
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

/**
 * Reports the progress of a source to the watchers. Counts a clone of the response: browsers cache the compiled code
 * for the response itself.
 */
export async function withProgress(source: WasmSource): Promise<WasmSource> {
  const isAddress = typeof source === "string" || source instanceof URL || source instanceof Request;
  if (!isAddress && !(source instanceof Response)) return source;
  const response = isAddress ? await fetch(source) : source;
  const total = contentLength(response);
  let loaded = 0;
  const write = ({ length }: Uint8Array): void => {
    loaded += length;
    for (const watch of wasmWatchers) watch({ loaded, total });
  };
  // Errors are reported by the start of the WebAssembly.
  response
    .clone()
    .body?.pipeTo(new WritableStream({ write }))
    .catch(() => undefined);
  return response;
}
