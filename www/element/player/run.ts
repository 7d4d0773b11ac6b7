import { FINISHES } from "../engine/wasm.js";
import type { Clip } from "../files/contents.js";
import { whole } from "../checks.js";

/** How a run came to its end: its passes were done, another `play` took its place, or `stop` (or another model) did. */
export type Finish = (typeof FINISHES)[number];

/** Once through, for ever, to and fro, or so many times. */
export type Loop = "once" | "repeat" | "pingpong" | number;

/** One call of `play`. */
export interface Run {
  /** Of a blend the one whose passes count. */
  readonly clip: Clip;
  /** The layer's name. */
  readonly layer: string;
  /** Resolves when it ended, when something took its place, or when the player went away; never rejects. */
  readonly finished: Promise<Finish>;
}

/** Those runs whose end somebody may be waiting for. */
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

/** As the wasm side counts: 0 passes are for ever. */
export function passesOf(loop: Loop): { passes: number; bounce: boolean } {
  if (loop === "once") return { passes: 1, bounce: false };
  if (loop === "pingpong") return { passes: 0, bounce: true };
  if (loop === "repeat") return { passes: 0, bounce: false };
  return { passes: whole("loop", loop, 1, 2 ** 32 - 1), bounce: false };
}
