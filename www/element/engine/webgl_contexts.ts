/**
 * WebGL2's contexts. A browser allows a page some sixteen, on phones eight, and takes one away where another is asked
 * for. So a few players have one of their own, and all others draw with one that they share, on a canvas that nobody
 * sees, and copy their pictures from it.
 */
import type { SharedGpu, Way } from "./connection.js";
import type { Engine } from "./engine.js";
import type { Canvas, GpuHandle } from "./wasm.js";

/** Each spares its player a copy a picture, and costs the page a context with shaders and models of its own. */
const MOST_OWN = 4;

/** What the player's own scripts lend: imported, they would be torn in two. */
interface Core {
  readonly SharedGpu: typeof SharedGpu;
}

export function openWay(core: Core, engine: Engine, canvas: Canvas): Way {
  // A canvas stays what it was for the player before.
  const own = claimed.has(canvas) || (!painted.has(canvas) && owners.size < MOST_OWN);
  return own ? new OwnContext(engine, canvas) : new Copies(SharedContext.of(core, engine), canvas);
}

// ── a context of one's own ──

const owners = new Set<OwnContext>();
const claimed = new WeakSet<Canvas>();
/** How to have a context again that a player gave back. */
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
    // Only now is it there, as the wasm side wished for it.
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

  /** Garbage collection would give the context back too late. */
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

/** Canvases that show copies. */
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
    // It is as large as whoever was resized last. Pictures lie in its lower left corner.
    if (from.width < width) from.width = width;
    if (from.height < height) from.height = height;
    render();
    if (to.width !== width) to.width = width;
    if (to.height !== height) to.height = height;
    // Alpha too is taken over, not laid upon what was there.
    pen.globalCompositeOperation = "copy";
    pen.drawImage(from, 0, from.height - height, width, height, 0, 0, width, height);
  }

  /** It is lost for all, and freed once they all have heard of it. */
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
      // Says that we can live with a context that comes back.
      event.preventDefault();
      lost();
    },
    { signal },
  );
  canvas.addEventListener("webglcontextrestored", found, { signal });
}

/** In a task after the event: before all have heard of a loss, nothing can be undone. */
function heard(canvas: Canvas, name: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = (event: Event) => {
      event.preventDefault();
      setTimeout(resolve);
    };
    canvas.addEventListener(name, listener, { once: true });
  });
}

/** Of a canvas that has one: another would get one that nobody wished for. */
function contextOf(canvas: Canvas): WebGL2RenderingContext | null {
  return canvas.getContext("webgl2") as WebGL2RenderingContext | null;
}

function newCanvas(): Canvas {
  return typeof document === "undefined" ? new OffscreenCanvas(1, 1) : document.createElement("canvas");
}
