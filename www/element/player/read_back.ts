/** What is read back from the GPU: screenshots, and vertices to check. Imported with the first of them. */
import type { GambolError } from "../errors.js";
import type { PlayerContext } from "./player_context.js";

/** Values of the main script, passed as an argument: importing them would make bundlers split that script. */
interface MainExports {
  readonly GambolError: typeof GambolError;
}

/** Largest canvas side in Chromium and Safari. */
const LONGEST_SIDE = 16_384;

/** Largest pixel count. The pixels and the canvas that encodes them then take 512 MiB. */
const MOST_PIXELS = 2 ** 26;

/** Returns a PNG of the current frame, for {@link Player.screenshot}. */
export async function takeScreenshot(
  context: PlayerContext,
  width: number,
  height: number,
  isTransparent: boolean,
  { GambolError }: MainExports,
): Promise<Blob> {
  const fits = (side: number): boolean => Number.isInteger(side) && side > 0 && side <= LONGEST_SIDE;
  if (!(fits(width) && fits(height) && width * height <= MOST_PIXELS)) {
    throw new GambolError(
      "SCREENSHOT_SIZE",
      `a screenshot of ${String(width)} × ${String(height)} pixels can't be taken; ` +
        `give whole numbers from 1 to ${LONGEST_SIDE}, and ${MOST_PIXELS} pixels at most`,
    );
  }
  try {
    return await encodePng(await context.rust.screenshot(width, height, isTransparent), width, height);
  } catch (error) {
    if (error instanceof GambolError) throw error;
    throw new GambolError("SCREENSHOT_FAILED", "the browser couldn't make the screenshot; try a smaller one", {
      cause: error,
    });
  }
}

/** Encodes pixels with the browser's own PNG writer. */
async function encodePng(rgba: Uint8Array<ArrayBuffer>, width: number, height: number): Promise<Blob> {
  const pixels = new ImageData(new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength), width, height);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")!.putImageData(pixels, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  // Frees the canvas's memory now, rather than at the next garbage collection.
  canvas.width = canvas.height = 0;
  return blob;
}

/** Returns the greatest error of the GPU's vertices, for {@link Player.skinningError}. */
export async function findSkinningError(context: PlayerContext): Promise<number> {
  let farthest = 0;
  const counts = await context.rust.primitiveCounts();
  for (const [drawable, count] of counts.entries()) {
    for (let primitive = 0; primitive < count; primitive++) {
      farthest = Math.max(farthest, await context.rust.skinningError(drawable, primitive));
    }
  }
  const [minX = 0, minY = 0, minZ = 0, maxX = 1, maxY = 0, maxZ = 0] = context.rust.bounds();
  return farthest / Math.hypot(maxX - minX, maxY - minY, maxZ - minZ);
}
