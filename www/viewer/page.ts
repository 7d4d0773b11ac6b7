/** Functions to find and create elements, and to download files. */

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as Kind;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

export function download(content: Blob, name: string): void {
  const link = element("a", "");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Normalizes a text for searching. */
export function normal(text: string): string {
  return text.trim().toLowerCase();
}

export function countOf(number: number): string {
  return number.toLocaleString("en");
}
