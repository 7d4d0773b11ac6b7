/** Decodes the pictures in a `.glb` while the WebAssembly, which reads everything else, is still on its way. */
import { decodeImage } from "./images.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** What says where the pictures are. The import checks it; here, whatever it lacks ends the search. */
interface Listing {
  readonly buffers: readonly { readonly uri?: unknown }[];
  readonly bufferViews: readonly View[];
  readonly images: readonly { readonly bufferView: number; readonly mimeType?: string }[];
}

interface View {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly extensions?: unknown;
}

/** “glTF” and “JSON”, as little-endian numbers. */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
/** Place of the first chunk, and length of the head of a chunk. */
const FIRST = 12;
const HEAD = 8;
/** Most bytes of JSON, which is parsed on the page's thread. */
const MOST_JSON = 2 ** 20;

/** Pictures by the bytes of their file, and by index. */
const early = new WeakMap<Bytes, readonly (Promise<ImageBitmap> | undefined)[]>();

/** Starts to decode the pictures in a file, if it is a `.glb`. */
export function decodeEarly(bytes: Bytes): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const word = (at: number): number => view.getUint32(at, true);
  try {
    const length = word(FIRST);
    if (word(0) !== MAGIC || word(FIRST + 4) !== JSON_CHUNK || length > MOST_JSON) return;
    const text = new TextDecoder().decode(bytes.subarray(FIRST + HEAD, FIRST + HEAD + length));
    const { buffers, bufferViews, images } = JSON.parse(text) as Listing;
    if (buffers[0]!.uri !== undefined) return;
    const data = bytes.subarray(FIRST + HEAD + length + HEAD);
    const decode = ({ bufferView, mimeType }: Listing["images"][number]): Promise<ImageBitmap> | undefined => {
      const { buffer, byteOffset = 0, byteLength, extensions } = bufferViews[bufferView] ?? NO_VIEW;
      if (buffer !== 0 || extensions || !(byteOffset + byteLength <= data.length)) return undefined;
      const picture = data.subarray(byteOffset, byteOffset + byteLength);
      const decoding = decodeImage(new Blob([picture], mimeType ? { type: mimeType } : {}), Infinity);
      // The import tells what can't be decoded.
      decoding.catch(() => undefined);
      return decoding;
    };
    early.set(bytes, images.map(decode));
  } catch {
    // The import tells what is wrong.
  }
}

const NO_VIEW: View = { buffer: -1, byteLength: 0 };

/** Returns the pictures of a file that are being decoded, the first time. */
export function takeEarly(bytes: Bytes): readonly (Promise<ImageBitmap> | undefined)[] {
  const pictures = early.get(bytes) ?? [];
  early.delete(bytes);
  return pictures;
}
