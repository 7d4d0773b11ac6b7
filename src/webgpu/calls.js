/**
 * WebGPU with flat arguments, which `src/webgpu/calls.rs` declares. `xtask` appends this script to the glue of the
 * flavour `webgpu`. Descriptors take fewer bytes here than in the wasm.
 */

const TOPOLOGIES = ["point-list", "line-list", "line-strip", "triangle-list", "triangle-strip"];
const CULLED = ["none", "front", "back"];
const COMPARISONS = "never less equal less-equal greater not-equal greater-equal always".split(" ");
const WRAPS = ["clamp-to-edge", "repeat", "mirror-repeat"];
const FILTERS = ["nearest", "linear"];
const VERTEX_FORMATS = ["uint16x4", "unorm16x4", "snorm16x4", "float32x2", "float32x3", "float32x4"];
const FORMATS =
  "r8unorm rgba8unorm rgba8unorm-srgb bgra8unorm rgba32uint depth24plus rgb9e5ufloat rgba16float bgra8unorm-srgb".split(
    " ",
  );
/** Formats of blocks, each of which has one for data and one for colours. */
const BLOCKS = (
  "bc1-rgba- bc2-rgba- bc3-rgba- bc7-rgba- etc2-rgb8 etc2-rgb8a1 etc2-rgba8 astc-4x4- astc-5x4- astc-5x5- astc-6x5- " +
  "astc-6x6- astc-8x5- astc-8x6- astc-8x8- astc-10x5- astc-10x6- astc-10x8- astc-10x10- astc-12x10- astc-12x12-"
).split(" ");
const BINDINGS = [
  { buffer: {} },
  { buffer: { hasDynamicOffset: true } },
  { buffer: { type: "read-only-storage" } },
  { texture: {} },
  { texture: { sampleType: "unfilterable-float" } },
  { texture: { sampleType: "depth" } },
  { sampler: {} },
  { sampler: { type: "non-filtering" } },
  { sampler: { type: "comparison" } },
];
const ERRORS = ["out-of-memory", "validation", "internal"];
const COMPRESSED = ["bc", "etc2", "astc"].map((name) => `texture-compression-${name}`);
/** Number of rows that `isBlank` reads: a megabyte of a canvas that is 4,096 pixels wide. */
const PROBED_ROWS = 64;

/** Returns the name of a format. They count from 1. */
function formatName(number) {
  const block = number - FORMATS.length - 1;
  return FORMATS[number - 1] ?? `${BLOCKS[block >> 1]}unorm${block & 1 ? "-srgb" : ""}`;
}

/** Returns whether a canvas of this format shows light that is brighter than white. */
function showsMoreThanWhite(name) {
  return name.endsWith("float");
}

export function compressedFormats({ features }) {
  return COMPRESSED.reduce((bits, name, bit) => bits | (features.has(name) << bit), 0);
}

/** Passes errors to `tell` as texts, and the loss of the device as an object. */
export function watchDevice(device, tell) {
  device.lost.then(tell);
  device.onuncapturederror = ({ error }) => tell(error.message);
}

/** Calls `tell` without a value when the commands that were submitted are done. */
export function whenDone(queue, tell) {
  queue.onSubmittedWorkDone().then(tell, () => tell());
}

export function createBuffer(device, size, usage) {
  return device.createBuffer({ size, usage });
}

export function createTexture(device, width, height, mipLevelCount, sampleCount, format, usage) {
  return device.createTexture({ size: [width, height], mipLevelCount, sampleCount, format: formatName(format), usage });
}

/** Creates a view. Without a number of levels, it has all of them. */
export function createView(texture, baseMipLevel, mipLevelCount) {
  // Each picture takes a view of the canvas, in less time without a description.
  return texture.createView(mipLevelCount ? { baseMipLevel, mipLevelCount } : undefined);
}

export function createSampler(device, wrapU, wrapV, magnify, minify, mipmap, lodMaxClamp, compare, maxAnisotropy) {
  return device.createSampler({
    addressModeU: WRAPS[wrapU],
    addressModeV: WRAPS[wrapV],
    magFilter: FILTERS[magnify],
    minFilter: FILTERS[minify],
    mipmapFilter: FILTERS[mipmap],
    lodMaxClamp,
    compare: COMPARISONS[compare - 1],
    maxAnisotropy,
  });
}

export function createShaderModule(device, code) {
  return device.createShaderModule({ code });
}

/** Creates a layout of bindings. Each is a number, its stages, and an index into `BINDINGS`. */
export function createBindGroupLayout(device, bindings) {
  const entries = [];
  for (let at = 0; at < bindings.length; at += 3) {
    const [binding, visibility, kind] = bindings.subarray(at);
    entries.push({ binding, visibility, ...BINDINGS[kind] });
  }
  return device.createBindGroupLayout({ entries });
}

export function newList() {
  return [];
}

export function addLayout(list, layout) {
  list.push(layout);
}

export function addResource(list, binding, resource) {
  list.push({ binding, resource });
}

/** Adds a part of a buffer. Without a size, it is the rest. */
export function addBuffer(list, binding, buffer, offset, size) {
  addResource(list, binding, { buffer, offset, size: size || undefined });
}

export function createBindGroup(device, layout, entries) {
  return device.createBindGroup({ layout, entries });
}

export function createPipelineLayout(device, bindGroupLayouts) {
  return device.createPipelineLayout({ bindGroupLayouts });
}

/** Creates a pipeline from what `src/webgpu/pipeline.rs` lists in `state`. */
export function createRenderPipeline(device, layout, module, vertexEntry, fragmentEntry, state) {
  const [topology, culled, clockwise, count, alphaToCoverageEnabled, format, blended, ...more] = state;
  const [depth, writes, compare, depthBias, depthBiasSlopeScale, arrayStride, instanced, ...numbers] = more;
  const attributes = [];
  for (let at = 0; at < numbers.length; at += 3) {
    const [shaderLocation, vertexFormat, offset] = numbers.slice(at);
    attributes.push({ shaderLocation, format: VERTEX_FORMATS[vertexFormat], offset });
  }
  // Chromium warns where one of the three is left out.
  const over = { operation: "add", srcFactor: "one", dstFactor: "one-minus-src-alpha" };
  const blend = blended ? { color: over, alpha: over } : undefined;
  return device.createRenderPipeline({
    layout,
    vertex: {
      module,
      entryPoint: vertexEntry,
      buffers: arrayStride ? [{ arrayStride, stepMode: instanced ? "instance" : "vertex", attributes }] : [],
    },
    primitive: {
      topology: TOPOLOGIES[topology],
      cullMode: CULLED[culled],
      frontFace: clockwise ? "cw" : "ccw",
    },
    depthStencil: depth
      ? {
          format: formatName(depth),
          depthWriteEnabled: !!writes,
          depthCompare: COMPARISONS[compare - 1],
          depthBias,
          depthBiasSlopeScale,
        }
      : undefined,
    multisample: { count, alphaToCoverageEnabled: !!alphaToCoverageEnabled },
    fragment: fragmentEntry
      ? { module, entryPoint: fragmentEntry, targets: format ? [{ format: formatName(format), blend }] : [] }
      : undefined,
  });
}

/** Begins a pass that clears its targets. Without `color` or `depth`, there is none. */
export function beginRenderPass(encoder, color, resolveTarget, depth, r, g, b, a, keepsColor, keepsDepth) {
  return encoder.beginRenderPass({
    colorAttachments: color
      ? [
          {
            view: color,
            resolveTarget,
            clearValue: { r, g, b, a },
            loadOp: "clear",
            storeOp: keepsColor ? "store" : "discard",
          },
        ]
      : [],
    depthStencilAttachment: depth
      ? { view: depth, depthClearValue: 1, depthLoadOp: "clear", depthStoreOp: keepsDepth ? "store" : "discard" }
      : undefined,
  });
}

const offsets = [0];

export function setGroupAt(pass, index, group, offset) {
  offsets[0] = offset;
  pass.setBindGroup(index, group, offsets);
}

export function setIndices(pass, buffer, isLong) {
  pass.setIndexBuffer(buffer, isLong ? "uint32" : "uint16");
}

/** Copies rows of a texture to a buffer. */
export function copyToBuffer(encoder, texture, y, buffer, offset, bytesPerRow, width, height) {
  encoder.copyTextureToBuffer({ texture, origin: [0, y] }, { buffer, offset, bytesPerRow }, [width, height]);
}

export function submitTo(queue, commands) {
  queue.submit(commands ? [commands] : []);
}

/** Writes rows of a level of a texture. */
export function writeTexture(queue, texture, mipLevel, y, data, bytesPerRow, width, height) {
  queue.writeTexture({ texture, mipLevel, origin: [0, y] }, data, { bytesPerRow }, [width, height]);
}

export function copyImage(queue, source, texture, width, height) {
  queue.copyExternalImageToTexture({ source }, { texture }, [width, height]);
}

/** Maps a buffer for reading. Calls `tell` with whether that was possible. */
export function mapBuffer(buffer, tell) {
  buffer.mapAsync(GPUMapMode.READ).then(
    () => tell(true),
    () => tell(false),
  );
}

export function mappedBytes(buffer) {
  return new Uint8Array(buffer.getMappedRange());
}

export function pushScope(device, filter) {
  device.pushErrorScope(ERRORS[filter]);
}

/** Resolves to the error of the last scope, if any. */
export function popScope(device) {
  return device.popErrorScope().then((error) => error?.message);
}

export function prefersBgra() {
  return navigator.gpu.getPreferredCanvasFormat() === "bgra8unorm";
}

/** Returns the canvas's context. A canvas with a context of another kind has none. */
export function contextOf(canvas) {
  try {
    return canvas.getContext("webgpu");
  } catch {}
}

/** Configures a canvas. If that fails, it has no current texture. */
export function configureCanvas(context, device, format, usage, width, height) {
  Object.assign(context.canvas, { width, height });
  try {
    const name = formatName(format);
    const toneMapping = { mode: showsMoreThanWhite(name) ? "extended" : "standard" };
    context.configure({ device, format: name, usage, toneMapping, alphaMode: "premultiplied" });
  } catch {}
}

export function currentTexture(context) {
  try {
    return context.getCurrentTexture();
  } catch {}
}

/**
 * Resolves to whether the picture that was drawn in this task is blank: whether the pixels of some rows, evenly spaced,
 * are equal. False if they can't be read, or aren't bytes.
 */
export function isBlank(device, context) {
  const texture = currentTexture(context);
  if (!texture || showsMoreThanWhite(texture.format)) return undefined;
  const { width, height } = texture;
  const count = Math.min(height, PROBED_ROWS);
  // WebGPU: rows of copies are aligned to 256 bytes.
  const stride = (width + 63) & ~63;
  const buffer = createBuffer(device, stride * count * 4, GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ);
  const encoder = device.createCommandEncoder();
  for (let row = 0; row < count; row++) {
    copyToBuffer(encoder, texture, ((row * height) / count) | 0, buffer, row * stride * 4, stride * 4, width, 1);
  }
  submitTo(device.queue, encoder.finish());
  return buffer.mapAsync(GPUMapMode.READ).then(
    () => {
      const pixels = new Uint32Array(buffer.getMappedRange());
      const blank = pixels.every((pixel, at) => at % stride >= width || pixel === pixels[0]);
      buffer.destroy();
      return blank;
    },
    () => false,
  );
}
