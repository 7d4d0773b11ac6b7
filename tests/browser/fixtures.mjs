/**
 * Writes the small models of the scenarios at the start of a run. Their contents are known exactly.
 *
 *     swing.glb     a banner of two joints, 2 high, with a picture and a morph target;
 *                   "Swing" (2 s) rotates the upper joint around z, 0 → 90° → 0; "Raise" (1 s) lifts the banner by 1
 *     swing.gltf    the same with swing.bin and checks.png beside it
 *     stroll.glb    the same with "Stroll" (1 s): the lower joint moves 2 forward and turns 90° to the left
 *     up_and_down.json, nowhere.json    a controller for it, and one with a transition to an unknown state
 *     swing.zip     the folder "a banner" with swing.gltf, swing.bin, and "skins/the checks.png"
 *     skins.zip     "skins/checks.png"
 *     encrypted.zip, bomb.zip, cut.zip, readme.zip    archives that can't be shown
 *     formats/                      the same in other formats, and pictures beside it: see `old_formats.mjs`
 *     truncated.glb, lying.glb, nan.glb, cyclic.gltf, needs_magic.gltf, picture.png    files that can't be played
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

import { zip } from "./archives.mjs";
import { banner } from "./banner.mjs";
import { writeOldFormats } from "./old_formats.mjs";

export function writeFixtures(folder) {
  mkdirSync(folder, { recursive: true });
  const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
  const { json, bin, png } = swing();
  const withPieces = (buffer, image) => JSON.stringify({ ...json, buffers: [buffer], images: [image] });

  const whole = Buffer.concat([bin, png]);
  const inside = { ...json, ...embedded({ json, bin, png }) };
  const swingGlb = glb(inside, whole);
  write("swing.glb", swingGlb);
  const stroller = swing({ strolls: true });
  write("stroll.glb", glb({ ...stroller.json, ...embedded(stroller) }, Buffer.concat([stroller.bin, stroller.png])));
  write("swing.gltf", withPieces({ byteLength: bin.length, uri: "swing.bin" }, { uri: "checks.png" }));
  write("swing.bin", bin);
  write("checks.png", png);
  const uri = "./skins/the%20checks.png";
  const files = [
    { name: "a banner/swing.bin", bytes: bin },
    { name: "a banner/swing.gltf", bytes: withPieces({ byteLength: bin.length, uri: "swing.bin" }, { uri }) },
    { name: "a banner/skins/", bytes: "", method: 0 },
    { name: "a banner/skins/the checks.png", bytes: png, method: 0 },
    { name: "__MACOSX/swing.glb", bytes: "of macOS" },
  ];
  write("swing.zip", zip(files));
  write("skins.zip", zip([{ name: "skins/checks.png", bytes: png }]));
  write("cut.zip", zip(files).subarray(0, -100));
  write("encrypted.zip", zip([{ name: "swing.glb", bytes: swingGlb, flags: 1 }]));
  write("bomb.zip", zip([{ name: "swing.glb", bytes: swingGlb, size: 2 ** 30 }]));
  write("readme.zip", zip([{ name: "readme.txt", bytes: "nothing" }]));

  write("truncated.glb", swingGlb.subarray(0, swingGlb.length - 500));
  const positions = inside.meshes[0].primitives[0].attributes.POSITION;
  const lying = structuredClone(inside);
  lying.accessors[positions].count = 4_000_000_000;
  write("lying.glb", glb(lying, whole));
  const nan = Buffer.from(whole);
  nan.writeFloatLE(NaN, inside.bufferViews[inside.accessors[positions].bufferView].byteOffset ?? 0);
  write("nan.glb", glb(inside, nan));
  write("cyclic.gltf", JSON.stringify({ asset: { version: "2.0" }, nodes: [{ children: [1] }, { children: [0] }] }));
  write(
    "needs_magic.gltf",
    JSON.stringify({
      asset: { version: "2.0" },
      extensionsUsed: ["ACME_magic_compression"],
      extensionsRequired: ["ACME_magic_compression"],
    }),
  );
  write("picture.png", png);
  writeOldFormats(join(folder, "formats"), png);

  const controller = (to) =>
    JSON.stringify({
      parameters: { height: 0, drop: "trigger" },
      layers: [
        {
          name: "base",
          start: "Down",
          states: { Down: { clip: "Swing" }, Up: { clip: "Raise", loop: "once" } },
          transitions: [
            { from: "Down", to, when: { height: { above: 0.5 } }, fade: 0.2 },
            { from: "Up", to: "Down", when: { drop: true } },
          ],
        },
      ],
    });
  write("up_and_down.json", controller("Up"));
  write("nowhere.json", controller("Sideways"));
}

/** Returns the parts of a glTF document whose numbers and image are in one buffer. */
function embedded({ json, bin, png }) {
  return {
    buffers: [{ byteLength: bin.length + png.length }],
    bufferViews: [...json.bufferViews, { buffer: 0, byteOffset: bin.length, byteLength: png.length }],
    images: [{ bufferView: json.bufferViews.length, mimeType: "image/png" }],
  };
}

function swing({ strolls = false } = {}) {
  const { positions, uvs, widened, joints, weights, indices } = banner();
  const inverseBinds = [0, -1].flatMap((y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1]);
  const quarter = Math.SQRT1_2;
  const parts = new Parts();
  const json = {
    asset: { version: "2.0", generator: "gambol tests" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: "Banner", mesh: 0, skin: 0 },
      { name: "Lower", children: [2] },
      { name: "Upper", translation: [0, 1, 0] },
    ],
    skins: [{ name: "Pole", joints: [1, 2], inverseBindMatrices: parts.floats("MAT4", inverseBinds) }],
    meshes: [
      {
        extras: { targetNames: ["Wide"] },
        weights: [0],
        primitives: [
          {
            attributes: {
              POSITION: parts.floats("VEC3", positions, { bounded: true }),
              TEXCOORD_0: parts.floats("VEC2", uvs),
              JOINTS_0: parts.add(Uint8Array.from(joints), 5121, "VEC4", joints.length / 4),
              WEIGHTS_0: parts.floats("VEC4", weights),
            },
            targets: [{ POSITION: parts.floats("VEC3", widened, { bounded: true }) }],
            indices: parts.add(Uint16Array.from(indices), 5123, "SCALAR", indices.length),
            material: 0,
          },
        ],
      },
    ],
    materials: [
      {
        name: "Cloth",
        pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0, roughnessFactor: 0.7 },
      },
    ],
    textures: [{ source: 0, sampler: 0 }],
    samplers: [{ magFilter: 9728, minFilter: 9729 }],
    animations: [
      {
        name: "Swing",
        samplers: [
          {
            input: parts.floats("SCALAR", [0, 1, 2], { bounded: true }),
            output: parts.floats("VEC4", [0, 0, 0, 1, 0, 0, quarter, quarter, 0, 0, 0, 1]),
          },
          { input: parts.floats("SCALAR", [0, 2], { bounded: true }), output: parts.floats("SCALAR", [0, 1]) },
        ],
        channels: [
          { sampler: 0, target: { node: 2, path: "rotation" } },
          { sampler: 1, target: { node: 0, path: "weights" } },
        ],
      },
      {
        name: "Raise",
        samplers: [
          {
            input: parts.floats("SCALAR", [0, 1], { bounded: true }),
            output: parts.floats("VEC3", [0, 0, 0, 0, 1, 0]),
          },
        ],
        channels: [{ sampler: 0, target: { node: 1, path: "translation" } }],
      },
    ],
  };
  if (strolls) {
    const input = parts.floats("SCALAR", [0, 1], { bounded: true });
    json.animations.push({
      name: "Stroll",
      samplers: [
        { input, output: parts.floats("VEC3", [0, 0, 0, 0, 0, 2]) },
        { input, output: parts.floats("VEC4", [0, 0, 0, 1, 0, quarter, 0, quarter]) },
      ],
      channels: [
        { sampler: 0, target: { node: 1, path: "translation" } },
        { sampler: 1, target: { node: 1, path: "rotation" } },
      ],
    });
  }
  const bin = parts.bytes();
  return { json: { ...json, accessors: parts.accessors, bufferViews: parts.views }, bin, png: checks() };
}

/** A builder of accessors, each with a buffer view of its own. */
class Parts {
  accessors = [];
  views = [];
  #chunks = [];
  #length = 0;

  floats(type, numbers, { bounded = false } = {}) {
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    const index = this.add(Float32Array.from(numbers), 5126, type, numbers.length / width);
    if (bounded) {
      const lanes = Array.from({ length: width }, (_, lane) =>
        [...Float32Array.from(numbers)].filter((_, i) => i % width === lane),
      );
      this.accessors[index].min = lanes.map((lane) => Math.min(...lane));
      this.accessors[index].max = lanes.map((lane) => Math.max(...lane));
    }
    return index;
  }

  add(array, componentType, type, count) {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    this.views.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length });
    this.#chunks.push(padded(bytes, 0));
    this.#length += this.#chunks.at(-1).length;
    this.accessors.push({ bufferView: this.views.length - 1, componentType, count, type });
    return this.accessors.length - 1;
  }

  bytes() {
    return Buffer.concat(this.#chunks);
  }
}

function padded(bytes, filler) {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
}

export function glb(json, bin) {
  const chunk = (type, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, bytes]);
  };
  const body = Buffer.concat([
    chunk("JSON", padded(Buffer.from(JSON.stringify(json)), " ")),
    chunk("BIN\0", padded(bin, 0)),
  ]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

/** Returns a PNG image of 4 × 4 pixels, orange and shades of blue, which makes its orientation visible. */
function checks() {
  return pngOf(4, 4, (x, y) => ((x + y) % 2 ? [232, 100, 60, 255] : [40 + y * 30, 90, 200, 255]));
}

/** Returns a PNG whose pixels are red, green, blue and alpha, from 0 to 255. */
export function pngOf(width, height, pixelAt) {
  const rows = [];
  for (let y = 0; y < height; y++) {
    rows.push(0);
    for (let x = 0; x < width; x++) rows.push(...pixelAt(x, y));
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
