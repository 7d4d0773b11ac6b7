/** Adding the clips of other files to a model. Imported on first use. */
import type { Engine, WasmUrls } from "../engine/engine.js";
import type { ModelHandle, PlayerHandle } from "../engine/wasm.js";
import type { GambolError, unlessAborted, Warning } from "../errors.js";
import type { Clip, Contents, ModelListing } from "./contents.js";
import type { warningsOf } from "./needs.js";
import type { SharedFile } from "./shared_file.js";
import type { AddClipsOptions, RetargetOptions, RolePair, Source } from "./source.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export interface MainExports {
  readonly ModelListing: typeof ModelListing;
  readonly SharedFile: typeof SharedFile;
  readonly unlessAborted: typeof unlessAborted;
  readonly warningsOf: typeof warningsOf;
}

export interface AddOptions extends AddClipsOptions {
  signal: AbortSignal;
  wasm: WasmUrls | undefined;
}

/** A model's contents after clips were added. */
export interface Added {
  /** The clips that were added. */
  readonly clips: readonly Clip[];
  readonly warnings: readonly Warning[];
  readonly contents: Contents;
  /** With `retarget`, the joints that belong together. */
  readonly map?: readonly RolePair[] | undefined;
}

/** Opens files with clips. Resolves when all have been read or have failed. */
export async function openClips(
  engine: Engine,
  sources: readonly Source[],
  options: AddOptions,
  main: MainExports,
): Promise<ClipFiles> {
  const [extended, ...files] = await Promise.allSettled([
    main.unlessAborted(engine.extend(), options.signal),
    ...sources.map((source) => main.SharedFile.open(engine, source, options, null)),
  ]);
  return new ClipFiles(engine, extended, files, options, main);
}

export class ClipFiles {
  readonly #engine: Engine;
  /** Whether the code that adds clips is there. */
  readonly #extended: PromiseSettledResult<void>;
  readonly #files: readonly PromiseSettledResult<SharedFile>[];
  readonly #options: AddOptions;
  readonly #main: MainExports;

  constructor(
    engine: Engine,
    extended: PromiseSettledResult<void>,
    files: readonly PromiseSettledResult<SharedFile>[],
    options: AddOptions,
    main: MainExports,
  ) {
    this.#engine = engine;
    this.#extended = extended;
    this.#files = files;
    this.#options = options;
    this.#main = main;
  }

  /**
   * Adds the clips of all files to the model that `rust` shows.
   *
   * @param tolerant whether a file that fails is a warning instead of an error
   */
  addTo(rust: PlayerHandle, contents: Contents, tolerant: boolean): Added {
    const count = contents.clips.length;
    const warnings: Warning[] = [];
    const { retarget } = this.#options;
    let map: RolePair[] | undefined;
    for (const file of this.#files) {
      try {
        if (this.#extended.status === "rejected") throw this.#extended.reason;
        if (file.status === "rejected") throw file.reason;
        const { name, warnings: ofFile, contents: source } = file.value.loaded;
        const names = uniqueNames(source.clips, contents.clips, name, this.#options.names ?? {});
        const { model } = file.value.loaded;
        const all = retarget
          ? borrow(rust, model, names, source, contents, retarget === true ? {} : retarget)
          : rust.addClips(model, names);
        if (retarget) map = pairsOf(all.rolePairs(), source, contents);
        contents = contents.with(new this.#main.ModelListing(all).clips.slice(contents.clips.length));
        warnings.push(...ofFile, ...this.#main.warningsOf(all.warnings()));
        all.free();
      } catch (error) {
        this.#engine.checkTrap(error);
        if (!tolerant) throw error;
        const { message, place = "" } = error as GambolError;
        warnings.push({ code: "CLIPS_NOT_ADDED", place, message, count: 1 });
      }
    }
    return { clips: contents.clips.slice(count), warnings, contents, map };
  }

  close(): void {
    for (const file of this.#files) {
      if (file.status === "rejected") continue;
      file.value.unwatch(this.#options.onProgress);
      file.value.close();
    }
  }
}

/** Adds clips that are converted to the model's skeleton. */
function borrow(
  rust: PlayerHandle,
  model: ModelHandle,
  names: string[],
  source: Contents,
  contents: Contents,
  { from = {}, to = {}, pairs = {}, only = false }: RetargetOptions,
): ModelHandle {
  const indices = (contents: Contents, names: readonly string[]): Uint32Array =>
    Uint32Array.from(names, (name) => contents.node(name).index);
  return rust.borrowClips(
    model,
    names,
    [...Object.keys(from), ...Object.keys(to)],
    indices(source, Object.values(from)),
    indices(contents, Object.values(to)),
    indices(source, Object.keys(pairs)),
    indices(contents, Object.values(pairs)),
    !!only,
  );
}

/** Converts a flat list of role, two indices of nodes, confidence and reason. */
function pairsOf(texts: readonly string[], source: Contents, contents: Contents): RolePair[] {
  const name = ({ nodes }: Contents, index: string): string | null => (index ? nodes[+index]!.name : null);
  const pairs: RolePair[] = [];
  for (let at = 0; at + 4 < texts.length; at += 5) {
    const [role, from, to, confidence, reason] = texts.slice(at, at + 5) as [string, string, string, string, string];
    pairs.push({
      role,
      from: name(source, from),
      to: name(contents, to),
      confidence: +confidence / 1000,
      reason: reason as RolePair["reason"],
    });
  }
  return pairs;
}

/**
 * Returns a name for each clip that no other clip has. One whose name is taken gets a number. The only clip of a file
 * gets the file's name instead, since some tools give all clips the same name.
 */
function uniqueNames(
  clips: readonly Clip[],
  others: readonly Clip[],
  fileName: string,
  wanted: Readonly<Record<string, string>>,
): string[] {
  const taken = new Set(others.map(({ name }) => name));
  const ofFile = clips.length === 1 ? fileName.replace(/\.[^.]*$/, "") : "";
  return clips.map(({ name }) => {
    const asked = Object.hasOwn(wanted, name) ? wanted[name]! : name;
    let unique = taken.has(asked) && asked === name && ofFile ? ofFile : asked;
    const base = unique;
    for (let number = 2; taken.has(unique); number++) unique = `${base} ${number}`;
    taken.add(unique);
    return unique;
  });
}
