/** Variants of materials: drawn, listed, per player, in a worker, by the element's attribute, and refused by name. */

import assert from "node:assert/strict";

/** A square of two triangles. The first is black, red or blue; the second is green, and blue in the second variant. */
const FILE = JSON.stringify({
  asset: { version: "2.0" },
  extensionsUsed: ["KHR_materials_unlit", "KHR_materials_variants"],
  extensions: { KHR_materials_variants: { variants: [{ name: "Red" }, { name: "Blue" }] } },
  nodes: [{ mesh: 0 }],
  materials: [
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ].map((color) => ({
    doubleSided: true,
    pbrMetallicRoughness: { baseColorFactor: [...color, 1] },
    extensions: { KHR_materials_unlit: {} },
  })),
  meshes: [
    {
      primitives: [
        primitive(0, 0, [
          { material: 1, variants: [0] },
          { material: 2, variants: [1] },
        ]),
        primitive(1, 3, [{ material: 2, variants: [1] }]),
      ],
    },
  ],
  accessors: [0, 36].map((byteOffset) => ({ bufferView: 0, byteOffset, componentType: 5126, type: "VEC3", count: 3 })),
  bufferViews: [{ buffer: 0, byteLength: 72 }],
  buffers: [{ byteLength: 72, uri: `data:application/octet-stream;base64,${corners()}` }],
});

function primitive(position, material, mappings) {
  return { attributes: { POSITION: position }, material, extensions: { KHR_materials_variants: { mappings } } };
}

function corners() {
  const numbers = Float32Array.of(-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0, -1, 1, 0, 1, -1, 0);
  return Buffer.from(numbers.buffer).toString("base64");
}

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async (backend, text) => {
      const file = () => new File([text], "square.gltf");
      /** Returns the colours in the lower left and in the upper right of the square: `r`, `g`, `b`, or `-` if black. */
      const colors = (image) =>
        [-0.3, 0.3]
          .map((at) => {
            const [x, y] = [image.width * (0.5 + at * 0.4), image.height * (0.5 - at * 0.4)].map(Math.round);
            const pixel = [...image.data.slice(4 * (y * image.width + x)).slice(0, 3)];
            return pixel.map((lane, nth) => (lane > 128 ? "rgb"[nth] : "")).join("") || "-";
          })
          .join("");
      const results = {};
      for (const worker of [false, true]) {
        const options = { worker, css: "width:100px;height:100px" };
        const player = await stage.openModel(backend, file(), options);
        player.ground = false;
        const seen = async () => {
          await player.settled();
          return colors(await stage.pixelsOfPng(await player.screenshot({ width: 100, height: 100 })));
        };
        const told = [player.variants, player.variant, await seen()];
        for (const variant of ["Red", "Blue", null]) {
          player.variant = variant;
          told.push(player.variant, await seen(), player.variant);
        }
        player.variant = "Blue";
        try {
          player.variant = "Green";
        } catch ({ code, message }) {
          told.push(code, message);
        }
        told.push(player.variant);
        const other = await stage.openModel(backend, file(), options);
        told.push(other.variant);
        await player.load(file());
        told.push(player.variant, await seen());
        results[worker ? "worker" : "page"] = told;
        stage.close();
      }

      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, variant: "Red" });
      element.style.cssText = "display:block;width:100px;height:100px";
      document.body.append(element);
      const errors = [];
      element.addEventListener("error", (event) => {
        event.preventDefault();
        errors.push(event.detail.code);
      });
      await element.load(file());
      results.element = [element.player.variant];
      for (const variant of ["Blue", "Pink", ""]) {
        element.variant = variant;
        await Promise.resolve();
        await element.player.settled();
        results.element.push(element.player.variant);
      }
      results.element.push(...errors);
      element.remove();
      return results;
    },
    backend,
    FILE,
  );

  const listed = [
    { index: 0, name: "Red" },
    { index: 1, name: "Blue" },
  ];
  const expected = [listed, null, "-g", "Red", "rg", "Red", "Blue", "bb", "Blue", null, "-g", null, "UNKNOWN_VARIANT"];
  for (const host of ["page", "worker"]) {
    const [message, ...rest] = told[host].splice(expected.length);
    assert.deepEqual(told[host], expected, host);
    assert.match(message, /Green.*Red, Blue/);
    assert.deepEqual(rest, ["Blue", null, null, "-g"], `${host}: a variant is that of one player and one model`);
  }
  assert.deepEqual(told.element, ["Red", "Blue", "Blue", null, "UNKNOWN_VARIANT"]);
}
