/**
 * WebGL2 contexts. A browser allows a page some sixteen of them, on phones eight, and drops one when another is
 * created. So a few players have a context of their own. All others draw with a shared one, on an invisible canvas,
 * and copy their frames from it.
 */
import type { SharedGpu, GpuBinding } from "./connection.js";
import type { Engine } from "./engine.js";
import type { Canvas, GpuHandle } from "./wasm.js";

/** Number of contexts not shared. Each saves a copy per frame, and costs shaders and models of its own. */
const MAX_OWN_CONTEXTS = 4;

/** Attributes of all contexts. Pictures are drawn off screen, with samples and depths of their own. */
const ATTRIBUTES = { antialias: false, depth: false };

/** Extensions that the WebAssembly asks for. */
const EXTENSIONS = [
  "EXT_texture_filter_anisotropic",
  "WEBGL_compressed_texture_s3tc",
  "WEBGL_compressed_texture_s3tc_srgb",
  "EXT_texture_compression_bptc",
  "WEBGL_compressed_texture_etc",
  "EXT_color_buffer_float",
  "WEBGL_compressed_texture_astc",
];

/** Longest wait until the browser restores a context that was lost early, as by a crash of its GPU process. */
const RESTORED_MILLIS = 3000;

/** Classes passed in from the main script. An import would make the bundler split that script. */
interface MainExports {
  readonly SharedGpu: typeof SharedGpu;
}

export function openBinding(main: MainExports, engine: Engine, canvas: Canvas): GpuBinding {
  return getsOwnContext(canvas)
    ? new OwnContextBinding(engine, canvas)
    : new CopyBinding(SharedContext.of(main, engine), canvas);
}

/** Whether no context has been created. */
let isFirst = true;

/**
 * Creates the context of the page's first player before there is a WebAssembly that draws with it. It takes time, as
 * does each extension.
 */
export function openEarly(canvas: Canvas): void {
  const context = isFirst ? createContext(canvas) : null;
  if (!context) return;
  withOwnContext.add(canvas);
  for (const name of EXTENSIONS) context.getExtension(name);
  const watch = new AbortController();
  const restored = new Promise<void>((resolve) => listen(canvas, () => undefined, resolve, watch.signal));
  restorers.set(canvas, async () => {
    restorers.delete(canvas);
    if (context.isContextLost())
      await Promise.race([restored, new Promise((late) => setTimeout(late, RESTORED_MILLIS))]);
    watch.abort();
  });
}

function getsOwnContext(canvas: Canvas): boolean {
  // A canvas keeps the kind of context that it had for an earlier player.
  return withOwnContext.has(canvas) || (!withCopies.has(canvas) && ownContexts.size < MAX_OWN_CONTEXTS);
}

// ── own contexts ──

const ownContexts = new Set<OwnContextBinding>();
const withOwnContext = new WeakSet<Canvas>();
/** Functions that restore the contexts given up by earlier players. */
const restorers = new WeakMap<Canvas, () => Promise<void>>();

class OwnContextBinding implements GpuBinding {
  readonly surface: Canvas;
  readonly #engine: Engine;
  readonly #abort = new AbortController();
  #context: WebGL2RenderingContext | null = null;

  constructor(engine: Engine, canvas: Canvas) {
    this.#engine = engine;
    this.surface = canvas;
    ownContexts.add(this);
  }

  get lost(): boolean {
    return this.#context?.isContextLost() ?? false;
  }

  async request(): Promise<GpuHandle> {
    const canvas = this.surface;
    await restorers.get(canvas)?.();
    const gpu = await requestGpu(this.#engine, canvas);
    this.#context = contextOf(canvas);
    withOwnContext.add(canvas);
    return gpu;
  }

  watch(lost: () => void, restored: () => void): void {
    listen(this.surface, lost, restored, this.#abort.signal);
  }

  draw(_width: number, _height: number, render: () => void): void {
    render();
  }

  free(gpu: GpuHandle): void {
    gpu.free();
  }

  /** Loses the context on purpose: garbage collection would free it too late. */
  close(): void {
    this.#abort.abort();
    ownContexts.delete(this);
    const [context, canvas] = [this.#context, this.surface];
    const loss = context?.isContextLost() ? null : context?.getExtension("WEBGL_lose_context");
    if (!loss) return;
    const lost = eventFired(canvas, "webglcontextlost");
    loss.loseContext();
    restorers.set(canvas, async () => {
      restorers.delete(canvas);
      await lost;
      const restored = eventFired(canvas, "webglcontextrestored");
      loss.restoreContext();
      await restored;
    });
  }
}

// ── the shared context ──

const sharedContexts = new WeakMap<Engine, SharedContext>();

class SharedContext {
  static of({ SharedGpu }: MainExports, engine: Engine): SharedContext {
    const held = sharedContexts.get(engine);
    if (held) return held;
    const made = new SharedContext(engine, SharedGpu);
    sharedContexts.set(engine, made);
    return made;
  }

  readonly canvas = newCanvas();
  readonly gpu: SharedGpu;
  readonly #engine: Engine;
  readonly #users = new Set<CopyBinding>();
  readonly #abort = new AbortController();

  constructor(engine: Engine, Gpu: typeof SharedGpu) {
    this.#engine = engine;
    this.gpu = new Gpu(() => requestGpu(engine, this.canvas));
    listen(
      this.canvas,
      () => {
        this.gpu.watchers.forEach((lose) => lose());
        this.gpu.discard(engine);
      },
      () => this.#users.forEach((user) => user.restore()),
      this.#abort.signal,
    );
  }

  add(user: CopyBinding): void {
    this.#users.add(user);
  }

  remove(user: CopyBinding): void {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    this.#abort.abort();
    sharedContexts.delete(this.#engine);
    this.gpu.discard(this.#engine);
    contextOf(this.canvas)?.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** Canvases that show copies of frames. */
const withCopies = new WeakSet<Canvas>();

class CopyBinding implements GpuBinding {
  restore: () => void = () => undefined;
  #lost: () => void = () => undefined;
  readonly #shared: SharedContext;
  readonly #canvas: Canvas;
  readonly #context2d: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  #context: WebGL2RenderingContext | null = null;

  constructor(shared: SharedContext, canvas: Canvas) {
    const context2d = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
    if (!context2d) throw new Error("the canvas has a context of another kind");
    withCopies.add(canvas);
    this.#shared = shared;
    this.#canvas = canvas;
    this.#context2d = context2d;
    shared.add(this);
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

  watch(lost: () => void, restored: () => void): void {
    this.#lost = lost;
    this.#shared.gpu.watchers.add(lost);
    this.restore = restored;
  }

  draw(width: number, height: number, render: () => void): void {
    const [from, to, context2d] = [this.surface, this.#canvas, this.#context2d];
    // The shared canvas has the size of the player resized last. Frames are in its lower left corner.
    if (from.width < width) from.width = width;
    if (from.height < height) from.height = height;
    render();
    if (to.width !== width) to.width = width;
    if (to.height !== height) to.height = height;
    // Replaces alpha too, instead of blending with the old content.
    context2d.globalCompositeOperation = "copy";
    context2d.drawImage(from, 0, from.height - height, width, height, 0, 0, width, height);
  }

  /** Does nothing: the shared GPU is lost for all, and freed when all have been notified. */
  free(): void {}

  close(): void {
    this.#shared.gpu.watchers.delete(this.#lost);
    this.#shared.remove(this);
  }
}

// ── both ──

/** Renderers that are programs for the CPU, as browsers name them. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render/i;

async function requestGpu({ wasm }: Engine, canvas: Canvas): Promise<GpuHandle> {
  const context = createContext(canvas);
  const gpu = await wasm.requestGpu(canvas);
  if (context && SOFTWARE.test(rendererOf(context))) gpu.drawInSoftware();
  return gpu;
}

function rendererOf(context: WebGL2RenderingContext): string {
  const name = String(context.getParameter(context.RENDERER));
  // Firefox tells it here, and warns whoever uses the extension.
  const info = name === "WebKit WebGL" ? context.getExtension("WEBGL_debug_renderer_info") : null;
  return info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : name;
}

function listen(canvas: Canvas, lost: () => void, restored: () => void, signal: AbortSignal): void {
  canvas.addEventListener(
    "webglcontextlost",
    (event) => {
      // Lets the browser restore the context.
      event.preventDefault();
      lost();
    },
    { signal },
  );
  canvas.addEventListener("webglcontextrestored", restored, { signal });
}

/** Resolves in a task after the event: before all listeners have run, the loss can't be undone. */
function eventFired(canvas: Canvas, name: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = (event: Event) => {
      event.preventDefault();
      setTimeout(resolve);
    };
    canvas.addEventListener(name, listener, { once: true });
  });
}

/** Returns the context of a canvas, which may be new. */
function createContext(canvas: Canvas): WebGL2RenderingContext | null {
  isFirst = false;
  return canvas.getContext("webgl2", ATTRIBUTES) as WebGL2RenderingContext | null;
}

/** Returns the context of a canvas that has one. For another canvas, this would create one with default attributes. */
function contextOf(canvas: Canvas): WebGL2RenderingContext | null {
  return canvas.getContext("webgl2") as WebGL2RenderingContext | null;
}

function newCanvas(): Canvas {
  return typeof document === "undefined" ? new OffscreenCanvas(1, 1) : document.createElement("canvas");
}
