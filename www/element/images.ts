/** Decodes pictures off the main thread, exactly as stored: no colour management, no multiplied alpha. */

/** Textures hold numbers as often as colours, so the browser must not touch them. */
const AS_STORED: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };

/**
 * @param mimeType empty lets the browser find out from the bytes
 * @param maxSize longer sides are scaled down to this many pixels, keeping the shape
 */
export async function decodeImage(
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
  maxSize: number,
): Promise<ImageBitmap> {
  const blob = new Blob([bytes], { type: mimeType });
  const bitmap = await createImageBitmap(blob, AS_STORED);
  const longest = Math.max(bitmap.width, bitmap.height);
  if (longest <= maxSize) return bitmap;

  const scale = maxSize / longest;
  const resizeWidth = Math.max(1, Math.floor(bitmap.width * scale));
  const resizeHeight = Math.max(1, Math.floor(bitmap.height * scale));
  bitmap.close();
  return createImageBitmap(blob, { ...AS_STORED, resizeWidth, resizeHeight, resizeQuality: "high" });
}
