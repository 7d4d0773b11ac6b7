/** Types of the wasm file `formats`: the exports of `src/web/formats.rs`, written by hand. */
import type { Handle, Inspect, StartableModule } from "./wasm.js";

export interface FormatsModule extends StartableModule {
  inspect: Inspect;
  /**
   * Imports a file. `uris`, `pieces` and `decoders` are those of `importModel`. `matrixKeys` contains indices into
   * `MATRIX_KEYS`: first the one for all clips, then one for each clip in `clips`. Without `ticksPerSecond`, the
   * format's default applies.
   */
  importFile(
    bytes: Uint8Array,
    uris: string[],
    pieces: Uint8Array[],
    decoders: string[],
    ticksPerSecond: number | undefined,
    matrixKeys: Uint8Array,
    clips: string[],
  ): FileHandle;
  /** Decodes a `.tga`, `.bmp` or `.dds` picture. */
  decodePicture(bytes: Uint8Array): PictureHandle;
}

/** An imported file. */
export interface FileHandle extends Handle {
  /** Whether the file is in another format than glTF. */
  readonly isForeign: boolean;
  /** Returns code, place, message and count of each warning, as a flat list. */
  warnings(): string[];
  /** Returns the URIs of external pictures, as written in the file. */
  imageUris(): string[];
  /** Applies a picture to a model whose file names none. Returns whether any material could use it. */
  assignTexture(uri: string): boolean;
  /** Converts the file for this player: pictures stay external, and keys that no other reader supports are kept. */
  toOwnGlb(): GlbHandle;
  /**
   * Converts the file to a standard `.glb` that includes the pictures. `compresses` is for meshopt compression,
   * `reduceKeys` the distance in metres for leaving out keys.
   */
  toGlb(uris: string[], pictures: Uint8Array[], compresses: boolean, reduceKeys: number | undefined): GlbHandle;
}

export interface GlbHandle extends Handle {
  /** Moves the bytes out. They can be taken once. */
  takeGlb(): Uint8Array<ArrayBuffer>;
  /** Returns code, place, message and count of each thing that was baked or left out, as a flat list. */
  notes(): string[];
}

export interface PictureHandle extends Handle {
  readonly width: number;
  readonly height: number;
  /** Moves the pixels out: four bytes each, top row first. They can be taken once. */
  takeRgba(): Uint8Array<ArrayBuffer>;
}

// The browser scenario `matrix_keys` fails when this differs from `src/web/formats.rs`.
export const MATRIX_KEYS = ["decompose", "elements", "step"] as const;
