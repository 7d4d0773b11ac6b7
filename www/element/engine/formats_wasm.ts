/** The wasm file `formats` as this package sees it: what `src/web/formats.rs` exports, by hand. */
import type { Handle, StartableModule } from "./wasm.js";

export interface FormatsModule extends StartableModule {
  /** The pieces `importFile` will ask for, as the file writes them. */
  externalBuffers(bytes: Uint8Array): string[];
  /**
   * `matrixKeys` are indices into `MATRIX_KEYS`: first the one for all clips, then one for each of those named.
   * Without `ticksPerSecond`, what the format has.
   */
  importFile(
    bytes: Uint8Array,
    uris: string[],
    pieces: Uint8Array[],
    ticksPerSecond: number | undefined,
    matrixKeys: Uint8Array,
    clips: string[],
  ): FileHandle;
  /** Reads `.tga`, `.bmp` and `.dds`. */
  decodePicture(bytes: Uint8Array): PictureHandle;
}

/** One imported file. */
export interface FileHandle extends Handle {
  /** Code, place, message and count of each warning, one after another. */
  warnings(): string[];
  /** Of the pictures that lie beside the file, as it writes them. */
  imageUris(): string[];
  /** Puts a picture on a model whose file names none; whether there was anything to put it on. */
  dress(uri: string): boolean;
  /** For our own player: pictures stay where they are, and keys that no other reader knows stay too. */
  toOwnGlb(): GlbHandle;
  /** For everyone, with the pictures in it. */
  toGlb(uris: string[], pictures: Uint8Array[]): GlbHandle;
}

export interface GlbHandle extends Handle {
  /** Takes the bytes out: the second time they are gone. */
  takeGlb(): Uint8Array<ArrayBuffer>;
  /** Code, place and message of each thing that was baked or left out, one after another. */
  notes(): string[];
}

export interface PictureHandle extends Handle {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel, top row first. Takes them out: the second time they are gone. */
  takeRgba(): Uint8Array<ArrayBuffer>;
}

// The browser scenario `matrix_keys` fails when this drifts from `src/web/formats.rs`.
export const MATRIX_KEYS = ["decompose", "elements", "step"] as const;
