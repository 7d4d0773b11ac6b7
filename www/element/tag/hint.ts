/** Shows how to zoom where the wheel scrolls the page. */
const SHOWN_MILLIS = 1600;

export class Hint {
  // Hidden from screen readers: the canvas's description names the keys, and they don't use the wheel.
  readonly root = Object.assign(document.createElement("div"), { className: "hint", ariaHidden: "true" });
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows the hint until the wheel hasn't been turned for a while. */
  show(text: string, lang: string): void {
    Object.assign(this.root, { textContent: text, lang });
    this.root.classList.add("seen");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), SHOWN_MILLIS);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.root.classList.remove("seen");
  }
}

export const HINT = /* css */ `
.hint {
  position: absolute; inset-inline: 12px; inset-block-start: 12px; margin-inline: auto; inline-size: fit-content;
  max-inline-size: calc(100% - 24px); box-sizing: border-box; padding: 0.5em 1em; border-radius: 2em;
  text-align: center; color: var(--_text); background: var(--_bar); pointer-events: none;
  opacity: 0; visibility: hidden; transition: opacity 0.2s, visibility 0.2s;
}
.hint.seen { opacity: 1; visibility: visible; }
@media (prefers-reduced-motion: reduce) {
  .hint { transition: none; }
}
@media (forced-colors: active) {
  .hint { border: 1px solid CanvasText; background: Canvas; color: CanvasText; }
}
@media print {
  .hint { display: none; }
}
`;
