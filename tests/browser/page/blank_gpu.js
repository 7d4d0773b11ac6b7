/** Makes WebGPU draw nothing, in a page or a worker, until `globalThis.draws` is true. Counts pictures. */
const originals = GPURenderPassEncoder.prototype;
for (const name of ["draw", "drawIndexed", "drawIndirect", "drawIndexedIndirect"]) {
  const original = originals[name];
  originals[name] = function (...args) {
    if (globalThis.draws) original.apply(this, args);
  };
}
