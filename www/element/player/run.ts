import { FINISHES } from "../engine/wasm.js";
import type { Clip } from "../files/contents.js";
import { whole } from "../checks.js";

/** How a run ended: all its passes were played, another `play` replaced it, or `stop` or another model stopped it. */
export type Finish = (typeof FINISHES)[number];

/** How often a motion plays: once, endlessly, endlessly back and forth, or a number of passes. */
export type Loop = "once" | "repeat" | "pingpong" | number;

/** A motion started by `play`. */
export interface Run {
  /** The clip. For a blend, the one whose passes count. */
  readonly clip: Clip;
  /** Name of the layer. */
  readonly layer: string;
  /** Resolves when the motion ends, is replaced or is stopped, and when the player is disposed of. Never rejects. */
  readonly finished: Promise<Finish>;
}

/** Runs that haven't ended, by their number. */
export class Runs {
  readonly #pending = new Map<number, { run: Run; finish: (finish: Finish) => void }>();

  begin(id: number, clip: Clip, layer: string): Run {
    const held = this.#pending.get(id);
    if (held) return held.run;
    let finish!: (finish: Finish) => void;
    const finished = new Promise<Finish>((resolve) => (finish = resolve));
    const run = { clip, layer, finished };
    this.#pending.set(id, { run, finish });
    return run;
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
  return { passes: whole("loop", loop, 1, 2 ** 32 - 1), bounce: false };
}
