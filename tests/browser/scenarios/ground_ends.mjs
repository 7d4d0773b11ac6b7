/**
 * The ground and its shadow end inside the canvas at every aspect ratio, and are replaced by a floor of the model's
 * own, from every view.
 */

import assert from "node:assert/strict";

/** Returns a glTF of a floor at height 0 with a wall that casts a shadow. Runs in the page. */
function room() {
  const floor = [-2, 0, 2, 2, 0, 2, 2, 0, -2, -2, 0, -2];
  const wall = [-0.5, 0, 0, 0.5, 0, 0, 0.5, 1, 0, -0.5, 1, 0];
  const floats = new Uint8Array(Float32Array.from([...floor, ...wall]).buffer);
  const indices = new Uint8Array(Uint16Array.from([0, 1, 2, 0, 2, 3]).buffer);
  const bytes = [...floats, ...indices];
  const primitive = (position) => ({ primitives: [{ attributes: { POSITION: position }, indices: 2, material: 0 }] });
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0 }, { mesh: 1 }],
    meshes: [primitive(0), primitive(1)],
    materials: [
      { doubleSided: true, pbrMetallicRoughness: { baseColorFactor: [0.5, 0.5, 0.5, 1], metallicFactor: 0 } },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, type: "VEC3", count: 4, min: [-2, 0, -2], max: [2, 0, 2] },
      {
        bufferView: 0,
        byteOffset: 48,
        componentType: 5126,
        type: "VEC3",
        count: 4,
        min: [-0.5, 0, 0],
        max: [0.5, 1, 0],
      },
      { bufferView: 1, componentType: 5123, type: "SCALAR", count: 6 },
    ],
    bufferViews: [
      { buffer: 0, byteLength: floats.length },
      { buffer: 0, byteOffset: floats.length, byteLength: indices.length },
    ],
    buffers: [
      { byteLength: bytes.length, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` },
    ],
  };
}

export default async function ({ page, backend }) {
  const edges = await page.evaluate(async (backend) => {
    const found = [];
    for (const [width, height] of [
      [135, 240],
      [200, 200],
      [320, 135],
    ]) {
      const css = `width: ${width}px; height: ${height}px`;
      const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Wave", time: 0.8, css });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      for (const [nearer, pitch] of [
        [1, 0.17],
        [1, 0.6],
        [3, 0.17],
      ]) {
        player.frame();
        player.camera.pitch = pitch;
        player.camera.distance /= nearer;
        player.advance(0);
        const alphas = [];
        for (const ground of [true, false]) {
          player.ground = ground;
          const { width, height, data } = await stage.look(player);
          alphas.push({ width, height, at: (x, y) => data[(y * width + x) * 4 + 3] });
        }
        const [on, off] = alphas;
        const size = [on.width, on.height];
        let [atEdge, inside] = [0, 0];
        for (let y = 0; y < on.height; y++) {
          for (let x = 0; x < on.width; x++) {
            const more = on.at(x, y) - off.at(x, y);
            const last = x === 0 || y === 0 || x === on.width - 1 || y === on.height - 1;
            if (last) atEdge = Math.max(atEdge, more);
            else inside = Math.max(inside, more);
          }
        }
        found.push({ size, asked: [width, height], nearer, pitch, atEdge, inside });
      }
      stage.close();
    }
    return found;
  }, backend);
  for (const { size, asked, nearer, pitch, atEdge, inside } of edges) {
    const where = `${size} at pitch ${pitch}, ${nearer} times as near`;
    assert.deepEqual(size, asked);
    assert.ok(atEdge <= 1, `${where}: the ground's alpha is still ${atEdge} at the edge`);
    if (nearer === 1) assert.ok(inside > 40, `${where}: a shadow's alpha is ${inside} at most`);
  }

  const floors = await page.evaluate(
    async (backend, source) => {
      const room = new Function(`return ${source}`)();
      const player = await stage.openModel(backend, new File([JSON.stringify(room())], "room.gltf"));
      const found = [];
      for (const [yaw, pitch, farther] of [
        [0.5, 0.17, 1],
        [0.5, 0.18, 1],
        [-1, 0.05, 2],
        [2, 0.6, 1],
        [2.5, 1.2, 6],
      ]) {
        player.frame();
        Object.assign(player.camera, { yaw, pitch });
        player.camera.distance *= farther;
        player.advance(0);
        player.ground = true;
        const on = await stage.look(player);
        player.ground = false;
        const off = await stage.look(player);
        let [covered, differing, beside] = [0, 0, 0];
        for (let at = 0; at < on.data.length; at += 4) {
          const delta = Math.max(...[0, 1, 2, 3].map((lane) => Math.abs(on.data[at + lane] - off.data[at + lane])));
          if (off.data[at + 3] < 255) beside += delta > 1 ? 1 : 0;
          else [covered, differing] = [covered + 1, differing + (delta > 1 ? 1 : 0)];
        }
        found.push({ view: [yaw, pitch, farther], covered, differing, beside });
      }
      return found;
    },
    backend,
    room.toString(),
  );
  for (const { view, covered, differing, beside } of floors) {
    assert.ok(covered > 300, `seen from ${view}, the room covers ${covered} pixels`);
    assert.ok(beside > 50, `seen from ${view}, the ground is seen beside the floor: ${beside} pixels`);
    assert.equal(
      differing,
      0,
      `seen from ${view}, the ground shows through ${differing} of ${covered} pixels of the floor`,
    );
  }
}
