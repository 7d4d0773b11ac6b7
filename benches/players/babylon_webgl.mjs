/** Babylon.js with its engine for WebGL. */

import { Engine } from "@babylonjs/core/Engines/engine.js";

import { openWith } from "./babylon.mjs";
import { addCanvas } from "./view.mjs";

export { crowd, hide, run, show, step } from "./babylon.mjs";

export function open(parent, options) {
  return openWith(new Engine(addCanvas(parent), true), options);
}
