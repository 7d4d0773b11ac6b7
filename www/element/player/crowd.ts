/** How the members of a crowd are told apart, on the way to the wasm side. */
import { isObject, number, numbers, ofKind, wrong } from "../checks.js";
import type { Vec3 } from "./camera.js";

/** What the members of a crowd play, and where they stand. */
export interface CrowdOptions {
  /** Default: what plays now. */
  clip?: string | number;
  /** How far ahead of the clip's start each one is, as fractions of the clip. Default: scattered. */
  phases?: ArrayLike<number> | ((character: number) => number);
  /** Where each one stands. Default: spread round the first like the seeds of a sunflower. */
  place?: (character: number) => Place;
}

/** A point, a point with a heading and a size, or a column-major 4×4 matrix. */
export type Place =
  | Vec3
  | Float32Array
  | {
      readonly position: Vec3;
      /** Radians to the left. */
      readonly heading?: number;
      readonly scale?: number;
    };

/** As the wasm side has it. */
export const MOST_CHARACTERS = 16_384;

/** A place as it is read. */
export interface Standing {
  /** In the world. */
  readonly position: Vec3;
  /** Radians to the left. */
  readonly heading: number;
  /** 1 is the file's size. */
  readonly scale: number;
}

/** One number a character; empty for the default. */
export function crowdPhases(count: number, phases: CrowdOptions["phases"]): Float32Array {
  if (phases == null) return new Float32Array();
  const list = typeof phases === "function" ? Array.from({ length: count }, (_, character) => phases(character)) : phases;
  return numbers("phase", list, count);
}

/** One column-major matrix a character; empty for the default. */
export function crowdMatrices(count: number, place: CrowdOptions["place"]): Float32Array {
  if (place) ofKind("place", place, "function");
  const matrices = new Float32Array(place ? count * 16 : 0);
  for (let character = 0; place && character < count; character++) {
    matrices.set(matrixOf(place(character)), character * 16);
  }
  return matrices;
}

/** Column-major. */
export function matrixOf(place: Place): ArrayLike<number> {
  if (!isObject(place)) throw wrong("place", place, "a point, { position } or a matrix");
  if ((place as ArrayLike<number>).length === 16) return numbers("place", place, 16);
  const { position, heading = 0, scale = 1 } = "position" in place ? place : { position: place };
  const [x, y, z] = numbers("place", position) as unknown as Vec3;
  const size = number("place", scale);
  const sin = Math.sin(number("yaw", heading)) * size;
  const cos = Math.cos(heading) * size;
  return [cos, 0, -sin, 0, 0, size, 0, 0, sin, 0, cos, 0, x, y, z, 1];
}
