/**
 * The element's style sheet, and what a page can customize.
 *
 * Custom properties are set on the element or on an ancestor. The page's `color-scheme` selects the half of
 * `light-dark()`. With the defaults, text on the bar has a contrast of at least 7 in front of any model. Sides are
 * logical, so the layout is mirrored for right-to-left text; only time always runs to the right, as the play icon
 * points. Forced colours override these colours.
 *
 * @cssproperty [--gambol-accent=#e8643c] Colour of what has been loaded or played.
 * @cssproperty [--gambol-bar=rgb(24 24 27 / 0.86)] Background of the controls.
 * @cssproperty [--gambol-bar-text=#fafafa] Colour of text and icons of the controls.
 * @cssproperty [--gambol-notice=light-dark(#fafafa, #27272a)] Background of an error notice.
 * @cssproperty [--gambol-notice-text=light-dark(#27272a, #f4f4f5)] Text colour of an error notice.
 * @cssproperty [--gambol-focus=the text's colour] Colour of the focus outline.
 * @cssproperty [--gambol-radius=14px] Corner radius of bar and notice.
 * @cssproperty [--gambol-loaded=0.05] Loading progress from 0 to 1, set by the player for the slot `progress`.
 * @cssproperty [--gambol-font=500 max(13px, 0.8125rem)/1.4 system-ui, sans-serif] Font of all texts; widths scale too.
 *
 * @csspart canvas The canvas. With `touch-action: none`, a vertical drag turns the view too, and doesn't scroll.
 * @csspart poster The picture that is shown until the model is.
 * @csspart progress Loading progress, of a load that takes more than half a second: a track that contains a bar.
 * @csspart big-play-button Plays and pauses what plays by itself, if there is no bar.
 * @csspart error The error notice.
 * @csspart controls The bar.
 * @csspart play-button The play button of the bar.
 * @csspart timeline The timeline of the bar: a range input.
 * @csspart time The current time and the duration, in the bar.
 * @csspart clip-select The list of clips, in the bar, if there is more than one.
 * @csspart speed-select The list of speeds, in the bar.
 * @csspart loop-select The list of loop modes, in the bar.
 *
 * @slot poster Replaces the poster: shown until the model is.
 * @slot progress Replaces the progress bar: shown while a model loads.
 * @slot error Replaces the error notice: shown after an error. The event `error` carries the error.
 * @slot pin Elements that follow a node or a surface of the model, as `data-node` or `data-surface` says.
 * @slot controls Replaces the bar: always shown. The element then shows no bar of its own.
 */
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
canvas { display: block; inline-size: 100%; block-size: 100%; outline: none; opacity: 0; }
canvas.shown { opacity: 1; }
.poster > *, .poster::slotted(*) {
  position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: contain;
  transition: opacity 0.25s, visibility 0.25s;
}
.poster.gone > *, .poster.gone::slotted(*) { opacity: 0; visibility: hidden; }
::slotted([slot="controls"]) { position: absolute; inset-inline: 0; inset-block-end: 0; }
::slotted([slot="error"]) { position: absolute; inset-inline: 0; inset-block-start: 0; }
/* Touch: vertical drags scroll the page, horizontal drags turn the model. */
canvas.movable { cursor: grab; touch-action: pan-y; }
canvas.movable:active { cursor: grabbing; }

.cover {
  position: absolute; inset: 0; display: grid; place-items: center; grid-template-areas: "all"; pointer-events: none;
}
:is(.cover, .cover > slot) > *, ::slotted([slot="progress"]) { grid-area: all; pointer-events: auto; }
/* A light ring inside a dark one, so that one of them is visible on any picture. */
canvas:focus-visible ~ .cover { box-shadow: inset 0 0 0 3px var(--gambol-focus, #fff), inset 0 0 0 5px #18181b; }
.progress {
  inline-size: min(160px, 50%); block-size: 4px; border-radius: 2px; overflow: hidden;
  background: rgb(128 128 128 / 0.3);
}
/* An element: generated content, even without text, loads a font before the model is there. */
.progress > div {
  block-size: 100%; border-radius: inherit; background: var(--_accent);
  inline-size: calc(var(--gambol-loaded, 0.05) * 100%); transition: inline-size 0.15s;
}
.status {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

button {
  display: inline-grid; place-items: center; border: 0; padding: 0; font: inherit; color: inherit; background: none;
  cursor: pointer;
}
:is(button, select, input, textarea):focus-visible {
  outline: 2px solid var(--gambol-focus, currentColor); outline-offset: -2px;
}
svg {
  inline-size: 1.55em; block-size: 1.55em; fill: currentColor; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round;
}

.big {
  inline-size: 4.9em; block-size: 4.9em; border-radius: 50%; align-self: end; margin: 20px;
  color: var(--_text); background: var(--_bar); backdrop-filter: blur(12px); transition: opacity 0.2s;
}
.big svg { inline-size: 2.4em; block-size: 2.4em; }
.big:focus-visible { outline-offset: -5px; }
/* While playing, the button is in the corner and visible on hover or focus. */
.big.playing { inline-size: 2.75em; block-size: 2.75em; justify-self: end; margin: 12px; }
.big.playing.above { align-self: start; }
.big.playing svg { inline-size: 1.55em; block-size: 1.55em; }
@media (hover: hover) {
  .big.playing:not(:focus-visible) { opacity: 0; }
  :host(:hover) .big.playing { opacity: 1; }
}

.error {
  position: absolute; z-index: 1; inset-inline: 12px; inset-block-start: 12px; margin-inline: auto;
  inline-size: fit-content; max-inline-size: min(32em, 100% - 24px); max-block-size: calc(100% - 24px); overflow: auto;
  box-sizing: border-box; display: grid; grid-template-columns: 1fr auto; gap: 4px 12px;
  padding: 10px 10px 12px 16px; border-radius: var(--_radius);
  color: var(--gambol-notice-text, #27272a); background: var(--gambol-notice, #fafafa);
  box-shadow: 0 0 0 1px var(--_line), 0 6px 24px rgb(0 0 0 / 0.16);
}
@supports (color: light-dark(red, red)) {
  .error {
    color: var(--gambol-notice-text, light-dark(#27272a, #f4f4f5));
    background: var(--gambol-notice, light-dark(#fafafa, #27272a));
  }
}
.error strong { font-weight: 650; }
.error p { margin: 0; overflow-wrap: anywhere; }
.error .close { inline-size: 2.5em; block-size: 2.5em; border-radius: 8px; }
.error button:hover { background: var(--_line); }
.actions { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px; }
.actions:empty { display: none; }
.actions button { padding: 0.4em 1em; border: 1px solid; border-radius: 8px; }
@media (prefers-reduced-motion: reduce) {
  .poster > *, .poster::slotted(*), .progress > div, .big { transition: none; }
}
@media (forced-colors: active) {
  .big, .error, .progress { border: 1px solid CanvasText; background: Canvas; }
  .progress > div { forced-color-adjust: none; background: Highlight; }
  canvas:focus-visible { outline: 3px solid Highlight; outline-offset: -3px; }
}
@media print {
  .big, .progress, .error button, ::slotted([slot="controls"]) { display: none !important; }
}
`;
