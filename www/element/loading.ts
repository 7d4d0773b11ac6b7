/** From a source to a model that a player can show: bytes, pieces, import, pictures. */
import { Contents } from "./contents.js";
import { asError, GambolError, isAbort, type Warning } from "./errors.js";
import { decodeImage } from "./images.js";
import { open, type LoadOptions, type Opened, type Source } from "./source.js";
import type { Images, ModelHandle, WasmModule } from "./wasm.js";

/** A file that has been read and understood, and whatever it takes to decode its pictures again after a lost GPU. */
export interface LoadedFile {
  readonly name: string;
  readonly model: ModelHandle;
  readonly contents: Contents;
  readonly warnings: readonly Warning[];
  readonly opened: Opened;
}

/** The caller frees `model`. */
export async function loadFile(wasm: WasmModule, source: Source, options: LoadOptions): Promise<LoadedFile> {
  const opened = await open(source, options);
  const uris = wasm.externalBuffers(opened.bytes);
  const pieces = await Promise.all(uris.map(opened.piece));
  options.signal?.throwIfAborted();
  const model = wasm.importModel(opened.bytes, uris, pieces, options.rotations === "nlerp");
  return { name: opened.name, model, contents: new Contents(model), warnings: warningsOf(model), opened };
}

/** A picture that can't be had leaves a gap and a warning: the model is worth showing without it. */
export async function decodeImages(
  file: LoadedFile,
  maxSize: number,
): Promise<{ images: Images; warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const images = await Promise.all(
    Array.from({ length: file.model.imageCount }, async (_, index) => {
      try {
        const uri = file.model.imageUri(index);
        const mimeType = file.model.imageMimeType(index);
        const bytes = uri ? await file.opened.piece(uri) : file.model.imageBytes(index);
        return await decodeImage(bytes, mimeType, maxSize);
      } catch (error) {
        if (isAbort(error)) throw error;
        warnings.push(missingImage(index, error));
        return undefined;
      }
    }),
  );
  return { images, warnings };
}

function missingImage(index: number, error: unknown): Warning {
  const reason = asError(error);
  const message = reason instanceof GambolError ? reason.message : "The browser can't decode this picture.";
  return { code: "IMAGE_NOT_LOADED", place: `/images/${index}`, message };
}

function warningsOf(model: ModelHandle): Warning[] {
  const texts = model.warnings();
  const warnings: Warning[] = [];
  for (let at = 0; at + 2 < texts.length; at += 3) {
    warnings.push({ code: texts[at]!, place: texts[at + 1]!, message: texts[at + 2]! });
  }
  return warnings;
}
