/** Counts what a page holds on the GPU. */

/**
 * Runs in the page, before its scripts. `gpuObjects()` then returns the numbers of live buffers, textures and so on,
 * and `memories` are those of the WebAssembly.
 */
export function countGpuObjects() {
  const counts = {};
  const count = (kind, by) => (counts[kind] = (counts[kind] ?? 0) + by);
  window.memories = [];
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...options) => {
      const made = await original.apply(WebAssembly, options);
      const memory = Object.values((made.instance ?? made).exports).find((it) => it instanceof WebAssembly.Memory);
      if (memory) memories.push(memory);
      return made;
    };
  }
  const gl = WebGL2RenderingContext.prototype;
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
  if (globalThis.GPUDevice) {
    for (const [kind, Kind] of Object.entries({ Buffer: GPUBuffer, Texture: GPUTexture })) {
      const create = GPUDevice.prototype[`create${kind}`];
      const { destroy } = Kind.prototype;
      const live = new WeakSet();
      GPUDevice.prototype[`create${kind}`] = function (...options) {
        const made = create.apply(this, options);
        live.add(made);
        count(kind, 1);
        return made;
      };
      Kind.prototype.destroy = function () {
        if (live.delete(this)) count(kind, -1);
        return destroy.call(this);
      };
    }
  }
  window.gpuObjects = () => Object.fromEntries(Object.entries(counts).filter(([, live]) => live > 0));
}
