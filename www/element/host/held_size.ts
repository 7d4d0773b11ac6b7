import { sheetOf } from "./style_sheet.js";

/** Attribute with the size that the page has given a canvas. */
const ATTRIBUTE = "data-gambol-size";

/**
 * Keeps the size and the ratio that a canvas has from its attributes, where CSS leaves them open. The attributes get
 * numbers of device pixels, and it would grow with each of them.
 */
export function holdSize(canvas: HTMLCanvasElement): void {
  const { ownerDocument, width, height } = canvas;
  if (!canvas.hasAttribute(ATTRIBUTE)) canvas.setAttribute(ATTRIBUTE, `${width} ${height}`);
  const size = canvas.getAttribute(ATTRIBUTE)!;
  const [across, down] = size.split(" ");
  // Without specificity: all that the page's CSS says has precedence.
  const rule = `:where([${ATTRIBUTE}="${size}"]) {
    contain: size; contain-intrinsic-size: ${across}px ${down}px; aspect-ratio: ${across} / ${down};
  }`;
  const sheet = sheetOf(rule, ownerDocument);
  const root = canvas.getRootNode() as Node | Document | ShadowRoot;
  const tree = "adoptedStyleSheets" in root ? root : ownerDocument;
  if (!tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
}
