/**
 * Rooms as `Room::from_numbers` of `src/light/room.rs` reads them: light of the floor, of the foot and the head of the
 * walls, and of the ceiling; the fraction of it that is left in corners; then soft boxes, of which the first casts the
 * shadow.
 */

export type RoomName = "studio" | "soft" | "rim" | "sunset" | "night" | "flat";

type Rgb = readonly [red: number, green: number, blue: number];
/** Direction, half the width and half the height at a distance of 1, width of the soft edge, and light. */
type SoftBox = readonly [towards: Rgb, width: number, height: number, feather: number, light: Rgb];

function room(floor: Rgb, foot: Rgb, head: Rgb, ceiling: Rgb, corners: number, ...boxes: SoftBox[]): readonly number[] {
  return [floor, foot, head, ceiling, corners, boxes].flat(3) as number[];
}

/** The rooms by name. The studio is built in, so it has no numbers. */
export const ROOMS: { readonly [Name in RoomName]: readonly number[] } = {
  studio: [],
  /** Light from everywhere, a little more from above. */
  soft: room([0.75, 0.73, 0.7], [0.7, 0.7, 0.7], [0.95, 0.96, 0.98], [1.15, 1.15, 1.15], 0.8, [
    [-0.35, 0.75, 0.55],
    0.9,
    0.9,
    0.6,
    [1.3, 1.27, 1.22],
  ]),
  /** Outlines before a dark room. */
  rim: room(
    [0.05, 0.05, 0.06],
    [0.04, 0.04, 0.05],
    [0.08, 0.08, 0.1],
    [0.06, 0.06, 0.07],
    0.5,
    [[-0.45, 0.68, 0.58], 0.3, 0.3, 0.1, [2.2, 2.1, 2]],
    [[-0.85, 0.25, -0.45], 0.22, 0.9, 0.08, [13, 13.5, 15]],
    [[0.85, 0.3, -0.4], 0.22, 0.9, 0.08, [14, 12.5, 11]],
    [[0.1, 0.8, -0.6], 0.6, 0.14, 0.08, [9, 9, 9.5]],
  ),
  /** A low, warm sun and a violet sky. */
  sunset: room(
    [0.34, 0.23, 0.19],
    [0.95, 0.5, 0.28],
    [0.42, 0.36, 0.5],
    [0.26, 0.3, 0.5],
    0.9,
    [[-0.72, 0.36, 0.6], 0.24, 0.24, 0.14, [26, 14.5, 6.2]],
    [[-0.72, 0.25, 0.6], 1.3, 0.5, 0.6, [1.5, 0.7, 0.3]],
  ),
  /** A cool moon, and a warm window behind. */
  night: room(
    [0.035, 0.042, 0.06],
    [0.03, 0.036, 0.055],
    [0.05, 0.07, 0.12],
    [0.055, 0.08, 0.15],
    0.7,
    [[0.4, 0.74, 0.54], 0.22, 0.22, 0.1, [4.6, 5.6, 7.6]],
    [[-0.7, 0.15, -0.7], 0.24, 0.34, 0.06, [5, 3, 1.3]],
  ),
  /** The same light from everywhere: surfaces have the colours of their textures. */
  flat: room([1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1], 1),
};
