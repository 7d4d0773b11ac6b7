/** PlayCanvas with its device for WebGL2. */

import { WebglGraphicsDevice } from "playcanvas";

import { openWith } from "./playcanvas.mjs";
import { addCanvas } from "./view.mjs";

export { crowd, hide, run, show, step } from "./playcanvas.mjs";

export function open(parent, options) {
  const canvas = addCanvas(parent);
  return openWith(new WebglGraphicsDevice(canvas, { antialias: true }), canvas, options);
}
