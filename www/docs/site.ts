/** Scripts of all documentation pages: search, the menu of narrow windows, and copying code. */

interface Entry {
  readonly title: string;
  /** Title of the page that contains the entry; for a page, the name of its group. */
  readonly of: string;
  readonly url: string;
  /** Additional search terms. */
  readonly keys?: readonly string[];
  /** Distinct words of the text, separated by spaces. */
  readonly text: string;
}

const MOST = 14;
const here = new URL(".", import.meta.url);

// ── search ──

const search = document.querySelector<HTMLElement>("#search")!;
const input = search.querySelector("input")!;
const found = search.querySelector<HTMLElement>("#found")!;
const told = found.querySelector("p")!;
const list = found.querySelector("ul")!;
let entries: readonly Entry[] | null = null;

search.hidden = false;
input.addEventListener("focus", () => void fetchEntries());
input.addEventListener("input", show);
search.addEventListener("focusout", ({ relatedTarget }) => {
  if (!search.contains(relatedTarget as Node | null)) found.hidden = true;
});
input.addEventListener("focusin", () => (found.hidden = input.value.trim() === ""));
search.addEventListener("keydown", (event) => {
  const links = [input, ...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const to = {
    ArrowDown: links[at + 1],
    ArrowUp: links[at - 1],
    Escape: input,
    Enter: at === 0 ? links[1] : undefined,
  }[event.key];
  if (event.key === "Escape") found.hidden = true;
  if (!to) return;
  event.preventDefault();
  if (event.key === "Enter") to.click();
  else to.focus();
});
document.addEventListener("keydown", (event) => {
  const { target } = event;
  const types =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  if (event.key !== "/" || types || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
list.addEventListener("click", () => {
  found.hidden = true;
  input.value = "";
});

async function fetchEntries(): Promise<void> {
  if (entries) return;
  const response = await fetch(new URL("index.json", here));
  entries = (await response.json()) as readonly Entry[];
  show();
}

function show(): void {
  const words = plain(input.value).split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0 || !entries;
  if (found.hidden) return;
  const matches = entries!
    .map((entry) => ({ entry, rank: Math.max(...words.map((word) => rank(entry, word))) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank);
  told.textContent =
    matches.length > MOST
      ? `The best ${MOST} of ${matches.length} results`
      : `${matches.length} ${matches.length === 1 ? "result" : "results"}`;
  list.replaceChildren(...matches.slice(0, MOST).map(({ entry }) => item(entry)));
}

/** Normalizes a text, so that an attribute and its property are the same word. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll("-", "");
}

const NO_MATCH = 9;

/** Returns the rank of an entry for a word; lower is better. Titles and keywords precede parts of titles, then text. */
function rank({ title, of, keys, text }: Entry, word: string): number {
  const name = plain(title).replace(/\(\)$/, "");
  if (name === word) return 0;
  if (keys?.includes(word)) return 1;
  if (name.startsWith(word)) return 2;
  if (keys?.some((key) => key.startsWith(word))) return 3;
  if (name.includes(word)) return 4;
  if (plain(of).includes(word)) return 5;
  return ` ${text}`.includes(` ${word}`) ? 6 : NO_MATCH;
}

function item({ title, of, url }: Entry): HTMLElement {
  const link = document.createElement("a");
  link.href = new URL(url, here).href;
  for (const text of [title, of]) {
    const span = document.createElement("span");
    span.textContent = text;
    link.append(span);
  }
  const row = document.createElement("li");
  row.append(link);
  return row;
}

// ── the menu of narrow windows ──

const menu = document.querySelector<HTMLElement>("#contents")!;
menu.addEventListener("click", ({ target }) => {
  if ((target as Element).closest("a") && menu.matches(":popover-open")) menu.hidePopover();
});

// ── copying ──

for (const figure of navigator.clipboard ? document.querySelectorAll("figure.code") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(figure.querySelector("code")!.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  figure.append(button);
}
