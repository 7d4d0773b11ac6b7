/**
 * Decoders of what neither the player nor the browser reads. Fetched with the first such file or picture. Each decoder
 * is one entry of the table `DECODERS`.
 */
import type { fetchModule } from "../engine/download.js";
import type { Engine, notLoaded, openEngine, WasmUrls } from "../engine/engine.js";
import type { Picture } from "../engine/wasm.js";
import type { GambolError, isAbort } from "../errors.js";
import { blockFormatsOf, packBlocks, type BlockFormat, type Blocks } from "./blocks.js";
import { decodeData, type CompressedFile } from "./compressed.js";
import type { ConvertOptions } from "./conversion.js";
import { Draco } from "./draco.js";
import { Formats } from "./formats.js";
import type { decodeImage } from "./images.js";
import { Ktx2 } from "./ktx2.js";
import type { ImageTarget } from "./loading.js";
import { Meshopt } from "./meshopt.js";
import type { gather, Gathered, missingImage, warningsOf } from "./needs.js";
import type { Opened } from "./source.js";

/** Functions passed in from the main script. An import would make the bundler split that script. */
export interface MainExports {
  readonly decodeImage: typeof decodeImage;
  readonly fetchModule: typeof fetchModule;
  readonly gather: typeof gather;
  readonly GambolError: typeof GambolError;
  readonly isAbort: typeof isAbort;
  readonly missingImage: typeof missingImage;
  readonly notLoaded: typeof notLoaded;
  readonly openEngine: typeof openEngine;
  readonly pageUrls: WasmUrls;
  readonly warningsOf: typeof warningsOf;
}

/** Entry of a decoder. */
export interface Decoder {
  /** MIME types of the images that it decodes when the browser can't, as `imageType` returns them. */
  readonly types?: readonly string[];
  /** Fetches the code of the decoder. */
  load(main: MainExports): Codec | Promise<Codec>;
}

/** Code of a decoder. Each method is for one kind of data. */
export interface Codec {
  /** Starts to fetch what the decoder needs. */
  prepare?(wasm?: WasmUrls): void;
  /** Converts a whole file to glTF. */
  convert?(opened: Opened, options: ConvertOptions): Promise<Opened>;
  /** Decodes an image, to blocks only of a format and size that the GPU can take. Other pixels are scaled down. */
  image?(bytes: Uint8Array<ArrayBuffer>, options: ImageOptions): Promise<ImageData | ImageBitmap | Blob | Blocks>;
  /**
   * Decodes buffer views or accessors that an extension compresses. Returns their bytes by place, such as
   * `#/bufferViews/3` or `#/accessors/3`. Buffer views keep their stride; accessors have no gaps.
   */
  data?(file: CompressedFile): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Options of {@link Codec.image}. */
export interface ImageOptions {
  /** Longest side that the GPU can take, in pixels. */
  readonly maxSize: number;
  /** Formats of blocks that the GPU can read. */
  readonly blockFormats: readonly BlockFormat[];
  /** URLs of the wasm files. */
  readonly wasm: WasmUrls | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The decoders by the name that `inspect` returns: a glTF extension, or `formats` for files other than glTF. An
 * extension that gives textures another image needs an entry with the image's type.
 */
const DECODERS: Readonly<Record<string, Decoder>> = {
  EXT_meshopt_compression: { load: (main) => new Meshopt(main, "EXT_meshopt_compression") },
  KHR_meshopt_compression: { load: (main) => new Meshopt(main, "KHR_meshopt_compression") },
  KHR_texture_basisu: { types: ["image/ktx2"], load: (main) => new Ktx2(main) },
  KHR_draco_mesh_compression: { load: (main) => new Draco(main) },
  formats: { types: ["image/bmp", "image/vnd-ms.dds", "image/x-tga"], load: (main) => new Formats(main) },
};

export class Decoders {
  readonly #main: MainExports;

  constructor(main: MainExports) {
    this.#main = main;
  }

  /** Fetches the code of a decoder. */
  async codec(name: string): Promise<Codec> {
    try {
      return await DECODERS[name]!.load(this.#main);
    } catch (error) {
      throw this.#main.notLoaded(error);
    }
  }

  /** Starts to fetch what the decoders of some extensions need. */
  async prepare(names: readonly string[]): Promise<void> {
    for (const name of new Set(names)) if (Object.hasOwn(DECODERS, name)) (await this.codec(name)).prepare?.();
  }

  /**
   * Decodes what extensions compress. Extensions without a decoder are left for the importer to refuse.
   *
   * @param uris the external buffers, whose bytes are being fetched
   */
  async data(
    names: readonly string[],
    opened: Opened,
    uris: readonly string[],
    fetching: Promise<readonly Uint8Array[]>,
    wasm: WasmUrls | undefined,
  ): Promise<Gathered> {
    const decoders = names.filter((name) => Object.hasOwn(DECODERS, name));
    const codecs = await Promise.all(decoders.map((name) => this.codec(name)));
    for (const codec of codecs) codec.prepare?.(wasm);
    const pieces = await fetching;
    const gathered = { uris: [...uris], pieces: [...pieces], decoders };
    const methods = codecs.flatMap((codec) => codec.data?.bind(codec) ?? []);
    if (methods.length === 0) return gathered;
    const external = new Map(uris.map((uri, at) => [uri, pieces[at]!]));
    for (const [place, bytes] of await decodeData(opened, external, methods, wasm, this.#main.GambolError)) {
      gathered.uris.push(place);
      gathered.pieces.push(bytes);
    }
    return gathered;
  }

  /** Decodes an image that the browser can't decode. */
  async image(
    engine: Engine,
    bytes: Uint8Array<ArrayBuffer>,
    declared: string,
    { maxSize, blockFeatures }: ImageTarget,
    wasm: WasmUrls | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Picture> {
    // After a panic the WebAssembly must not be called.
    const type = engine.panicReport === null ? engine.wasm.imageType(bytes.subarray(0, 18), declared) : declared;
    const name = Object.keys(DECODERS).find((name) => DECODERS[name]!.types?.includes(type));
    if (!name) throw this.#notDecoded(`The browser can't decode this picture${type && ` of the type ${type}`}.`);
    const blockFormats = blockFormatsOf(blockFeatures);
    const picture = await (await this.codec(name)).image!(bytes, { maxSize, blockFormats, wasm, signal });
    if (!("levels" in picture)) return this.#main.decodeImage(picture, maxSize);
    const { format, width, height } = picture;
    if (!blockFormats.includes(format)) throw this.#notDecoded(`This GPU can't read pictures of the format ${format}.`);
    const packed = Math.max(width, height) <= maxSize && packBlocks(picture);
    if (!packed) throw this.#notDecoded("This GPU can't read pictures of this size, or the picture is damaged.");
    return packed;
  }

  #notDecoded(problem: string): GambolError {
    return new this.#main.GambolError("IMAGE_NOT_LOADED", `${problem} Save it as PNG or JPEG.`);
  }
}
