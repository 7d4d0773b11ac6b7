import { sheetOf } from "./style_sheet.js";

/** What a canvas has from its attributes. The rule has no specificity, so that every size in CSS has precedence. */
const RULE = `:where([style*="--_gambol-size"]) {
  contain: size;
  contain-intrinsic-size: var(--_gambol-size);
  aspect-ratio: var(--_gambol-ratio);
}`;

/**
 * Keeps the size and the ratio that a canvas has from its attributes, where CSS leaves them open. The attributes get
 * numbers of device pixels, and it would grow with each of them.
 */
export function holdSize(canvas: HTMLCanvasElement): void {
  const { style, width, height, ownerDocument } = canvas;
  if (!style.getPropertyValue("--_gambol-size")) {
    style.setProperty("--_gambol-size", `${width}px ${height}px`);
    style.setProperty("--_gambol-ratio", `${width} / ${height}`);
  }
  const root = canvas.getRootNode();
  const sheets = root instanceof ShadowRoot ? root.adoptedStyleSheets : ownerDocument.adoptedStyleSheets;
  const sheet = sheetOf(RULE, ownerDocument);
  if (!sheets.includes(sheet)) sheets.push(sheet);
}
