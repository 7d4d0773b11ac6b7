/**
 * A decoder that only tests have, and what it decodes.
 *
 * - Buffer views with the extension `TEST_toy`: `{ buffer, byteOffset, byteLength, mask }`. The bytes are stored in
 *   reverse, each combined with the mask by XOR.
 * - Images of the type `image/x-toy`: the text `TOY` with a format. They are 8 × 8 pixels, red. The format is `pixels`,
 *   `blob`, or the name of a format of blocks.
 */

export class ToyDecoder {
  async data({ document, bytes, charge }) {
    const decoded = new Map();
    for (const [index, { extensions, byteLength }] of document.bufferViews.entries()) {
      const packed = extensions?.TEST_toy;
      if (!packed) continue;
      charge(byteLength);
      decoded.set(
        `#/bufferViews/${index}`,
        bytes(packed.buffer, packed.byteOffset, packed.byteLength, `/bufferViews/${index}`)
          .toReversed()
          .map((byte) => byte ^ packed.mask),
      );
    }
    return decoded;
  }

  async image(bytes, { blockFormats }) {
    const [mark, format] = new TextDecoder().decode(bytes).split(" ");
    if (mark !== "TOY") throw new Error("no toy");
    const pixels = new ImageData(
      Uint8ClampedArray.from({ length: 256 }, (_, at) => [255, 0, 0, 255][at % 4]),
      8,
      8,
    );
    if (format === "pixels") return pixels;
    if (format === "best") return redBlocks(blockFormats[0]);
    return redBlocks(format);
  }
}

/** Red blocks of a format of each family. The first two are 4 × 4 pixels in 8 bytes, the last in 16. */
const RED = {
  "bc1-rgba-unorm": [0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0],
  "etc2-rgb8unorm": [0xff, 0, 0, 0, 0, 0, 0, 0],
  // A void-extent block: one colour, 16 bits a channel.
  "astc-4x4-unorm": [0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff],
};

function redBlocks(format) {
  const block = RED[format] ?? RED["bc1-rgba-unorm"];
  // 8 × 8 pixels are four blocks, smaller levels one each.
  const levels = [4, 1, 1, 1].map((count) =>
    Uint8Array.from({ length: count * block.length }, (_, at) => block[at % block.length]),
  );
  return { format, width: 8, height: 8, levels };
}

export const BLOCK_FORMATS = Object.keys(RED);

/** Compresses the positions of a model. Returns the document and the bytes behind those of its buffer. */
export function withToyPositions(document, bin) {
  const json = structuredClone(document);
  const [primitive] = json.meshes[0].primitives;
  const index = json.accessors[primitive.attributes.POSITION].bufferView;
  const { byteOffset = 0, byteLength } = json.bufferViews[index];
  const mask = 0x5a;
  const packed = Buffer.from(bin.subarray(byteOffset, byteOffset + byteLength).map((byte) => byte ^ mask)).reverse();
  const bytes = Buffer.concat([
    bin.subarray(0, byteOffset),
    Buffer.alloc(byteLength),
    bin.subarray(byteOffset + byteLength),
    packed,
  ]);
  json.bufferViews[index] = {
    ...json.bufferViews[index],
    // A buffer without bytes, which only gives the view its length.
    buffer: json.buffers.length,
    byteOffset: 0,
    extensions: { TEST_toy: { buffer: 0, byteOffset: bin.length, byteLength, mask } },
  };
  json.buffers.push({ byteLength });
  json.buffers[0].byteLength = bytes.length;
  json.extensionsUsed = json.extensionsRequired = ["TEST_toy"];
  return { json, bytes };
}
