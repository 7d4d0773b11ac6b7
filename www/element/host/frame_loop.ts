/**
 * Draws when something moved or changed, and never otherwise: not out of view, not in a hidden tab, not at rest, and not
 * while the GPU is behind.
 *
 * The browser's milliseconds end here.
 */
export class FrameLoop {
  readonly #isVisible: () => boolean;
  readonly #isBehind: () => boolean;
  readonly #tick: (dtSecs: number) => boolean;
  #request = 0;
  /** When the frame before began; null after a rest, whose length nobody wants to catch up with. */
  #lastMillis: number | null = null;
  /** Since the tick before: frames that the GPU was too far behind for take their time too. */
  #sinceSecs = 0;
  #wanted = false;
  #running = true;

  /** @param tick passes time and draws; whether another frame is wanted */
  constructor(isVisible: () => boolean, isBehind: () => boolean, tick: (dtSecs: number) => boolean) {
    this.#isVisible = isVisible;
    this.#isBehind = isBehind;
    this.#tick = tick;
  }

  /** Something changed. */
  wake(): void {
    this.#wanted = true;
    this.schedule();
  }

  stop(): void {
    this.#running = false;
    this.schedule();
  }

  /** Begins or rests, as it is wanted and seen. */
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
    // Cleared before the tick: whatever wakes the loop from within it wants the next frame.
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

/** After a stall the motion goes on from where it stood, rather than leap. */
const LONGEST_STEP_SECS = 0.1;
