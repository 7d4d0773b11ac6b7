/** Conversion between sRGB colours and linear light. */
import { rgbaOf } from "./color.js";
import type { Rgba } from "./options.js";

/** Converts a colour to linear red, green and blue; alpha is unchanged. */
export function lightOf(what: string, color: unknown): number[] {
  const [red, green, blue, alpha] = rgbaOf(what, color ?? undefined);
  return [
    ...[red!, green!, blue!].map((shown) => (shown <= 0.04045 ? shown / 12.92 : ((shown + 0.055) / 1.055) ** 2.4)),
    alpha!,
  ];
}

/** Converts linear red, green, blue and alpha to sRGB; alpha is unchanged, and 1 if it is missing. */
export function colorOf([red, green, blue, alpha = 1]: Iterable<number>): Rgba {
  const [r, g, b] = [red!, green!, blue!]
    .map((light) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055))
    .map(Math.fround);
  return [r!, g!, b!, alpha];
}
