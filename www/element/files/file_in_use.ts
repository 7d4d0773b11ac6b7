/** Files that players show or load: what several want at once is fetched, read and decoded once. */
import type { Engine, WasmUrls } from "../engine/engine.js";
import type { Images } from "../engine/wasm.js";
import { unlessAborted, type Warning } from "../errors.js";
import type { ConvertOptions } from "./conversion.js";
import { decodeImages, loadFile, type LoadedFile } from "./loading.js";
import { addressOf, type LoadOptions, type Progress, type Source } from "./source.js";

/** Pictures on loan. */
export interface Pictures {
  readonly images: Images;
  /** To be called once; the last one who has them closes them. */
  giveBack(): void;
}

export interface EnterOptions extends LoadOptions, ConvertOptions {
  signal: AbortSignal;
  wasm?: WasmUrls | undefined;
}

interface Decoding {
  readonly told: ReturnType<typeof decodeImages>;
  users: number;
}

/** By address, and by how to read what formats leave open. */
const filesOf = new WeakMap<Engine, Map<string, FileInUse>>();

export class FileInUse {
  /**
   * Answers when the file is read. Who entered must leave in the end.
   *
   * @param shown what the asker shows already. When nobody else does, the same is fetched anew: it may have changed.
   */
  static async enter(engine: Engine, source: Source, options: EnterOptions, shown: FileInUse | null): Promise<FileInUse> {
    const key = keyOf(source, options);
    const files = filesOf.get(engine) ?? new Map<string, FileInUse>();
    filesOf.set(engine, files);
    const held = key === null ? undefined : files.get(key);
    const file = held && !(held === shown && held.#users === 1) ? held : new FileInUse(engine, source, options, key, files);
    await file.#join(options);
    return file;
  }

  readonly #engine: Engine;
  readonly #stop = new AbortController();
  readonly #forget: () => void;
  readonly #reading: Promise<LoadedFile>;
  readonly #watchers = new Set<(progress: Progress) => void>();
  /** By the longest side allowed. */
  readonly #decodings = new Map<number, Decoding>();
  #progress: Progress | null = null;
  #loaded: LoadedFile | null = null;
  #missing: readonly Warning[] = [];
  #users = 0;

  private constructor(
    engine: Engine,
    source: Source,
    options: EnterOptions,
    key: string | null,
    files: Map<string, FileInUse>,
  ) {
    this.#engine = engine;
    if (key !== null) files.set(key, this);
    this.#forget = () => {
      if (key !== null && files.get(key) === this) files.delete(key);
    };
    const onProgress = (progress: Progress) => {
      this.#progress = progress;
      for (const watch of this.#watchers) watch(progress);
    };
    this.#reading = loadFile(engine.wasm, source, { ...options, signal: this.#stop.signal, onProgress }).then((file) => {
      if (this.#users === 0) this.#free(file);
      return (this.#loaded = file);
    });
    // The next one tries again; those who wait hear of it by themselves.
    this.#reading.catch(this.#forget);
  }

  get loaded(): LoadedFile {
    return this.#loaded!;
  }

  /** What was odd about the file and, once somebody had them, its pictures. */
  get warnings(): readonly Warning[] {
    return [...this.loaded.warnings, ...this.#missing];
  }

  /** @param maxSize longer sides are scaled down to this many pixels */
  async borrowPictures(maxSize: number): Promise<Pictures> {
    const decoding = this.#decodings.get(maxSize) ?? { told: decodeImages(this.loaded, maxSize), users: 0 };
    this.#decodings.set(maxSize, decoding);
    decoding.users++;
    const giveBack = () => {
      if (--decoding.users > 0) return;
      this.#decodings.delete(maxSize);
      void decoding.told.then(({ images }) => images.forEach((image) => image?.close())).catch(() => undefined);
    };
    try {
      const { images, warnings } = await decoding.told;
      this.#missing = warnings;
      return { images, giveBack };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Frees the model with the last user, and ends the fetch that nobody waits for. */
  leave(): void {
    if (--this.#users > 0) return;
    this.#forget();
    this.#stop.abort();
    if (this.#loaded) this.#free(this.#loaded);
  }

  async #join({ signal, onProgress }: EnterOptions): Promise<void> {
    this.#users++;
    const watch = (progress: Progress) => onProgress?.(progress);
    this.#watchers.add(watch);
    if (this.#progress) watch(this.#progress);
    try {
      // One user's cancellation is not the others'.
      await unlessAborted(this.#reading, signal);
    } catch (error) {
      this.leave();
      throw error;
    } finally {
      this.#watchers.delete(watch);
    }
  }

  /** After a panic its memory must not be touched. */
  #free(file: LoadedFile): void {
    if (this.#engine.panicReport === null) file.model.free();
  }
}

/** Null for what has no address: chosen files and bytes are never the same again. */
function keyOf(source: Source, { rotations, ticksPerSecond, matrixKeys }: EnterOptions): string | null {
  const address = addressOf(source);
  return address && JSON.stringify([address, rotations ?? "slerp", ticksPerSecond, matrixKeys]);
}
