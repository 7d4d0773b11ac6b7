/** three.js with `WebGPURenderer`, which draws with WebGL2 in a browser without WebGPU. That counts as a failure. */

import { WebGPURenderer } from "three/webgpu";

import { openWith } from "./three.mjs";

export { crowd, hide, run, show, step } from "./three.mjs";

export async function open(parent, options) {
  const renderer = new WebGPURenderer({ antialias: true });
  const stage = await openWith(renderer, parent, options);
  if (!renderer.backend.isWebGPUBackend) throw new Error("the renderer fell back to WebGL2");
  return stage;
}
