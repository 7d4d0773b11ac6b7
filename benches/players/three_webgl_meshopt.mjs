/** three.js with `WebGLRenderer` and its decoder of meshopt. */

import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { WebGLRenderer } from "three";

import { openWith } from "./three.mjs";

export { crowd, hide, run, show, step } from "./three.mjs";

export function open(parent, options) {
  return openWith(new WebGLRenderer({ antialias: true }), parent, { ...options, meshoptDecoder: MeshoptDecoder });
}
