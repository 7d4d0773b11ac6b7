/** Opens model sources: reads their bytes, and the external files that they reference. */
import { checkOptions } from "../checks.js";
import { contentLength } from "../engine/download.js";
import { fetched } from "../engine/engine.js";
import { GambolError, isAbort, type Warning } from "../errors.js";
import { ArrivingGlb, GLB_HEAD, GLB_MAGIC, GLB_TEXT, MOST_TEXT } from "./arriving_glb.js";
import type { ReadBlob } from "./file_list.js";

/**
 * A model file: a URL, a file or its bytes. A list of files, chosen or dropped together, a map from path to file, or a
 * `.zip` archive also contains the files that the model references.
 */
export type Source = string | URL | Blob | ArrayBuffer | ArrayBufferView | readonly File[] | ReadonlyMap<string, Blob>;

/** Progress of a download. */
export interface Progress {
  /** Bytes received so far, of all files together: the model, its buffers and its images. */
  readonly loaded: number;
  /** Total number of bytes of all files together; 0 while the length of some file is unknown. */
  readonly total: number;
}

/** Options for following and cancelling a download. */
export interface FetchOptions {
  /** Cancels loading when aborted. The model shown before stays. */
  signal?: AbortSignal | undefined;
  /** Called as bytes arrive. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Takes a piece of the start of a file as text, or at last the whole start. It names what the file needs. */
type OnStart = (text: string, isWhole: boolean) => void;

/** Options for following the download of a file itself. */
interface OpenOptions extends FetchOptions {
  /**
   * Called with pieces of the start of a file that is fetched as they come, and then with the whole start. A `.glb`
   * is then open when all has come but the pictures at its end.
   */
  onStart?: OnStart;
}

/** How keys that are whole matrices are interpolated. */
export type MatrixKeys = "decompose" | "elements" | "step";

/** Options for what some formats leave open. */
export interface FormatOptions {
  /** Ticks per second, for `.x` files that don't specify it. Default: 4800. */
  ticksPerSecond?: number | undefined;
  /**
   * How keys that are whole matrices are converted, for all clips or by clip name. Default: `"decompose"`.
   * - `"decompose"` converts them to translation, rotation and scale, except those with shear.
   * - `"elements"` interpolates each element.
   * - `"step"` holds each key until the next.
   */
  matrixKeys?: MatrixKeys | Readonly<Record<string, MatrixKeys>> | undefined;
}

/** Options for loading a model. */
export interface LoadOptions extends FetchOptions, FormatOptions {
  /**
   * Interpolation of rotations: `"slerp"` along the arc at constant speed, as glTF specifies, or `"nlerp"` along the
   * chord, which takes less memory and differs where keys are sparse. Default: `"slerp"`.
   */
  rotations?: "slerp" | "nlerp";
  /**
   * When `load` resolves: `"wait"` waits for the textures, `"later"` doesn't. With `"later"`, the model is first shown
   * without them, they appear as they arrive, and the event `textures` follows the last one. So is a `.glb` that is
   * fetched and has its textures at the end. Default: `"wait"`.
   */
  textures?: "wait" | "later" | undefined;
  /**
   * Files whose clips are added to the model's, as {@link Player.addClips} does, before it is shown. A file that fails
   * is a warning, and the model is shown without its clips.
   */
  clips?: readonly Source[] | undefined;
  /**
   * Name or index of a clip of the model that the page will play and frame. Its bounds are then computed while the
   * textures are decoded, so that `frame()` returns sooner. It isn't played.
   */
  clip?: string | number | undefined;
}

/** Options for adding clips. */
export interface AddClipsOptions extends FetchOptions, FormatOptions {
  /**
   * Whether the clips are converted to the model's skeleton, for two humanoids with different ones. The joints of both
   * are found by their names and by the shape of the hierarchy; options name those that are found wrongly.
   */
  retarget?: boolean | RetargetOptions | undefined;
  /** New names of the clips, by their names in the file. */
  names?: Readonly<Record<string, string>> | undefined;
}

/** What is known about the skeletons of two humanoids. Roles are named as in VRM 1.0, such as `leftUpperArm`. */
export interface RetargetOptions {
  /** Nodes of the file with the clips, by their roles. */
  readonly from?: Readonly<Record<string, string>>;
  /** Nodes of the model, by their roles. */
  readonly to?: Readonly<Record<string, string>>;
  /** Nodes without a role that turn alike, such as those of a tail: of the model, by those of the file. */
  readonly pairs?: Readonly<Record<string, string>>;
  /** Whether no other nodes are looked for. */
  readonly only?: boolean;
}

/** Joints of two humanoids that have the same role. */
export interface RolePair {
  /** Role, named as in VRM 1.0. */
  readonly role: string;
  /** Name of the node in the file with the clips; null if it has none. */
  readonly from: string | null;
  /** Name of the node of the model; null if it has none. */
  readonly to: string | null;
  /** How certain it is, from 0 to 1: the lower one of the two nodes. */
  readonly confidence: number;
  /** Why the less certain node has the role: the page or the file says so, or its name, place or shape do. */
  readonly reason: "given" | "file" | "name" | "place" | "shape";
}

/** A source that has been opened. */
export interface Opened {
  /** Name to display: a file name, or the last part of a URL. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The pictures in a `.glb` that is fetched, by index. They may still be on their way, and zero in `bytes`. */
  readonly pictures?: ArrivingGlb["pictures"] | undefined;
  /** Cancels what is done with the file. */
  readonly signal: AbortSignal | undefined;
  /** Reads a file that the main one references, by the URI as written there. */
  readonly piece: (uri: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Paths of the files given together; undefined for a fetched source. */
  readonly paths?: readonly string[];
  /** Warnings from reading a format other than glTF. They replace those of the player's own import. */
  readonly warnings?: readonly Warning[];
}

/** Throws `NOT_A_SOURCE` for a value that isn't a source. */
export function checkSource(source: unknown): void {
  const blobs = Array.isArray(source) ? source : source instanceof Map ? [...source.values()] : null;
  const known = [URL, Blob, ArrayBuffer].some((Kind) => source instanceof Kind);
  if (typeof source === "string" || known || ArrayBuffer.isView(source)) return;
  if (blobs?.every((blob) => blob instanceof Blob)) return;
  throw new GambolError("NOT_A_SOURCE", "This is not a model; give a URL, File, Blob, bytes or list of Files.");
}

export async function open(source: Source, options: OpenOptions = {}): Promise<Opened> {
  checkSource(source);
  const { onProgress, onStart, signal } = checkOptions(options);
  const meter = new Meter(onProgress);
  const read: ReadBlob = (blob) => readBlob(blob, signal, meter);

  // `GambolError` is passed in, so that the bundler splits neither script.
  if (Array.isArray(source) || source instanceof Map) {
    return (await fetchFileList()).openFiles(source, read, signal, GambolError);
  }
  let opened: Opened;
  if (typeof source === "string" || source instanceof URL) opened = await openUrl(source, signal, meter, onStart);
  else {
    const name = source instanceof File ? source.name : "";
    const bytes = source instanceof Blob ? await read(source) : bytesOf(source as ArrayBuffer | ArrayBufferView);
    opened = { name, bytes, signal, piece: noPieces, paths: name ? [name] : [] };
  }
  // Archives begin with “PK”, and no model does.
  const isArchive = opened.bytes[0] === 0x50 && opened.bytes[1] === 0x4b;
  return isArchive ? (await fetchFileList()).openArchive(opened, GambolError) : opened;
}

/** Returns the absolute URL of a source. Null for one without a URL, and for an invalid URL, which opening reports. */
export function addressOf(source: Source | undefined): string | null {
  if (typeof source !== "string" && !(source instanceof URL)) return null;
  try {
    return new URL(source, pageBase()).href;
  } catch {
    return null;
  }
}

function pageBase(): string | undefined {
  return typeof document === "undefined" ? undefined : document.baseURI;
}

async function openUrl(
  source: string | URL,
  signal: AbortSignal | undefined,
  meter: Meter,
  onStart: OnStart | undefined,
): Promise<Opened> {
  const url = parseUrl(source, pageBase());
  const main = await fetchBytes(url, signal, meter, onStart);
  return {
    name: decodeURIComponentSafely(url.pathname.split("/").pop() ?? ""),
    bytes: main.bytes,
    pictures: main.pictures,
    signal,
    // Relative to the redirected URL, as the file's neighbours are.
    piece: async (uri) => (await fetchBytes(parseUrl(uri, main.url), signal, meter)).bytes,
  };
}

function parseUrl(url: string | URL, base: string | undefined): URL {
  try {
    return new URL(url, base);
  } catch (cause) {
    throw new GambolError("BAD_URL", `This is not a URL: ${url}`, { place: String(url), cause });
  }
}

async function fetchBytes(url: URL, signal: AbortSignal | undefined, meter: Meter, onStart?: OnStart) {
  const fail = (cause: unknown): unknown => {
    if (isAbort(cause)) return cause;
    return new GambolError(
      "FETCH_FAILED",
      `The file could not be fetched: the network failed, or its server does not let this page read it (CORS). ${url}`,
      { place: url.href, cause },
    );
  };
  meter.wait(1);
  let response: Response;
  try {
    response = await fetch(url, signal ? { signal } : {});
  } catch (error) {
    throw fail(error);
  } finally {
    meter.wait(-1);
  }
  if (!response.ok) {
    const advice = response.status === 404 ? "There is no file at this address." : "The server refused the file.";
    throw new GambolError("HTTP_STATUS", `${advice} (status ${response.status}) ${url}`, { place: url.href });
  }
  const arrived = response.body
    ? await readStream(response.body, contentLength(response), meter, { onStart, fail })
    : { bytes: new Uint8Array(await response.arrayBuffer()) };
  return { ...arrived, url: response.url || url.href };
}

async function readBlob(blob: Blob, signal: AbortSignal | undefined, meter: Meter) {
  signal?.throwIfAborted();
  const fail = (cause: unknown): unknown => {
    if (isAbort(cause)) return cause;
    const place = blob instanceof File ? blob.name : "";
    return new GambolError("FILE_NOT_READ", `The file could not be read; was it moved or changed? ${place}`, {
      place,
      cause,
    });
  };
  return (await readStream(blob.stream(), blob.size, meter, { signal, fail })).bytes;
}

/** Bytes at the start of other files that `onStart` gets. */
const START = 2 ** 16;

/** Returns how many bytes of a file `onStart` gets: the names of extensions stand in the JSON. */
function lengthOfStart(first: Uint8Array): number {
  const view = new DataView(first.buffer, first.byteOffset, first.length);
  const isGlb = first.length >= GLB_TEXT && view.getUint32(0, true) === GLB_MAGIC;
  return isGlb ? Math.min(GLB_TEXT + view.getUint32(12, true), MOST_TEXT) : START;
}

/** What has come of a file. */
type Arrived = Pick<Opened, "bytes" | "pictures">;

interface ReadOptions {
  onStart?: OnStart | undefined;
  /** Checked after each piece. Fetched files end by themselves. */
  signal?: AbortSignal | undefined;
  /** Returns the error for a stream that fails. */
  fail(cause: unknown): unknown;
}

/** Reads a stream to its end. Resolves when `bytes` can be read: pictures may follow. */
function readStream(
  stream: ReadableStream<Uint8Array>,
  expected: number,
  meter: Meter,
  options: ReadOptions,
): Promise<Arrived> {
  meter.expect(expected);
  return new Promise((resolve, reject) => receive(stream, expected, meter, options, resolve).catch(reject));
}

async function receive(
  stream: ReadableStream<Uint8Array>,
  expected: number,
  meter: Meter,
  { onStart, signal, fail }: ReadOptions,
  arrive: (arrived: Arrived) => void,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let [length, start, text, piece] = [0, 0, "", ""];
  let looksForPictures = !!onStart;
  let glb: ArrivingGlb | undefined;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      const error = fail(cause);
      glb?.end(error);
      throw error;
    });
    signal?.throwIfAborted();
    if (value) {
      if (glb) glb.add(value);
      else chunks.push(value);
      start ||= lengthOfStart(value);
      if (onStart) text += piece = decoder.decode(value.subarray(0, start - length), { stream: true });
      length += value.length;
      meter.add(value.length);
    }
    if (done || length >= start) {
      onStart?.(text, true);
      onStart = undefined;
    } else onStart?.(piece, false);
    if (looksForPictures && length >= start + GLB_HEAD) {
      looksForPictures = false;
      glb = ArrivingGlb.of(joined(chunks, length), expected);
      if (glb) chunks.length = 0;
    }
    if (glb?.isReadable) arrive(glb);
    if (done) break;
  }
  const bytes = glb?.end(fail(new Error("The file ended early."))) ?? joined(chunks, length);
  arrive({ bytes, pictures: glb?.pictures });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Imports the script for lists of files and archives. */
export function fetchFileList() {
  return fetched(import("./file_list.js"));
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone “%” is a literal character.
    return text;
  }
}

/** Copies the bytes, since the page may change its own while they are read. */
function bytesOf(source: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  const view =
    source instanceof ArrayBuffer
      ? new Uint8Array(source)
      : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return new Uint8Array(view);
}

async function noPieces(uri: string): Promise<never> {
  throw new GambolError("PIECE_MISSING", `The model needs “${uri}”; load it by URL, or as a list of files.`, {
    place: uri,
  });
}

class Meter {
  #loaded = 0;
  #total = 0;
  /** Number of files whose length is unknown, or not known yet. */
  #unknown = 0;
  readonly #report: ((progress: Progress) => void) | undefined;

  constructor(report: ((progress: Progress) => void) | undefined) {
    this.#report = report;
  }

  /** Counts files that haven't been answered yet. */
  wait(files: number): void {
    this.#unknown += files;
  }

  /** Adds the length of a file; 0 if it is unknown. */
  expect(bytes: number): void {
    this.#total += bytes;
    if (bytes === 0) this.wait(1);
  }

  add(bytes: number): void {
    this.#loaded += bytes;
    this.#report?.({ loaded: this.#loaded, total: this.#unknown === 0 ? this.#total : 0 });
  }
}
