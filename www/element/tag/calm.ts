/** Whether motion is reduced: the visitor's system preference, overridden by the buttons of this element. */
export class Calm {
  readonly #preference = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
  /** The visitor's choice on this element; null if there is none. */
  #asked: boolean | null = null;

  get on(): boolean {
    return this.#asked ?? this.#preference?.matches ?? false;
  }

  ask(calm: boolean): void {
    this.#asked = calm;
  }

  /**
   * Calls `changed` when the system preference changes, which discards the earlier choice. Returns a function that
   * stops it.
   */
  follow(changed: () => void): () => void {
    const forget = (): void => {
      this.#asked = null;
      changed();
    };
    this.#preference?.addEventListener("change", forget);
    return () => this.#preference?.removeEventListener("change", forget);
  }
}
