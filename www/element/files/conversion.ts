/** The function `toGlb`. Its work is done by the script `formats.ts`. */
import type { WasmUrls } from "../engine/engine.js";
import { checkOptions } from "../checks.js";
import type { Warning } from "../errors.js";
import { fetchFormats } from "./needs.js";
import { open, type FetchOptions, type FormatOptions, type Source } from "./source.js";

/** Options of `toGlb`. */
export interface ConvertOptions extends FetchOptions, FormatOptions {
  /**
   * Compression of vertices, indices and keys. Pictures stay as they are. Default: `"none"`.
   * - `"none"` writes all numbers as they are.
   * - `"meshopt"` rounds numbers to 8 or 16 bits and uses `EXT_meshopt_compression`, which readers must support.
   *   Joints and vertices are off by less than 1/4000 of the model's size, or by `reduceKeys`.
   */
  compress?: "none" | "meshopt" | undefined;
  /**
   * Leaves out keys, as long as no joint and no vertex is farther off than this, in metres. Default: all keys are
   * written.
   */
  reduceKeys?: number | undefined;
  /** URLs of the wasm files. Default: beside this module. */
  wasm?: WasmUrls | undefined;
}

/** A model converted to a single self-contained file. */
export interface Converted {
  /** Name of the source, with the extension `.glb`. */
  readonly name: string;
  /** Bytes of the file. */
  readonly glb: Uint8Array<ArrayBuffer>;
  /** Bytes of the source, with its buffers and pictures, and of the new file. */
  readonly sizes: { readonly source: number; readonly glb: number };
  /**
   * Notes on what glTF can't represent or what wasn't found, and what was done about it. Their places are of the form
   * `/nodes/3`, counted as in the source.
   */
  readonly notes: readonly Warning[];
  /** Problems found in the source, as when it is loaded. */
  readonly warnings: readonly Warning[];
}

/** Converts any model that can be loaded to a `.glb` that includes its pictures. Needs neither a canvas nor a GPU. */
export async function toGlb(source: Source, options: ConvertOptions = {}): Promise<Converted> {
  options = checkOptions(options);
  const [opened, formats] = await Promise.all([open(source, options), fetchFormats()]);
  return formats.save(opened, options);
}
