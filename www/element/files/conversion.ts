/** What is left to others: files that aren't glTF, pictures that no browser decodes, and writing a `.glb`. */
import { notStarted, openEngine, type WasmUrls } from "../engine/engine.js";
import { given } from "../checks.js";
import { GambolError, isAbort, type Warning } from "../errors.js";
import type { Formats } from "./formats.js";
import { missingImage, warningsOf } from "./loading.js";
import { open, type FetchOptions, type FormatOptions, type Source } from "./source.js";

/**
 * Whether it takes another reader than the player's own, by its first bytes: names lie. So does what can't be read at
 * all: only that reader has the names of other formats, for its error.
 */
export function isForeign(bytes: Uint8Array): boolean {
  // Marks of byte order, spaces and the second bytes of UTF-16 say nothing here.
  const start = String.fromCharCode(...bytes.subarray(0, 64)).replace(/[\0\s\xbb\xbf\xef\xfe\xff]/g, "");
  return /^(?!glTF|{)./.test(start);
}

/** Whether a picture that the browser refused may be one of `.tga`, `.bmp` and `.dds`. The first has no mark of its own. */
export function isOldPicture([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  return second < 2 ? third > 0 : /^(BM|DDS)/.test(String.fromCharCode(first, second, third));
}

/** How `toGlb` reads its source. */
export interface ConvertOptions extends FetchOptions, FormatOptions {
  /** Where the wasm files lie, when not beside this module. */
  wasm?: WasmUrls | undefined;
}

/** A model as one file that holds everything. */
export interface Converted {
  /** That of the source, with `.glb`. */
  readonly name: string;
  /** The file's bytes. */
  readonly glb: Uint8Array<ArrayBuffer>;
  /** What glTF can't hold, or couldn't be found, and what was done about it. Places are such as `/nodes/3`, counted as in the source. */
  readonly notes: readonly Warning[];
  /** What was odd about the source, as when it is loaded. */
  readonly warnings: readonly Warning[];
}

/** Turns any model that can be loaded into a `.glb`, its pictures in it. Needs neither a canvas nor a GPU. */
export async function toGlb(source: Source, options: ConvertOptions = {}): Promise<Converted> {
  options = given(options);
  const [opened, formats] = await Promise.all([open(source, options), fetchFormats()]);
  return formats.save(opened, options);
}

/** The script is lent what it needs from here: it stays one file, and so does this one. */
export async function fetchFormats(): Promise<Formats> {
  try {
    const { Formats } = await import("./formats.js");
    return new Formats({ GambolError, isAbort, isForeign, missingImage, openEngine, warningsOf });
  } catch (error) {
    throw notStarted(error);
  }
}
