/** Makes elements without `innerHTML`, which Trusted Types forbid, and without inline styles, which a CSP does. */

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

/** A 24×24 pictogram in the text's colour. */
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

export const ICONS = {
  play: "M8 5.2v13.6c0 .8.9 1.3 1.6.8l10-6.8c.6-.4.6-1.2 0-1.6l-10-6.8C8.9 3.9 8 4.4 8 5.2z",
  pause: "M7.5 5h2a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm7 0h2a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  close: "M6.7 5.3a1 1 0 0 0-1.4 1.4L10.600 12l-5.3 5.3a1 1 0 1 0 1.4 1.4L12 13.400l5.3 5.3a1 1 0 0 0 1.4-1.4L13.400 12l5.3-5.3a1 1 0 0 0-1.4-1.4L12 10.600z",
} as const;
