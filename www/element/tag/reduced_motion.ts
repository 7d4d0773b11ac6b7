/** Whether motion is reduced: the visitor's system preference, overridden by the buttons of this element. */
export class ReducedMotion {
  readonly #preference = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
  /** The visitor's choice on this element; null if there is none. */
  #choice: boolean | null = null;

  get on(): boolean {
    return this.#choice ?? this.#preference?.matches ?? false;
  }

  choose(reduced: boolean): void {
    this.#choice = reduced;
  }

  /**
   * Calls `changed` when the system preference changes, which discards the earlier choice. Returns a function that
   * stops it.
   */
  listen(changed: () => void): () => void {
    const reset = (): void => {
      this.#choice = null;
      changed();
    };
    this.#preference?.addEventListener("change", reset);
    return () => this.#preference?.removeEventListener("change", reset);
  }
}
