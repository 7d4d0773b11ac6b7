/**
 * Counts the memory that the page's players have on the GPU and in WebAssembly, from the calls that reserve it.
 *
 * An object counts from its creation until it is deleted or destroyed, or until the garbage collector frees it: the
 * browser then frees its memory on the GPU as well. Callers collect garbage first where they can. Not counted are the
 * pictures of the canvases themselves, programs, pipelines, and what a driver adds.
 */

/** What is alive: records of bytes, without a reference to the object. */
const live = new Set();
const records = new WeakMap();
const collected = new FinalizationRegistry((record) => live.delete(record));

const contexts = new Set();
const devices = new Set();
const wasmMemories = new Set();

function born(object, owner) {
  const record = { owner, bytes: 0, parts: new Map() };
  live.add(record);
  records.set(object, record);
  collected.register(object, record, record);
  return object;
}

function died(object) {
  const record = object && records.get(object);
  if (!record) return;
  live.delete(record);
  collected.unregister(record);
}

/** Sets the bytes of one part of an object, such as a mip level. */
function weigh(object, part, bytes) {
  const record = object && records.get(object);
  if (!record) return;
  record.bytes += bytes - (record.parts.get(part) ?? 0);
  record.parts.set(part, bytes);
}

/** Calls `hook` with the object, the arguments and the result after each call of a method. */
function after(type, name, hook) {
  const method = type?.prototype[name];
  if (!method) return;
  type.prototype[name] = function (...args) {
    const result = method.apply(this, args);
    hook(this, args, result);
    return result;
  };
}

/** Returns objects and bytes on the GPU, and bytes of WebAssembly. */
export function held() {
  const gpu = { objects: live.size, bytes: 0 };
  for (const { bytes } of live) gpu.bytes += bytes;
  let wasmBytes = 0;
  for (const reference of wasmMemories) wasmBytes += reference.deref()?.buffer.byteLength ?? 0;
  return { gpuObjects: gpu.objects, gpuBytes: gpu.bytes, wasmBytes };
}

/** Resolves when the GPU has finished everything that was drawn. */
export async function drawn() {
  for (const gl of contexts) {
    // Reading a pixel waits for the GPU. Players assume that their bindings stay.
    const [buffer, pack] = [gl.READ_FRAMEBUFFER_BINDING, gl.PIXEL_PACK_BUFFER_BINDING].map((name) =>
      gl.getParameter(name),
    );
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, buffer);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, pack);
  }
  await submitted();
}

/** Resolves when the GPU has finished everything that was drawn with WebGPU. */
export function submitted() {
  return Promise.all(Array.from(devices, (device) => device.queue.onSubmittedWorkDone()));
}

// ── WebGL2 ──

for (const type of [HTMLCanvasElement, globalThis.OffscreenCanvas]) {
  after(type, "getContext", (canvas, [kind], context) => {
    if (kind !== "webgl2" || !context || contexts.has(context)) return;
    contexts.add(context);
    canvas.addEventListener("webglcontextlost", () => {
      contexts.delete(context);
      for (const record of live) if (record.owner === context) live.delete(record);
    });
  });
}

const GL = globalThis.WebGL2RenderingContext;
const BUFFER_BINDINGS = {
  34962: 0x8894, // ARRAY_BUFFER
  34963: 0x8895, // ELEMENT_ARRAY_BUFFER
  35345: 0x8a28, // UNIFORM_BUFFER
  35051: 0x88ed, // PIXEL_PACK_BUFFER
  35052: 0x88ef, // PIXEL_UNPACK_BUFFER
  36662: 0x8f36, // COPY_READ_BUFFER
  36663: 0x8f37, // COPY_WRITE_BUFFER
  35982: 0x8c8f, // TRANSFORM_FEEDBACK_BUFFER
};
const TEXTURE_BINDINGS = {
  3553: 0x8069, // TEXTURE_2D
  32879: 0x806a, // TEXTURE_3D
  35866: 0x8c1d, // TEXTURE_2D_ARRAY
  34067: 0x8514, // TEXTURE_CUBE_MAP
};
/** Bytes of a texel by the sized internal format; 4 for all others. */
const TEXEL_BYTES = {
  34836: 16, // RGBA32F
  36208: 16, // RGBA32UI
  36226: 16, // RGBA32I
  34837: 12, // RGB32F
  34842: 8, // RGBA16F
  33328: 8, // RG32F
  33340: 8, // RG32UI
  33339: 8, // RG32I
  36013: 8, // DEPTH32F_STENCIL8, padded
  33321: 1, // R8
  33330: 1, // R8UI
  6403: 1, // RED
  33323: 2, // RG8
  33325: 2, // R16F
  33332: 2, // R16UI
  33189: 2, // DEPTH_COMPONENT16
  36194: 2, // RGB565
  32854: 2, // RGBA4
  32855: 2, // RGB5_A1
};

function texelBytes(format) {
  return TEXEL_BYTES[format] ?? 4;
}

function boundTexture(gl, target) {
  // The six faces follow each other.
  const isFace = target >= 0x8515 && target <= 0x851a;
  return gl.getParameter(TEXTURE_BINDINGS[isFace ? 0x8513 : target]);
}

for (const kind of ["Buffer", "Texture", "Renderbuffer"]) {
  after(GL, `create${kind}`, (gl, _, object) => object && born(object, gl));
  after(GL, `delete${kind}`, (_, [object]) => died(object));
}

after(GL, "bufferData", (gl, [target, data, , , length]) => {
  const bytes =
    typeof data === "number" ? data : length ? length * (data.BYTES_PER_ELEMENT ?? 1) : (data?.byteLength ?? 0);
  weigh(gl.getParameter(BUFFER_BINDINGS[target]), "all", bytes);
});

after(GL, "texImage2D", (gl, args) => {
  const [target, level, format] = args;
  const source = args.at(-1);
  const [width, height] = args.length === 6 ? [source.width, source.height] : args.slice(3, 5);
  weigh(boundTexture(gl, target), `${target} ${level}`, width * height * texelBytes(format));
});

after(GL, "texImage3D", (gl, [target, level, format, width, height, depth]) =>
  weigh(boundTexture(gl, target), level, width * height * depth * texelBytes(format)),
);

after(GL, "texStorage2D", (gl, [target, levels, format, width, height]) => {
  const faces = target === 0x8513 ? 6 : 1;
  weigh(boundTexture(gl, target), "all", faces * mipTexels(width, height, 1, levels) * texelBytes(format));
});

after(GL, "texStorage3D", (gl, [target, levels, format, width, height, depth]) => {
  const layers = target === 0x8c1a ? depth : 1;
  const texels = layers * mipTexels(width, height, layers === 1 ? depth : 1, levels);
  weigh(boundTexture(gl, target), "all", texels * texelBytes(format));
});

after(GL, "compressedTexImage2D", (gl, [target, level, , , , , data]) =>
  weigh(boundTexture(gl, target), `${target} ${level}`, data?.byteLength ?? data ?? 0),
);

after(GL, "generateMipmap", (gl, [target]) => {
  const texture = boundTexture(gl, target);
  const { parts, bytes } = records.get(texture) ?? {};
  // The smaller levels together are a third of the largest, unless the texture was reserved with all of them.
  if (parts && !parts.has("all")) weigh(texture, "mips", (bytes - (parts.get("mips") ?? 0)) / 3);
});

for (const name of ["renderbufferStorage", "renderbufferStorageMultisample"]) {
  after(GL, name, (gl, args) => {
    const [format, width, height] = args.slice(-3);
    const samples = args.length === 5 ? Math.max(1, args[1]) : 1;
    weigh(gl.getParameter(gl.RENDERBUFFER_BINDING), "all", samples * width * height * texelBytes(format));
  });
}

// ── WebGPU ──

after(globalThis.GPUAdapter, "requestDevice", async (_, __, promise) => {
  const device = await promise.catch(() => undefined);
  if (!device) return;
  devices.add(device);
  device.lost.then(() => {
    devices.delete(device);
    for (const record of live) if (record.owner === device) live.delete(record);
  });
});

after(globalThis.GPUDevice, "createBuffer", (device, [{ size }], buffer) => weigh(born(buffer, device), "all", size));

after(globalThis.GPUDevice, "createTexture", (device, _, texture) => {
  born(texture, device);
  const { width, height, depthOrArrayLayers, mipLevelCount, sampleCount, dimension, format } = texture;
  const deep = dimension === "3d";
  const texels = mipTexels(width, height, deep ? depthOrArrayLayers : 1, mipLevelCount);
  weigh(texture, "all", texels * (deep ? 1 : depthOrArrayLayers) * sampleCount * gpuTexelBytes(format));
});

after(globalThis.GPUBuffer, "destroy", died);
after(globalThis.GPUTexture, "destroy", died);

/** Returns the bytes of a texel; for compressed formats, on average. */
function gpuTexelBytes(format) {
  if (/^(bc[14]|etc2-rgb8)|^eac-r11/.test(format)) return 0.5;
  if (/^(bc|etc2|eac|astc)/.test(format)) return 1;
  if (format === "stencil8") return 1;
  if (format === "depth32float-stencil8") return 8;
  if (/^depth16/.test(format)) return 2;
  if (/^(depth|rgb10a2|rg11b10|rgb9e5)/.test(format)) return 4;
  const [, channels, bits] = /^([rgba]+)(\d+)/.exec(format) ?? [null, "rgba", "8"];
  return (channels.length * Number(bits)) / 8;
}

function mipTexels(width, height, depth, levels) {
  let texels = 0;
  for (let level = 0; level < levels; level++) {
    texels += [width, height, depth].reduce((product, side) => product * Math.max(1, side >> level), 1);
  }
  return texels;
}

// ── WebAssembly ──

function findMemories(instance, imports) {
  const all = [instance.exports, ...Object.values(imports ?? {})].flatMap((names) => Object.values(names ?? {}));
  for (const found of all) if (found instanceof WebAssembly.Memory) wasmMemories.add(new WeakRef(found));
}

for (const name of ["instantiate", "instantiateStreaming"]) {
  const method = WebAssembly[name];
  WebAssembly[name] = async (source, imports) => {
    const result = await method.call(WebAssembly, source, imports);
    findMemories(result.instance ?? result, imports);
    return result;
  };
}

WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(type, [module, imports]) {
    const instance = new type(module, imports);
    findMemories(instance, imports);
    return instance;
  },
});
