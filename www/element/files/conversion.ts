/**
 * The entry to the script `formats.ts`: files other than glTF, pictures that browsers can't decode, and `.glb`
 * export.
 */
import { notLoaded, openEngine, type WasmUrls } from "../engine/engine.js";
import { checkOptions } from "../checks.js";
import { GambolError, isAbort, type Warning } from "../errors.js";
import type { Formats } from "./formats.js";
import { missingImage, warningsOf } from "./loading.js";
import { open, type FetchOptions, type FormatOptions, type Source } from "./source.js";

/**
 * Whether a file needs the reader in `formats`. Decided by its first bytes, since names can be wrong. Unreadable
 * files go there too: only that reader names other formats in its error.
 */
export function isNotGltf(bytes: Uint8Array): boolean {
  // Byte order marks, spaces and the second bytes of UTF-16 are ignored.
  const start = String.fromCharCode(...bytes.subarray(0, 64)).replace(/[\0\s\xbb\xbf\xef\xfe\xff]/g, "");
  return /^(?!glTF|{)./.test(start);
}

/** Whether a picture that the browser rejected may be a `.tga`, `.bmp` or `.dds`. A `.tga` has no signature. */
export function isOldPicture([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  return second < 2 ? third > 0 : /^(BM|DDS)/.test(String.fromCharCode(first, second, third));
}

/** Options of `toGlb`. */
export interface ConvertOptions extends FetchOptions, FormatOptions {
  /** URLs of the wasm files. Default: beside this module. */
  wasm?: WasmUrls | undefined;
}

/** A model converted to a single self-contained file. */
export interface Converted {
  /** Name of the source, with the extension `.glb`. */
  readonly name: string;
  /** Bytes of the file. */
  readonly glb: Uint8Array<ArrayBuffer>;
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

/** Imports `formats.ts`. Passes in what it needs from here, so that neither script is split by the bundler. */
export async function fetchFormats(): Promise<Formats> {
  try {
    const { Formats } = await import("./formats.js");
    return new Formats({ GambolError, isAbort, isNotGltf, missingImage, openEngine, warningsOf });
  } catch (error) {
    throw notLoaded(error);
  }
}
