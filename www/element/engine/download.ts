/** How much of the WebAssembly has come. */
import type { WasmSource } from "./wasm.js";

/** Bytes so far, and in all; the latter is 0 where no server said. */
interface Came {
  readonly loaded: number;
  readonly total: number;
}

/** Who wait for the WebAssembly of a backend. */
export const wasmWatchers = new Set<(came: Came) => void>();

/** 0 where it isn't known: the length of an encoded body says nothing about the bytes that will arrive. */
export function lengthOf({ headers }: Response): number {
  const encoded = headers.get("content-encoding");
  return encoded && encoded !== "identity" ? 0 : Number(headers.get("content-length") ?? 0);
}

/** Has the watchers told of what comes. Counts a copy: for the response itself, browsers keep the compiled code. */
export async function counted(source: WasmSource): Promise<WasmSource> {
  const isAddress = typeof source === "string" || source instanceof URL || source instanceof Request;
  if (!isAddress && !(source instanceof Response)) return source;
  const response = isAddress ? await fetch(source) : source;
  const total = lengthOf(response);
  let loaded = 0;
  const write = ({ length }: Uint8Array): void => {
    loaded += length;
    for (const watch of wasmWatchers) watch({ loaded, total });
  };
  // Whoever starts the WebAssembly hears of what goes wrong.
  response.clone().body?.pipeTo(new WritableStream({ write })).catch(() => undefined);
  return response;
}
