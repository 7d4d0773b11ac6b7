/** Encodes pixels with the browser's own PNG writer. */
export async function encodePng(rgba: Uint8Array<ArrayBuffer>, width: number, height: number): Promise<Blob> {
  const pixels = new ImageData(new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength), width, height);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")!.putImageData(pixels, 0, 0);
  return canvas.convertToBlob({ type: "image/png" });
}
