/** Decodes the pictures in a `.glb` while the WebAssembly, which reads everything else, is still on its way. */
import { decodeImage } from "./images.js";
import { GLB_MAGIC, GLB_TEXT, MOST_TEXT } from "./source.js";

type Bytes = Uint8Array<ArrayBuffer>;
type Pictures = readonly (Promise<ImageBitmap> | undefined)[];

/** What says where the pictures are. The import checks it; here, whatever is missing ends the search. */
interface Listing {
  readonly buffers: readonly { readonly uri?: string }[];
  readonly bufferViews: readonly View[];
  readonly images: readonly { readonly bufferView: number }[];
}

interface View {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** Length of the head of a chunk. */
const HEAD = 8;

/** Pictures by the bytes of their file, and by index. */
const early = new WeakMap<Bytes, Pictures>();

/** Starts to decode the pictures in a file, if it is a `.glb`. */
export function decodeEarly(bytes: Bytes): void {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const length = view.getUint32(12, true);
    if (view.getUint32(0, true) !== GLB_MAGIC || length > MOST_TEXT) return;
    const text = new TextDecoder().decode(bytes.subarray(GLB_TEXT, GLB_TEXT + length));
    const { buffers, bufferViews, images } = JSON.parse(text) as Listing;
    if (buffers[0]!.uri !== undefined) return;
    const data = bytes.subarray(GLB_TEXT + length + HEAD);
    const decode = ({ bufferView }: Listing["images"][number]): Promise<ImageBitmap> | undefined => {
      const { buffer, byteOffset = 0, byteLength = 0 }: Partial<View> = bufferViews[bufferView] ?? {};
      if (buffer !== 0) return undefined;
      const decoding = decodeImage(new Blob([data.subarray(byteOffset, byteOffset + byteLength)]), Infinity);
      // What can't be decoded is tried again, and reported, with the bytes that the import finds.
      decoding.catch(() => undefined);
      return decoding;
    };
    early.set(bytes, images.map(decode));
  } catch {
    // The import tells what is wrong.
  }
}

/**
 * Waits until other tasks have run, if pictures of a file are being decoded: browsers read the bytes of a picture in
 * tasks of the page's thread.
 */
export async function letDecode(bytes: Bytes): Promise<void> {
  if (early.has(bytes)) await new Promise((resolve) => setTimeout(resolve));
}

/** Returns the pictures of a file that are being decoded, the first time. */
export function takeEarly(bytes: Bytes): Pictures {
  const pictures = early.get(bytes) ?? [];
  early.delete(bytes);
  return pictures;
}
