/**
 * Draws when something moved or changed, and never otherwise: not out of view, not in a hidden tab, not at rest.
 *
 * The browser's milliseconds end here.
 */
export class FrameLoop {
  readonly #isVisible: () => boolean;
  readonly #tick: (dtSecs: number) => boolean;
  #request = 0;
  /** When the frame before was drawn; null after a rest, whose length nobody wants to catch up with. */
  #lastMillis: number | null = null;
  #wanted = false;
  #running = true;

  /** @param tick passes time and draws; whether another frame is wanted */
  constructor(isVisible: () => boolean, tick: (dtSecs: number) => boolean) {
    this.#isVisible = isVisible;
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
      this.#lastMillis = null;
    }
  }

  #frame(timestampMillis: number): void {
    this.#request = 0;
    const sinceSecs = this.#lastMillis === null ? 0 : (timestampMillis - this.#lastMillis) / 1000;
    this.#lastMillis = timestampMillis;
    // Cleared before the tick: whatever wakes the loop from within it wants the next frame.
    this.#wanted = false;
    if (this.#tick(Math.min(Math.max(sinceSecs, 0), LONGEST_STEP_SECS))) this.#wanted = true;
    if (!this.#wanted) this.#lastMillis = null;
    this.schedule();
  }
}

/** After a stall the motion goes on from where it stood, rather than leap. */
const LONGEST_STEP_SECS = 0.1;
