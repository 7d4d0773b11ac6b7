/** Decodes pictures off the main thread, exactly as stored: without colour management and premultiplied alpha. */

import type { Pixels } from "../engine/wasm.js";
import { asError } from "../errors.js";
import { open } from "./source.js";

/** Textures often contain data rather than colours, so the browser must not convert them. */
const AS_STORED: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };

/** The source of a texture: a URL, or anything that the browser can draw. */
export type PictureSource = string | URL | ImageBitmapSource;

/**
 * Decodes the picture of a texture, scaled down to at most 4096 pixels a side. Reading a pixel rejects pictures that
 * the page may not read, which the GPU would refuse.
 */
export async function pictureOf(source: PictureSource): Promise<ImageBitmap> {
  try {
    const isAddress = typeof source === "string" || source instanceof URL;
    const bitmap = await decodeImage(isAddress ? new Blob([(await open(source, {})).bytes]) : source, 4096);
    const probe = new OffscreenCanvas(1, 1).getContext("2d")!;
    probe.drawImage(bitmap, 0, 0);
    probe.getImageData(0, 0, 1, 1);
    return bitmap;
  } catch (error) {
    throw asError(error, "IMAGE_NOT_LOADED");
  }
}

/**
 * Decodes a picture.
 *
 * @param maxSize longer sides are scaled down to this many pixels, keeping the aspect ratio
 * @param early the picture, if it is being decoded
 */
export async function decodeImage(
  picture: ImageBitmapSource,
  maxSize: number,
  early?: Promise<ImageBitmap>,
): Promise<ImageBitmap> {
  const bitmap = (await early?.catch(() => null)) ?? (await createImageBitmap(picture, AS_STORED));
  const longest = Math.max(bitmap.width, bitmap.height);
  if (longest <= maxSize) return bitmap;

  const scale = maxSize / longest;
  const resizeWidth = Math.max(1, Math.floor(bitmap.width * scale));
  const resizeHeight = Math.max(1, Math.floor(bitmap.height * scale));
  bitmap.close();
  return createImageBitmap(picture, { ...AS_STORED, resizeWidth, resizeHeight, resizeQuality: "high" });
}

/**
 * Returns the pixels of a picture, and closes it. To upload a picture, a software GPU compiles a shader first. Pictures
 * with transparent pixels are returned as they are, since their colours would be rounded; so are very large ones.
 *
 * The pixels have the browser's order of channels. A canvas would give them too, and `copyTo` in another order, but
 * both wait for the GPU, which compiles the model's shaders meanwhile.
 */
export async function pixelsOf(picture: ImageBitmap): Promise<ImageBitmap | Pixels> {
  const { width, height } = picture;
  if (width * height > MOST_PIXELS) return picture;
  let frame: VideoFrame | undefined;
  try {
    frame = new VideoFrame(picture, { timestamp: 0 });
    const [, order, last] = /^(RGB|BGR)(.)$/.exec(frame.format!) ?? [];
    if (!order) return picture;
    const pixels = Object.assign(new ImageData(width, height), { isBgra: order === "BGR" });
    await frame.copyTo(pixels.data);
    // Without alpha, browsers fill its place with 255.
    const ends = last === "X" ? 1 : width * height;
    if (!new Uint32Array(pixels.data.buffer, 0, ends).every((pixel) => pixel >= OPAQUE)) return picture;
    picture.close();
    return pixels;
  } catch {
    // A browser without WebCodecs, or with fewer formats.
    return picture;
  } finally {
    frame?.close();
  }
}

/** The least number of an opaque pixel, whose last byte is 255. */
const OPAQUE = 0xff000000;
const MOST_PIXELS = 2 ** 22;
