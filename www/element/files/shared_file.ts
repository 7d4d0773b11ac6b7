/** Files shared between players: what several need at once is fetched, read and decoded once. */
import type { Engine, WasmUrls } from "../engine/engine.js";
import type { Images, Picture } from "../engine/wasm.js";
import { unlessAborted, type Warning } from "../errors.js";
import type { ConvertOptions } from "./conversion.js";
import { decodeImages, loadFile, type ImageTarget, type LoadedFile } from "./loading.js";
import { addressOf, type LoadOptions, type Opened, type Progress, type Source } from "./source.js";

/** Borrowed pictures. */
export interface Pictures {
  /** Each resolves when it is decoded, or to undefined if it can't be. */
  readonly each: readonly Promise<Picture | undefined>[];
  /** Resolves when all are decoded. */
  readonly all: Promise<Images>;
  /** Warnings about those that can't be shown. */
  readonly warnings: Warning[];
  /** Returns the pictures. Must be called once; the last borrower closes them. */
  close(): void;
}

export interface OpenOptions extends LoadOptions, ConvertOptions {
  signal: AbortSignal;
  wasm?: WasmUrls | undefined;
  /** The source, if it has been opened before. */
  opened?: Opened | undefined;
  /** Whether the file is read before it is loaded. */
  isAhead?: boolean;
}

interface Decoding extends Omit<Pictures, "close"> {
  users: number;
}

/** Files in use, by URL and format options. */
const sharedFiles = new WeakMap<Engine, Map<string, SharedFile>>();

export class SharedFile {
  /**
   * Resolves when the file has been read. Each `open` that resolves needs one `close` and one `unwatch`.
   *
   * @param shown the file that the caller shows now. If nobody else uses it, it is fetched again, since it may have
   * changed.
   */
  static async open(
    engine: Engine,
    source: Source,
    options: OpenOptions,
    shown: SharedFile | null,
  ): Promise<SharedFile> {
    const key = keyOf(source, options);
    const files = sharedFiles.get(engine) ?? new Map<string, SharedFile>();
    sharedFiles.set(engine, files);
    const held = key === null ? undefined : files.get(key);
    const file =
      held && !(held === shown && held.#users === 1) ? held : new SharedFile(engine, source, options, key, files);
    await file.#wait(options);
    return file;
  }

  readonly #engine: Engine;
  readonly #stop = new AbortController();
  readonly #forget: () => void;
  readonly #reading: Promise<LoadedFile>;
  readonly #watchers = new Set<(progress: Progress) => void>();
  /** Decoded pictures, by what the GPU can take. */
  readonly #decodings = new Map<string, Decoding>();
  /** Number of players that show the model before its pictures. A copy on a GPU may then lack some of them. */
  unfinished = 0;
  #progress: Progress | null = null;
  #loaded: LoadedFile | null = null;
  #missing: readonly Warning[] = [];
  #users = 0;

  private constructor(
    engine: Engine,
    source: Source,
    options: OpenOptions,
    key: string | null,
    files: Map<string, SharedFile>,
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
    this.#reading = loadFile(engine, source, { ...options, signal: this.#stop.signal, onProgress }).then((file) => {
      if (this.#users === 0) this.#free(file);
      return (this.#loaded = file);
    });
    // The next `open` tries again. Those waiting get the error from the promise.
    this.#reading.catch(this.#forget);
  }

  get loaded(): LoadedFile {
    return this.#loaded!;
  }

  /** Warnings about the file and, once they have been decoded, about its pictures. */
  get warnings(): readonly Warning[] {
    return [...this.loaded.warnings, ...this.#missing];
  }

  borrowPictures(target: ImageTarget): Pictures {
    const key = JSON.stringify(target);
    const decoding = this.#decodings.get(key) ?? this.#decode(target);
    this.#decodings.set(key, decoding);
    decoding.users++;
    const close = () => {
      if (--decoding.users > 0) return;
      this.#decodings.delete(key);
      for (const picture of decoding.each) {
        picture.then((decoded) => decoded instanceof ImageBitmap && decoded.close()).catch(() => undefined);
      }
    };
    return { ...decoding, close };
  }

  #decode(target: ImageTarget): Decoding {
    const warnings: Warning[] = [];
    const each = decodeImages(this.#engine, this.loaded, target, warnings);
    const all = Promise.all(each);
    all.then(
      () => {
        this.#missing = warnings;
        // The next `open` tries again.
        if (this.loaded.failure) this.#forget();
      },
      () => undefined,
    );
    return { each, all, warnings, users: 0 };
  }

  /** Ends one use. The last one frees the model and, unless a copy of the file goes on with it, aborts the fetch. */
  close(isCopied = false): void {
    if (--this.#users > 0) return;
    this.#forget();
    if (!isCopied) this.#stop.abort();
    if (this.#loaded) this.#free(this.#loaded);
  }

  async #wait({ signal, onProgress }: OpenOptions): Promise<void> {
    this.#users++;
    if (onProgress) this.#watchers.add(onProgress);
    if (this.#progress) onProgress?.(this.#progress);
    try {
      // Cancelling one user's load must not cancel the others'.
      await unlessAborted(this.#reading, signal);
    } catch (error) {
      this.unwatch(onProgress);
      this.close();
      throw error;
    }
  }

  /** Ends the reports of progress that `open` began. */
  unwatch(onProgress: OpenOptions["onProgress"]): void {
    if (onProgress) this.#watchers.delete(onProgress);
  }

  /** Frees the model, unless a panic has made its memory unusable. */
  #free(file: LoadedFile): void {
    if (this.#engine.panicReport === null) file.model.free();
  }
}

/** Returns the key of a source. Null for sources without a URL: files and bytes aren't shared. */
function keyOf(source: Source, { rotations, ticksPerSecond, matrixKeys }: OpenOptions): string | null {
  const address = addressOf(source);
  return address && JSON.stringify([address, rotations ?? "slerp", ticksPerSecond, matrixKeys]);
}
