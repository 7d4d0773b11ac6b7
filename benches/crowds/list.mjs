/**
 * What the sides of the page of crowds have in common. A side is a class with these members.
 *
 * - `Side.open(canvas, { backend, background, pixelRatio })` makes a renderer and resolves to a side.
 * - `load(url)` replaces the model.
 * - `fill(shown)` shows that many characters of the model. `shown` has `box`, the corners of the model; `total`, which
 *   decides places and camera; `count`, how many of these places are taken; `form`, a key of `MOST`; `clips`, two
 *   indices; and `share`, that of the second clip, from 0 to 1.
 * - `blend(share)` changes the share of the second clip.
 * - `castShadows(casts)` turns shadows on or off. Gambol lacks it: its characters always cast shadows.
 * - `step(dtSecs)` advances by a time and draws one frame.
 * - `costs` are those of the last frame: `draws`, and `gpuBytes` if the side knows it.
 * - `close()` frees everything.
 *
 * Sides draw the same places, phases, clips and camera. They have shadows and a ground of their own kind, and lights of
 * their own, so that pictures are alike but not equal.
 */

/** Numbers of characters that can be chosen, at nearly equal ratios. */
export const COUNTS = [
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700],
  ...[1000, 1500, 2000, 3000, 5000, 7000, 10_000, 15_000, 20_000],
];

/** Most characters of each form. That of three.js is a choice: each takes a mixer, a skeleton and draws of its own. */
export const MOST = { throng: 65_536, crowd: 16_384, clones: 2000 };

/** Returns the number of characters that a form shows of those that are asked for. */
export function countIn(form, total) {
  return Math.min(total, MOST[form]);
}
