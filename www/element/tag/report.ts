/** What we would ask anyone who met a fault of ours, ready to be copied. */
import type { GambolError } from "../errors.js";
import type { NoticeHost } from "./notice.js";

/** The scenario `access_report` fails when `package.json` says another. */
const VERSION = "0.1.0";

export function reportButton(error: GambolError, { words, backend, say }: NoticeHost): HTMLElement {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words.copyReport });
  button.addEventListener("click", async () => {
    const text = reportOf(error, backend);
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    const outcome = copied ? words.copied : showSelected(button, text, words.copyReport) ? words.copied : words.copyByHand;
    button.textContent = outcome;
    say(outcome);
  });
  return button;
}

function reportOf({ code, place, message }: GambolError, backend: string): string {
  const facts = {
    Gambol: VERSION,
    Browser: navigator.userAgent,
    Backend: backend,
    Code: code,
    Place: place || "–",
    Message: message,
  };
  return Object.entries(facts).map(([name, fact]) => `${name}: ${fact}`).join("\n");
}

/** The clipboard needs a secure page and a permission; a selection needs neither. Whether it was copied. */
function showSelected(button: HTMLElement, text: string, label: string): boolean {
  button.nextElementSibling?.remove();
  const box = Object.assign(document.createElement("textarea"), { readOnly: true, rows: 6, value: text, ariaLabel: label });
  button.after(box);
  box.select();
  return document.execCommand("copy");
}
