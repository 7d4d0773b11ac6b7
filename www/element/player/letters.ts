/** Texts as pixels, with which guides are labelled. Part of the script for guides. */

/** Size of the letters in CSS pixels. */
const SIZE = 12;
const FONT = "system-ui, sans-serif";
/** Widest and highest picture of letters, in pixels. Every device reads such a texture. */
const LONGEST_SIDE = 2048;
/** Most device pixels of a CSS pixel that letters are drawn with. */
const MOST_SCALE = 4;

export interface LetterPicture {
  /** Device pixels of a CSS pixel, padding of cells, width of the picture, and x, y, width and height of each cell. */
  readonly numbers: Float32Array;
  /** Four bytes for each pixel: red is the cover of letters, blue that of the strokes around them. */
  readonly pixels: Uint8Array;
  /** Number of texts that have found room. */
  readonly count: number;
}

/** Draws texts, each into a cell of its own. */
export function lettersOf(texts: readonly string[]): LetterPicture {
  const scale = Math.min(globalThis.devicePixelRatio || 1, MOST_SCALE);
  const padding = Math.ceil(2 * scale);
  const height = Math.ceil(SIZE * 1.3 * scale) + 2 * padding;
  const pen = penOf(LONGEST_SIDE, height, scale);
  const cells: number[][] = [];
  let [left, top] = [0, 0];
  for (const text of texts) {
    const width = Math.min(Math.ceil(pen.measureText(text).width) + 2 * padding, LONGEST_SIDE);
    if (left + width > LONGEST_SIDE) [left, top] = [0, top + height];
    if (top + height > LONGEST_SIDE) break;
    cells.push([left, top, width, height]);
    left += width;
  }
  const [width, rows] = [LONGEST_SIDE, top + height];
  const numbers = Float32Array.from([scale, padding, width, ...cells.flat()]);
  if (cells.length === 0) return { numbers, pixels: new Uint8Array(), count: 0 };
  const wide = penOf(width, Math.min(rows, LONGEST_SIDE), scale);
  cells.forEach(([x, y], nth) => {
    const place = [texts[nth]!, x! + padding, y! + height / 2] as const;
    wide.strokeText(...place);
    wide.fillText(...place);
  });
  const { data } = wide.getImageData(0, 0, wide.canvas.width, wide.canvas.height);
  return { numbers, pixels: new Uint8Array(data.buffer), count: cells.length };
}

/** Returns a context of an opaque, black picture, on which strokes and letters add up. */
function penOf(width: number, height: number, scale: number): OffscreenCanvasRenderingContext2D {
  const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  pen.fillRect(0, 0, width, height);
  pen.globalCompositeOperation = "lighter";
  pen.font = `600 ${SIZE * scale}px ${FONT}`;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 3 * scale;
  pen.strokeStyle = "#00f";
  pen.fillStyle = "#f00";
  return pen;
}
