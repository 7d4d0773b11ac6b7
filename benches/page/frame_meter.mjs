/** Times of the last frames of one side: frames in a second, and milliseconds of the page's thread. */

import { median } from "../statistics.mjs";

/** Number of frames that the median is taken of. */
const FRAMES = 60;

/** Frames in a second are counted over this time, or over two frames if they take longer. */
const COUNTED_MILLIS = 1000;

export class FrameMeter {
  #starts = [];
  #threads = [];

  /** Adds a frame: when it began, and how long it kept the page's thread busy. */
  add(startMillis, threadMillis) {
    this.#starts = [...this.#starts.slice(1 - FRAMES), startMillis];
    this.#threads = [...this.#threads.slice(1 - FRAMES), threadMillis];
  }

  /** Forgets all frames. */
  clear() {
    this.#starts = [];
    this.#threads = [];
  }

  /** Frames in a second, or undefined before the second frame. */
  get framesPerSecond() {
    const last = this.#starts.at(-1);
    const recent = this.#starts.filter((start) => last - start <= COUNTED_MILLIS);
    const counted = recent.length > 1 ? recent : this.#starts.slice(-2);
    return counted.length > 1 ? ((counted.length - 1) * 1000) / (last - counted[0]) : undefined;
  }

  /** The median of the page's thread in milliseconds, or undefined before the first frame. */
  get threadMillis() {
    return this.#threads.length > 0 ? median(this.#threads) : undefined;
  }
}
