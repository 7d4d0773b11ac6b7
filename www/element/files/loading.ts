/** Loads a source: bytes, what the file needs, import and pictures. */
import { notLoaded, openEngine, type Engine, type WasmUrls } from "../engine/engine.js";
import type { ModelHandle, Picture } from "../engine/wasm.js";
import { asError, GambolError, isAbort, type Warning } from "../errors.js";
import { openPrefetched } from "./prefetch.js";
import { Contents, ModelListing } from "./contents.js";
import type { ConvertOptions } from "./conversion.js";
import type { Decoders } from "./decoders.js";
import type { Formats } from "./formats.js";
import { decodeImage, pixelsOf } from "./images.js";
import type { LoadOptions, Opened, Source } from "./source.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** An imported file, with what is needed to decode its pictures again after the GPU was lost. */
export interface LoadedFile {
  readonly name: string;
  readonly model: ModelHandle;
  readonly contents: Contents;
  readonly warnings: readonly Warning[];
  readonly opened: Opened;
  readonly urls: WasmUrls | undefined;
  /** External images that are being fetched, by URI, until they are first decoded. */
  early: ReadonlyMap<string, Promise<Bytes>>;
}

/** What a GPU can take. */
export interface ImageTarget {
  /** Longer sides are scaled down to this many pixels. */
  readonly maxSize: number;
  /** Compressed formats: `blockFeatures` of the `GpuHandle`. */
  readonly blockFeatures: number;
  /** Whether pixels are uploaded faster than a picture: `software` of the `GpuBinding`. */
  readonly software: boolean | undefined;
}

/** Loads a file. The caller frees `model`. */
export async function loadFile(
  { wasm }: Engine,
  source: Source,
  options: LoadOptions & ConvertOptions & { opened?: Opened | undefined },
): Promise<LoadedFile> {
  let opened = options.opened ?? (await openPrefetched(source, options));
  let needs = wasm.inspect(opened.bytes);
  if (needs[1] === "formats") {
    opened = await (await fetchFormats()).convert(opened, options);
    needs = wasm.inspect(opened.bytes);
  }
  const gathering = gather(needs, opened);
  const early = new Map(namesOf(needs, "image").map((uri) => [uri, opened.piece(uri)]));
  // Reported when the image is decoded.
  for (const bytes of early.values()) bytes.catch(() => undefined);
  const { uris, pieces, decoders } = await gathering;
  options.signal?.throwIfAborted();
  const model = wasm.importModel(opened.bytes, uris, pieces, decoders, options.rotations === "nlerp");
  return {
    name: opened.name,
    model,
    contents: new Contents(new ModelListing(model)),
    warnings: opened.warnings ?? warningsOf(model.warnings()),
    opened,
    urls: options.wasm,
    early,
  };
}

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
export async function gather(needs: readonly string[], opened: Opened): Promise<Gathered> {
  const uris = namesOf(needs, "file");
  const fetching = Promise.all(uris.map(opened.piece));
  const names = namesOf(needs, "decoder");
  const decoding = names.length > 0 && fetchDecoders().then((all) => all.data(names, opened.bytes, uris, fetching));
  const [pieces, decoded] = await Promise.all([fetching, decoding]);
  return decoded || { uris, pieces, decoders: [] };
}

/** Imports the script `decoders.ts`. Passes in what it needs, so that the bundler splits neither script. */
async function fetchDecoders(): Promise<Decoders> {
  try {
    const { Decoders } = await import("./decoders.js");
    return new Decoders({
      decodeImage,
      gather,
      GambolError,
      isAbort,
      missingImage,
      notLoaded,
      openEngine,
      warningsOf,
    });
  } catch (error) {
    throw notLoaded(error);
  }
}

/** Fetches the code that reads files other than glTF. */
export async function fetchFormats(): Promise<Formats> {
  return (await (await fetchDecoders()).codec("formats")) as Formats;
}

function namesOf(needs: readonly string[], kind: "file" | "image" | "decoder"): string[] {
  return needs.filter((_, at) => at % 2 === 1 && needs[at - 1] === kind);
}

/**
 * Starts decoding the pictures of a file. A picture that can't be decoded is undefined and adds a warning, and the
 * model is shown without it.
 */
export function decodeImages(
  engine: Engine,
  file: LoadedFile,
  target: ImageTarget,
  warnings: Warning[],
): Promise<Picture | undefined>[] {
  const { early, model, opened } = file;
  file.early = new Map();
  return Array.from({ length: model.imageCount }, async (_, index) => {
    const uri = model.imageUri(index);
    try {
      const declared = model.imageMimeType(index);
      const bytes = uri ? await (early.get(uri) ?? opened.piece(uri)) : model.imageBytes(index);
      return await decode(engine, bytes, declared, target, file.urls);
    } catch (error) {
      if (isAbort(error)) throw error;
      // Files other than glTF have no such JSON pointer.
      warnings.push(missingImage(opened.warnings ? uri : `/images/${index}`, error));
      return undefined;
    }
  });
}

async function decode(
  engine: Engine,
  bytes: Bytes,
  declared: string,
  target: ImageTarget,
  wasm: WasmUrls | undefined,
): Promise<Picture> {
  let picture: ImageBitmap;
  try {
    picture = await decodeImage(new Blob([bytes], { type: declared }), target.maxSize);
  } catch {
    return (await fetchDecoders()).image(engine, bytes, declared, target, wasm);
  }
  return target.software ? pixelsOf(picture) : picture;
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
