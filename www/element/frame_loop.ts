/**
 * Draws when something moved or changed, and never otherwise: not out of view, not in a hidden tab, not at rest.
 *
 * The browser's milliseconds end here.
 */
export class FrameLoop {
  readonly #tick: (dtSecs: number) => boolean;
  readonly #observer: IntersectionObserver | null;
  readonly #onVisibility = () => this.#schedule();
  #request = 0;
  /** When the frame before was drawn; null after a rest, whose length nobody wants to catch up with. */
  #lastMillis: number | null = null;
  #wanted = false;
  #inView = true;
  #running = true;

  /** @param tick passes time and draws; whether another frame is wanted */
  constructor(element: Element, tick: (dtSecs: number) => boolean) {
    this.#tick = tick;
    this.#observer =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => {
            this.#inView = entries[entries.length - 1]!.isIntersecting;
            this.#schedule();
          });
    this.#observer?.observe(element);
    document.addEventListener("visibilitychange", this.#onVisibility);
  }

  /** Something changed. */
  wake(): void {
    this.#wanted = true;
    this.#schedule();
  }

  stop(): void {
    this.#running = false;
    this.#observer?.disconnect();
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#schedule();
  }

  #schedule(): void {
    const draw = this.#running && this.#wanted && this.#inView && document.visibilityState === "visible";
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
    this.#schedule();
  }
}

/** After a stall the motion goes on from where it stood, rather than leap. */
const LONGEST_STEP_SECS = 0.1;
