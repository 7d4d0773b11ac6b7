/** PlayCanvas with its device for WebGPU. */

import { WebgpuGraphicsDevice } from "playcanvas";

import { openWith } from "./playcanvas.mjs";
import { addCanvas } from "./view.mjs";

export { crowd, hide, run, show, step } from "./playcanvas.mjs";

export async function open(parent, options) {
  const canvas = addCanvas(parent);
  const device = new WebgpuGraphicsDevice(canvas, { antialias: true });
  await device.initWebGpu();
  return openWith(device, canvas, options);
}
