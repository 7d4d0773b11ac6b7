/** The canvas of a player, its size in device pixels and its visibility. */
import type { Canvas } from "../engine/wasm.js";
import { CanvasSize } from "./canvas_size.js";

export interface Stage {
  readonly canvas: Canvas;
  /** Width in device pixels; `height` likewise. */
  readonly width: number;
  readonly height: number;
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
  changed: () => void = () => undefined;
  readonly #size: CanvasSize;
  readonly #observer: IntersectionObserver | null;
  readonly #abort = new AbortController();
  #inView = true;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#size = new CanvasSize(canvas, () => this.changed());
    this.#observer =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => {
            this.#inView = entries[entries.length - 1]!.isIntersecting;
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
