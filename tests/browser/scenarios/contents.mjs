/** Contents of a file: S08, nodes with parent, rest matrix and mesh; S12, joints of a skin; S87, bytes of clips. */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const before = { clips: player.clips, nodes: player.nodes, skins: player.skins };
    await player.load("/fixtures/swing.glb");
    const nodes = player.nodes.map(({ restMatrix, ...node }) => ({ ...node, rest: [...restMatrix.slice(12, 15)] }));
    return { before, nodes, skins: player.skins, clips: player.clips };
  }, backend);

  assert.deepEqual(told.before, { clips: [], nodes: [], skins: [] });
  assert.deepEqual(told.nodes, [
    { index: 0, name: "Banner", parent: -1, hasMesh: true, rest: [0, 0, 0] },
    { index: 1, name: "Lower", parent: -1, hasMesh: false, rest: [0, 0, 0] },
    { index: 2, name: "Upper", parent: 1, hasMesh: false, rest: [0, 1, 0] },
  ]);
  assert.deepEqual(told.skins, [
    {
      index: 0,
      name: "Pole",
      joints: [
        { index: 1, name: "Lower" },
        { index: 2, name: "Upper" },
      ],
    },
  ]);
  assert.deepEqual(
    told.clips.map(({ name, duration }) => [name, duration]),
    [
      ["Swing", 2],
      ["Raise", 1],
    ],
  );
  // At least a key of three floats and its time; less than a page of memory.
  for (const { name, bytes } of told.clips) assert.ok(bytes >= 32 && bytes < 4096, `${name}: ${bytes} bytes`);
}
