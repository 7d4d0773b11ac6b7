/**
 * Reads formats other than glTF, decodes pictures that browsers can't, and writes `.glb`: the page's side of the wasm
 * file `formats`. Both are fetched when they are first needed.
 */
import type { Engine, WasmUrls } from "../engine/engine.js";
import { MATRIX_KEYS, type FileHandle, type FormatsModule } from "../engine/formats_wasm.js";
import type { GambolError, Warning } from "../errors.js";
import { resolveImages, encodePath, onlyPicture } from "./resolve_images.js";
import type { Converted, ConvertOptions } from "./conversion.js";
import type { Codec, ImageOptions, MainExports } from "./decoders.js";
import type { FormatOptions, Opened } from "./source.js";

type Instance = Engine<"formats">;

const COMPRESSIONS: readonly string[] = ["none", "meshopt"];

export class Formats implements Codec {
  readonly #main: MainExports;

  constructor(main: MainExports) {
    this.#main = main;
  }

  /** Starts the shared instance. It keeps no state between files. */
  start(urls: WasmUrls = {}): Promise<Instance> {
    return this.#main.openEngine("formats", urls, {
      glue: () => import("./wasm/formats/gambol.js"),
      url: () => new URL("./wasm/formats/gambol_bg.wasm", import.meta.url),
    });
  }

  /** Converts a file to one that the player's own reader accepts. */
  async convert(opened: Opened, options: ConvertOptions): Promise<Opened> {
    const { instance, file } = await this.#read(opened, options);
    return this.#call(instance, () => {
      const warnings = this.#warnings(opened, file);
      const made = file.toOwnGlb();
      const bytes = made.takeGlb();
      made.free();
      file.free();
      return { ...opened, bytes, warnings, piece: resolveImages(opened, this.#main, warnings) };
    });
  }

  async save(opened: Opened, options: ConvertOptions): Promise<Converted> {
    const { isAbort, missingImage, warningsOf } = this.#main;
    const { compress = "none", reduceKeys } = options;
    if (!COMPRESSIONS.includes(compress)) throw this.#outOfRange("compress", COMPRESSIONS.join(" or "), compress);
    this.#checkAboveZero("reduceKeys", reduceKeys);
    const { instance, file, byteCount } = await this.#read(opened, options);
    try {
      const [warnings, uris, isForeign] = this.#call(
        instance,
        () => [this.#warnings(opened, file), file.imageUris(), file.isForeign] as const,
      );
      const piece = isForeign ? resolveImages(opened, this.#main, warnings) : opened.piece;
      const pictures = new Map<string, Uint8Array>();
      await Promise.all(
        uris.map(async (uri) => {
          try {
            pictures.set(uri, await piece(uri));
          } catch (error) {
            if (isAbort(error)) throw error;
            warnings.push(missingImage(uri, error));
          }
        }),
      );
      options.signal?.throwIfAborted();
      return this.#call(instance, () => {
        const images = [...pictures.values()];
        const made = file.toGlb([...pictures.keys()], images, compress === "meshopt", reduceKeys);
        const name = `${opened.name.replace(/\.[^.]*$/, "") || "model"}.glb`;
        const glb = made.takeGlb();
        const sizes = { source: byteCount + total(images), glb: glb.length };
        const converted = { name, glb, sizes, notes: warningsOf(made.notes()), warnings };
        made.free();
        return converted;
      });
    } finally {
      // After a panic the memory must not be touched, not even to free it.
      if (instance.panicReport === null) file.free();
    }
  }

  /**
   * Returns the warnings about a file. If it names no picture and exactly one was given, applies that one, with a
   * warning.
   */
  #warnings(opened: Opened, file: FileHandle): Warning[] {
    const warnings = this.#main.warningsOf(file.warnings());
    const only = onlyPicture(opened);
    if (only !== undefined && file.isForeign && file.assignTexture(encodePath(only))) {
      const message = `The file names no picture. “${only}”, the only one given, was used.`;
      warnings.push({ code: "IMAGE_GUESSED", place: "", message, count: 1 });
    }
    return warnings;
  }

  /** Decodes a `.tga`, `.bmp` or `.dds` picture. */
  async image(bytes: Uint8Array, { wasm }: ImageOptions): Promise<ImageData> {
    return this.#call(await this.start(wasm), ({ decodePicture }) => {
      const picture = decodePicture(bytes);
      const { width, height } = picture;
      const image = new ImageData(new Uint8ClampedArray(picture.takeRgba().buffer), width, height);
      picture.free();
      return image;
    });
  }

  /** Imports a file, and counts its bytes and those of its buffers. The caller frees `file`. */
  async #read(opened: Opened, options: ConvertOptions) {
    const { bytes } = opened;
    const { signal, wasm } = options;
    const { ticks, keys, clips } = this.#formatOptions(options);
    const instance = await this.start(wasm);
    signal?.throwIfAborted();
    const needs = this.#call(instance, ({ inspect }) => inspect(bytes));
    const { uris, pieces, decoders } = await this.#main.gather(needs, opened, wasm);
    signal?.throwIfAborted();
    const file = this.#call(instance, ({ importFile }) =>
      importFile(bytes, uris, pieces, decoders, ticks, keys, clips),
    );
    // Decoded data is no part of the source.
    const byteCount = bytes.length + total(pieces.filter((_, at) => !uris[at]?.startsWith("#")));
    return { instance, file, byteCount };
  }

  #formatOptions({ ticksPerSecond, matrixKeys = "decompose" }: FormatOptions) {
    this.#checkAboveZero("ticksPerSecond", ticksPerSecond);
    const [forAll, byClip] = typeof matrixKeys === "object" ? ["decompose", matrixKeys ?? {}] : [matrixKeys, {}];
    const keys = [forAll, ...Object.values(byClip)].map((word) => {
      const key = (MATRIX_KEYS as readonly string[]).indexOf(word);
      if (key < 0) throw this.#outOfRange("matrixKeys", MATRIX_KEYS.join(" or "), word);
      return key;
    });
    return { ticks: ticksPerSecond, keys: Uint8Array.from(keys), clips: Object.keys(byClip) };
  }

  #checkAboveZero(what: string, value: number | undefined): void {
    if (value === undefined || (Number.isFinite(value) && value > 0)) return;
    throw this.#outOfRange(what, "a number above 0", value);
  }

  #outOfRange(what: string, expected: string, found: unknown): GambolError {
    // Some objects can't be converted to a string.
    const shown = typeof found === "object" && found !== null ? "an object" : String(found);
    return new this.#main.GambolError("OUT_OF_RANGE", `“${what}” must be ${expected}, not ${shown}.`);
  }

  /** Calls the WebAssembly. After a panic its instance must not be called; the next start creates a fresh one. */
  #call<Result>(instance: Instance, action: (wasm: FormatsModule) => Result): Result {
    let failure: unknown;
    if (instance.panicReport === null) {
      try {
        return action(instance.wasm);
      } catch (error) {
        instance.checkTrap(error);
        failure = error;
      }
    }
    if (instance.panicReport === null) throw failure;
    // The player isn't affected: it has an instance of its own.
    throw new this.#main.GambolError(
      "FORMATS_POISONED",
      "A bug in the player stopped this import; other files can still be loaded. " +
        `Please report this: ${instance.panicReport}`,
    );
  }
}

function total(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
