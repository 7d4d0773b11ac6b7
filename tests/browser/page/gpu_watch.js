/**
 * Records GPU errors, and counts GPU objects and bytes of the WebAssembly. Install it before the first player, in a
 * page or a worker.
 */

const counts = {};
const count = (kind, by) => (counts[kind] = (counts[kind] ?? 0) + by);
const memories = [];
const contexts = new Set();
globalThis.gpuErrors = [];

for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (...options) => {
    const made = await original.apply(WebAssembly, options);
    const memory = Object.values((made.instance ?? made).exports).find((it) => it instanceof WebAssembly.Memory);
    if (memory) memories.push(memory);
    return made;
  };
}

for (const Canvas of [globalThis.HTMLCanvasElement, globalThis.OffscreenCanvas]) {
  if (!Canvas) continue;
  const { getContext } = Canvas.prototype;
  Canvas.prototype.getContext = function (kind, ...options) {
    const context = getContext.call(this, kind, ...options);
    if (kind === "webgl2" && context) contexts.add(context);
    return context;
  };
}

const gl = WebGL2RenderingContext.prototype;
const { getError } = gl;
gl.getError = function () {
  const error = getError.call(this);
  // The error of a lost context isn't caused by the caller.
  if (error !== 0 && error !== 0x9242) gpuErrors.push(`WebGL error ${error}`);
  return error;
};
for (const kind of [
  "Buffer",
  "Framebuffer",
  "Program",
  "Query",
  "Renderbuffer",
  "Sampler",
  "Shader",
  "Texture",
  "VertexArray",
]) {
  const [create, remove] = [gl[`create${kind}`], gl[`delete${kind}`]];
  gl[`create${kind}`] = function (...options) {
    count(kind, 1);
    return create.apply(this, options);
  };
  gl[`delete${kind}`] = function (thing) {
    if (thing) count(kind, -1);
    return remove.call(this, thing);
  };
}

if (globalThis.GPUAdapter) {
  const { requestDevice } = GPUAdapter.prototype;
  /** The counts of each device. */
  const heldBy = new WeakMap();
  GPUAdapter.prototype.requestDevice = async function (...options) {
    const device = await requestDevice.apply(this, options);
    const held = { Buffer: 0, Texture: 0 };
    heldBy.set(device, held);
    // The objects of a lost device are gone.
    device.lost.then(() => {
      for (const kind of Object.keys(held)) count(kind, -held[kind]);
      heldBy.delete(device);
    });
    device.addEventListener("uncapturederror", ({ error }) => {
      // Browsers don't report that memory is short, for example for a canvas. Only the consequences are visible.
      if (!/is invalid due to a previous error/.test(error.message)) gpuErrors.push(`WebGPU: ${error.message}`);
    });
    return device;
  };
  for (const [kind, Kind] of Object.entries({ Buffer: GPUBuffer, Texture: GPUTexture })) {
    const create = GPUDevice.prototype[`create${kind}`];
    const { destroy } = Kind.prototype;
    /** The device of each object that exists. */
    const live = new WeakMap();
    const change = (device, by) => {
      const held = heldBy.get(device);
      if (!held) return;
      held[kind] += by;
      count(kind, by);
    };
    GPUDevice.prototype[`create${kind}`] = function (...options) {
      const made = create.apply(this, options);
      live.set(made, this);
      change(this, 1);
      return made;
    };
    Kind.prototype.destroy = function () {
      const device = live.get(this);
      if (live.delete(this)) change(device, -1);
      return destroy.call(this);
    };
  }
}

/** Returns the counts of existing objects, after asking WebGL for errors. */
globalThis.gpuHeld = () => {
  for (const context of contexts) context.getError();
  return { ...counts, wasm: memories.reduce((sum, { buffer }) => Math.max(sum, buffer.byteLength), 0) };
};
