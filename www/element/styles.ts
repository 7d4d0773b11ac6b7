/** The element's looks, as a constructable sheet: a strict Content-Security-Policy refuses `<style>`. */
let shared: CSSStyleSheet | null = null;

export function styleSheet(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(CSS);
  }
  return shared;
}

const CSS = /* css */ `
:host {
  --gambol-accent: #e8643c;
  --gambol-bar: rgb(24 24 27 / 0.72);
  --gambol-bar-text: #fafafa;
  display: block;
  position: relative;
  inline-size: 100%;
  aspect-ratio: 4 / 3;
  overflow: hidden;
  contain: content;
  container-type: inline-size;
  font: 500 13px/1.4 system-ui, sans-serif;
}
:host([hidden]) { display: none; }
canvas { display: block; inline-size: 100%; block-size: 100%; outline: none; opacity: 0; transition: opacity 0.25s; }
canvas.shown { opacity: 1; }
canvas:focus-visible { outline: 2px solid var(--gambol-accent); outline-offset: -2px; }
canvas.movable { cursor: grab; }
canvas.movable:active { cursor: grabbing; }
[hidden] { display: none !important; }

.cover { position: absolute; inset: 0; display: grid; place-items: center; grid-template-areas: "all"; pointer-events: none; }
.cover > * { grid-area: all; pointer-events: auto; }
.progress { inline-size: min(160px, 50%); block-size: 3px; border-radius: 2px; overflow: hidden; background: rgb(128 128 128 / 0.25); }
.progress::before {
  content: ""; display: block; block-size: 100%; border-radius: inherit; background: var(--gambol-accent);
  inline-size: calc(var(--gambol-loaded, 0.05) * 100%); transition: inline-size 0.15s;
}

button, select, input { font: inherit; color: inherit; }
button { display: inline-grid; place-items: center; border: 0; padding: 0; background: none; cursor: pointer; }
button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
svg { inline-size: 20px; block-size: 20px; fill: currentColor; }

.big {
  inline-size: 64px; block-size: 64px; border-radius: 50%;
  color: var(--gambol-bar-text); background: var(--gambol-bar); backdrop-filter: blur(12px);
  align-self: end; margin-block-end: 20px;
}
.big svg { inline-size: 32px; block-size: 32px; }

.bar {
  position: absolute; inset-inline: 12px; inset-block-end: 12px; margin-inline: auto; max-inline-size: 720px;
  display: flex; align-items: center; gap: 10px; padding: 6px 12px 6px 6px; border-radius: 14px;
  box-sizing: border-box; color: var(--gambol-bar-text); background: var(--gambol-bar); backdrop-filter: blur(14px) saturate(1.4);
  box-shadow: inset 0 0 0 1px rgb(255 255 255 / 0.08);
}
.bar button { inline-size: 36px; block-size: 36px; border-radius: 10px; flex: none; }
.bar button:hover, .bar select:hover { background: rgb(255 255 255 / 0.12); }
.bar input { flex: 1; min-inline-size: 60px; margin: 0; block-size: 24px; accent-color: var(--gambol-accent); cursor: pointer; }
.bar select {
  border: 0; border-radius: 8px; padding: 6px 2px; background-color: transparent; cursor: pointer;
  max-inline-size: 9em; text-overflow: ellipsis;
}
.bar option { color: CanvasText; background: Canvas; }
.time { font-variant-numeric: tabular-nums; white-space: nowrap; opacity: 0.85; }
@container (max-width: 560px) {
  .time, .bar .loop { display: none; }
  .bar { gap: 4px; }
}
@container (max-width: 380px) { .bar .speed { display: none; } }

.error {
  position: absolute; inset-inline: 12px; inset-block-start: 12px; margin-inline: auto; max-inline-size: 520px;
  box-sizing: border-box; display: grid; grid-template-columns: 1fr auto; gap: 4px 12px; padding: 14px 12px 14px 16px;
  border-radius: 14px; color: #450a0a; background: #fef2f2; border: 1px solid #fecaca;
}
.error strong { font-weight: 650; }
.error p { margin: 0; grid-column: 1; overflow-wrap: anywhere; }
.error code { grid-column: 1; font: 12px/1.4 ui-monospace, monospace; opacity: 0.75; overflow-wrap: anywhere; }
.error button { grid-column: 2; grid-row: 1 / span 3; align-self: start; inline-size: 32px; block-size: 32px; border-radius: 8px; }
.error button.again {
  grid-column: 1; grid-row: 4; justify-self: start; inline-size: auto; padding-inline: 12px; margin-block-start: 6px;
  color: #fff; background: #991b1b;
}
@media (prefers-color-scheme: dark) {
  .error { color: #fecaca; background: #331416; border-color: #7f1d1d; }
}
@media (prefers-reduced-motion: reduce) {
  canvas, .progress::before { transition: none; }
}
@media (forced-colors: active) {
  .bar, .big, .error { border: 1px solid CanvasText; background: Canvas; color: CanvasText; }
}
`;
