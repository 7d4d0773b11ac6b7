/**
 * Hides the bar while a clip plays and the player isn't used. It is only moved out of sight: the Tab key and screen
 * readers still reach it, and keyboard focus keeps it visible.
 */
const UNUSED_MILLIS = 2500;
/** Delay after the mouse has left the player, unless it returns. */
const LEFT_MILLIS = 300;
/** Selector of an open list. Browsers without `:open` use the focus. */
const OPEN = CSS.supports("selector(select:open)") ? "select:open" : "select:focus";

export class AutoHide {
  readonly #bar: HTMLElement;
  readonly #plays: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Type of the pointer last moved over the player. */
  #pointer = "";

  constructor(bar: HTMLElement, element: HTMLElement, plays: () => boolean) {
    this.#bar = bar;
    this.#plays = plays;
    for (const name of ["pointermove", "pointerdown", "keydown", "focusin", "focusout"]) {
      element.addEventListener(
        name,
        (event) => {
          this.#pointer = (event as PointerEvent).pointerType ?? this.#pointer;
          this.#show();
        },
        { passive: true },
      );
    }
    element.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType === "mouse" && this.#timer !== undefined) this.#wait(LEFT_MILLIS);
    });
  }

  /** Called when playback may have started or stopped. */
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

  /**
   * Whether the bar is in use. Only a mouse can hover: browsers still report hovering after a finger has left the
   * screen.
   */
  get #used(): boolean {
    const hovered = this.#pointer === "mouse" && this.#bar.matches(":hover");
    return hovered || this.#bar.querySelector(`:focus-visible, ${OPEN}`) !== null;
  }
}
