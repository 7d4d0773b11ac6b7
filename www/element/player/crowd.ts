/** Converts the options of a crowd to the WebAssembly's form. */
import { isObject, number, numbers, ofType, wrongValue } from "../checks.js";
import type { Vec3 } from "./camera.js";

/** Clip, phases and places of the characters of a crowd. */
export interface CrowdOptions {
  /** Clip that all characters play, by name or index. Default: what plays now. */
  clip?: string | number;
  /** Phase of each character: how far ahead it is, as a fraction of the clip. Default: scattered evenly. */
  phases?: ArrayLike<number> | ((character: number) => number);
  /** Place of each character. Default: spread around the first character, like the seeds of a sunflower. */
  place?: (character: number) => Place;
}

/** The place of a character: a point, a point with a heading and a scale, or a column-major 4×4 matrix. */
export type Place =
  | Vec3
  | Float32Array
  | {
      readonly position: Vec3;
      /** Turn about the vertical axis, in radians to the left. */
      readonly heading?: number;
      readonly scale?: number;
    };

/** Largest crowd. Matches `MOST_CHARACTERS` in `src/player/crowd.rs`. */
export const MOST_CHARACTERS = 16_384;

/** The place of a character, as returned by `place`. */
export interface Standing {
  /** Position in world space. */
  readonly position: Vec3;
  /** Turn about the vertical axis, in radians to the left. */
  readonly heading: number;
  /** Scale; 1 is the size in the file. */
  readonly scale: number;
}

/** Returns the phase of each character, or an empty array for the default. */
export function crowdPhases(count: number, phases: CrowdOptions["phases"]): Float32Array {
  if (phases == null) return new Float32Array();
  const list =
    typeof phases === "function" ? Array.from({ length: count }, (_, character) => phases(character)) : phases;
  return numbers("phase", list, count);
}

/** Returns one column-major matrix per character, or an empty array for the default. */
export function crowdMatrices(count: number, place: CrowdOptions["place"]): Float32Array {
  if (place) ofType("place", place, "function");
  const matrices = new Float32Array(place ? count * 16 : 0);
  for (let character = 0; place && character < count; character++) {
    matrices.set(matrixOf(place(character)), character * 16);
  }
  return matrices;
}

/** Returns the column-major 4×4 matrix of a place. */
export function matrixOf(place: Place): ArrayLike<number> {
  if (!isObject(place)) throw wrongValue("place", place, "a point, { position } or a matrix");
  if ((place as ArrayLike<number>).length === 16) return numbers("place", place, 16);
  const { position, heading = 0, scale = 1 } = "position" in place ? place : { position: place };
  const [x, y, z] = numbers("place", position) as unknown as Vec3;
  const size = number("place", scale);
  const sin = Math.sin(number("yaw", heading)) * size;
  const cos = Math.cos(heading) * size;
  return [cos, 0, -sin, 0, 0, size, 0, 0, sin, 0, cos, 0, x, y, z, 1];
}
