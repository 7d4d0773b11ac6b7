import type { Backend } from "../engine/engine.js";
import { STATS } from "../engine/wasm.js";

type Counted = Record<(typeof STATS)[number], number>;

/** What a player costs. */
export interface Stats extends Counted, Timings {
  /** What draws. */
  readonly backend: Backend;
}

/** Milliseconds of the last frame on the thread that plays: for time and poses, and for drawing. */
export interface Timings {
  updateMillis: number;
  renderMillis: number;
}

/** Names the numbers of the wasm side. */
export function statsOf(numbers: Float64Array, backend: Backend, timings: Timings): Stats {
  const counted = Object.fromEntries(STATS.map((name, at) => [name, numbers[at] ?? 0])) as Counted;
  return { ...counted, ...timings, backend };
}
