/** The host of a player: its WebAssembly, its screen and its clock. */
import type { Backend, Part } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { Added } from "../files/added_clips.js";
import type { AddClipsOptions, LoadOptions, Source } from "../files/source.js";
import type { Warning } from "../errors.js";
import type { Stage } from "./stage.js";
import type { Timings } from "./stats.js";

/** The model that is shown. */
export interface ShownModel {
  /** File name; empty for bytes without a name. */
  readonly name: string;
  contents: Contents;
  /** Problems known so far. */
  warnings: readonly Warning[];
  /**
   * With `textures: "later"`, resolves to all problems when the last texture is there. Once another model is shown, it
   * may never resolve.
   */
  readonly later?: Promise<readonly Warning[]> | undefined;
}

/** The model of an actor that was added. */
export interface ShownActor extends ShownModel {
  /** Number of the actor. */
  readonly actor: number;
}

export interface Host {
  readonly rust: PlayerHandle;
  readonly stage: Stage;
  readonly backend: Backend;
  readonly timings: Timings;
  /** Whether the state read from `rust` includes the effects of all calls. */
  readonly upToDate: boolean;
  /** Whether time advances and changes are drawn automatically. */
  autoUpdate: boolean;
  /** Receives the host's notifications. Set before the first call. */
  listener: HostListener;
  /** Requests a frame after a call of `rust` that changes the picture. */
  changed(): void;
  /**
   * Draws a frame synchronously and returns true. On another thread, requests a draw and returns false. With
   * `mayDefer`, the GPU's first frames may lack details, which later frames have.
   */
  draw(mayDefer: boolean): boolean;
  advance(dtSecs: number): void;
  /** Loads a model. The model shown before stays until the new one is ready, and if loading fails. */
  load(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<ShownModel>;
  /** Adds an actor. */
  add(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<ShownActor>;
  /** Removes an actor. */
  remove(actor: number): void;
  /** Returns a handle whose calls concern one actor. */
  rustOf(actor: number): PlayerHandle;
  /** Adds the clips of a file to the model that an actor shows. Rejects if another one is shown by then. */
  addClips(source: Source, options: AddClipsOptions & { signal: AbortSignal }, actor: number): Promise<Added>;
  /** Runs a change of an actor after which layer indices may refer to other layers. */
  rearrange(change: () => void, actor: number): void;
  /** Resolves when the functions of `rust` in a part of the WebAssembly can be called. */
  extend(part?: Part): Promise<void>;
  /** Resolves when all earlier calls have taken effect. */
  settled(): Promise<void>;
  /** Stops drawing and notifying. */
  stop(): void;
  /** Checks whether the GPU has been lost, before it is used for anything but drawing on the canvas. */
  check?(): void;
  /** Frees everything, except memory that a panic has made unusable. */
  free(): void;
  /** Returns the panic report as an error if the engine has panicked, and otherwise the error itself. */
  explain(error: Error): Error;
}

/** Receiver of what happens between calls. */
export interface HostListener {
  /** Called after a frame. `eventful` is whether events were recorded in it. */
  drawn(hasEvents: boolean): void;
  /** Called when another thread has updated `rust`. */
  updated(): void;
  /**
   * Called when the recorded events of an actor must be read, before indices change. `endedIn` has the layer names for
   * runs that ended.
   */
  collect(actor: number, endedIn?: string[]): void;
  contextLost(): void;
  contextRestored(): void;
  /** Called when another thread has rejected a call of an actor. The run that it would have started doesn't begin. */
  rejected(actor: number, run: number | undefined, error: Error | undefined): void;
  /**
   * Called when the player goes on with another backend, on another canvas. `replace` puts that canvas into the page
   * and returns the host to use from then on, which needs a listener.
   */
  replaced(replace: () => Host): void;
  /** Called after a fatal error. */
  failed(error: Error): void;
}
