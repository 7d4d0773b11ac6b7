/** Says inside the element what went wrong, while whatever was shown goes on behind it. */
import type { GambolError } from "../errors.js";
import { ICONS, icon, make, show } from "./dom.js";
import type { Words } from "./words.js";

export interface NoticeHost {
  readonly words: Words;
  /** What drew, or was to. */
  readonly backend: string;
  /** Takes the focus when the notice goes. */
  readonly canvas: HTMLElement;
  startAgain(): void;
  say(text: string): void;
  /** Adds to the looks of the element. */
  wear(css: string): void;
}

export class Notice {
  readonly root = make("div", { class: "error", part: "error", hidden: "" });
  /** Read out as it appears; what one can do about it is found by going there. */
  readonly #alert = make("div", { role: "alert" });
  readonly #close = make("button", { type: "button", class: "close" }, icon(ICONS.close));
  readonly #actions = make("div", { class: "actions" });
  readonly #host: NoticeHost;
  #error: GambolError | null = null;

  constructor(host: NoticeHost) {
    this.#host = host;
    this.root.append(this.#alert, this.#close, this.#actions);
    this.#close.addEventListener("click", () => this.hide());
  }

  /** A sentence for visitors; the error itself is folded up below it. */
  show(error: GambolError): void {
    this.#error = error;
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
    // Few ever need it, and the console has it too.
    import("./report.js").then(({ details, DETAILS }) => {
      if (this.#error !== error) return;
      this.#host.wear(DETAILS);
      this.#actions.append(details(error, this.#host, stopped || OURS.includes(error.code)));
    }, () => undefined);
  }

  /** In other words. */
  refresh(): void {
    if (this.#error) this.show(this.#error);
  }

  /** Escape puts it away, wherever in the player the focus is. */
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

/** After these only a fresh start helps. */
const STOPPED = ["PLAYER_POISONED", "GPU_LOST", "RENDER_FAILED"];
/** Nothing that a file or a page could be blamed for. */
const OURS = ["FAILED", "LOAD_FAILED", "SCREENSHOT_FAILED"];
