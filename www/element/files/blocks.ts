/** Pictures that the GPU reads in compressed blocks: the formats by name, and the form in which Rust takes them. */

/** A picture in blocks. */
export interface Blocks {
  /** Name of WebGPU's `GPUTextureFormat`, without `-srgb`: the use of the picture decides on that. */
  readonly format: BlockFormat;
  /** Width in pixels, a multiple of the block's; `height` likewise. */
  readonly width: number;
  readonly height: number;
  /** Mip levels, the largest first. Each is half as large as the one before, rounded down. */
  readonly levels: readonly Uint8Array[];
}

export type BlockFormat = (typeof FORMATS)[number][0];

/**
 * Name, width and height of a block in pixels, and its bytes. The order is that of `src/render/blocks.rs`; a test there
 * compares the tables. Formats of one or two channels are left out, since materials read red, green and blue.
 */
const FORMATS = [
  ["bc1-rgba-unorm", 4, 4, 8],
  ["bc2-rgba-unorm", 4, 4, 16],
  ["bc3-rgba-unorm", 4, 4, 16],
  ["bc7-rgba-unorm", 4, 4, 16],
  ["etc2-rgb8unorm", 4, 4, 8],
  ["etc2-rgb8a1unorm", 4, 4, 8],
  ["etc2-rgba8unorm", 4, 4, 16],
  ["astc-4x4-unorm", 4, 4, 16],
  ["astc-5x4-unorm", 5, 4, 16],
  ["astc-5x5-unorm", 5, 5, 16],
  ["astc-6x5-unorm", 6, 5, 16],
  ["astc-6x6-unorm", 6, 6, 16],
  ["astc-8x5-unorm", 8, 5, 16],
  ["astc-8x6-unorm", 8, 6, 16],
  ["astc-8x8-unorm", 8, 8, 16],
  ["astc-10x5-unorm", 10, 5, 16],
  ["astc-10x6-unorm", 10, 6, 16],
  ["astc-10x8-unorm", 10, 8, 16],
  ["astc-10x10-unorm", 10, 10, 16],
  ["astc-12x10-unorm", 12, 10, 16],
  ["astc-12x12-unorm", 12, 12, 16],
] as const;

/** How the names of the formats of a family begin, by bit of `blockFeatures`. */
const FAMILIES = ["bc", "etc2", "astc"];

/** Returns the formats that a GPU can read. */
export function blockFormatsOf(features: number): BlockFormat[] {
  const names = FORMATS.map(([name]) => name);
  return names.filter((name) => (features >> FAMILIES.findIndex((family) => name.startsWith(family))) & 1);
}

/**
 * Returns the blocks in the form that `show` and `setImage` take: a header of seven 32-bit numbers, then the levels.
 * Undefined if they don't have the bytes of their size.
 */
export function packBlocks({ format, width, height, levels }: Blocks): Uint8Array | undefined {
  const index = FORMATS.findIndex(([name]) => name === format);
  const [, blockWidth = 1, blockHeight = 1, bytes = 0] = FORMATS[index] ?? [];
  const across = (level: number): number => Math.ceil(Math.max(1, width >> level) / blockWidth);
  const down = (level: number): number => Math.ceil(Math.max(1, height >> level) / blockHeight);
  const fits =
    bytes > 0 &&
    width > 0 &&
    height > 0 &&
    width % blockWidth === 0 &&
    height % blockHeight === 0 &&
    levels.length > 0 &&
    levels.length <= 1 + Math.log2(Math.max(width, height)) &&
    levels.every(({ length }, level) => length === across(level) * down(level) * bytes);
  if (!fits) return undefined;
  const header = Uint32Array.of(index, width, height, levels.length, blockWidth, blockHeight, bytes);
  const packed = new Uint8Array(header.byteLength + levels.reduce((sum, { length }) => sum + length, 0));
  packed.set(new Uint8Array(header.buffer));
  let at = header.byteLength;
  for (const level of levels) {
    packed.set(level, at);
    at += level.length;
  }
  return packed;
}
