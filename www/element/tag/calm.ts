/** Whether anything may move by itself: what the visitor asked of the system, and then, with a button, of this element. */
export class Calm {
  readonly #preference = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
  /** Null where nothing was asked here. */
  #asked: boolean | null = null;

  get on(): boolean {
    return this.#asked ?? this.#preference?.matches ?? false;
  }

  ask(calm: boolean): void {
    this.#asked = calm;
  }

  /** Hears of another preference, which takes the place of what was asked before, until it is let go of. */
  follow(changed: () => void): () => void {
    const forget = (): void => {
      this.#asked = null;
      changed();
    };
    this.#preference?.addEventListener("change", forget);
    return () => this.#preference?.removeEventListener("change", forget);
  }
}
