/**
 * WebGL2 contexts. A browser allows a page some sixteen of them, on phones eight, and drops one when another is
 * created. So a few players have a context of their own. All others draw with a shared one, on an invisible canvas,
 * and copy their frames from it.
 */
import type { SharedGpu, Way } from "./connection.js";
import type { Engine } from "./engine.js";
import type { Canvas, GpuHandle } from "./wasm.js";

/** Number of contexts not shared. Each saves a copy per frame, and costs shaders and models of its own. */
const MOST_OWN = 4;

/** Classes passed in from the main script. An import would make the bundler split that script. */
interface Core {
  readonly SharedGpu: typeof SharedGpu;
}

export function openWay(core: Core, engine: Engine, canvas: Canvas): Way {
  // A canvas keeps the kind of context that it had for an earlier player.
  const own = claimed.has(canvas) || (!painted.has(canvas) && owners.size < MOST_OWN);
  return own ? new OwnContext(engine, canvas) : new Copies(SharedContext.of(core, engine), canvas);
}

// ── a context of one's own ──

const owners = new Set<OwnContext>();
const claimed = new WeakSet<Canvas>();
/** Functions that restore the contexts given up by earlier players. */
const returned = new WeakMap<Canvas, () => Promise<void>>();

class OwnContext implements Way {
  readonly surface: Canvas;
  readonly #engine: Engine;
  readonly #life = new AbortController();
  #context: WebGL2RenderingContext | null = null;

  constructor(engine: Engine, canvas: Canvas) {
    this.#engine = engine;
    this.surface = canvas;
    owners.add(this);
  }

  get lost(): boolean {
    return this.#context?.isContextLost() ?? false;
  }

  async request(): Promise<GpuHandle> {
    const canvas = this.surface;
    await returned.get(canvas)?.();
    const gpu = await this.#engine.wasm.requestGpu(canvas);
    // Only now does the context exist, with the attributes chosen by the WebAssembly.
    this.#context = contextOf(canvas);
    claimed.add(canvas);
    return gpu;
  }

  watch(lost: () => void, found: () => void): void {
    listen(this.surface, lost, found, this.#life.signal);
  }

  draw(_width: number, _height: number, render: () => void): void {
    render();
  }

  drop(gpu: GpuHandle): void {
    gpu.free();
  }

  /** Loses the context on purpose: garbage collection would free it too late. */
  leave(): void {
    this.#life.abort();
    owners.delete(this);
    const [context, canvas] = [this.#context, this.surface];
    const loss = context?.isContextLost() ? null : context?.getExtension("WEBGL_lose_context");
    if (!loss) return;
    const gone = heard(canvas, "webglcontextlost");
    loss.loseContext();
    returned.set(canvas, async () => {
      returned.delete(canvas);
      await gone;
      const back = heard(canvas, "webglcontextrestored");
      loss.restoreContext();
      await back;
    });
  }
}

// ── one for many ──

const contexts = new WeakMap<Engine, SharedContext>();

class SharedContext {
  static of({ SharedGpu }: Core, engine: Engine): SharedContext {
    const held = contexts.get(engine);
    if (held) return held;
    const made = new SharedContext(engine, SharedGpu);
    contexts.set(engine, made);
    return made;
  }

  readonly canvas = newCanvas();
  readonly gpu: SharedGpu;
  readonly #engine: Engine;
  readonly #users = new Set<Copies>();
  readonly #life = new AbortController();

  constructor(engine: Engine, Gpu: typeof SharedGpu) {
    this.#engine = engine;
    this.gpu = new Gpu(() => engine.wasm.requestGpu(this.canvas));
    listen(
      this.canvas,
      () => {
        this.gpu.watchers.forEach((lose) => lose());
        this.gpu.forget(engine);
      },
      () => this.#users.forEach((user) => user.find()),
      this.#life.signal,
    );
  }

  enter(user: Copies): void {
    this.#users.add(user);
  }

  leave(user: Copies): void {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    this.#life.abort();
    contexts.delete(this.#engine);
    this.gpu.forget(this.#engine);
    contextOf(this.canvas)?.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** Canvases that show copies of frames. */
const painted = new WeakSet<Canvas>();

class Copies implements Way {
  find: () => void = () => undefined;
  #lose: () => void = () => undefined;
  readonly #shared: SharedContext;
  readonly #canvas: Canvas;
  readonly #pen: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  #context: WebGL2RenderingContext | null = null;

  constructor(shared: SharedContext, canvas: Canvas) {
    const pen = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
    if (!pen) throw new Error("the canvas has a context of another kind");
    painted.add(canvas);
    this.#shared = shared;
    this.#canvas = canvas;
    this.#pen = pen;
    shared.enter(this);
  }

  get surface(): Canvas {
    return this.#shared.canvas;
  }

  get lost(): boolean {
    return this.#context?.isContextLost() ?? false;
  }

  async request(): Promise<GpuHandle> {
    const gpu = await this.#shared.gpu.get();
    this.#context = contextOf(this.surface);
    return gpu;
  }

  watch(lost: () => void, found: () => void): void {
    this.#lose = lost;
    this.#shared.gpu.watchers.add(lost);
    this.find = found;
  }

  draw(width: number, height: number, render: () => void): void {
    const [from, to, pen] = [this.surface, this.#canvas, this.#pen];
    // The shared canvas has the size of the player resized last. Frames are in its lower left corner.
    if (from.width < width) from.width = width;
    if (from.height < height) from.height = height;
    render();
    if (to.width !== width) to.width = width;
    if (to.height !== height) to.height = height;
    // Replaces alpha too, instead of blending with the old content.
    pen.globalCompositeOperation = "copy";
    pen.drawImage(from, 0, from.height - height, width, height, 0, 0, width, height);
  }

  /** Does nothing: the shared GPU is lost for all, and freed when all have been notified. */
  drop(): void {}

  leave(): void {
    this.#shared.gpu.watchers.delete(this.#lose);
    this.#shared.leave(this);
  }
}

// ── both ──

function listen(canvas: Canvas, lost: () => void, found: () => void, signal: AbortSignal): void {
  canvas.addEventListener(
    "webglcontextlost",
    (event) => {
      // Lets the browser restore the context.
      event.preventDefault();
      lost();
    },
    { signal },
  );
  canvas.addEventListener("webglcontextrestored", found, { signal });
}

/** Resolves in a task after the event: before all listeners have run, the loss can't be undone. */
function heard(canvas: Canvas, name: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = (event: Event) => {
      event.preventDefault();
      setTimeout(resolve);
    };
    canvas.addEventListener(name, listener, { once: true });
  });
}

/** Returns the context of a canvas that has one. For another canvas, this would create one with default attributes. */
function contextOf(canvas: Canvas): WebGL2RenderingContext | null {
  return canvas.getContext("webgl2") as WebGL2RenderingContext | null;
}

function newCanvas(): Canvas {
  return typeof document === "undefined" ? new OffscreenCanvas(1, 1) : document.createElement("canvas");
}
