/** Calls the reader of KTX2 textures, on a page's thread or in a worker. */
import { openExchange } from "./exchange.js";

/** A KTX2 texture, and what the GPU can take. */
export interface Texture {
  readonly bytes: Uint8Array;
  /** A bit for each format, in the order of `Target::ALL` in `src/decode/ktx2/target.rs`. */
  readonly formats: number;
  /** Longest side in pixels. */
  readonly maxSize: number;
}

/** The levels of a texture in one of the formats. */
export interface Levels {
  readonly format: number;
  readonly width: number;
  readonly height: number;
  /** The largest level first. */
  readonly levels: readonly Uint8Array<ArrayBuffer>[];
}

/** Transcodes a texture. For one that is damaged, returns what is wrong. */
export async function transcodeTexture(
  module: WebAssembly.Module,
  { bytes, formats, maxSize }: Texture,
): Promise<Levels | string> {
  const { call, read } = await openExchange<{ transcode_levels(formats: number, maxSize: number): number }>(module);
  const problem = call([bytes], ({ transcode_levels }) => transcode_levels(formats, maxSize));
  const output = read();
  if (problem) return new TextDecoder().decode(output);
  const view = new DataView(output.buffer);
  const [format, width, height] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number];
  const levels: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 12; at < output.length; at += 4 + levels.at(-1)!.length) {
    levels.push(output.slice(at + 4, at + 4 + view.getUint32(at, true)));
  }
  return { format, width, height, levels };
}
