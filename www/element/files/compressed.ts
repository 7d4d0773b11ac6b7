/** Decodes the buffer views and accessors of a file that an extension compresses. */
import type { GambolError } from "../errors.js";
import type { WasmUrls } from "../engine/engine.js";
import { lacking } from "./compressed_errors.js";
import type { Codec } from "./decoders.js";
import type { Opened } from "./source.js";

/** A glTF file with compressed data. */
export interface CompressedFile {
  /** The document. It has been parsed by the importer, but not checked in full. */
  readonly document: GltfDocument;
  /** Returns bytes of a buffer. Throws if it doesn't have them; `place` refers to them. */
  bytes(buffer: number, offset: number, length: number, place: string): Uint8Array;
  /** Counts decoded bytes. Must be called before they are allocated; throws if they exceed what a file may fill. */
  charge(bytes: number): void;
  /** URLs of the wasm files. */
  readonly wasm: WasmUrls | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A glTF document, as far as decoders read it. */
export interface GltfDocument {
  readonly buffers?: readonly { readonly uri?: string }[];
  readonly bufferViews?: readonly Part[];
  readonly accessors?: readonly Part[];
  readonly meshes?: readonly { readonly primitives?: readonly Part[] }[];
}

/** An object of the document that may have extensions. */
export interface Part {
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly [property: string]: unknown;
}

// The limit of `src/import/budget.rs`, which also counts the decoded bytes when they are imported.
const BYTES_PER_BYTE = 64;
const BASE_BYTES = 64 * 2 ** 20;

/**
 * Decodes the compressed data of a file.
 *
 * @param pieces the external buffers, by URI as written in the file
 * @returns the decoded bytes by place
 */
export async function decodeData(
  { bytes: file, signal }: Opened,
  pieces: ReadonlyMap<string, Uint8Array>,
  decoders: readonly NonNullable<Codec["data"]>[],
  wasm: WasmUrls | undefined,
  Failure: typeof GambolError,
): Promise<Map<string, Uint8Array>> {
  const { document, binary } = parsed(file);
  let left = BASE_BYTES + BYTES_PER_BYTE * [...pieces.values()].reduce((sum, { length }) => sum + length, file.length);
  const buffers = (document.buffers ?? []).map(async ({ uri }, index) => {
    if (uri === undefined) return index === 0 ? binary : undefined;
    return (
      pieces.get(uri) ?? (/^data:/i.test(uri) ? new Uint8Array(await (await fetch(uri)).arrayBuffer()) : undefined)
    );
  });
  const bytesOf = await Promise.all(buffers);
  const compressed: CompressedFile = {
    document,
    wasm,
    signal,
    bytes(buffer, offset, length, place) {
      const end = offset + length;
      const bytes = bytesOf[buffer];
      if (bytes && offset >= 0 && length >= 0 && end <= bytes.length) return bytes.subarray(offset, end);
      throw lacking(Failure, place);
    },
    charge(bytes) {
      left -= bytes;
      if (left >= 0) return;
      throw new Failure(
        "MODEL_TOO_LARGE",
        "The file's compressed data would fill more memory than its size justifies.",
      );
    },
  };
  const decoded = await Promise.all(decoders.map(async (decode) => [...(await decode(compressed))]));
  return new Map(decoded.flat());
}

/** Returns the document and the binary chunk of a file. The importer has checked the container. */
function parsed(file: Uint8Array<ArrayBuffer>): { document: GltfDocument; binary: Uint8Array | undefined } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isContainer = view.byteLength >= 20 && view.getUint32(0, true) === 0x46546c67;
  const end = isContainer ? 20 + view.getUint32(12, true) : file.length;
  const text = new TextDecoder().decode(file.subarray(isContainer ? 20 : 0, end)).replace(/[\0\s]+$/, "");
  const binary =
    isContainer && end + 8 <= file.length ? file.subarray(end + 8, end + 8 + view.getUint32(end, true)) : undefined;
  return { document: JSON.parse(text), binary };
}
