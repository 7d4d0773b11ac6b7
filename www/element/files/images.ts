/** Decodes pictures off the main thread, exactly as stored: no colour management, no multiplied alpha. */

/** Textures hold numbers as often as colours, so the browser must not touch them. */
const AS_STORED: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };

/** @param maxSize longer sides are scaled down to this many pixels, keeping the shape */
export async function decodeImage(picture: Blob | ImageData, maxSize: number): Promise<ImageBitmap> {
  const bitmap = await createImageBitmap(picture, AS_STORED);
  const longest = Math.max(bitmap.width, bitmap.height);
  if (longest <= maxSize) return bitmap;

  const scale = maxSize / longest;
  const resizeWidth = Math.max(1, Math.floor(bitmap.width * scale));
  const resizeHeight = Math.max(1, Math.floor(bitmap.height * scale));
  bitmap.close();
  return createImageBitmap(picture, { ...AS_STORED, resizeWidth, resizeHeight, resizeQuality: "high" });
}
