/** Loads a source: bytes, external files, import and pictures. */
import type { WasmUrls } from "../engine/engine.js";
import type { Images, ModelHandle, WasmModule } from "../engine/wasm.js";
import { asError, GambolError, isAbort, type Warning } from "../errors.js";
import { openPrefetched } from "./prefetch.js";
import { Contents, ModelListing } from "./contents.js";
import { fetchFormats, isNotGltf, isOldPicture, type ConvertOptions } from "./conversion.js";
import { decodeImage } from "./images.js";
import type { LoadOptions, Opened, Source } from "./source.js";

/** An imported file, with what is needed to decode its pictures again after the GPU was lost. */
export interface LoadedFile {
  readonly name: string;
  readonly model: ModelHandle;
  readonly contents: Contents;
  readonly warnings: readonly Warning[];
  readonly opened: Opened;
  readonly urls: WasmUrls | undefined;
}

/** Loads a file. The caller frees `model`. */
export async function loadFile(
  wasm: WasmModule,
  source: Source,
  options: LoadOptions & ConvertOptions,
): Promise<LoadedFile> {
  let opened = await openPrefetched(source, options);
  if (isNotGltf(opened.bytes)) opened = await (await fetchFormats()).convert(opened, options);
  const uris = wasm.externalBuffers(opened.bytes);
  const pieces = await Promise.all(uris.map(opened.piece));
  options.signal?.throwIfAborted();
  const model = wasm.importModel(opened.bytes, uris, pieces, options.rotations === "nlerp");
  return {
    name: opened.name,
    model,
    contents: new Contents(new ModelListing(model)),
    warnings: opened.warnings ?? warningsOf(model.warnings()),
    opened,
    urls: options.wasm,
  };
}

/**
 * Decodes the pictures of a file. A picture that can't be decoded leaves a gap and a warning, and the model is shown
 * without it.
 */
export async function decodeImages(
  file: LoadedFile,
  maxSize: number,
): Promise<{ images: Images; warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const images = await Promise.all(
    Array.from({ length: file.model.imageCount }, async (_, index) => {
      const uri = file.model.imageUri(index);
      try {
        const mimeType = file.model.imageMimeType(index);
        const bytes = uri ? await file.opened.piece(uri) : file.model.imageBytes(index);
        return await decode(bytes, mimeType, maxSize, file.urls);
      } catch (error) {
        if (isAbort(error)) throw error;
        // Files other than glTF have no such JSON pointer.
        warnings.push(missingImage(file.opened.warnings ? uri : `/images/${index}`, error));
        return undefined;
      }
    }),
  );
  return { images, warnings };
}

async function decode(
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
  maxSize: number,
  urls: WasmUrls | undefined,
): Promise<ImageBitmap> {
  try {
    return await decodeImage(new Blob([bytes], { type: mimeType }), maxSize);
  } catch (error) {
    if (!isOldPicture(bytes)) throw error;
    return decodeImage(await (await fetchFormats()).decodePicture(bytes, urls), maxSize);
  }
}

export function missingImage(place: string, error: unknown): Warning {
  const reason = asError(error);
  const message = reason instanceof GambolError ? reason.message : "The browser can't decode this picture.";
  return { code: "IMAGE_NOT_LOADED", place, message, count: 1 };
}

/** Converts a flat list of code, place, message and count to warnings. */
export function warningsOf(texts: string[]): Warning[] {
  const warnings: Warning[] = [];
  for (let at = 0; at + 3 < texts.length; at += 4) {
    warnings.push({ code: texts[at]!, place: texts[at + 1]!, message: texts[at + 2]!, count: +texts[at + 3]! });
  }
  return warnings;
}
