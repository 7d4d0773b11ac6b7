/** A `.glb` on its way. Most exporters write the pictures last, so that the model can be read before they have come. */

type Bytes = Uint8Array<ArrayBuffer>;

/** What says where the bytes belong. The import checks it; here, whatever is missing ends the search. */
interface Listing {
  readonly buffers: readonly { readonly uri?: string }[];
  readonly bufferViews: readonly View[];
  readonly images: readonly { readonly bufferView?: number; readonly mimeType?: string }[];
}

/** Bytes of a buffer. An extension that compresses them says where it has them. */
interface View {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly extensions?: Readonly<Record<string, View>>;
}

/** A picture that hasn't come. */
interface Awaited {
  /** Where its bytes end in the file. */
  readonly end: number;
  readonly come: () => void;
  readonly fail: (error: unknown) => void;
}

/** “glTF”, as a little-endian number: the first bytes of a `.glb`. */
export const GLB_MAGIC = 0x46546c67;
/** Place of the JSON in a `.glb`, which follows the head of the file and that of a chunk. */
export const GLB_TEXT = 20;
/** Most bytes of JSON that are read on the page's thread. */
export const MOST_TEXT = 2 ** 20;
/** Length of the head of a chunk. */
export const GLB_HEAD = 8;
/** Longest file that is given its memory before it has come. */
const MOST_BYTES = 2 ** 28;

export class ArrivingGlb {
  /** The whole file, with zeros for what hasn't come. */
  readonly bytes: Bytes;
  /** The bytes of each picture inside, when they have come, by its index in the file. */
  readonly pictures: readonly (Promise<Bytes> | undefined)[];
  readonly #awaited = new Set<Awaited>();
  /** Where the last byte ends that isn't a picture's. */
  readonly #end: number;
  #length = 0;

  /**
   * Returns a file whose pictures can be told from the rest, or undefined.
   *
   * @param start what has come: all of the JSON and the head of the next chunk, or more
   * @param expected length of the file; 0 if the server doesn't send it
   */
  static of(start: Bytes, expected: number): ArrivingGlb | undefined {
    try {
      return new ArrivingGlb(start, expected);
    } catch {
      // The import tells what is wrong.
      return undefined;
    }
  }

  private constructor(start: Bytes, expected: number) {
    const view = new DataView(start.buffer, start.byteOffset, start.length);
    const [magic, length, text] = [0, 8, 12].map((at) => view.getUint32(at, true)) as [number, number, number];
    const data = GLB_TEXT + text + GLB_HEAD;
    const isOdd = magic !== GLB_MAGIC || data + view.getUint32(data - GLB_HEAD, true) !== length;
    if (isOdd || text > MOST_TEXT || length > MOST_BYTES || length !== (expected || length)) throw new Error();
    const json = new TextDecoder().decode(start.subarray(GLB_TEXT, GLB_TEXT + text));
    // Without pictures, it needn't be parsed.
    if (!json.includes('"images"')) throw new Error();
    const { buffers, bufferViews, images } = JSON.parse(json) as Listing;
    if (buffers[0]!.uri !== undefined) throw new Error();
    const hasOnly = viewsOfPictures(json, images);
    const ends = bufferViews.map((view, index) => {
      const places = [view, ...Object.values(view.extensions ?? {})];
      return hasOnly(index) && places.length === 1 ? 0 : Math.max(...places.map(endOf));
    });
    this.#end = data + Math.max(0, ...ends);
    this.pictures = images.map(({ bufferView }) => {
      const view = bufferViews[bufferView!];
      const end = data + (view ? endOf(view) : 0);
      if (!view || end === data || !(end <= length)) return undefined;
      const bytes = new Promise<Bytes>((resolve, fail) => {
        this.#awaited.add({ end, come: () => resolve(this.bytes.subarray(end - view.byteLength, end)), fail });
      });
      // Reported when the picture is decoded.
      bytes.catch(() => undefined);
      return bytes;
    });
    this.bytes = new Uint8Array(length);
    this.add(start);
  }

  /** Whether all has come but pictures. */
  get isReadable(): boolean {
    return this.#length >= this.#end;
  }

  add(bytes: Uint8Array): void {
    this.bytes.set(bytes.subarray(0, this.bytes.length - this.#length), this.#length);
    this.#length = Math.min(this.#length + bytes.length, this.bytes.length);
    for (const picture of this.#awaited) {
      if (picture.end > this.#length) continue;
      picture.come();
      this.#awaited.delete(picture);
    }
  }

  /** Ends the wait for what hasn't come. Returns what has. */
  end(error: unknown): Bytes {
    for (const picture of this.#awaited) picture.fail(error);
    return this.bytes.subarray(0, this.#length);
  }
}

/** Returns where a view ends in the chunk; 0 in another buffer. */
function endOf({ buffer, byteOffset = 0, byteLength }: View): number {
  return buffer === 0 ? byteOffset + byteLength : 0;
}

/** Returns whether only pictures refer to a view. The importer looks at those without a type. */
function viewsOfPictures(json: string, images: Listing["images"]): (view: number) => boolean {
  const others = new Map<number, number>();
  const count = (view: number, by: number): unknown => others.set(view, (others.get(view) ?? 0) + by);
  for (const [, view] of json.matchAll(/"bufferView"\s*:\s*(\d+)/g)) count(Number(view), 1);
  for (const { bufferView, mimeType } of images) if (mimeType) count(bufferView!, -1);
  return (view) => others.get(view) === 0;
}
