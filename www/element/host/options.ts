import type { BackendChoice, WasmUrls } from "../engine/engine.js";
import type { AheadOptions } from "../files/prefetch.js";

/** When wheel, pinch and keys zoom. */
export const CAMERA_ZOOMS = ["auto", "always", "none"] as const;
/**
 * When wheel, pinch and keys zoom. `"auto"` leaves the wheel to the page unless the player has the focus or Ctrl is
 * held. `"always"` takes the wheel from the page; `"none"` never zooms.
 */
export type CameraZoom = (typeof CAMERA_ZOOMS)[number];

/**
 * What becomes of a picture when nothing moves any more. `"refined"` is smoother at edges and highlights: it is drawn
 * 15 times more, each time with its samples at other places. `"plain"` stays as it is.
 */
export type StillPicture = "refined" | "plain";

/** Options for creating a player. */
export interface PlayerOptions extends AheadOptions {
  /** Graphics API. `"auto"`, the default, uses WebGPU if a device is available, and otherwise WebGL2. */
  backend?: BackendChoice;
  /** URLs of the wasm files. Default: beside this module. */
  wasm?: WasmUrls;
  /**
   * Runs the player in a worker, shared by all such players of the page, so that a busy page doesn't stop the
   * animation. `true` uses the package's `worker.js` beside this module; a string or URL is the address of that
   * script. The canvas is transferred to the worker and can't be taken back.
   *
   * The API stays the same. Values that the page sets itself (rates, weights, parameters, camera, looks) are read back
   * at once. Everything else, such as `state`, is what the worker reported last; `await player.settled()` brings it up
   * to date. Matrices, weights of morph targets and bounds are reported only after they have first been read; that
   * first read returns the values from when the model was shown. Errors that only the worker can detect are reported
   * by an `error` event.
   */
  worker?: boolean | string | URL;
  /** Whether mouse, touch, wheel and keys on the canvas move the camera. Default: true. */
  cameraControls?: boolean;
  /** When wheel, pinch and keys zoom: see {@link Player.cameraZoom}. Default: `"auto"`. */
  cameraZoom?: CameraZoom;
}
