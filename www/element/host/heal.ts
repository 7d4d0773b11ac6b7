/**
 * Replaces WebGPU that draws nothing by WebGL2: another host repeats what has happened so far, on a canvas of its own,
 * and takes over when it draws something where WebGPU draws nothing. Fetched only when a first picture is blank.
 */
import type { connect, webgpu } from "../engine/connection.js";
import type { Canvas } from "../engine/wasm.js";
import type { HostListener } from "./host.js";
import type { LocalHost } from "./local_host.js";
import type { PageStage, Stage } from "./stage.js";

/** Values of the main script, passed as an argument: importing them would make bundlers split that script. */
interface MainExports {
  readonly LocalHost: typeof LocalHost;
  readonly PageStage: typeof PageStage;
  readonly connect: typeof connect;
  readonly webgpu: typeof webgpu;
}

/** A canvas for another host. */
export interface Spare {
  readonly canvas: Canvas;
  /** Puts the canvas in the place of the other one, and returns its stage. */
  show(): Stage;
}

/**
 * Delays between looks at whether WebGL2 draws something. Some animations begin with nothing. After the last, what the
 * page shows is taken to be blank.
 */
const PAUSES_MILLIS = [100, 200, 400, 800, 0];

/** Resolves when another host has taken over, or when it is certain that none will. */
export async function heal(host: LocalHost, main: MainExports): Promise<void> {
  const { journal, spare: askForSpare, urls } = host;
  if (!journal) return;
  const spare = typeof askForSpare === "function" ? await askForSpare() : inPage(host, main);
  const stage = new SpareStage(spare.canvas, host.stage);
  const fresh = new main.LocalHost(stage, await main.connect(spare.canvas, "webgl2", urls), urls);
  fresh.listener = DEAF;
  fresh.autoUpdate = false;
  // False when the player has ended.
  const isOpen = (): boolean => host.journal === journal;
  let at = 0;
  let isTaken = false;
  const catchUp = async (): Promise<void> => {
    // Changes are added meanwhile.
    for (; isOpen() && at < journal.length; at++) {
      let done: unknown;
      try {
        done = journal[at]!(fresh);
      } catch {
        // For instance, a texture that is larger than this GPU allows.
      }
      if (done instanceof Promise) await done;
    }
  };
  try {
    for (const pauseMillis of PAUSES_MILLIS) {
      await catchUp();
      if (!isOpen()) return;
      fresh.draw(true);
      if (!isBlank(spare.canvas)) {
        host.draw(true);
        if (!(await host.probe())) return;
        while (isOpen() && at < journal.length) await catchUp();
        if (!isOpen()) return;
        // Nothing may run between the last change and the end of this block.
        main.webgpu.draws = false;
        isTaken = true;
        return host.listener.replaced(() => {
          stage.put(spare.show());
          // They were recorded by the other host too.
          fresh.rust.drainEvents();
          fresh.draw(host.autoUpdate);
          fresh.autoUpdate = host.autoUpdate;
          fresh.changed();
          host.yieldTo(fresh);
          return fresh;
        });
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMillis));
    }
  } finally {
    if (!isTaken) {
      fresh.stop();
      fresh.free();
    }
  }
}

/** Returns a copy of the canvas in the page. */
function inPage({ stage }: LocalHost, { PageStage }: MainExports): Spare {
  const { canvas, ratio, refines } = stage as PageStage;
  return spareOf(canvas, (copy) => Object.assign(new PageStage(copy, ratio), { refines }));
}

/** Returns a canvas that can take the place of another one. `stageOf` makes its stage. */
export function spareOf<Made extends Stage>(
  canvas: HTMLCanvasElement,
  stageOf: (canvas: HTMLCanvasElement) => Made,
): { readonly canvas: HTMLCanvasElement; show(): Made } {
  const copy = canvas.ownerDocument.createElement("canvas");
  return {
    canvas: copy,
    show() {
      // The size belongs to the new context. A Content-Security-Policy may refuse the attribute `style`.
      for (const { name, value } of canvas.attributes) {
        if (!/^(width|height|style)$/.test(name)) copy.setAttribute(name, value);
      }
      copy.style.cssText = canvas.style.cssText;
      // `:focus` doesn't match in a window without the focus.
      const isFocused = (canvas.getRootNode() as Document | ShadowRoot).activeElement === canvas;
      canvas.replaceWith(copy);
      // When the player has made it focusable.
      if (isFocused) queueMicrotask(() => copy.focus({ preventScroll: true }));
      return stageOf(copy);
    },
  };
}

/** Has the size of the other canvas until its own is shown. */
class SpareStage implements Stage {
  readonly canvas: Canvas;
  changed: () => void = () => undefined;
  #measured: Stage;
  #isShown = false;

  constructor(canvas: Canvas, measured: Stage) {
    this.canvas = canvas;
    this.#measured = measured;
  }

  put(stage: Stage): void {
    this.#measured = stage;
    this.#isShown = true;
    stage.changed = () => this.changed();
  }

  get width(): number {
    return this.#measured.width;
  }

  get height(): number {
    return this.#measured.height;
  }

  get slack(): number {
    return this.#measured.slack;
  }

  get ratio(): number | null {
    return this.#measured.ratio ?? null;
  }

  set ratio(ratio: number | null) {
    this.#measured.ratio = ratio;
  }

  get refines(): boolean {
    return this.#measured.refines;
  }

  set refines(refines: boolean) {
    this.#measured.refines = refines;
  }

  get visible(): boolean {
    return this.#isShown && this.#measured.visible;
  }

  refresh(): void {
    this.#measured.refresh();
  }

  stop(): void {
    if (this.#isShown) this.#measured.stop();
  }
}

/** Whether all pixels of a canvas that was drawn in this task are equal. */
function isBlank(canvas: Canvas): boolean {
  const { width, height } = canvas;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  context.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  return pixels.every((pixel) => pixel === pixels[0]);
}

const ignore = (): void => undefined;
const DEAF: HostListener = {
  drawn: ignore,
  updated: ignore,
  collect: ignore,
  contextLost: ignore,
  contextRestored: ignore,
  rejected: ignore,
  replaced: ignore,
  failed: ignore,
};
