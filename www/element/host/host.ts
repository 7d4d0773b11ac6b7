/** What a player stands on: the wasm side, a screen and a clock. */
import type { Backend } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { LoadOptions, Source } from "../files/source.js";
import type { Warning } from "../errors.js";
import type { Stage } from "./stage.js";
import type { Timings } from "./stats.js";

/** A model that is shown. */
export interface Shown {
  /** File name; empty for bare bytes. */
  readonly name: string;
  readonly contents: Contents;
  readonly warnings: readonly Warning[];
}

export interface Host {
  readonly rust: PlayerHandle;
  readonly stage: Stage;
  readonly backend: Backend;
  readonly timings: Timings;
  /** Whether `rust` knows what became of all that was asked of it. */
  readonly upToDate: boolean;
  /** When false, it draws but passes no time. */
  autoUpdate: boolean;
  /** Who is told; set before anything is asked. */
  audience: Audience;
  /** Something was asked of `rust` that gives reason to draw. */
  changed(): void;
  /** Draws now, in this very task, or, where it stands on another thread, soon; whether it has. */
  draw(): boolean;
  advance(dtSecs: number): void;
  /** All or nothing: until a model is shown, what was there goes on. */
  load(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<Shown>;
  /** Makes a change of `rust` after which numbers may stand for other layers. */
  rearrange(change: () => void): void;
  /** Resolves when it is up to date with what was asked before. */
  settled(): Promise<void>;
  /** Nothing is drawn or told any more. */
  stop(): void;
  /** Finds out whether the GPU is still there, before more is asked of it than a picture on the canvas. */
  check?(): void;
  /** Gives everything back, but for what a panic left behind: that memory must not be touched. */
  free(): void;
  /** The end of whoever it was, in the words of the engine where it panicked. */
  explain(error: Error): Error;
}

/** Who hears of what happens between two calls. */
export interface Audience {
  /** A frame was drawn; whether something happened in it. */
  drawn(eventful: boolean): void;
  /** `rust` has heard of something from another thread. */
  told(): void;
  /** What `rust` has noted must be read before its numbers change; `endedIn` are the layers of what has ended. */
  collect(endedIn?: string[]): void;
  contextLost(): void;
  contextRestored(): void;
  /** What was asked of another thread can't be done there; those runs don't begin. */
  refused(runs: readonly number[], error: Error | undefined): void;
  /** It can't go on. */
  failed(error: Error): void;
}
