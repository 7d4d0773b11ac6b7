/**
 * Folds the bar away while a clip plays and nobody uses the player. It only goes out of sight: the Tab key and screen
 * readers reach it as before, and the focus of a keyboard keeps it there.
 */
const UNUSED_MILLIS = 2500;
/** A mouse that leaves the player is done with it, unless it comes back. */
const LEFT_MILLIS = 300;
/** A list that is open; browsers that can't tell count the focus. */
const OPEN = CSS.supports("selector(select:open)") ? "select:open" : "select:focus";

export class Folding {
  readonly #bar: HTMLElement;
  readonly #plays: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was last moved over the player. */
  #pointer = "";

  constructor(bar: HTMLElement, element: HTMLElement, plays: () => boolean) {
    this.#bar = bar;
    this.#plays = plays;
    for (const name of ["pointermove", "pointerdown", "keydown", "focusin", "focusout"]) {
      element.addEventListener(name, (event) => {
        this.#pointer = (event as PointerEvent).pointerType ?? this.#pointer;
        this.#show();
      }, { passive: true });
    }
    element.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType === "mouse" && this.#timer !== undefined) this.#wait(LEFT_MILLIS);
    });
  }

  /** It may have begun to play, or stopped. */
  refresh(): void {
    if (!this.#plays()) this.#show();
    else if (this.#timer === undefined && !this.#bar.classList.contains("folded")) this.#wait();
  }

  #show(): void {
    this.#bar.classList.remove("folded");
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#plays()) this.#wait();
  }

  #wait(millis = UNUSED_MILLIS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#plays()) return;
      if (this.#used) this.#wait();
      else this.#bar.classList.add("folded");
    }, millis);
  }

  /** A finger that has left the screen counts as hovering for browsers. */
  get #used(): boolean {
    const hovered = this.#pointer === "mouse" && this.#bar.matches(":hover");
    return hovered || this.#bar.querySelector(`:focus-visible, ${OPEN}`) !== null;
  }
}
