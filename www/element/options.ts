import type { Vec3 } from "./camera.js";
import type { BackendChoice, WasmUrls } from "./loader.js";

export interface PlayerOptions {
  /** `"auto"` takes WebGPU where there is a device, else WebGL2. */
  backend?: BackendChoice;
  /** Where the wasm files lie, when not beside this module. */
  wasm?: WasmUrls;
  /** Whether mouse, touch, wheel and keys on the canvas move the camera. On by default. */
  cameraControls?: boolean;
}

/** As time comes, or in steps of so many seconds. */
export type Clock = "free" | { readonly step: number };

/** A way over the ground. */
export interface Travel {
  readonly translation: Vec3;
  /** Radians to the left, round the vertical axis. */
  readonly yaw: number;
}

export interface ScreenshotOptions {
  /** In pixels; default: the canvas's. */
  width?: number;
  height?: number;
  /** Leaves background and ground out. */
  transparent?: boolean;
}
