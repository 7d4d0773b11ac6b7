/** Decoders of what neither the player nor the browser reads. Each is one entry of the table, fetched when needed. */
import { notLoaded, openEngine, type WasmUrls } from "../engine/engine.js";
import type { Blocks } from "../engine/wasm.js";
import { GambolError, isAbort } from "../errors.js";
import type { CompressedFile } from "./compressed.js";
import type { ConvertOptions } from "./conversion.js";
import type { Formats } from "./formats.js";
import { gather, missingImage, warningsOf } from "./loading.js";
import type { Opened } from "./source.js";

/** Entry of a decoder. */
export interface Decoder {
  /** MIME types of the images that it decodes when the browser can't, as `imageType` returns them. */
  readonly types?: readonly string[];
  /** Fetches the code of the decoder. */
  load(): Promise<Codec>;
}

/** Code of a decoder. Each method is for one kind of data. */
export interface Codec {
  /** Converts a whole file to glTF. */
  convert?(opened: Opened, options: ConvertOptions): Promise<Opened>;
  /** Decodes an image. Pixels may be anything from which the browser creates an `ImageBitmap`. */
  image?(bytes: Uint8Array<ArrayBuffer>, options: ImageOptions): Promise<ImageBitmapSource | Blocks>;
  /**
   * Decodes buffer views or accessors that an extension compresses. Returns their bytes by place, such as
   * `#/bufferViews/3` or `#/accessors/3`.
   */
  data?(file: CompressedFile): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Options of {@link Codec.image}. */
export interface ImageOptions {
  /** Formats of {@link Blocks} that the GPU can read. */
  readonly blockFormats: readonly string[];
  readonly wasm: WasmUrls | undefined;
}

/**
 * The decoders by name. The decoder of a glTF extension has the extension's name; an extension that gives textures
 * another image needs an entry with the image's type. `formats` converts files other than glTF.
 */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  formats: { types: ["image/bmp", "image/vnd-ms.dds", "image/x-tga"], load: () => fetchFormats() },
};

/** Fetches a decoder. */
export async function fetchDecoder({ load }: Decoder): Promise<Codec> {
  try {
    return await load();
  } catch (error) {
    throw notLoaded(error);
  }
}

/** Imports `formats.ts`. Passes in what it needs from here, so that neither script is split by the bundler. */
export async function fetchFormats(): Promise<Formats> {
  const { Formats } = await import("./formats.js");
  return new Formats({ gather, GambolError, isAbort, missingImage, openEngine, warningsOf });
}
