/** Pictures of Radiance (`.hdr`) without runs. */

/** Returns the bytes of a picture, whose pixels have the light of `lightAt(x, y)`. */
export function hdrOf(width, height, lightAt) {
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const light = lightAt(at % width, Math.floor(at / width));
    const most = Math.max(...light);
    if (most <= 0) continue;
    const exponent = Math.floor(Math.log2(most)) + 1;
    const mantissas = light.map((part) => Math.min(255, Math.round(part * 2 ** (8 - exponent))));
    pixels.set([...mantissas, exponent + 128], at * 4);
  }
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`;
  return Buffer.concat([Buffer.from(head), pixels]);
}

/** Returns the bytes of a panorama: everything around, with the light of `lightFrom(direction)`. */
export function panoramaOf(lightFrom) {
  const [width, height] = [256, 128];
  return hdrOf(width, height, (x, y) => {
    const longitude = ((x + 0.5) / width - 0.5) * 2 * Math.PI;
    const latitude = (0.5 - (y + 0.5) / height) * Math.PI;
    const across = Math.cos(latitude);
    return lightFrom([across * Math.cos(longitude), Math.sin(latitude), across * Math.sin(longitude)]);
  });
}
