/** Places and camera of the page of crowds: a crowd that is denser than those that the benchmark measures. */

import { cameraAround } from "../players/view.mjs";

/** Distance between neighbours: a multiple of a character's width or depth, and a share of its height. */
const SPACING = 1.2;
const SPACING_BY_HEIGHT = 0.25;

/** How far a character stands off its place in the row, as a share of the distance. */
const SCATTER = 0.25;

/** Height of the picture, as a share of its width. A test compares it with `crowds.css`. */
export const RATIO = 10 / 16;

/** Direction from the characters to the camera: higher than the benchmark's, from which more of them are seen. */
const TOWARDS_CAMERA = [0.35, 0.6, 0.8].map((along) => along / Math.hypot(0.35, 0.6, 0.8));

/**
 * Returns the ground position of a character among so many. Together they fill a square around the origin. The first
 * ones are nearest to the camera.
 */
export function placeIn(box, total, character) {
  const [x, z] = spacingOf(box);
  const [columns, rows] = gridOf(box, total);
  const [column, row] = [character % columns, Math.floor(character / columns)];
  const [aside, ahead] = [0, 1].map((axis) => (noise(2 * character + axis) - 0.5) * SCATTER);
  return [(column - (columns - 1) / 2 + aside) * x, 0, ((rows - 1) / 2 - row + ahead) * z];
}

/** Returns a number from 0 to 1 that looks random: the digits of a sine that are far behind the point. */
function noise(seed) {
  const large = Math.sin(seed * 12.9898) * 43758.5453;
  return large - Math.floor(large);
}

/** Returns the box of so many characters. */
export function boxAround(box, total) {
  const [x, z] = spacingOf(box);
  const [columns, rows] = gridOf(box, total);
  const reach = [((columns - 1 + SCATTER) / 2) * x, 0, ((rows - 1 + SCATTER) / 2) * z];
  return [-1, 1].map((sign, end) => box[end].map((along, axis) => along + sign * reach[axis]));
}

/** Returns the camera that has all of them in view. */
export function cameraOn(box, total) {
  return cameraAround(boxAround(box, total), RATIO, TOWARDS_CAMERA);
}

function spacingOf([min, max]) {
  const [width, height, depth] = max.map((high, axis) => high - min[axis]);
  return [width, depth].map((side) => side * SPACING + height * SPACING_BY_HEIGHT);
}

/** Returns how many columns and rows there are. */
function gridOf(box, total) {
  const [x, z] = spacingOf(box);
  const columns = Math.ceil(Math.sqrt((total * z) / x));
  return [Math.min(columns, total), Math.ceil(total / columns)];
}
