import type { Vec3 } from "./camera.js";

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

/** How far the camera can be moved: least and greatest, each of which may be left out. Angles are in radians. */
export interface CameraLimits {
  /** Round the vertical axis. */
  readonly yaw?: readonly [least?: number, greatest?: number];
  /** Above the horizon. Without a least one, gestures keep the camera above the floor. */
  readonly pitch?: readonly [least?: number, greatest?: number];
  /** From the target, in the model's units. */
  readonly distance?: readonly [least?: number, greatest?: number];
}

/** Strips of the canvas that the model keeps clear of, in CSS pixels. */
export interface Insets {
  /** From the upper edge; 0 by default, as the others. */
  readonly top?: number;
  /** From the right edge. */
  readonly right?: number;
  /** From the lower edge. */
  readonly bottom?: number;
  /** From the left edge. */
  readonly left?: number;
}

/** A line of sight. */
export interface Ray {
  /** Where it begins, in the world. */
  readonly origin: Vec3;
  /** Where it leads, of length 1. */
  readonly direction: Vec3;
}

/** Red, green, blue and alpha, each from 0 to 1, as CSS writes them. */
export type Rgba = readonly [number, number, number, number];

/** Any colour of CSS, or red, green, blue and perhaps alpha, each from 0 to 1. */
export type Color = string | Rgba | readonly [number, number, number];

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
  /** Whole pixels, up to 16,384; default: the canvas's. */
  width?: number;
  /** Whole pixels, up to 16,384; default: the canvas's. */
  height?: number;
  /** Leaves background and ground out. */
  transparent?: boolean;
}
