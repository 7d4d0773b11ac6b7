/** Fetches, compiles and unpacks the WebAssembly, and reports the progress of its download. */
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

/** Fetches the WebAssembly, unless the page has, and compiles it. With `watched`, reports progress to the watchers. */
export async function fetchModule(
  given: WasmSource | Promise<WasmSource>,
  watched: boolean,
  signal: AbortSignal,
): Promise<WebAssembly.Module> {
  const source = await given;
  const isAddress = typeof source === "string" || source instanceof URL || source instanceof Request;
  const fetched = isAddress ? await fetch(source, { signal }) : source;
  return unpacked(await compiled(fetched, watched));
}

async function compiled(
  fetched: Response | BufferSource | WebAssembly.Module,
  watched: boolean,
): Promise<WebAssembly.Module> {
  if (!(fetched instanceof Response)) {
    return fetched instanceof WebAssembly.Module ? fetched : WebAssembly.compile(fetched);
  }
  if (watched) watch(fetched);
  if (!fetched.ok) throw new Error(`status ${fetched.status} ${fetched.url}`);
  // Browsers compile while they receive only what has this type.
  return fetched.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(fetched)
    : WebAssembly.compile(await fetched.arrayBuffer());
}

/** Large files of a release are packed: an instance writes the actual module to the end of its memory. */
async function unpacked(module: WebAssembly.Module): Promise<WebAssembly.Module> {
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === "unpack")) return module;
  const { memory, unpack } = (await WebAssembly.instantiate(module)).exports as unknown as Unpacker;
  return WebAssembly.compile(new Uint8Array(memory.buffer, unpack()));
}

/** Exports of a packed file (`xtask/unpack`). */
interface Unpacker {
  readonly memory: WebAssembly.Memory;
  /** Writes the module, and returns where it begins. */
  unpack(): number;
}

/** Counts a clone of the response: browsers compile while they receive only the response itself. */
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
