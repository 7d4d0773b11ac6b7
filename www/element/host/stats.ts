import type { Backend } from "../engine/engine.js";
import { STATS } from "../engine/wasm.js";

type Counted = Record<(typeof STATS)[number], number>;

/** Timings and counts of the last frame. */
export interface Stats extends Readonly<Timings> {
  /** Graphics API that draws. */
  readonly backend: Backend;
  /** Number of draw calls, including those of the shadow. */
  readonly draws: number;
  /** Number of triangles of the meshes, over all characters. */
  readonly triangles: number;
  /** Number of joints of one character. */
  readonly joints: number;
  /** Number of characters; 1 without a crowd. */
  readonly characters: number;
  /** Bytes of GPU memory used by the model and this canvas. Memory shared between canvases is divided among them. */
  readonly gpuBytes: number;
}

/** Timings of the last frame, measured on the thread that plays. */
export interface Timings {
  /** Milliseconds spent on advancing time and computing poses. */
  updateMillis: number;
  /** Milliseconds spent on issuing draw calls, without the time that the GPU takes. */
  renderMillis: number;
}

/** Converts the numbers of the WebAssembly to named statistics. */
export function statsOf(numbers: Float64Array, backend: Backend, timings: Timings): Stats {
  const counted = Object.fromEntries(STATS.map((name, at) => [name, numbers[at] ?? 0])) as Counted;
  return { ...counted, ...timings, backend };
}
