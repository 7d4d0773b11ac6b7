/**
 * The element's looks, and what a page can change of them.
 *
 * Custom properties are set on the element or on anything round it. Which half of `light-dark()` counts, the page's
 * `color-scheme` says. At the default, words on the bar keep a contrast of 7 whatever the model is drawn before. Sides
 * are logical, so all is mirrored where one reads from the right; only time runs to the right everywhere, as the picture
 * on the play button points. Under forced colours the visitor's take over.
 *
 * @cssproperty [--gambol-accent=#e8643c] What has been loaded or played.
 * @cssproperty [--gambol-bar=rgb(24 24 27 / 0.86)] Behind the controls.
 * @cssproperty [--gambol-bar-text=#fafafa] Words and pictures of the controls.
 * @cssproperty [--gambol-notice=light-dark(#fafafa, #27272a)] Behind an error.
 * @cssproperty [--gambol-notice-text=light-dark(#27272a, #f4f4f5)] Words of an error.
 * @cssproperty [--gambol-focus=the text's colour] Round what has the focus.
 * @cssproperty [--gambol-radius=14px] Of the corners of bar and notice.
 * @cssproperty [--gambol-loaded=0.05] Set by the player, for what stands in the slot `progress`: how much has come, from 0 to 1.
 * @cssproperty [--gambol-font=500 max(13px, 0.8125rem)/1.4 system-ui, sans-serif] Of all words; widths follow its size.
 *
 * @csspart canvas Where the model is drawn. `touch-action: none` on it lets a finger turn the view up and down as well, where the page need not scroll.
 * @csspart poster The picture that is seen until the model is.
 * @csspart progress How much of the model has come; a track with a bar in it.
 * @csspart big-play-button Plays and pauses what plays by itself, where there is no bar.
 * @csspart error The notice that says what went wrong.
 * @csspart controls The bar.
 * @csspart play-button In the bar.
 * @csspart timeline In the bar: a range input.
 * @csspart time In the bar: where it is, and how long the clip.
 * @csspart clip-select In the bar, where there is more than one clip.
 * @csspart speed-select In the bar.
 * @csspart loop-select In the bar.
 *
 * @slot poster What is seen until the model is, instead of the attribute's picture.
 * @slot progress What is seen while a model loads.
 * @slot error What is seen when something went wrong; the event `error` tells what.
 * @slot controls The page's own, always there; with them ours don't come.
 */
const sheets = new WeakMap<Document, Map<string, CSSStyleSheet>>();

/**
 * A constructable sheet: a strict Content-Security-Policy refuses `<style>`. All elements of a document share it, and no
 * other document takes it.
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

export const ELEMENT = /* css */ `
:host {
  --_accent: var(--gambol-accent, #e8643c);
  --_bar: var(--gambol-bar, rgb(24 24 27 / 0.86));
  --_text: var(--gambol-bar-text, #fafafa);
  --_radius: var(--gambol-radius, 14px);
  --_line: rgb(128 128 128 / 0.3);
  display: block;
  position: relative;
  inline-size: 100%;
  aspect-ratio: 4 / 3;
  overflow: hidden;
  contain: content;
  container-type: inline-size;
  font: var(--gambol-font, 500 max(13px, 0.8125rem)/1.4 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
[hidden] { display: none !important; }
canvas { display: block; inline-size: 100%; block-size: 100%; outline: none; opacity: 0; transition: opacity 0.25s; }
canvas.shown { opacity: 1; }
.poster > *, .poster::slotted(*) {
  position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: contain;
  transition: opacity 0.25s, visibility 0.25s;
}
.poster.gone > *, .poster.gone::slotted(*) { opacity: 0; visibility: hidden; }
::slotted([slot="controls"]) { position: absolute; inset-inline: 0; inset-block-end: 0; }
::slotted([slot="error"]) { position: absolute; inset-inline: 0; inset-block-start: 0; }
/* Over a model one scrolls on: a finger that goes sideways turns it. */
canvas.movable { cursor: grab; touch-action: pan-y; }
canvas.movable:active { cursor: grabbing; }

.cover { position: absolute; inset: 0; display: grid; place-items: center; grid-template-areas: "all"; pointer-events: none; }
:is(.cover, .cover > slot) > *, ::slotted([slot="progress"]) { grid-area: all; pointer-events: auto; }
/* Light in dark, so that one of both stands out from any picture. */
canvas:focus-visible ~ .cover { box-shadow: inset 0 0 0 3px var(--gambol-focus, #fff), inset 0 0 0 5px #18181b; }
.progress { inline-size: min(160px, 50%); block-size: 4px; border-radius: 2px; overflow: hidden; background: rgb(128 128 128 / 0.3); }
.progress::before {
  content: ""; display: block; block-size: 100%; border-radius: inherit; background: var(--_accent);
  inline-size: calc(var(--gambol-loaded, 0.05) * 100%); transition: inline-size 0.15s;
}
.status { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

button { display: inline-grid; place-items: center; border: 0; padding: 0; font: inherit; color: inherit; background: none; cursor: pointer; }
:is(button, select, input, textarea):focus-visible { outline: 2px solid var(--gambol-focus, currentColor); outline-offset: -2px; }
svg { inline-size: 1.55em; block-size: 1.55em; fill: currentColor; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }

.big {
  inline-size: 4.9em; block-size: 4.9em; border-radius: 50%; align-self: end; margin: 20px;
  color: var(--_text); background: var(--_bar); backdrop-filter: blur(12px); transition: opacity 0.2s;
}
.big svg { inline-size: 2.4em; block-size: 2.4em; }
.big:focus-visible { outline-offset: -5px; }
/* In the corner, and out of sight until someone comes near: what moves can be stopped. */
.big.playing { inline-size: 2.75em; block-size: 2.75em; justify-self: end; margin: 12px; }
.big.playing.above { align-self: start; }
.big.playing svg { inline-size: 1.55em; block-size: 1.55em; }
@media (hover: hover) {
  .big.playing:not(:focus-visible) { opacity: 0; }
  :host(:hover) .big.playing { opacity: 1; }
}

.error {
  position: absolute; z-index: 1; inset-inline: 12px; inset-block-start: 12px; margin-inline: auto; inline-size: fit-content;
  max-inline-size: min(32em, 100% - 24px); max-block-size: calc(100% - 24px); overflow: auto; box-sizing: border-box;
  display: grid; grid-template-columns: 1fr auto; gap: 4px 12px; padding: 10px 10px 12px 16px; border-radius: var(--_radius);
  color: var(--gambol-notice-text, #27272a); background: var(--gambol-notice, #fafafa);
  box-shadow: 0 0 0 1px var(--_line), 0 6px 24px rgb(0 0 0 / 0.16);
}
@supports (color: light-dark(red, red)) {
  .error { color: var(--gambol-notice-text, light-dark(#27272a, #f4f4f5)); background: var(--gambol-notice, light-dark(#fafafa, #27272a)); }
}
.error strong { font-weight: 650; }
.error p { margin: 0; overflow-wrap: anywhere; }
.error .close { inline-size: 2.5em; block-size: 2.5em; border-radius: 8px; }
.error button:hover { background: var(--_line); }
.actions { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px; }
.actions:empty { display: none; }
.actions button { padding: 0.4em 1em; border: 1px solid; border-radius: 8px; }
@media (prefers-reduced-motion: reduce) {
  canvas, .poster > *, .poster::slotted(*), .progress::before, .big { transition: none; }
}
@media (forced-colors: active) {
  .big, .error, .progress { border: 1px solid CanvasText; background: Canvas; }
  .progress::before { forced-color-adjust: none; background: Highlight; }
  canvas:focus-visible { outline: 3px solid Highlight; outline-offset: -3px; }
}
@media print {
  .big, .progress, .error button, ::slotted([slot="controls"]) { display: none !important; }
}
`;
