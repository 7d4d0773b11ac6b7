/** Decodes KTX2 textures with Basis Universal: the page's side of the package `decoders/ktx2`. */
import type { WasmUrls } from "../engine/engine.js";
import type { BlockFormat, Blocks } from "./blocks.js";
import { runDecoder } from "./decode_pool.js";
import type { Codec, ImageOptions, MainExports } from "./decoders.js";
import { WasmFile } from "./wasm_file.js";

/** Formats in the order of `Target::ALL` in `src/decode/ktx2/target.rs`. The first is texels, the others are blocks. */
const FORMATS = [
  "rgba8unorm",
  "bc1-rgba-unorm",
  "bc7-rgba-unorm",
  "etc2-rgb8unorm",
  "etc2-rgba8unorm",
  "astc-4x4-unorm",
] as const;

const file = new WasmFile("ktx2", () => new URL("./wasm/decoders/ktx2.wasm", import.meta.url));

export class Ktx2 implements Codec {
  readonly #main: MainExports;

  constructor(main: MainExports) {
    this.#main = main;
  }

  prepare(wasm?: WasmUrls): void {
    file.fetch(this.#main, wasm).catch(() => undefined);
  }

  async image(bytes: Uint8Array<ArrayBuffer>, options: ImageOptions): Promise<ImageData | Blocks> {
    const { blockFormats, maxSize, wasm, signal } = options;
    const module = await file.fetch(this.#main, wasm);
    const formats = FORMATS.reduce(
      (bits, name, at) => (blockFormats.includes(name as BlockFormat) ? bits | (1 << at) : bits),
      0,
    );
    const told = await runDecoder("ktx2", module, { bytes, formats, maxSize }, { signal });
    if (typeof told === "string")
      throw new this.#main.GambolError("IMAGE_NOT_LOADED", `The picture is damaged: ${told}`);
    const { format, width, height, levels } = told;
    if (format === 0) return new ImageData(new Uint8ClampedArray(levels[0]!.buffer), width, height);
    return { format: FORMATS[format] as BlockFormat, width, height, levels };
  }
}
