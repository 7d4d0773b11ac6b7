/** three.js with `WebGPURenderer` and its decoder of meshopt. */

import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { WebGPURenderer } from "three/webgpu";

import { openWith } from "./three.mjs";

export { crowd, hide, run, show, step } from "./three.mjs";

export function open(parent, options) {
  return openWith(new WebGPURenderer({ antialias: true }), parent, { ...options, meshoptDecoder: MeshoptDecoder });
}
