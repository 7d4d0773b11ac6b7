/** Loads a source: bytes, what the file needs, import and pictures. */
import type { Engine, Part, WasmUrls } from "../engine/engine.js";
import type { ModelHandle, Picture } from "../engine/wasm.js";
import { GambolError, isAbort, type Warning } from "../errors.js";
import { openPrefetched } from "./prefetch.js";
import { Contents, ModelListing } from "./contents.js";
import type { ConvertOptions } from "./conversion.js";
import { letDecode, takeEarly } from "./early_pictures.js";
import { decodeImage, pixelsOf } from "./images.js";
import { PARTS, fetchDecoders, fetchFormats, gather, missingImage, namesOf, warningsOf } from "./needs.js";
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
  /** Error of the file itself, if it ends before its pictures. */
  failure?: unknown;
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
  engine: Engine,
  source: Source,
  options: LoadOptions & ConvertOptions & { opened?: Opened | undefined; isAhead?: boolean },
): Promise<LoadedFile> {
  const { wasm } = engine;
  let opened = options.opened ?? (await openPrefetched(source, options, engine.flavour));
  let needs = wasm.inspect(opened.bytes);
  if (needs[1] === "formats") {
    opened = await (await fetchFormats()).convert(opened, options);
    needs = wasm.inspect(opened.bytes);
  }
  const gathering = gather(needs, opened, options.wasm);
  const early = new Map(namesOf(needs, "image").map((uri) => [uri, opened.piece(uri)]));
  // Reported when the image is decoded.
  for (const bytes of early.values()) bytes.catch(() => undefined);
  const extending = PARTS.filter((part) => namesOf(needs, part).length > 0).map((part) => engine.extend(part));
  const [{ uris, pieces, decoders }] = await Promise.all([gathering, ...extending]);
  await letDecode(opened);
  options.signal?.throwIfAborted();
  const chord = options.rotations === "nlerp";
  const model = await read(engine, () => wasm.importModel(opened.bytes, uris, pieces, decoders, chord));
  const file: LoadedFile = {
    name: opened.name,
    model,
    contents: new Contents(new ModelListing(model)),
    warnings: opened.warnings ?? warningsOf(model.warnings()),
    opened,
    urls: options.wasm,
    early,
  };
  await letDecode(opened);
  return file;
}

/** Calls a reader of files. If the file needs a part of the engine that few need, fetches it and calls again. */
async function read<Result>(engine: Engine, reader: () => Result): Promise<Result> {
  try {
    return reader();
  } catch (error) {
    if (!(error instanceof GambolError && error.code === "PART_MISSING")) throw error;
    await engine.extend(error.place as Part);
    return read(engine, reader);
  }
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
  const pictures = takeEarly(opened);
  const failed = (error: unknown): never => {
    file.failure = error;
    throw error;
  };
  return Array.from({ length: model.imageCount }, async (_, index) => {
    const uri = model.imageUri(index);
    const declared = model.imageMimeType(index);
    const inside = uri ? undefined : opened.pictures?.[index];
    const read = uri || inside ? undefined : model.imageBytes(index);
    try {
      const later = inside?.then((bytes) => bytes.slice(), failed) ?? early.get(uri);
      const bytes = read ?? (await (later ?? opened.piece(uri)));
      return await decode(engine, bytes, declared, target, file, pictures[index]);
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
  { opened, urls }: LoadedFile,
  early: Promise<ImageBitmap> | undefined,
): Promise<Picture> {
  let picture: ImageBitmap;
  try {
    picture = await decodeImage(new Blob([bytes], { type: declared }), target.maxSize, early);
  } catch {
    return (await fetchDecoders()).image(engine, bytes, declared, target, urls, opened.signal);
  }
  return target.software ? pixelsOf(picture) : picture;
}
