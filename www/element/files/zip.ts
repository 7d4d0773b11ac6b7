/** Reads ZIP archives: lists the entries, and inflates those that are asked for. */
import type { GambolError } from "../errors.js";

type Bytes = Uint8Array<ArrayBuffer>;
type Failure = typeof GambolError;

/** Reads the bytes of a file. */
export type Reader = () => Promise<Bytes>;

// The limit of `compressed.ts`, for all entries that are read.
const BYTES_PER_BYTE = 64;
const BASE_BYTES = 64 * 2 ** 20;

const LOCAL_HEADER = 0x04034b50;
const HEADER = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;

/** Value of a 16-bit or 32-bit field whose number is in the zip64 record. */
const IN_ZIP64 = 0xffffffff;

/** An entry, as the central directory describes it. */
interface Entry {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  /** Position of the local header. */
  readonly start: number;
}

/**
 * Returns readers of an archive's files, by path. Null for bytes that aren't an archive.
 *
 * @param isNamed whether the name is that of an archive, which then may have other bytes before its first entry
 */
export function readArchive(
  archive: Bytes,
  isNamed: boolean,
  signal: AbortSignal | undefined,
  Failure: Failure,
): Map<string, Reader> | null {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const isMarked = archive[0] === 0x50 && archive[1] === 0x4b;
  const directory = isMarked || isNamed ? findDirectory(view) : null;
  if (!directory && !isMarked) return null;
  const entries = directory && listEntries(view, ...directory);
  if (!entries) throw damaged(Failure, "its list of files is missing or cut", "");

  let left = BASE_BYTES + BYTES_PER_BYTE * archive.length;
  const charged = new Set<Entry>();
  const readers = new Map<string, Reader>();
  for (const entry of entries) {
    // Folders, and what macOS stores about each file.
    if (/[/\\]$|^__MACOSX\//.test(entry.path)) continue;
    readers.set(entry.path, async () => {
      signal?.throwIfAborted();
      // Pictures are read again after the GPU was lost.
      const cost = charged.has(entry) ? 0 : entry.size;
      if (cost <= left) {
        left -= cost;
        charged.add(entry);
        return readEntry(view, entry, signal, Failure);
      }
      throw new Failure("MODEL_TOO_LARGE", "The archive would fill more memory than its size justifies.", {
        place: entry.path,
      });
    });
  }
  return readers;
}

/** Returns start and end of the central directory, and the length of what precedes the archive. */
function findDirectory(view: DataView): [start: number, end: number, prefix: number] | null {
  // A comment of up to 65,535 bytes follows the record, which has 22.
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--) {
    if (view.getUint32(at, true) !== END || at + 22 + view.getUint16(at + 20, true) > view.byteLength) continue;
    let [end, size, offset] = [at, view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const large = findLargeEnd(view, at - 20);
    if (large !== null) [end, size, offset] = [large, number64(view, large + 40), number64(view, large + 48)];
    // Offsets do not count bytes before the archive. Other records may follow the directory.
    for (const start of [end - size, offset]) {
      if (start < 0 || start > end || start + size > end) continue;
      if (size > 0 ? hasMark(view, start, HEADER) : start === end) return [start, start + size, start - offset];
    }
  }
  return null;
}

/** Returns the position of the zip64 record that the locator refers to. Null if there is none. */
function findLargeEnd(view: DataView, locator: number): number | null {
  if (!hasMark(view, locator, LOCATOR_64) || locator + 20 > view.byteLength) return null;
  for (const at of [locator - 56, number64(view, locator + 8)]) {
    if (at + 56 <= locator && hasMark(view, at, END_64)) return at;
  }
  return null;
}

/** Lists the entries of the central directory. Null if it is damaged. */
function listEntries(view: DataView, start: number, end: number, prefix: number): Entry[] | null {
  const entries: Entry[] = [];
  for (let at = start; at < end; ) {
    if (at + 46 > end || !hasMark(view, at, HEADER)) return null;
    const name = at + 46;
    const extra = name + view.getUint16(at + 28, true);
    const comment = extra + view.getUint16(at + 30, true);
    const next = comment + view.getUint16(at + 32, true);
    if (next > end) return null;
    // The zip64 record has only the numbers that their fields lack, in this order.
    const numbers = [at + 24, at + 20, at + 42].map((field) => view.getUint32(field, true));
    let large = findExtra(view, extra, comment, 1);
    for (const [index, number] of numbers.entries()) {
      if (number !== IN_ZIP64 || !large) continue;
      if (large.at + 8 > large.end) return null;
      numbers[index] = number64(view, large.at);
      large = { ...large, at: large.at + 8 };
    }
    const [size, packed, offset] = numbers as [number, number, number];
    entries.push({
      path: nameOf(new Uint8Array(view.buffer, view.byteOffset + name, extra - name)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      packed,
      size,
      start: offset + prefix,
    });
    at = next;
  }
  return entries;
}

/** Finds an extra field by number. */
function findExtra(view: DataView, start: number, end: number, wanted: number) {
  for (let at = start; at + 4 <= end; ) {
    const next = at + 4 + view.getUint16(at + 2, true);
    if (next > end) return undefined;
    if (view.getUint16(at, true) === wanted) return { at: at + 4, end: next };
    at = next;
  }
  return undefined;
}

async function readEntry(view: DataView, entry: Entry, signal: AbortSignal | undefined, Failure: Failure) {
  const { path, flags, method, packed, size, start } = entry;
  const refused = flags & 1 ? "it is encrypted" : method !== 0 && method !== 8 ? `method ${method}` : "";
  if (refused) {
    const message = `The archive's file “${path}” can't be read: ${refused}. Unpack the archive.`;
    throw new Failure("ARCHIVE_UNSUPPORTED", message, { place: path });
  }
  const body = hasMark(view, start, LOCAL_HEADER) && start + 30 <= view.byteLength && bodyOf(view, start);
  if (!body || body + packed > view.byteLength) throw damaged(Failure, "a file lies beyond its end", path);
  const bytes = new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + body, packed);
  const chunks = method === 8 ? inflate(bytes, signal) : [bytes];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [length, checksum] = [0, -1];
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > size) break;
      checksum = addToChecksum(checksum, chunk);
      parts.push(chunk);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw damaged(Failure, "a file can't be inflated", path, cause);
  }
  if (length !== size || ~checksum >>> 0 !== entry.checksum) throw damaged(Failure, "a file has other contents", path);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns the position behind a local header. Its name and its extra fields may differ from the directory's. */
function bodyOf(view: DataView, start: number): number {
  return start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
}

/** Inflates in parts, so that nothing is inflated that isn't asked for. */
async function* inflate(bytes: Bytes, signal: AbortSignal | undefined): AsyncGenerator<Bytes> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    // It fails where the stream has failed, which the caller reports.
    reader.cancel().catch(() => undefined);
  }
}

const CHECKSUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum & 1 ? 0xedb88320 : 0) ^ (sum >>> 1);
  return sum;
});

/** Continues a CRC-32, which begins with −1 and is inverted at its end. */
function addToChecksum(checksum: number, bytes: Uint8Array): number {
  let sum = checksum;
  for (let at = 0; at < bytes.length; at++) sum = CHECKSUMS[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8);
  return sum;
}

/** Letters and signs of code page 437, from 128 and from 224 on. Between them are parts of frames. */
const LETTERS_437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»";
const SIGNS_437 = "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Decodes a name. Flag 11 stands for UTF-8, but some programs write UTF-8 without it. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const letter = (byte: number): string =>
      LETTERS_437[byte - 128] ?? SIGNS_437[byte - 224] ?? String.fromCharCode(byte < 128 ? byte : OTHERS + byte);
    return Array.from(bytes, letter).join("");
  }
}

/** Position in Unicode of characters for the parts of frames, so that different names remain different. */
const OTHERS = 0x2500;

function hasMark(view: DataView, at: number, mark: number): boolean {
  return at >= 0 && at + 4 <= view.byteLength && view.getUint32(at, true) === mark;
}

/** Reads 64 bits. Above 2⁵³ the number is not exact, and beyond the end of every archive. */
function number64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function damaged(Failure: Failure, problem: string, place: string, cause?: unknown): GambolError {
  const message = `The archive is damaged: ${problem}. Download or pack it again. ${place}`;
  return new Failure("ARCHIVE_DAMAGED", message.trim(), { place, cause });
}
