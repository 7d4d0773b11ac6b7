const sheets = new WeakMap<Document, Map<string, CSSStyleSheet>>();

/**
 * Returns a constructable style sheet, since a strict Content-Security-Policy forbids `<style>`. All elements of a
 * document share it; it can't be used in another document.
 */
export function sheetOf(css: string, document: Document): CSSStyleSheet {
  let own = sheets.get(document);
  if (!own) sheets.set(document, (own = new Map()));
  let sheet = own.get(css);
  if (!sheet) {
    own.set(css, (sheet = new (document.defaultView ?? window).CSSStyleSheet()));
    sheet.replaceSync(css);
  }
  return sheet;
}
