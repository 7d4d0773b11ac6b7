/** The picture that all players draw: its size, the places of the characters, and the camera. */

export const [WIDTH, HEIGHT] = [640, 480];

/** Vertical field of view, in radians. */
export const FIELD_OF_VIEW = 0.6;

/** Time of the clip at which a character starts, as a share of its duration. */
export function phaseOf(character) {
  return (0.1 + character * 0.618034) % 1;
}

/** Returns the length of a box's diagonal. */
export function sizeOf([min, max]) {
  return Math.hypot(...max.map((high, axis) => high - min[axis]));
}

/** Returns the ground position of a character in a square of them, around the origin. */
export function placeOf(character, count, spacing) {
  const side = Math.ceil(Math.sqrt(count));
  const at = (index) => (index - (side - 1) / 2) * spacing;
  return [at(character % side), 0, at(Math.floor(character / side))];
}

/** Direction from the models to the camera. */
const TOWARDS_CAMERA = [0.4, 0.4, 0.8].map((along) => along / Math.hypot(0.4, 0.4, 0.8));

/**
 * Returns the camera from which a box fills the picture. With a count, the box is that of the first of many characters,
 * and all of them are in view.
 *
 * @param box lowest and highest corner, of three numbers each
 */
export function cameraFor([min, max], count) {
  const reach = placeOf(0, count, sizeOf([min, max])).map(Math.abs);
  return cameraAround([min.map((along, axis) => along - reach[axis]), max.map((along, axis) => along + reach[axis])]);
}

/**
 * Returns the camera from which a box fills a picture.
 *
 * @param ratio of the picture's height to its width
 * @param towards direction from the box to the camera
 */
export function cameraAround([low, high], ratio = HEIGHT / WIDTH, towards = TOWARDS_CAMERA) {
  const target = low.map((along, axis) => (along + high[axis]) / 2);
  const [x, y, z] = towards;
  const side = [z, 0, -x].map((along) => along / Math.hypot(x, z));
  const up = [y * side[2], z * side[0] - x * side[2], -y * side[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const slope = Math.tan(FIELD_OF_VIEW / 2);
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const at = target.map((middle, axis) => (corner & (1 << axis) ? high[axis] : low[axis]) - middle);
    const aside = Math.max(Math.abs(dot(at, up)), Math.abs(dot(at, side)) * ratio);
    distance = Math.max(distance, aside / slope + dot(at, towards));
  }
  const eye = target.map((along, axis) => along + towards[axis] * distance);
  return { target, eye, distance, near: distance / 100, far: distance * 10 };
}

/** Returns a sphere around so many characters. */
export function sphereOf([min, max], count) {
  const target = min.map((low, axis) => (low + max[axis]) / 2);
  const size = sizeOf([min, max]);
  return { target, radius: size / 2 + Math.hypot(...placeOf(0, count, size)) };
}

export function addCanvas(parent) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  parent.append(canvas);
  return canvas;
}
