import type { BackendChoice, WasmUrls } from "../engine/engine.js";
import type { AheadOptions } from "../files/ahead.js";

/** When the camera zooms by wheel, pinch and keys. */
export const CAMERA_ZOOMS = ["auto", "always", "none"] as const;
/** `"auto"` leaves the wheel to the page until the player has the focus or Ctrl is held; `"none"` never zooms. */
export type CameraZoom = (typeof CAMERA_ZOOMS)[number];

/** What is decided when a player is made. */
export interface PlayerOptions extends AheadOptions {
  /** `"auto"` takes WebGPU where there is a device, else WebGL2. */
  backend?: BackendChoice;
  /** Where the wasm files lie, when not beside this module. */
  wasm?: WasmUrls;
  /**
   * Runs the whole player in a worker, one for all players of the page, so that a busy page doesn't stop the motion.
   * `true` finds the package's `worker.js` beside this module; else its address. The canvas is the worker's for good.
   *
   * All is asked as without one. What is read is as of the last frame that the worker told of, and of what the page
   * itself asked since; `await player.settled()` brings it up to date. Matrices, weights and bounds are told from the
   * first time on that they are read, which gives them as of then when the model was shown. What only the worker can
   * find wrong with a call is told by an `error` event.
   */
  worker?: boolean | string | URL;
  /** Whether mouse, touch, wheel and keys on the canvas move the camera. On by default. */
  cameraControls?: boolean;
  /** When wheel, pinch and keys zoom: see {@link Player.cameraZoom}. Default: `"auto"`. */
  cameraZoom?: CameraZoom;
}
