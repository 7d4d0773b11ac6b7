import type { FINISHES } from "../engine/wasm.js";
import type { Clip } from "../files/contents.js";
import { integer } from "../checks.js";

/** How a run ended: all its passes were played, another `play` replaced it, or `stop` or another model stopped it. */
export type Finish = (typeof FINISHES)[number];

/** How often a motion plays: once, endlessly, endlessly back and forth, or a number of passes. */
export type Loop = "once" | "repeat" | "pingpong" | number;

/** A motion started by `play`. */
export interface Run {
  /** The clip. For a blend, the one whose passes count; with a worker, its first clip until its first event. */
  readonly clip: Clip;
  /** Name of the layer. */
  readonly layer: string;
  /** Resolves when the motion ends, is replaced or is stopped, and when the player is disposed of. Never rejects. */
  readonly finished: Promise<Finish>;
}

/** First number of the runs that a page starts. Runs that a state machine starts have smaller numbers. */
export const FIRST_RUN = 2 ** 31;

/** The runs of a player that haven't finished, by their numbers. */
export class Runs {
  readonly #pending = new Map<number, { run: { clip: Clip } & Run; finish: (finish: Finish) => void }>();
  #count = 0;

  /** Returns an unused number. */
  next(): number {
    return FIRST_RUN + (this.#count++ % FIRST_RUN);
  }

  /** Returns the run of that number, and creates it if it is new. */
  begin(id: number, clip: Clip, layer: string): Run {
    const held = this.#pending.get(id);
    if (held) return held.run;
    let finish!: (finish: Finish) => void;
    const finished = new Promise<Finish>((resolve) => (finish = resolve));
    const run = { clip, layer, finished };
    this.#pending.set(id, { run, finish });
    return run;
  }

  /** Sets the clip of a blend, which a page with a worker doesn't know when it starts the blend. */
  setClip(id: number, clip: Clip): void {
    const held = this.#pending.get(id);
    if (held) held.run.clip = clip;
  }

  isPending(id: number): boolean {
    return this.#pending.has(id);
  }

  end(id: number, finish: Finish): void {
    this.#pending.get(id)?.finish(finish);
    this.#pending.delete(id);
  }

  endAll(): void {
    for (const id of [...this.#pending.keys()]) this.end(id, "stopped");
  }
}

/** Converts a loop mode to the WebAssembly's form, in which 0 passes means endless. */
export function passesOf(loop: Loop): { passes: number; bounce: boolean } {
  if (loop === "once") return { passes: 1, bounce: false };
  if (loop === "pingpong") return { passes: 0, bounce: true };
  if (loop === "repeat") return { passes: 0, bounce: false };
  return { passes: integer("loop", loop, 1, 2 ** 32 - 1), bounce: false };
}
