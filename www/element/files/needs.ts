/** What a file needs besides its bytes: external files, and scripts that decode what the player doesn't read. */
import { fetchModule } from "../engine/download.js";
import {
  expectPart,
  fetched,
  notLoaded,
  openEngine,
  pageUrls,
  type Flavour,
  type Part,
  type WasmUrls,
} from "../engine/engine.js";
import { asError, GambolError, isAbort, type Warning } from "../errors.js";
import type { Decoders } from "./decoders.js";
import type { Formats } from "./formats.js";
import { decodeImage } from "./images.js";
import type { Opened } from "./source.js";

/** What the import of a file takes besides its bytes. */
export interface Gathered {
  /** URIs of external files, and places of decoded data. */
  readonly uris: string[];
  /** Bytes, in the order of `uris`. */
  readonly pieces: Uint8Array[];
  /** Extensions whose data is decoded. */
  readonly decoders: string[];
}

/**
 * Fetches and decodes what a file needs before its import.
 *
 * @param needs the result of `inspect`
 */
export async function gather(needs: readonly string[], opened: Opened, wasm: WasmUrls | undefined): Promise<Gathered> {
  const uris = namesOf(needs, "file");
  const fetching = Promise.all(uris.map(opened.piece));
  const names = namesOf(needs, "decoder");
  const decoding = names.length > 0 && fetchDecoders().then((all) => all.data(names, opened, uris, fetching, wasm));
  const [pieces, decoded] = await Promise.all([fetching, decoding]);
  return decoded || { uris, pieces, decoders: [] };
}

/** Parts of a backend that some files need. */
export const PARTS = ["late", "import", "tangents"] as const;

/** What the start of a file names if it needs a part. `inspect` knows more when the file has come. */
const PART_NAMES = {
  late: /EXT_mesh_gpu_instancing|VRMC_springBone|secondaryAnimation|humanBones/,
  import: /KHR_(materials_(?!unlit|variants|emissive)|lights_punctual|animation_pointer)|"cameras"/,
  tangents: /^(?!.*"TANGENT").*"normalTexture"/s,
};

/**
 * Starts to fetch what the start of a file names, while the rest arrives: parts of a backend, or of those that are
 * starting, and decoders. What they are needed for is known only when the WebAssembly has read the file.
 */
export function prepareNeeds(text: string, isWhole: boolean, flavour?: Flavour): void {
  for (const part of PARTS) {
    // Tangents may follow in another piece.
    if ((isWhole || part !== "tangents") && PART_NAMES[part].test(text)) expectPart(part, flavour);
  }
  // Only behind a quote: from each letter of a long word, the search would go through the rest of it.
  const names = text.match(/(?<=")\w+_(compression|basisu)\b/g);
  // Errors are reported when a decoder is used.
  if (names)
    fetchDecoders()
      .then((all) => all.prepare(names))
      .catch(() => undefined);
}

/** Imports the script `decoders.ts`. Passes in what it needs, so that the bundler splits neither script. */
export async function fetchDecoders(): Promise<Decoders> {
  const { Decoders } = await fetched(import("./decoders.js"));
  return new Decoders({
    decodeImage,
    fetchModule,
    gather,
    GambolError,
    isAbort,
    missingImage,
    notLoaded,
    openEngine,
    pageUrls,
    warningsOf,
  });
}

/** Fetches the code that reads files other than glTF. */
export async function fetchFormats(): Promise<Formats> {
  return (await (await fetchDecoders()).codec("formats")) as Formats;
}

export function namesOf(needs: readonly string[], kind: "file" | "image" | "decoder" | Part): string[] {
  return needs.filter((_, at) => at % 2 === 1 && needs[at - 1] === kind);
}

export function missingImage(place: string, error: unknown): Warning {
  return { code: "IMAGE_NOT_LOADED", place, message: asError(error).message, count: 1 };
}

/** Converts a flat list of code, place, message and count to warnings. */
export function warningsOf(texts: string[]): Warning[] {
  const warnings: Warning[] = [];
  for (let at = 0; at + 3 < texts.length; at += 4) {
    warnings.push({ code: texts[at]!, place: texts[at + 1]!, message: texts[at + 2]!, count: +texts[at + 3]! });
  }
  return warnings;
}
