import type { BackendChoice, WasmUrls } from "./loader.js";
import type { Loop } from "./run.js";

export interface PlayerOptions {
  /** `"auto"` takes WebGPU where there is a device, else WebGL2. */
  backend?: BackendChoice;
  /** Where the wasm files lie, when not beside this module. */
  wasm?: WasmUrls;
  /** Whether mouse, touch, wheel and keys on the canvas move the camera. On by default. */
  cameraControls?: boolean;
}

export interface PlayOptions {
  /** Seconds of crossfade from what plays now. */
  fade?: number;
  /** Default: the player's `loop`. */
  loop?: Loop;
}

export interface ScreenshotOptions {
  /** In pixels; default: the canvas's. */
  width?: number;
  height?: number;
  /** Leaves background and ground out. */
  transparent?: boolean;
}
