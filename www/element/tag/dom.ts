/** Creates elements without `innerHTML`, which Trusted Types forbid, and without inline styles, which a CSP forbids. */

type Child = Node | string;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Shows or hides a part. If the focus is in a part that is hidden, moves it to `stays`. */
export function show(part: HTMLElement, visible: boolean, stays: HTMLElement): void {
  const focused = !visible && part.matches(":focus-within");
  part.hidden = !visible;
  if (focused) stays.focus();
}

/** Creates a 24×24 icon in the text's colour. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

const SVG = "http://www.w3.org/2000/svg";

/** Icon paths. Strokes round their corners. */
export const ICONS = {
  play: "M8 6v12l9-6z",
  pause: "M8 6h1.5v12H8zm6.5 0H16v12h-1.5z",
  close: "M7 7l10 10M17 7L7 17",
} as const;
