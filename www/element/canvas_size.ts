/** Follows a canvas's size on the screen, in device pixels. */
export class CanvasSize {
  width: number;
  height: number;
  readonly #observer: ResizeObserver;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    [this.width, this.height] = sizeOf(canvas);
    this.#observer = new ResizeObserver((entries) => {
      const entry = entries[entries.length - 1]!;
      // Chromium and Firefox know the exact device pixels; Safari only the CSS ones.
      const exact = entry.devicePixelContentBoxSize?.[0];
      const [width, height] = exact ? limited(exact.inlineSize, exact.blockSize) : sizeOf(canvas);
      if (width === this.width && height === this.height) return;
      this.width = width;
      this.height = height;
      changed();
    });
    try {
      this.#observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      this.#observer.observe(canvas);
    }
  }

  stop(): void {
    this.#observer.disconnect();
  }
}

function sizeOf(canvas: HTMLCanvasElement): [number, number] {
  const ratio = globalThis.devicePixelRatio || 1;
  return limited(canvas.clientWidth * ratio, canvas.clientHeight * ratio);
}

/** Nobody sees more, and every pixel costs. WebGPU guarantees render targets of 8192. */
const LONGEST_SIDE = 4096;

function limited(width: number, height: number): [number, number] {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height, 1));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}
