/** Linear light of a picture, three numbers for each pixel. */
export interface Light {
  readonly width: number;
  readonly height: number;
  readonly rgb: Float32Array;
}

/** The largest number of pixels. Their light takes 200 MB. */
const MOST_PIXELS = 2 ** 24;

/**
 * Decodes a picture of Radiance (`.hdr`): a header of lines, an empty line, a line with the size, and pixels of four
 * bytes, red, green, blue and a shared exponent, in runs.
 */
export function decodeHdr(bytes: Uint8Array): Light {
  let at = 0;
  const line = (): string => {
    const end = bytes.indexOf(10, at);
    if (end < 0) throw new Error("The .hdr ends within its header.");
    const text = String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 200)));
    at = end + 1;
    return text.trim();
  };
  let exposure = 1;
  for (let text = line(); text; text = line()) {
    if (text.startsWith("FORMAT=") && text !== "FORMAT=32-bit_rle_rgbe")
      throw new Error(`The .hdr has ${text}; only 32-bit_rle_rgbe is read.`);
    if (text.startsWith("EXPOSURE=")) exposure *= Number(text.slice(9)) || 1;
  }
  const size = /^-Y (\d+) \+X (\d+)$/.exec(line());
  if (!size) throw new Error("The .hdr isn't stored in rows from top to bottom.");
  const [height, width] = [Number(size[1]), Number(size[2])];
  if (!(width * height > 0 && width * height <= MOST_PIXELS))
    throw new Error(`The .hdr has ${width} × ${height} pixels; at most ${MOST_PIXELS} are read.`);
  const rgb = new Float32Array(width * height * 3);
  const row = new Uint8Array(width * 4);
  for (let y = 0; y < height; y++) {
    at = readRow(bytes, at, row, width);
    for (let x = 0; x < width; x++) {
      // Mantissas of 8 bits, and an exponent with an offset of 128.
      const scale = row[x + width * 3] ? 2 ** (row[x + width * 3]! - 136) / exposure : 0;
      for (let color = 0; color < 3; color++) rgb[(y * width + x) * 3 + color] = row[x + width * color]! * scale;
    }
  }
  return { width, height, rgb };
}

/** Reads a row: all reds, then all greens, blues and exponents. Returns where the next row begins. */
function readRow(bytes: Uint8Array, at: number, row: Uint8Array, width: number): number {
  const inRuns = bytes[at] === 2 && bytes[at + 1] === 2 && ((bytes[at + 2]! << 8) | bytes[at + 3]!) === width;
  if (!inRuns || width < 8 || width > 0x7fff) return readFlatRow(bytes, at, row, width);
  at += 4;
  for (let filled = 0; filled < row.length; ) {
    const channelEnd = (Math.floor(filled / width) + 1) * width;
    const head = bytes[at++]!;
    // Above 128, a run of one value; else as many values.
    const count = head > 128 ? head - 128 : head;
    const end = head > 128 ? at + 1 : at + count;
    if (!(count > 0) || filled + count > channelEnd || end > bytes.length) throw new Error("The .hdr is damaged.");
    if (head > 128) row.fill(bytes[at]!, filled, filled + count);
    else row.set(bytes.subarray(at, end), filled);
    filled += count;
    at = end;
  }
  return at;
}

/** Reads a row without runs, or with the runs of old files: red, green and blue of 1, and a number of repetitions. */
function readFlatRow(bytes: Uint8Array, at: number, row: Uint8Array, width: number): number {
  let shift = 0;
  for (let x = 0; x < width; at += 4) {
    if (at + 4 > bytes.length) throw new Error("The .hdr ends too early.");
    const isRun = bytes[at] === 1 && bytes[at + 1] === 1 && bytes[at + 2] === 1;
    const count = isRun ? bytes[at + 3]! << shift : 1;
    if (x + count > width || (isRun && (x === 0 || shift > 16))) throw new Error("The .hdr is damaged.");
    for (let i = 0; i < count; i++, x++) {
      for (let channel = 0; channel < 4; channel++) {
        const value = isRun ? row[x - 1 + width * channel] : bytes[at + channel];
        row[x + width * channel] = value!;
      }
    }
    shift = isRun ? shift + 8 : 0;
  }
  return at;
}
