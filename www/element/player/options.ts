import type { SKINNINGS, TONES } from "../engine/wasm.js";
import type { Vec3 } from "./camera.js";

/** Overrides for where framing places the camera. Angles are in radians; framing computes what is left out. */
export interface CameraHome {
  /** Point that the camera looks at. Framing computes a coordinate that is null. */
  readonly target?: readonly [number | null, number | null, number | null];
  /** Angle about the vertical axis. */
  readonly yaw?: number;
  /** Angle above the horizon. */
  readonly pitch?: number;
  /** Distance from the target, in the model's units. */
  readonly distance?: number;
  /** Distance from the target, as a factor on the one that framing computes. */
  readonly distanceShare?: number;
}

/** Limits on camera movement: least and greatest value, each of which may be left out. Angles are in radians. */
export interface CameraLimits {
  /** Angle about the vertical axis. */
  readonly yaw?: readonly [least?: number, greatest?: number];
  /** Angle above the horizon. Without a least angle, gestures keep the camera above the floor. */
  readonly pitch?: readonly [least?: number, greatest?: number];
  /** Distance from the target, in the model's units. */
  readonly distance?: readonly [least?: number, greatest?: number];
}

/** Widths of the strips along the canvas's edges that the model keeps clear of, in CSS pixels. */
export interface Insets {
  /** Height of the strip at the upper edge. Like the others, it defaults to 0. */
  readonly top?: number;
  /** Width of the strip at the right edge. */
  readonly right?: number;
  /** Height of the strip at the lower edge. */
  readonly bottom?: number;
  /** Width of the strip at the left edge. */
  readonly left?: number;
}

/** How vertices follow several joints: at the mean of where each would move them, or by a blend of rotations. */
export type Skinning = (typeof SKINNINGS)[number];

/** A tone mapper: how the light of a scene is fitted into what a screen shows. */
export type ToneMapping = (typeof TONES)[number];

/** A ray in world space. */
export interface Ray {
  /** Start point. */
  readonly origin: Vec3;
  /** Direction, a unit vector. */
  readonly direction: Vec3;
}

/** Red, green and blue in sRGB, and alpha, each from 0 to 1. */
export type Rgba = readonly [number, number, number, number];

/** Any CSS colour, or red, green and blue in sRGB and optionally alpha, each from 0 to 1. */
export type Color = string | Rgba | readonly [number, number, number];

/** How time advances: freely, or in equal steps of so many seconds. */
export type Clock = "free" | { readonly step: number };

/** A movement over the ground. */
export interface Travel {
  /** Offset, in the model's units, in the character's space at the start of the movement. */
  readonly translation: Vec3;
  /** Turn about the vertical axis, in radians to the left. */
  readonly yaw: number;
}

/** Size and content of a screenshot. */
export interface ScreenshotOptions {
  /** Width in whole pixels, up to 16,384. Default: the canvas's width. */
  width?: number;
  /** Height in whole pixels, up to 16,384. Default: the canvas's height. */
  height?: number;
  /** Whether to leave out the background and the ground shadow. */
  transparent?: boolean;
}
