/** The solid parts of a blended mesh hide what is behind them, whatever the order of its triangles. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  // The nearer sheet is the first: without depths, the farther one would be drawn over it.
  const [solid, glass] = await page.evaluate(look, backend, [1, 0.5]);
  assert.deepEqual(solid, [0, 0, 255, 255]);
  const [red, , blue, alpha] = glass;
  assert.ok(red > 60 && blue > 60, `sheets of glass are both visible: ${glass}`);
  assert.ok(alpha > 180 && alpha < 200, `the page shows through: ${alpha}`);
}

/**
 * Runs in the page. Returns the pixel in the middle of two unlit sheets in one mesh, the nearer one blue, the farther
 * one red, for each alpha.
 */
async function look(backend, alphas) {
  const corners = [0, 1, 2, 2, 1, 3].map((corner) => [(corner % 2) - 0.5, (corner >> 1) - 0.5]);
  const floats = [0.2, -0.2].flatMap((z) => corners.flatMap((corner) => [...corner, z]));
  const colors = [
    [0, 0, 1],
    [1, 0, 0],
  ].flatMap((color) => corners.flatMap(() => color));
  const bytes = new Uint8Array(new Float32Array([...floats, ...colors]).buffer);
  const told = [];
  for (const alpha of alphas) {
    const json = {
      asset: { version: "2.0" },
      extensionsUsed: ["KHR_materials_unlit"],
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, COLOR_0: 1 }, material: 0 }] }],
      materials: [
        {
          alphaMode: "BLEND",
          pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, alpha] },
          extensions: { KHR_materials_unlit: {} },
        },
      ],
      accessors: [
        {
          bufferView: 0,
          componentType: 5126,
          type: "VEC3",
          count: 12,
          min: [-0.5, -0.5, Math.fround(-0.2)],
          max: [0.5, 0.5, Math.fround(0.2)],
        },
        { bufferView: 1, componentType: 5126, type: "VEC3", count: 12 },
      ],
      bufferViews: [
        { buffer: 0, byteLength: 144 },
        { buffer: 0, byteOffset: 144, byteLength: 144 },
      ],
      buffers: [
        { byteLength: 288, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` },
      ],
    };
    const player = await stage.openModel(backend, new File([JSON.stringify(json)], "sheets.gltf"));
    player.ground = false;
    Object.assign(player.camera, { yaw: 0, pitch: 0 });
    player.advance(10);
    const { data, width, height } = await stage.look(player);
    const middle = ((height / 2) * width + width / 2) * 4;
    told.push([...data.slice(middle, middle + 4)]);
    stage.close();
  }
  return told;
}
