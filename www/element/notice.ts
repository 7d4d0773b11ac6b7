/** Says inside the element what went wrong, while whatever was shown goes on behind it. */
import { ICONS, icon, make } from "./dom.js";
import type { GambolError } from "./errors.js";
import { WORDS } from "./words.js";

export class Notice {
  readonly root = make("div", { class: "error", part: "error", role: "alert", hidden: "" });
  readonly #startAgain: () => void;

  constructor(startAgain: () => void) {
    this.#startAgain = startAgain;
  }

  show(error: GambolError): void {
    const close = make("button", { type: "button", "aria-label": WORDS.dismiss }, icon(ICONS.close));
    close.addEventListener("click", () => this.hide());
    // An address, say, is part of the message already.
    const where = error.message.includes(error.place) ? error.code : `${error.code} · ${error.place}`;
    this.root.replaceChildren(
      make("strong", {}, WORDS.errorTitle),
      close,
      make("p", {}, sentence(error.message)),
      make("code", {}, where),
    );
    if (error.code === "PLAYER_POISONED" || error.code === "GPU_LOST") {
      const again = make("button", { type: "button", class: "again" }, WORDS.reload);
      again.addEventListener("click", () => this.#startAgain());
      this.root.append(again);
    }
    this.root.hidden = false;
  }

  hide(): void {
    this.root.hidden = true;
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
