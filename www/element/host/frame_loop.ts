/**
 * Requests frames only while something moves or changes: not out of view, not in a hidden tab, not at rest, and not
 * while the GPU is behind.
 *
 * The browser's milliseconds are converted to seconds here.
 */
export class FrameLoop {
  readonly #isVisible: () => boolean;
  readonly #isBehind: () => boolean;
  readonly #tick: (dtSecs: number) => boolean;
  #request = 0;
  /** Start of the previous frame; null after a rest, which isn't caught up with. */
  #lastMillis: number | null = null;
  /** Time since the last tick, including frames skipped because the GPU was behind. */
  #sinceSecs = 0;
  #wanted = false;
  #running = true;

  /**
   * Creates a frame loop.
   *
   * @param tick advances time and draws; returns whether another frame is needed
   */
  constructor(isVisible: () => boolean, isBehind: () => boolean, tick: (dtSecs: number) => boolean) {
    this.#isVisible = isVisible;
    this.#isBehind = isBehind;
    this.#tick = tick;
  }

  /** Requests a frame after a change. */
  wake(): void {
    this.#wanted = true;
    this.schedule();
  }

  stop(): void {
    this.#running = false;
    this.schedule();
  }

  /** Requests a frame if one is needed and visible, and otherwise cancels the request. */
  schedule(): void {
    const draw = this.#running && this.#wanted && this.#isVisible();
    if (draw && this.#request === 0) {
      this.#request = requestAnimationFrame((timestampMillis) => this.#frame(timestampMillis));
    } else if (!draw && this.#request !== 0) {
      cancelAnimationFrame(this.#request);
      this.#request = 0;
      this.#rest();
    }
  }

  #frame(timestampMillis: number): void {
    this.#request = 0;
    const passedSecs = this.#lastMillis === null ? 0 : (timestampMillis - this.#lastMillis) / 1000;
    this.#sinceSecs += Math.min(Math.max(passedSecs, 0), LONGEST_STEP_SECS);
    this.#lastMillis = timestampMillis;
    if (this.#isBehind()) return this.schedule();
    const sinceSecs = this.#sinceSecs;
    this.#sinceSecs = 0;
    // Cleared before the tick, since a wake-up during the tick requests the next frame.
    this.#wanted = false;
    if (this.#tick(sinceSecs)) this.#wanted = true;
    if (!this.#wanted) this.#rest();
    this.schedule();
  }

  #rest(): void {
    this.#lastMillis = null;
    this.#sinceSecs = 0;
  }
}

/** Longest step: after a stall, motion continues instead of jumping. */
const LONGEST_STEP_SECS = 0.1;
