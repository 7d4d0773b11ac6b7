/** Refines pictures when nothing moves any more. Fetched when a picture is still for the first time. */
export class Still {
  /** Whether the next picture refines the one before. */
  isDue = false;
  readonly #extend: () => Promise<void>;
  readonly #wake: () => void;
  #timer: Timer | undefined;

  /** `extend` fetches what draws; `wake` requests a picture. */
  constructor(extend: () => Promise<void>, wake: () => void) {
    this.#extend = extend;
    this.#wake = wake;
  }

  /** After a picture: begins to refine it if nothing changes for a while. */
  settle(isStill: boolean): void {
    this.stop();
    if (isStill) this.#timer = setTimeout(() => void this.#begin(this.#timer), REST_MILLIS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isDue = false;
  }

  async #begin(timer: Timer | undefined): Promise<void> {
    try {
      await this.#extend();
    } catch {
      // Without it, pictures stay as they are.
      return;
    }
    if (timer !== this.#timer) return;
    this.isDue = true;
    this.#wake();
  }
}

type Timer = ReturnType<typeof setTimeout>;

/** Time without motion after which a picture is refined. By then, one with fewer pixels has got all of them. */
const REST_MILLIS = 500;
