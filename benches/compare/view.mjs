/** The picture that all players draw: its size, the grey behind the model, and the camera. */

/** Side of the square pictures, in pixels. */
export const SIDE = 384;

/** The grey that pictures are laid on, as a byte of sRGB. */
export const GREY = 110;

/** Vertical field of view, in degrees. */
export const FIELD_OF_VIEW = 30;

/** Part of the picture's half that the model's box may fill. */
const FILLED = 0.95;

/** Direction from the model to the camera: from the front, 14° above it. */
const TOWARDS_CAMERA = [0, 0.25, 1].map((along) => along / Math.hypot(0.25, 1));

/**
 * Returns the camera from which a box fills the picture.
 *
 * @param box lowest and highest corner, of three numbers each
 * @param options `fromBehind`: looks from −z instead of +z
 */
export function cameraFor([min, max], { fromBehind = false } = {}) {
  const front = fromBehind ? -1 : 1;
  const towards = [0, TOWARDS_CAMERA[1], front * TOWARDS_CAMERA[2]];
  const up = [0, TOWARDS_CAMERA[2], -front * TOWARDS_CAMERA[1]];
  const target = min.map((low, axis) => (low + max[axis]) / 2);
  const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * FILLED;
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const at = target.map((middle, axis) => (corner & (1 << axis) ? max : min)[axis] - middle);
    const aside = Math.max(Math.abs(dot(at, up)), Math.abs(at[0]));
    distance = Math.max(distance, aside / slope + dot(at, towards));
  }
  const eye = target.map((middle, axis) => middle + towards[axis] * distance);
  // A box is nearer to its middle than the camera is, so that the planes enclose it.
  return { target, eye, distance, near: distance / 100, far: distance * 10 };
}

/** Returns the angles of a camera: about the vertical from +z, and from the vertical downwards, in radians. */
export function orbitOf({ target, eye, distance }) {
  const [x, y, z] = eye.map((along, axis) => (along - target[axis]) / distance);
  return { theta: Math.atan2(x, z), phi: Math.acos(y) };
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
