/** Details of an error for the page's author and, for bugs of the player, a report to copy. */
import type { GambolError } from "../errors.js";
import type { NoticeHost } from "./notice.js";

/** Must match `package.json`; the scenario `access_report` fails otherwise. */
const VERSION = "0.1.0";

export function details(error: GambolError, host: NoticeHost, reports: boolean): HTMLElement {
  const { code, message, place } = error;
  const make = (name: string, text = ""): HTMLElement =>
    Object.assign(document.createElement(name), { textContent: text });
  // The place can be part of the message already, such as a URL.
  const where = message.includes(place) ? code : `${code} · ${place}`;
  const english = Object.assign(make("code", `${message}\n${where}`), { lang: "en" });
  const all = make("details");
  all.append(make("summary", host.words.details), english, ...(reports ? [reportButton(error, host)] : []));
  return all;
}

function reportButton(error: GambolError, { words, backend, say }: NoticeHost): HTMLElement {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words.copyReport });
  button.addEventListener("click", async () => {
    const text = reportOf(error, backend);
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    const outcome = copied
      ? words.copied
      : showSelected(button, text, words.copyReport)
        ? words.copied
        : words.copyByHand;
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
  return Object.entries(facts)
    .map(([name, fact]) => `${name}: ${fact}`)
    .join("\n");
}

/**
 * Shows the report selected and copies it. The clipboard API needs a secure context and a permission; this needs
 * neither. Returns whether it was copied.
 */
function showSelected(button: HTMLElement, text: string, label: string): boolean {
  button.nextElementSibling?.remove();
  const box = Object.assign(document.createElement("textarea"), {
    readOnly: true,
    rows: 6,
    value: text,
    ariaLabel: label,
  });
  button.after(box);
  box.select();
  return document.execCommand("copy");
}

export const DETAILS = /* css */ `
details { flex: 1 0 100%; }
summary { inline-size: fit-content; min-block-size: 24px; cursor: pointer; opacity: 0.8; }
summary:focus-visible { outline: 2px solid var(--gambol-focus, currentColor); outline-offset: 2px; }
details code, details textarea { font: 0.92em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
details code { display: block; margin-block: 4px; white-space: pre-wrap; }
details button { display: block; margin-block-start: 8px; }
details textarea {
  inline-size: 100%; box-sizing: border-box; margin-block-start: 8px; padding: 8px; color: inherit; background: none;
  border: 1px solid; border-radius: 8px; resize: vertical;
}
@media print {
  details { display: none; }
}
`;
