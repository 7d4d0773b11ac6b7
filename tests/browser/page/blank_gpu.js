/** Makes WebGPU draw nothing, without an error, in a page or a worker. */
for (const name of ["draw", "drawIndexed", "drawIndirect", "drawIndexedIndirect"]) {
  GPURenderPassEncoder.prototype[name] = () => undefined;
}
