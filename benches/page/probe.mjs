/**
 * Resolves `lab.started()` when the page has first shown the model (`shown`) and another picture of it (`moving`), in
 * milliseconds since the navigation.
 *
 * A WebGL canvas is read after each animation frame, which waits for the GPU. A WebGPU canvas can't be read with a
 * software GPU, and trying to would stop the page for as long as the GPU compiles shaders: there, a frame counts that
 * draws a mesh, when the GPU has finished it.
 */

const SIZE = 64;

/** Fewest vertices of a mesh. Backgrounds, grounds and full-screen passes have fewer. */
const MESH_VERTICES = 300;

const copy = new OffscreenCanvas(SIZE, SIZE).getContext("2d", { willReadFrequently: true });
const times = {};
let finish;
const finished = new Promise((done, failed) => {
  finish = done;
  globalThis.lab = { started: () => finished, failed };
});
// The driver may ask later than a page fails.
finished.catch(() => {});

let first = null;
/** The queue that a mesh was submitted to in this frame. */
let meshQueue = null;
let drawsMesh = false;
let usesWebGPU = false;

const request = globalThis.requestAnimationFrame.bind(globalThis);
globalThis.requestAnimationFrame = (callback) =>
  request((time) => {
    callback(time);
    if (!times.moving) look();
  });

if (globalThis.GPUQueue) {
  before(GPUCanvasContext, ["configure"], () => (usesWebGPU = true));
  const meshBundles = new WeakSet();
  before(GPURenderPassEncoder, ["draw", "drawIndexed"], (_, [vertices]) => (drawsMesh ||= vertices >= MESH_VERTICES));
  before(GPURenderPassEncoder, ["drawIndirect", "drawIndexedIndirect"], () => (drawsMesh = true));
  before(GPURenderBundleEncoder, ["draw", "drawIndexed"], (encoder, [vertices]) => {
    if (vertices >= MESH_VERTICES) meshBundles.add(encoder);
  });
  before(GPURenderPassEncoder, ["executeBundles"], (_, [bundles]) => {
    drawsMesh ||= [...bundles].some((bundle) => meshBundles.has(bundle));
  });
  const { finish: finishBundle } = GPURenderBundleEncoder.prototype;
  GPURenderBundleEncoder.prototype.finish = function (...args) {
    const bundle = finishBundle.apply(this, args);
    if (meshBundles.has(this)) meshBundles.add(bundle);
    return bundle;
  };
  const { submit } = GPUQueue.prototype;
  GPUQueue.prototype.submit = function (...args) {
    submit.apply(this, args);
    if (drawsMesh) meshQueue = this;
    drawsMesh = false;
  };
}

/** Calls `hook` with the object and the arguments before each call of the methods. */
function before({ prototype }, names, hook) {
  for (const name of names) {
    const method = prototype[name];
    prototype[name] = function (...args) {
      hook(this, args);
      return method.apply(this, args);
    };
  }
}

async function look() {
  if (meshQueue) {
    const queue = meshQueue;
    meshQueue = null;
    await queue.onSubmittedWorkDone();
    note(performance.now());
    return;
  }
  if (usesWebGPU) return;
  const canvas =
    document.querySelector("canvas") ?? document.querySelector("gambol-player")?.shadowRoot?.querySelector("canvas");
  if (!canvas?.width) return;
  copy.clearRect(0, 0, SIZE, SIZE);
  copy.drawImage(canvas, 0, 0, SIZE, SIZE);
  const { data } = copy.getImageData(0, 0, SIZE, SIZE);
  if (!isPicture(data)) return;
  if (!first) first = data;
  else if (!data.some((value, at) => Math.abs(value - first[at]) > 8)) return;
  note(performance.now());
}

function note(now) {
  if (!times.shown) times.shown = now;
  else if (!times.moving) {
    times.moving = now;
    finish(times);
  }
}

/** Whether the pixels aren't all alike, as those of a cleared canvas are. */
function isPicture(data) {
  return data.some((value, at) => Math.abs(value - data[at % 4]) > 32);
}
