/** The error notice inside the element; the model shown before stays behind it. */
import type { GambolError } from "../errors.js";
import { ICONS, icon, make, show } from "./dom.js";
import type { Words } from "./words.js";

export interface NoticeHost {
  readonly words: Words;
  /** Graphics API in use, or the requested one. */
  readonly backend: string;
  /** Takes the focus when the notice is hidden. */
  readonly canvas: HTMLElement;
  startAgain(): void;
  say(text: string): void;
  /** Adds a style sheet to the element. */
  addCss(css: string): void;
}

export class Notice {
  readonly root = make("div", { class: "error", part: "error", hidden: "" });
  /** Announced when it appears. The actions are outside it, and reached by moving there. */
  readonly #alert = make("div", { role: "alert" });
  readonly #close = make("button", { type: "button", class: "close" });
  readonly #actions = make("div", { class: "actions" });
  readonly #host: NoticeHost;
  #error: GambolError | null = null;

  constructor(host: NoticeHost) {
    this.#host = host;
  }

  /** Shows a sentence for visitors. The error's details are collapsed below it. */
  show(error: GambolError): void {
    this.#error = error;
    // Filled here, since most elements never show one.
    if (!this.root.firstChild) this.#fill();
    const { words } = this.#host;
    const stopped = STOPPED.includes(error.code);
    const [title, text] = stopped ? [words.stoppedTitle, words.stoppedText] : [words.errorTitle, words.errorText];
    this.root.lang = words.lang;
    this.#alert.replaceChildren(make("strong", {}, title), make("p", {}, text(error)));
    this.#close.setAttribute("aria-label", words.dismiss);
    this.#actions.replaceChildren();
    if (stopped) {
      const again = make("button", { type: "button", class: "again" }, words.reload);
      again.addEventListener("click", () => this.#host.startAgain());
      this.#actions.append(again);
    }
    this.root.hidden = false;
    // Loaded on demand: few visitors need it, and the console has it too.
    import("./report.js").then(
      ({ details, DETAILS }) => {
        if (this.#error !== error) return;
        this.#host.addCss(DETAILS);
        this.#actions.append(details(error, this.#host, stopped || OURS.includes(error.code)));
      },
      () => undefined,
    );
  }

  #fill(): void {
    this.#close.append(icon(ICONS.close));
    this.#close.addEventListener("click", () => this.hide());
    this.root.append(this.#alert, this.#close, this.#actions);
  }

  /** Shows the error again with the current texts. */
  refresh(): void {
    if (this.#error) this.show(this.#error);
  }

  /** Hides the notice on Escape, wherever in the element the focus is. */
  key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || this.root.hidden) return;
    event.preventDefault();
    this.hide();
  }

  hide(): void {
    this.#error = null;
    show(this.root, false, this.#host.canvas);
  }
}

/** Errors after which the player must be restarted. */
const STOPPED = ["PLAYER_POISONED", "GPU_LOST", "RENDER_FAILED"];
/** Errors that neither the file nor the page causes. */
const OURS = ["FAILED", "LOAD_FAILED", "SCREENSHOT_FAILED"];
