/**
 * The environment image of the part “light”: a sky, a warm ground, a sun and soft boxes. No two directions look alike,
 * so that a player is noticed which turns or mirrors the image.
 *
 * The image is a panorama as three.js reads it: its middle is towards +x, and +z is a quarter to the right of it.
 */

export const WIDTH = 1024;
export const HEIGHT = 512;

const HORIZON = [0.8, 0.84, 0.9];
const ZENITH = [0.2, 0.34, 0.64];
const GROUND_FAR = [0.4, 0.29, 0.2];
const GROUND_NEAR = [0.2, 0.14, 0.1];

/** The sun: in front, at the right, 38° high. Its edge is soft from 4° to 8°. */
const SUN = { towards: unit([0.6, 0.65, 0.6]), inner: 4, outer: 8, light: [30, 26, 20] };

/** Direction, half the width and half the height at a distance of 1, width of the soft edge, and light. */
const BOXES = [
  { towards: unit([-0.8, 0.35, 0.5]), width: 0.35, height: 0.5, edge: 0.08, light: [3.4, 3.5, 3.6] },
  { towards: unit([0.35, 0.3, -0.9]), width: 0.15, height: 0.6, edge: 0.06, light: [6, 8, 11] },
  { towards: unit([0, 1, -0.3]), width: 0.6, height: 0.12, edge: 0.05, light: [6, 5.8, 5.4] },
];

/** Returns the image as a file of the format Radiance. */
export function lightFile() {
  const rows = [Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${HEIGHT} +X ${WIDTH}\n`)];
  for (let row = 0; row < HEIGHT; row++) {
    const colors = Array.from({ length: WIDTH }, (_, column) => lightFrom(directionOf(column, row)));
    rows.push(encodedRow(colors));
  }
  return Buffer.concat(rows);
}

/** Returns the direction of a pixel's centre, as a unit vector. */
export function directionOf(column, row) {
  const longitude = ((column + 0.5) / WIDTH - 0.5) * 2 * Math.PI;
  const latitude = (0.5 - (row + 0.5) / HEIGHT) * Math.PI;
  const across = Math.cos(latitude);
  return [across * Math.cos(longitude), Math.sin(latitude), across * Math.sin(longitude)];
}

/** Returns the light from a direction: red, green and blue, linear. */
export function lightFrom(direction) {
  const height = direction[1];
  const sky = mixed(HORIZON, ZENITH, Math.sqrt(Math.max(height, 0)));
  const ground = mixed(GROUND_FAR, GROUND_NEAR, Math.max(-height, 0));
  const light = mixed(ground, sky, smooth(-0.04, 0.04, height));
  const angle = (Math.acos(Math.min(dot(direction, SUN.towards), 1)) * 180) / Math.PI;
  const sun = 1 - smooth(SUN.inner, SUN.outer, angle);
  return BOXES.reduce((sum, box) => added(sum, box.light, partOf(box, direction)), added(light, SUN.light, sun));
}

/** Returns how much a soft box is seen in a direction: 1 inside, 0 outside. */
function partOf({ towards, width, height, edge }, direction) {
  const facing = dot(direction, towards);
  if (facing <= 0) return 0;
  const right = unit([towards[2], 0, -towards[0]]);
  const up = cross(towards, right);
  const inside = (half, along) => 1 - smooth(half - edge, half + edge, Math.abs(dot(direction, along)) / facing);
  return inside(width, right) * inside(height, up);
}

/** Returns a row of pixels with a shared exponent, each byte of them run-length encoded by itself. */
function encodedRow(colors) {
  const pixels = colors.map(rgbe);
  const head = [2, 2, colors.length >> 8, colors.length & 255];
  return Buffer.from([...head, ...[0, 1, 2, 3].flatMap((lane) => runs(pixels.map((pixel) => pixel[lane])))]);
}

/** Returns three bytes of colour and one of their exponent, which is 128 for numbers below 1. */
export function rgbe(color) {
  const most = Math.max(...color);
  if (most < 1e-32) return [0, 0, 0, 0];
  const exponent = Math.floor(Math.log2(most)) + 1;
  return [...color.map((part) => Math.floor(part * 2 ** (8 - exponent))), exponent + 128];
}

/** The longest run and the longest list of different bytes. */
const LONGEST = 127;

/** Bytes that are repeated less often are shorter as they are. */
const SHORTEST = 3;

/** Returns bytes as runs, a count above 128 and the byte, and as lists, a count and the bytes. */
export function runs(bytes) {
  const encoded = [];
  let list = [];
  const flush = () => {
    if (list.length > 0) encoded.push(list.length, ...list);
    list = [];
  };
  for (let at = 0; at < bytes.length; ) {
    let count = 1;
    while (count < LONGEST && bytes[at + count] === bytes[at]) count++;
    if (count >= SHORTEST) {
      flush();
      encoded.push(128 + count, bytes[at]);
      at += count;
    } else {
      list.push(bytes[at++]);
      if (list.length === LONGEST) flush();
    }
  }
  flush();
  return encoded;
}

function smooth(low, high, at) {
  const share = Math.min(Math.max((at - low) / (high - low), 0), 1);
  return share * share * (3 - 2 * share);
}

function mixed(a, b, share) {
  return a.map((part, color) => part + (b[color] - part) * share);
}

function added(light, more, share) {
  return light.map((part, color) => part + more[color] * share);
}

function unit(vector) {
  const length = Math.hypot(...vector);
  return vector.map((along) => along / length);
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross([ax, ay, az], [bx, by, bz]) {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}
