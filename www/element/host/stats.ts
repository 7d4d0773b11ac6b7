import type { Backend } from "../engine/engine.js";
import { STATS } from "../engine/wasm.js";

type Counted = Record<(typeof STATS)[number], number>;

/** What the last frame cost, and what it drew. */
export interface Stats extends Readonly<Timings> {
  /** What draws. */
  readonly backend: Backend;
  /** Draw calls, those of the shadow included. */
  readonly draws: number;
  /** Triangles of the meshes, every character counted. */
  readonly triangles: number;
  /** Joints of one character. */
  readonly joints: number;
  /** Characters that are drawn; 1 without a crowd. */
  readonly characters: number;
  /** Bytes on the GPU that the model and this canvas hold; what canvases share is divided among them. */
  readonly gpuBytes: number;
}

/** Times of the last frame, measured on the thread that plays. */
export interface Timings {
  /** Milliseconds for time and poses. */
  updateMillis: number;
  /** Milliseconds for issuing the draw calls. What the GPU takes is not in it. */
  renderMillis: number;
}

/** Names the numbers of the wasm side. */
export function statsOf(numbers: Float64Array, backend: Backend, timings: Timings): Stats {
  const counted = Object.fromEntries(STATS.map((name, at) => [name, numbers[at] ?? 0])) as Counted;
  return { ...counted, ...timings, backend };
}
