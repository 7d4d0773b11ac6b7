/**
 * The players that are measured, and what their modules have in common.
 *
 * A module of this folder exports these functions. Each start page bundles only those that it calls.
 *
 * - `open(parent, { box, backend, preload, manual, shadows })` makes a canvas and a renderer, and returns a stage.
 *   `box` are the corners of the model, `preload` is the URL that `show` will get first. With `manual`, the stage draws
 *   only when `step` is called. With `shadows`, characters cast shadows on themselves and on others.
 * - `show(stage, url)` loads a model and plays its first clip.
 * - `run(stage)` starts the player's own frame loop.
 * - `step(stage, dtSecs)` advances by a time and draws one frame.
 * - `crowd(stage, count)` replaces the model by that many characters of it, each at a place and time of its own.
 * - `throng(stage, count)`, if the player has it, replaces the model by that many members, which the GPU poses.
 * - `hide(stage)` removes the model and frees its memory.
 * - `onPicture(stage, listener, options)`, if the player draws in a worker, adds a listener for its pictures.
 *
 * All of them draw the model with smooth edges. Gambol has its studio light, a ground and a shadow, the others a light
 * from the sky and a sun. With `manual`, their cameras agree, and Gambol draws no ground. It always casts shadows.
 */
export const PLAYERS = [
  { name: "Gambol WebGPU", module: "gambol", backend: "webgpu", canCastShadows: true, canThrong: true },
  { name: "Gambol WebGL2", module: "gambol", backend: "webgl2", canCastShadows: true, canThrong: true },
  { name: "Gambol's element, WebGPU", module: "element", backend: "webgpu" },
  { name: "Gambol's element, WebGL2", module: "element", backend: "webgl2" },
  { name: "three.js WebGL", module: "three_webgl", canCastShadows: true },
  { name: "three.js WebGPU", module: "three_webgpu", canCastShadows: true },
  { name: "Babylon.js WebGL", module: "babylon_webgl" },
  { name: "Babylon.js WebGPU", module: "babylon_webgpu" },
  { name: "Babylon Lite", module: "lite", canCastShadows: true },
  { name: "PlayCanvas WebGL", module: "playcanvas_webgl" },
  { name: "PlayCanvas WebGPU", module: "playcanvas_webgpu" },
];

/** Players in workers, of which only frames with shadows are measured. */
export const IN_WORKERS = [
  { name: "Gambol WebGPU, in a worker", module: "gambol_worker", backend: "webgpu" },
  { name: "Gambol WebGL2, in a worker", module: "gambol_worker", backend: "webgl2" },
];

/** The page that others are compared with. */
export const REFERENCE = "three.js WebGL";

/** Returns the player without the element that has the same backend, or undefined if this isn't the element. */
export function bareOf({ module, backend }) {
  return module === "element"
    ? PLAYERS.find((other) => other.module === "gambol" && other.backend === backend)
    : undefined;
}
