import { holdSize } from "./held_size.js";

/** Tracks the size of a canvas in device pixels. */
export class CanvasSize {
  width: number;
  height: number;
  readonly #canvas: HTMLCanvasElement;
  readonly #changed: () => void;
  readonly #observer: ResizeObserver;
  readonly #abort = new AbortController();
  /** Device pixels per CSS pixel; null for the screen's own ratio, as far as it is affordable. */
  #wanted: number | null;
  /** Size as the browser rounds the canvas's edges to device pixels, if it reports that. */
  #exact: ResizeObserverSize | undefined;
  /** The screen's ratio when the size was measured. */
  #ratio = 0;
  readonly #measure = () => {
    holdSize(this.#canvas);
    this.#ratio = globalThis.devicePixelRatio;
    const [width, height] = sizeOf(this.#canvas, this.#exact, this.#wanted);
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.#changed();
  };

  constructor(canvas: HTMLCanvasElement, changed: () => void, ratio: number | null) {
    this.#canvas = canvas;
    this.#changed = changed;
    this.#wanted = ratio;
    holdSize(canvas);
    [this.width, this.height] = sizeOf(canvas, undefined, ratio);
    this.#observer = new ResizeObserver((entries) => {
      this.#exact = entries[entries.length - 1]!.devicePixelContentBoxSize?.[0];
      this.#measure();
    });
    try {
      this.#observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      // Safari supports only CSS pixels.
      this.#observer.observe(canvas);
    }
    this.#followRatio();
  }

  get ratio(): number | null {
    return this.#wanted;
  }

  set ratio(ratio: number | null) {
    this.#wanted = ratio;
    this.#measure();
  }

  /** Measures again before a draw: an emulated screen changes its pixel ratio without an event. */
  refresh(): void {
    if (this.#ratio !== globalThis.devicePixelRatio) this.#measure();
  }

  stop(): void {
    this.#observer.disconnect();
    this.#abort.abort();
  }

  /**
   * Follows the pixel ratio, which changes between screens even if the canvas's box doesn't. A media query reports
   * only that one ratio has ended.
   */
  #followRatio(): void {
    const query = globalThis.matchMedia(`(resolution: ${globalThis.devicePixelRatio}dppx)`);
    const measureAgain = () => {
      this.#measure();
      this.#followRatio();
    };
    query.addEventListener("change", measureAgain, { once: true, signal: this.#abort.signal });
  }
}

function sizeOf(
  canvas: HTMLCanvasElement,
  exact: ResizeObserverSize | undefined,
  wanted: number | null,
): [number, number] {
  const { clientWidth, clientHeight } = canvas;
  const ratio = wanted ?? affordable(globalThis.devicePixelRatio || 1, clientWidth * clientHeight);
  return limited(rounded(clientWidth * ratio, exact?.inlineSize), rounded(clientHeight * ratio, exact?.blockSize));
}

/** Number of pixels from which on a ratio above 2 is lowered. With their samples they take 84 MB. */
const MOST_PIXELS = 2 ** 21;

/** Returns the pixel ratio for a canvas. Above 2, smooth edges make more pixels hard to see, and each costs memory. */
function affordable(ratio: number, area: number): number {
  return Math.max(Math.min(ratio, 2), Math.min(ratio, Math.sqrt(MOST_PIXELS / Math.max(area, 1))));
}

/**
 * Rounds a size. The reported one decides only the rounding: it lags behind the ratio, and Chromium's emulated
 * screens ignore it.
 */
function rounded(pixels: number, exact: number | undefined): number {
  return exact !== undefined && Math.abs(exact - pixels) <= 1 ? exact : Math.round(pixels);
}

/** Longest side: more isn't visible, and every pixel costs. WebGPU guarantees render targets of 8192. */
const LONGEST_SIDE = 4096;

function limited(width: number, height: number): [number, number] {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height, 1));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}
