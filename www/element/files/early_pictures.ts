/** Decodes the pictures in a `.glb` while the WebAssembly, which reads everything else, is still on its way. */
import { decodeImage } from "./images.js";
import type { Opened } from "./source.js";

type Pictures = readonly (Promise<ImageBitmap> | undefined)[];

/** Pictures by their file, and by index. */
const early = new WeakMap<Opened, Pictures>();

/** Starts to decode the pictures in a file as they come, if it is a `.glb`. */
export function decodeEarly(file: Opened): void {
  const decode = (bytes: Uint8Array<ArrayBuffer>): Promise<ImageBitmap> => decodeImage(new Blob([bytes]), Infinity);
  const pictures = file.pictures?.map((bytes) => bytes?.then(decode));
  // What can't be decoded is tried again, and reported, with the bytes that the import finds.
  for (const decoding of pictures ?? []) decoding?.catch(() => undefined);
  if (pictures) early.set(file, pictures);
}

/**
 * Waits until other tasks have run, if pictures of a file are being decoded: browsers read the bytes of a picture in
 * tasks of the page's thread.
 */
export async function letDecode(file: Opened): Promise<void> {
  if (early.has(file)) await new Promise((resolve) => setTimeout(resolve));
}

/** Returns the pictures of a file that are being decoded, the first time. */
export function takeEarly(file: Opened): Pictures {
  const pictures = early.get(file) ?? [];
  early.delete(file);
  return pictures;
}
