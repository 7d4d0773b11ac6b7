/** The canvas of a player, its size in device pixels and its visibility. */
import type { Canvas } from "../engine/wasm.js";
import { CanvasSize } from "./canvas_size.js";

export interface Stage {
  readonly canvas: Canvas;
  /** Width in device pixels; `height` likewise. */
  readonly width: number;
  readonly height: number;
  /** Number of device pixels per CSS pixel; null leaves it to the stage. */
  ratio?: number | null;
  /** Factor by which both may be divided while pictures are late, so that there is a pixel for each CSS pixel. */
  readonly slack: number;
  /** Whether still pictures are refined. */
  refines: boolean;
  /** Whether the canvas can be seen. False out of view and in a hidden tab. */
  readonly visible: boolean;
  /** Called when the size or the visibility has changed. */
  changed: () => void;
  /** Measures again before a draw what may have changed without an event. */
  refresh(): void;
  stop(): void;
}

/** A stage for a canvas in the page. */
export class PageStage implements Stage {
  readonly canvas: HTMLCanvasElement;
  refines = true;
  changed: () => void = () => undefined;
  readonly #size: CanvasSize;
  readonly #observer: IntersectionObserver | null;
  readonly #abort = new AbortController();
  #inView = true;

  /** Creates a stage. `ratio` is the number of device pixels per CSS pixel; null leaves it to the stage. */
  constructor(canvas: HTMLCanvasElement, ratio: number | null = null) {
    this.canvas = canvas;
    this.#size = new CanvasSize(canvas, () => this.changed(), ratio);
    this.#observer =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => {
            const inView = entries[entries.length - 1]!.isIntersecting;
            // The first report comes after the first draw, which would be repeated.
            if (inView === this.#inView) return;
            this.#inView = inView;
            this.changed();
          });
    this.#observer?.observe(canvas);
    document.addEventListener("visibilitychange", () => this.changed(), { signal: this.#abort.signal });
  }

  get width(): number {
    return this.#size.width;
  }

  get height(): number {
    return this.#size.height;
  }

  get ratio(): number | null {
    return this.#size.ratio;
  }

  set ratio(ratio: number | null) {
    this.#size.ratio = ratio;
  }

  get slack(): number {
    return this.ratio === null ? this.width / Math.max(this.canvas.clientWidth, 1) : 1;
  }

  get visible(): boolean {
    return this.#inView && document.visibilityState === "visible";
  }

  refresh(): void {
    this.#size.refresh();
  }

  stop(): void {
    this.#size.stop();
    this.#observer?.disconnect();
    this.#abort.abort();
  }
}
