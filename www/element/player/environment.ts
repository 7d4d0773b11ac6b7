/** Light from all around: rooms by name, and panoramas. Imported with the first environment that a page sets. */
import type * as checks from "../checks.js";
import type * as errors from "../errors.js";
import type * as images from "../files/images.js";
import type * as source from "../files/source.js";
import type { PlayerContext } from "./player_context.js";
import { decodeHdr, type Light } from "./hdr.js";
import { ROOMS, type RoomName } from "./rooms.js";

/** A room by its name, or a panorama: a URL or a file. */
export type EnvironmentSource = RoomName | (string & {}) | URL | Blob;

/** How the environment is shown in place of the background. */
export type Backdrop = (typeof BACKDROPS)[number];

/** By their numbers in `src/web/environment.rs`. */
const BACKDROPS = ["none", "blurred", "sharp"] as const;

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export type MainExports = Pick<typeof checks, "wrongValue"> &
  Pick<typeof images, "decodeImage"> &
  Pick<typeof errors, "asError"> &
  Pick<typeof source, "open">;

/** The width of a panorama's texels. They are about as large as those of the map that is made of them. */
const WIDTH = 1024;

/** The last call of each player. */
const calls = new WeakMap<PlayerContext, object>();

/** Sets the environment of a player, unless another call has followed meanwhile. */
export async function setEnvironment(
  source: EnvironmentSource | null,
  context: PlayerContext,
  main: MainExports,
): Promise<void> {
  const call = {};
  calls.set(context, call);
  const room = typeof source === "string" && Object.hasOwn(ROOMS, source) ? ROOMS[source as RoomName] : undefined;
  const isPanorama = source !== null && !room;
  // `extend` comes first, since it throws at once if the player has ended.
  const [, light] = await Promise.all([context.extend("import"), isPanorama && lightOf(source, main)]);
  if (calls.get(context) !== call) return;
  if (light) {
    const { width, rgb } = shrunk(light);
    context.rust.setPanorama(width, packed(rgb));
  } else context.rust.setRoom(Float32Array.from(room ?? []));
  context.changed();
}

/** What the last call shows, for each player. */
const backdrops = new WeakMap<PlayerContext, number>();

/** Shows the environment in place of the background, unless another call has followed meanwhile. */
export async function showEnvironment(
  how: Backdrop,
  context: PlayerContext,
  wrongValue: typeof checks.wrongValue,
): Promise<void> {
  const index = BACKDROPS.indexOf(how);
  if (index < 0) throw wrongValue("environmentBackground", how, BACKDROPS.join(" or "), "OUT_OF_RANGE");
  backdrops.set(context, index);
  await context.extend("import");
  if (backdrops.get(context) !== index) return;
  context.rust.showEnvironment(index);
  context.changed();
}

/** Reads a panorama. */
async function lightOf(source: string | URL | Blob, main: MainExports): Promise<Light> {
  const { asError, open, wrongValue } = main;
  if (typeof source !== "string" && !(source instanceof URL) && !(source instanceof Blob))
    throw wrongValue("environment", source, `${Object.keys(ROOMS).join(", ")}, a URL or a file`);
  const { bytes } = await open(source);
  try {
    // Files of Radiance begin with “#?”.
    return bytes[0] === 0x23 && bytes[1] === 0x3f ? decodeHdr(bytes) : await decodePicture(new Blob([bytes]), main);
  } catch (error) {
    throw asError(error, "ENVIRONMENT_NOT_LOADED");
  }
}

/** Decodes a picture with 8 bits for each colour. */
async function decodePicture(blob: Blob, { decodeImage }: MainExports): Promise<Light> {
  const bitmap = await decodeImage(blob, 2 * WIDTH);
  const { width, height } = bitmap;
  const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  pen.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = pen.getImageData(0, 0, width, height);
  const linear = Float32Array.from({ length: 256 }, (_, byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const rgb = new Float32Array(width * height * 3);
  for (let at = 0; at < rgb.length; at++) rgb[at] = linear[data[Math.floor(at / 3) * 4 + (at % 3)]!]!;
  return { width, height, rgb };
}

/** Averages texels, until there are few enough. */
function shrunk(light: Light): Light {
  const { width, height, rgb } = light;
  const factor = Math.floor(width / WIDTH);
  if (factor < 2) return light;
  const small = { width: Math.floor(width / factor), height: Math.max(1, Math.floor(height / factor)) };
  const sums = new Float32Array(small.width * small.height * 3);
  for (let y = 0; y < small.height * factor && y < height; y++) {
    const row = Math.floor(y / factor) * small.width;
    for (let x = 0; x < small.width * factor; x++) {
      const [from, to] = [(y * width + x) * 3, (row + Math.floor(x / factor)) * 3];
      for (let color = 0; color < 3; color++) sums[to + color]! += rgb[from + color]! / factor ** 2;
    }
  }
  return { ...small, rgb: sums };
}

/** The largest light that a texel can have. */
const MOST = 65408;

/** Returns texels with 9 bits for each colour and 5 for a shared exponent, as `src/light/packing.rs` packs them. */
function packed(rgb: Float32Array): Uint32Array {
  const texels = new Uint32Array(rgb.length / 3);
  for (let at = 0; at < texels.length; at++) {
    const part = (color: number): number => Math.min(Math.max(rgb[at * 3 + color]! || 0, 0), MOST);
    const [r, g, b] = [part(0), part(1), part(2)];
    const most = Math.max(r, g, b);
    let exponent = most > 0 ? Math.max(Math.floor(Math.log2(most)), -16) + 16 : 0;
    if (Math.round(most * 2 ** (24 - exponent)) > 511) exponent++;
    const scale = 2 ** (24 - exponent);
    texels[at] =
      Math.round(r * scale) | (Math.round(g * scale) << 9) | (Math.round(b * scale) << 18) | (exponent << 27);
  }
  return texels;
}
