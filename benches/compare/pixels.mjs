/**
 * Figures of pictures. A picture has `width`, `height` and `data`, as `ImageData` has: red, green, blue and alpha of
 * each pixel, as bytes of sRGB.
 */

/** Least alpha of a pixel that belongs to the model. It lies between one and two of four samples, so never at a tie. */
const LEAST_ALPHA = 96;

/** Returns 1 for each pixel that the model covers by two of four samples or more, and 0 for the others. */
export function silhouetteOf({ data }) {
  return Uint8Array.from({ length: data.length / 4 }, (_, pixel) => Number(data[pixel * 4 + 3] >= LEAST_ALPHA));
}

/** Returns a picture laid on a grey, as a browser shows a transparent canvas. */
export function laidOn({ width, height, data }, grey) {
  const laid = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] / 255;
    for (let color = 0; color < 3; color++) laid[at + color] = data[at + color] * alpha + grey * (1 - alpha);
    laid[at + 3] = 255;
  }
  return { width, height, data: laid };
}

/**
 * Returns figures of the pixels inside a silhouette: their count, the 5th, 50th and 95th percentile of their relative
 * luminance, which is 1 for white, and the median of their saturation.
 */
export function figuresOf({ data }, silhouette) {
  const [luminances, saturations] = [[], []];
  silhouette.forEach((isInside, pixel) => {
    if (!isInside) return;
    const color = data.subarray(pixel * 4, pixel * 4 + 3);
    luminances.push(luminanceOf(color));
    saturations.push(saturationOf(color));
  });
  if (luminances.length === 0) return { pixels: 0 };
  const [low, median, high] = percentiles(luminances, [0.05, 0.5, 0.95]);
  const [saturation] = percentiles(saturations, [0.5]);
  return { pixels: luminances.length, luminance: { low, median, high }, saturation };
}

/**
 * Returns the mean absolute difference of two pictures' colours, from 0 to 255, over what either silhouette covers, and
 * the share of it that both cover. The share is below 1 where the cameras disagree.
 */
export function differenceOf(a, b) {
  let [sum, both, either] = [0, 0, 0];
  a.silhouette.forEach((isInside, pixel) => {
    if (!isInside && !b.silhouette[pixel]) return;
    either++;
    if (isInside && b.silhouette[pixel]) both++;
    for (let at = pixel * 4; at < pixel * 4 + 3; at++) sum += Math.abs(a.picture.data[at] - b.picture.data[at]);
  });
  return { mean: sum / (3 * either), overlap: both / either };
}

/** Returns a picture of the difference of two, magnified. */
export function magnifiedDifference({ width, height, data }, other, factor) {
  const magnified = Uint8ClampedArray.from(data, (byte, at) =>
    at % 4 === 3 ? 255 : Math.abs(byte - other.data[at]) * factor,
  );
  return { width, height, data: magnified };
}

/** Linear light of each byte of sRGB. */
const LINEAR = Array.from({ length: 256 }, (_, byte) => {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

export function luminanceOf([red, green, blue]) {
  return 0.2126 * LINEAR[red] + 0.7152 * LINEAR[green] + 0.0722 * LINEAR[blue];
}

/** Returns the saturation as the colour model HSV defines it. */
export function saturationOf(color) {
  const most = Math.max(...color);
  return most === 0 ? 0 : (most - Math.min(...color)) / most;
}

function percentiles(numbers, shares) {
  const sorted = Float64Array.from(numbers).sort();
  return shares.map((share) => sorted[Math.round(share * (sorted.length - 1))]);
}
