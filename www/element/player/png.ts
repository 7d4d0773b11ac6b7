import { GambolError } from "../errors.js";

/** Largest canvas side in Chromium and Safari. */
const LONGEST_SIDE = 16_384;

/** Largest pixel count. The pixels and the canvas that encodes them then take 512 MiB. */
const MOST_PIXELS = 2 ** 26;

/** Throws `SCREENSHOT_SIZE` unless a screenshot can have this size. */
export function checkSize(width: unknown, height: unknown): void {
  const fits = (side: unknown): side is number =>
    Number.isInteger(side) && (side as number) > 0 && (side as number) <= LONGEST_SIDE;
  if (fits(width) && fits(height) && width * height <= MOST_PIXELS) return;
  throw new GambolError(
    "SCREENSHOT_SIZE",
    `a screenshot of ${String(width)} × ${String(height)} pixels can't be taken; ` +
      `give whole numbers from 1 to ${LONGEST_SIDE}, and ${MOST_PIXELS} pixels at most`,
  );
}

/** Encodes pixels with the browser's own PNG writer. */
export async function encodePng(rgba: Uint8Array<ArrayBuffer>, width: number, height: number): Promise<Blob> {
  const pixels = new ImageData(new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength), width, height);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")!.putImageData(pixels, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  // Frees the canvas's memory now, rather than at the next garbage collection.
  canvas.width = canvas.height = 0;
  return blob;
}
