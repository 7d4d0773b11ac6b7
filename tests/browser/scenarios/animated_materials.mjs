/** Clips change colours of materials and show nodes, and instances of a mesh are drawn: in the page and in a worker. */

import assert from "node:assert/strict";

const CORNERS = [-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0];
/** Each list of numbers becomes an accessor. */
const DATA = [
  { type: "VEC3", numbers: CORNERS },
  { type: "SCALAR", numbers: [0, 1] },
  { type: "VEC4", numbers: [1, 0, 0, 1, 0, 0, 1, 1] },
  { type: "SCALAR", numbers: [1, 0], bytes: true },
  { type: "VEC3", numbers: [-3, 0, 0, 0, 0, 0, 3, 0, 0] },
];
const LENGTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 };

function file() {
  const pieces = DATA.map(({ numbers, bytes }) =>
    // Padded to four bytes.
    bytes ? Buffer.from([...numbers, 0, 0]) : Buffer.from(Float32Array.from(numbers).buffer),
  );
  const offsets = pieces.map((_, index) => Buffer.concat(pieces.slice(0, index)).length);
  const buffer = Buffer.concat(pieces);
  const channel = (sampler, pointer) => ({
    sampler,
    target: { path: "pointer", extensions: { KHR_animation_pointer: { pointer } } },
  });
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["EXT_mesh_gpu_instancing", "KHR_animation_pointer", "KHR_materials_unlit", "KHR_node_visibility"],
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: "Row", mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 4 } } } },
      { name: "Above", mesh: 1, translation: [0, 3, 0], extensions: { KHR_node_visibility: { visible: true } } },
    ],
    materials: [
      [1, 0, 0, 1],
      [0, 1, 0, 1],
    ].map((baseColorFactor) => ({
      doubleSided: true,
      pbrMetallicRoughness: { baseColorFactor },
      extensions: { KHR_materials_unlit: {} },
    })),
    meshes: [0, 1].map((material) => ({ primitives: [{ attributes: { POSITION: 0 }, mode: 5, material }] })),
    animations: [
      {
        name: "Signal",
        samplers: [
          { input: 1, output: 2 },
          { input: 1, output: 3, interpolation: "STEP" },
        ],
        channels: [
          channel(0, "/materials/0/pbrMetallicRoughness/baseColorFactor"),
          channel(1, "/nodes/1/extensions/KHR_node_visibility/visible"),
        ],
      },
    ],
    accessors: DATA.map(({ type, numbers, bytes }, bufferView) => ({
      bufferView,
      componentType: bytes ? 5121 : 5126,
      type,
      count: numbers.length / LENGTHS[type],
    })),
    bufferViews: pieces.map(({ length }, index) => ({ buffer: 0, byteOffset: offsets[index], byteLength: length })),
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString("base64")}` }],
  });
}

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async (backend, text) => {
      /** Returns the colours of the squares in a row of pixels: `r`, `g`, `b` or a mixture, separated by spaces. */
      const squares = ({ width, height, data }, part) => {
        const y = Math.round(height * part);
        const colors = Array.from({ length: width }, (_, x) => {
          const [red, green, blue, alpha] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 4);
          return alpha < 250 ? " " : [red, green, blue].map((lane, nth) => (lane > 128 ? "rgb"[nth] : "")).join("");
        });
        // Edges between a square and the background are neither.
        return colors
          .filter((color, x) => color !== colors[x - 1] && color === colors[x + 1])
          .join("")
          .trim();
      };
      const results = {};
      for (const worker of [false, true]) {
        const told = (results[worker ? "worker" : "page"] = []);
        const player = await stage.openModel(backend, new File([text], "signal.gltf"), { worker });
        player.ground = false;
        player.autoUpdate = false;
        const look = async () => {
          await player.settled();
          const png = await player.screenshot({ width: 200, height: 160, transparent: true });
          const image = await stage.pixelsOfPng(png);
          told.push(`${squares(image, 0.3)} / ${squares(image, 0.7)}`);
        };
        await look();
        player.play("Signal", { loop: "once" });
        for (const time of [0, 0.5, 1]) {
          player.currentTime = time;
          await look();
        }
        player.stop();
        await look();
        player.dispose();
      }
      return results;
    },
    backend,
    file(),
  );
  const expected = ["g / r r r", "g / r r r", "g / rb rb rb", " / b b b", "g / r r r"];
  assert.deepEqual(told.page, expected);
  assert.deepEqual(told.worker, expected);
}
