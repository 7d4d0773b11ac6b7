/** Babylon.js with its engine for WebGPU. */

import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine.js";

import { openWith } from "./babylon.mjs";
import { addCanvas } from "./view.mjs";

export { crowd, hide, run, show, step } from "./babylon.mjs";

export async function open(parent, options) {
  const engine = new WebGPUEngine(addCanvas(parent), { antialias: true });
  await engine.initAsync();
  return openWith(engine, options);
}
