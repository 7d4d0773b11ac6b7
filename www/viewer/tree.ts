/**
 * A tree view that follows the ARIA pattern: one tab stop, arrow keys to move, Enter or a click to select.
 *
 * The visible rows form one flat list with `aria-level`, so that a chain of two thousand joints doesn't nest two
 * thousand lists.
 */
import { element, normal } from "./page.ts";

export interface TreeItem {
  readonly name: string;
  /** Index of the parent item; −1 for a root. */
  readonly parent: number;
  /** Kind of the item in one word, or an empty string. */
  readonly kind: string;
}

/** Approximate number of rows shown at first. */
const FIRST_ROWS = 40;
/** Deepest level of indentation. */
const DEEPEST_INDENT = 12;

export class Tree {
  readonly #root: HTMLElement;
  readonly #select: (index: number | null) => void;
  #items: readonly TreeItem[] = [];
  #children: number[][] = [];
  #roots: number[] = [];
  /** Rows by item index, each created when it is first shown. */
  #rows: HTMLElement[] = [];
  #open = new Set<number>();
  /** Items that match the search, with their ancestors; null without a search. */
  #found: ReadonlySet<number> | null = null;
  #wanted = "";
  #shown: number[] = [];
  #current = -1;
  #selected: number | null = null;

  constructor(root: HTMLElement, select: (index: number | null) => void) {
    this.#root = root;
    this.#select = select;
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("click", ({ target }) => {
      const row = (target as Element).closest<HTMLElement>("[role=treeitem]");
      if (!row) return;
      const index = Number(row.dataset["index"]);
      if ((target as Element).closest(".twist") && this.#children[index]!.length > 0) this.#toggle(index);
      else this.#choose(index);
      this.#focus(index);
    });
  }

  show(items: readonly TreeItem[]): void {
    this.#items = items;
    this.#children = items.map(() => []);
    this.#roots = [];
    items.forEach(({ parent }, index) => (this.#children[parent] ?? this.#roots).push(index));
    this.#rows = [];
    this.#open = this.#firstOpen();
    this.#found = null;
    this.#selected = null;
    this.#current = this.#roots[0] ?? -1;
    this.#render();
  }

  /** Shows the items whose names contain the text, with their ancestors. Returns the number of matches. */
  search(text: string): number {
    const wanted = (this.#wanted = normal(text));
    if (wanted === "") {
      this.#found = null;
      this.#render();
      return this.#items.length;
    }
    const found = new Set<number>();
    let count = 0;
    let first = -1;
    this.#items.forEach(({ name }, index) => {
      if (!normal(name).includes(wanted)) return;
      count++;
      if (first < 0) first = index;
      for (let at = index; at >= 0 && !found.has(at); at = this.#items[at]!.parent) found.add(at);
    });
    this.#found = found;
    if (first >= 0) this.#current = first;
    this.#render();
    return count;
  }

  /** Focuses the row that is the tab stop. */
  focus(): void {
    this.#focus(this.#current);
  }

  /** Selects an item and shows its row, or deselects with null. The focus stays where it is. */
  select(index: number | null): void {
    if (this.#selected !== index) this.#choose(index ?? this.#selected!);
    if (index === null) return;
    for (let at = this.#items[index]!.parent; at >= 0; at = this.#items[at]!.parent) this.#open.add(at);
    this.#current = index;
    this.#render();
    this.#rows[index]!.scrollIntoView({ block: "nearest" });
  }

  // ── internals ──

  /** Returns the items to open at first: whole levels up to `FIRST_ROWS` rows, and then levels of a single item. */
  #firstOpen(): Set<number> {
    const open = new Set<number>();
    let level = this.#roots;
    let rows = level.length;
    while (level.length > 0) {
      const next = level.flatMap((index) => this.#children[index]!);
      if (rows + next.length > FIRST_ROWS && next.length > 1) break;
      for (const index of level) open.add(index);
      rows += next.length;
      if (rows > 4 * FIRST_ROWS) break;
      level = next;
    }
    return open;
  }

  #isOpen(index: number): boolean {
    return this.#found ? this.#within(index).length > 0 : this.#open.has(index) && this.#children[index]!.length > 0;
  }

  /** Returns the children of an item that a search leaves visible. */
  #within(index: number): readonly number[] {
    const children = this.#children[index]!;
    return this.#found ? children.filter((child) => this.#found!.has(child)) : children;
  }

  #render(): void {
    this.#shown = [];
    const levels: number[] = [];
    const roots = this.#found ? this.#roots.filter((index) => this.#found!.has(index)) : this.#roots;
    const waiting = roots
      .toReversed()
      .map((index) => ({ index, level: 1, size: roots.length, place: roots.indexOf(index) + 1 }));
    const rows: HTMLElement[] = [];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { index, level, size, place } = next;
      this.#shown.push(index);
      levels.push(level);
      rows.push(this.#row(index, level, size, place));
      if (!this.#isOpen(index)) continue;
      const inner = this.#within(index);
      for (let at = inner.length - 1; at >= 0; at--)
        waiting.push({ index: inner[at]!, level: level + 1, size: inner.length, place: at + 1 });
    }
    if (!this.#shown.includes(this.#current)) this.#current = this.#shown[0] ?? -1;
    this.#root.replaceChildren(...rows);
    this.#markStop();
  }

  #row(index: number, level: number, size: number, place: number): HTMLElement {
    const row = (this.#rows[index] ??= this.#makeRow(index));
    const hasChildren = this.#within(index).length > 0;
    row.setAttribute("aria-level", String(level));
    row.setAttribute("aria-setsize", String(size));
    row.setAttribute("aria-posinset", String(place));
    row.setAttribute("aria-selected", String(index === this.#selected));
    if (hasChildren) row.setAttribute("aria-expanded", String(this.#isOpen(index)));
    else row.removeAttribute("aria-expanded");
    // During a search, ancestors that don't match are dimmed.
    row.classList.toggle("way", this.#found !== null && !normal(this.#items[index]!.name).includes(this.#wanted));
    row.style.setProperty("--level", String(Math.min(level - 1, DEEPEST_INDENT)));
    return row;
  }

  #makeRow(index: number): HTMLElement {
    const { name, kind } = this.#items[index]!;
    const twist = element("span", "twist");
    const title = element("span", "name", name || `Node ${index}`);
    title.title = name;
    const row = element("li", "", twist, title, " ", element("span", "kind", kind));
    row.setAttribute("role", "treeitem");
    row.dataset["index"] = String(index);
    row.tabIndex = -1;
    return row;
  }

  /** Makes the current row the only tab stop. */
  #markStop(): void {
    for (const index of this.#shown) this.#rows[index]!.tabIndex = index === this.#current ? 0 : -1;
  }

  #focus(index: number): void {
    const row = this.#rows[index];
    if (!row) return;
    if (this.#rows[this.#current]) this.#rows[this.#current]!.tabIndex = -1;
    this.#current = index;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  #toggle(index: number): void {
    if (this.#found) return;
    if (!this.#open.delete(index)) this.#open.add(index);
    this.#render();
  }

  #choose(index: number): void {
    const before = this.#selected;
    this.#selected = index === before ? null : index;
    if (before !== null) this.#rows[before]?.setAttribute("aria-selected", "false");
    this.#rows[index]?.setAttribute("aria-selected", String(this.#selected === index));
    this.#select(this.#selected);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#current < 0) return;
    const { key } = event;
    const at = this.#shown.indexOf(this.#current);
    const index = this.#current;
    const expanded = this.#isOpen(index);
    const go = (to: number | undefined) => to !== undefined && this.#focus(to);
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(this.#shown[at + 1]),
      ArrowUp: () => go(this.#shown[at - 1]),
      Home: () => go(this.#shown[0]),
      End: () => go(this.#shown.at(-1)),
      ArrowRight: () => {
        if (expanded) return void go(this.#within(index)[0]);
        if (this.#children[index]!.length > 0) this.#toggle(index);
        this.#focus(index);
      },
      ArrowLeft: () => {
        if (expanded && !this.#found) this.#toggle(index);
        else return void go(this.#shown.includes(this.#items[index]!.parent) ? this.#items[index]!.parent : undefined);
        this.#focus(index);
      },
      Enter: () => this.#choose(index),
      " ": () => this.#choose(index),
    };
    const action = actions[key] ?? (/^\S$/u.test(key) ? () => go(this.#nextWith(key, at)) : undefined);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** Returns the next row whose name begins with the letter. */
  #nextWith(letter: string, at: number): number | undefined {
    const order = [...this.#shown.slice(at + 1), ...this.#shown.slice(0, at + 1)];
    return order.find((index) => normal(this.#items[index]!.name).startsWith(normal(letter)));
  }
}
