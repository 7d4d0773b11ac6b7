/** Parses CSS colours. The browser does the parsing, since only it supports every colour of its own CSS. */
import { wrongValue } from "../checks.js";

/** Returns red, green, blue and alpha of a colour, or an empty array for null. */
export function rgbaOf(what: string, color: unknown): Float32Array {
  const lanes = typeof color === "string" ? (parsed(color) ?? []) : Array.from((color ?? []) as ArrayLike<number>);
  if (color === null) return new Float32Array();
  if (lanes.length === 3) lanes.push(1);
  const fits = (lane: unknown) => typeof lane === "number" && lane >= 0 && lane <= 1;
  if (lanes.length === 4 && lanes.every(fits)) return Float32Array.from(lanes);
  throw wrongValue(what, color, "a CSS colour, 3 or 4 numbers from 0 to 1, or null", "NOT_A_COLOR");
}

let pen: OffscreenCanvasRenderingContext2D | undefined;

/** Parses a CSS colour to red, green, blue and alpha. Returns null for any other text. */
export function parsed(color: string): number[] | null {
  pen ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  // Setting `fillStyle` to an invalid colour keeps the previous one.
  const [found, other] = ["#000", "#fff"].map((before) => {
    pen!.fillStyle = before;
    pen!.fillStyle = color;
    return pen!.fillStyle as string;
  });
  if (found !== other) return null;
  // All browsers serialize `fillStyle` as `#rrggbb` or `rgba(r, g, b, a)`, and other colour spaces as a function.
  if (found![0] === "#") return [1, 3, 5].map((at) => parseInt(found!.slice(at, at + 2), 16) / 255).concat(1);
  if (found!.startsWith("rgba")) return found!.match(/[\d.]+/g)!.map((text, at) => +text / (at < 3 ? 255 : 1));
  pen.clearRect(0, 0, 1, 1);
  pen.fillRect(0, 0, 1, 1);
  return Array.from(pen.getImageData(0, 0, 1, 1).data, (byte) => byte / 255);
}
