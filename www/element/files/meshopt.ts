/** Decodes the buffer views that meshopt compresses: the page's side of the package `decoders/meshopt`. */
import type { WasmUrls } from "../engine/engine.js";
import type { CompressedFile, Part } from "./compressed.js";
import { damaged, unsupported } from "./compressed_errors.js";
import { runDecoder } from "./decode_pool.js";
import type { Codec, MainExports } from "./decoders.js";
import type { Stream } from "./meshopt_streams.js";
import { WasmFile } from "./wasm_file.js";

/** Modes and filters in the order of `Mode::ALL` and `Filter::ALL` in `src/decode/meshopt/mod.rs`. */
const MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
const FILTERS = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];

/** What is wrong with a stream, in the order of `MeshoptProblem` in `src/decode/meshopt/error.rs`. */
const PROBLEMS = [
  "its mode allows no elements of this size or number",
  "its filter doesn't fit its elements",
  "its first byte belongs to another mode",
  "its version is unknown",
  "it ends early",
  "it has more bytes than its elements",
  "the coding of a channel is unknown",
];

/** The number of the problem that a newer decoder wouldn't have. */
const VERSION = 4;

/** Decoded bytes up to which a worker isn't worth its start. Decoding them takes a millisecond or two. */
const SMALL = 2 ** 20;

const file = new WasmFile("meshopt", () => new URL("./wasm/decoders/meshopt.wasm", import.meta.url));

export class Meshopt implements Codec {
  readonly #main: MainExports;
  readonly #extension: string;

  constructor(main: MainExports, extension: string) {
    this.#main = main;
    this.#extension = extension;
  }

  prepare(wasm?: WasmUrls): void {
    file.fetch(this.#main, wasm).catch(() => undefined);
  }

  async data({ document, bytes, charge, wasm, signal }: CompressedFile): Promise<Map<string, Uint8Array>> {
    const fetching = file.fetch(this.#main, wasm);
    // Awaited only if the document is valid.
    fetching.catch(() => undefined);
    const places: string[] = [];
    const streams: Stream[] = [];
    let total = 0;
    for (const [index, view] of (document.bufferViews ?? []).entries()) {
      const compressed = view.extensions?.[this.#extension];
      if (!compressed) continue;
      const place = `/bufferViews/${index}`;
      const stream = this.#streamOf(compressed, place, bytes);
      charge(stream.count * stream.stride);
      total += stream.count * stream.stride;
      places.push(place);
      streams.push(stream);
    }
    const module = await fetching;
    signal?.throwIfAborted();
    const decoded = await runDecoder("meshopt", module, streams, { signal, isSmall: total < SMALL });
    return new Map(
      decoded.map((elements, at) => {
        if (typeof elements !== "number") return [`#${places[at]}`, elements];
        const problem = PROBLEMS[elements - 1]!;
        throw (elements === VERSION ? unsupported : damaged)(this.#main.GambolError, problem, places[at]!);
      }),
    );
  }

  /** Returns what the decoder needs of a buffer view's extension, whose properties can be anything. */
  #streamOf(
    compressed: NonNullable<Part["extensions"]>[string] & object,
    place: string,
    bytes: CompressedFile["bytes"],
  ) {
    const { buffer, byteOffset = 0, byteLength, byteStride, count, mode, filter = "NONE" } = compressed;
    const numbers = [buffer, byteOffset, byteLength, byteStride, count] as number[];
    const words = [MODES.indexOf(mode as string), FILTERS.indexOf(filter as string)];
    if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
      throw damaged(this.#main.GambolError, "it lacks a number", place);
    }
    if (words.includes(-1)) {
      const problem = `its mode is ${String(mode)} and its filter ${String(filter)}`;
      throw unsupported(this.#main.GambolError, problem, place);
    }
    return {
      mode: words[0]!,
      filter: words[1]!,
      count: count as number,
      stride: byteStride as number,
      bytes: bytes(buffer as number, byteOffset as number, byteLength as number, place),
    };
  }
}
