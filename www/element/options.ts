import type { Vec3 } from "./camera.js";
import type { BackendChoice, WasmUrls } from "./loader.js";

/** What is decided when a player is made. */
export interface PlayerOptions {
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
}

/** Where framing puts the camera, instead of where it would; angles in radians. */
export interface CameraHome {
  /** What it looks at; null leaves a coordinate to framing. */
  readonly target?: readonly [number | null, number | null, number | null];
  /** Round the vertical axis. */
  readonly yaw?: number;
  /** Above the horizon. */
  readonly pitch?: number;
  /** From the target, in the model's units. */
  readonly distance?: number;
  /** The distance, as a share of the one that framing finds. */
  readonly distanceShare?: number;
}

/** Red, green, blue and alpha, each from 0 to 1, as CSS writes them. */
export type Rgba = readonly [number, number, number, number];

/** As time comes, or in steps of so many seconds. */
export type Clock = "free" | { readonly step: number };

/** A way over the ground. */
export interface Travel {
  /** In the model's units, seen from where it began. */
  readonly translation: Vec3;
  /** Radians to the left, round the vertical axis. */
  readonly yaw: number;
}

/** What is in the picture, and how large it is. */
export interface ScreenshotOptions {
  /** In pixels; default: the canvas's. */
  width?: number;
  /** In pixels; default: the canvas's. */
  height?: number;
  /** Leaves background and ground out. */
  transparent?: boolean;
}
