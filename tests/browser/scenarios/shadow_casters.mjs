/**
 * Shadow casters: what is visible from the light casts a shadow. Cut-out materials cast their holes, culled faces
 * cast nothing, blended materials cast where they cover more than half.
 */

import assert from "node:assert/strict";

/** Makes a sheet at height 1, whose texture may be half transparent, and a marker on the floor. Runs in the page. */
function sheet({ alpha = 1, mode = "OPAQUE", doubleSided = true, facing = "up", mirrored = false, holes = false }) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, holes ? 32 : 64, 64);
  const corners = (half, y) => [-half, y, half, half, y, half, half, y, -half, -half, y, -half];
  const floats = Float32Array.from([...corners(0.5, 1), ...corners(0.01, 0), 0, 0, 1, 0, 1, 1, 0, 1]);
  const turns = { up: [0, 1, 2, 0, 2, 3], down: [0, 2, 1, 0, 3, 2] };
  const bytes = new Uint8Array(floats.byteLength + 24);
  bytes.set(new Uint8Array(floats.buffer));
  bytes.set(new Uint8Array(Uint16Array.from([...turns[facing], ...turns.up]).buffer), floats.byteLength);
  const accessor = (bufferView, byteOffset, componentType, type, count, limits) => ({
    bufferView,
    byteOffset,
    componentType,
    type,
    count,
    ...limits,
  });
  const box = (half, y) => ({ min: [-half, y, -half], max: [half, y, half] });
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0, scale: [mirrored ? -1 : 1, 1, 1] }, { mesh: 1 }],
    meshes: [
      { primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 2 }, indices: 3, material: 0 }] },
      { primitives: [{ attributes: { POSITION: 1 }, indices: 4 }] },
    ],
    materials: [
      {
        alphaMode: mode,
        doubleSided,
        pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, alpha], baseColorTexture: { index: 0 } },
      },
    ],
    textures: [{ source: 0 }],
    images: [{ uri: canvas.toDataURL() }],
    accessors: [
      accessor(0, 0, 5126, "VEC3", 4, box(0.5, 1)),
      accessor(0, 48, 5126, "VEC3", 4, box(0.01, 0)),
      accessor(0, 96, 5126, "VEC2", 4),
      accessor(1, 0, 5123, "SCALAR", 6),
      accessor(1, 12, 5123, "SCALAR", 6),
    ],
    bufferViews: [
      { buffer: 0, byteLength: floats.byteLength },
      { buffer: 0, byteOffset: floats.byteLength, byteLength: 24 },
    ],
    buffers: [
      { byteLength: bytes.length, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` },
    ],
  };
}

export default async function ({ page, backend }) {
  const told = await page.evaluate(
    async (backend, source) => {
      const sheet = new Function(`return ${source}`)();
      const variants = {
        nothing: { mode: "MASK", alpha: 0.1 },
        whole: {},
        "cut out": { mode: "MASK", holes: true },
        "opaque with alpha": { holes: true },
        "seen from the light": { doubleSided: false },
        "turned away": { doubleSided: false, facing: "down" },
        "mirrored, seen": { doubleSided: false, mirrored: true },
        "mirrored, turned away": { doubleSided: false, facing: "down", mirrored: true },
        "cut out, turned away": { mode: "MASK", holes: true, doubleSided: false, facing: "down" },
        "mostly opaque": { mode: "BLEND", alpha: 0.8 },
        "mostly opaque, one-sided": { mode: "BLEND", alpha: 0.8, doubleSided: false },
        "blended with holes": { mode: "BLEND", holes: true },
        glass: { mode: "BLEND", alpha: 0.3 },
      };
      const shades = {};
      const draws = {};
      for (const [name, variant] of Object.entries(variants)) {
        const player = await stage.openModel(backend, new File([JSON.stringify(sheet(variant))], "sheet.gltf"));
        // From behind the shadow, so that the sheet doesn't hide it.
        Object.assign(player.camera, { yaw: 2.43, pitch: 1 });
        player.camera.distance *= 2;
        const alphas = [];
        for (const ground of [true, false]) {
          player.ground = ground;
          player.advance(0);
          const { data } = await stage.look(player);
          alphas.push(data.filter((_, at) => at % 4 === 3));
          draws[name] ??= player.stats.draws;
        }
        // Outside the sheet. The light on the ground has an alpha of at most 18.
        const [on, off] = alphas;
        shades[name] = on.reduce((sum, alpha, at) => sum + (off[at] === 0 ? Math.max(alpha - 20, 0) : 0), 0) / 255;
        stage.close();
      }
      return { shades, draws };
    },
    backend,
    sheet.toString(),
  );
  const { nothing, whole } = told.shades;
  assert.ok(whole - nothing > 200, `the whole sheet darkens ${whole - nothing} pixels`);
  const expected = {
    "cut out": 0.5,
    "opaque with alpha": 1,
    "seen from the light": 1,
    "turned away": 0,
    "mirrored, seen": 1,
    "mirrored, turned away": 0,
    "cut out, turned away": 0,
    "mostly opaque": 1,
    "mostly opaque, one-sided": 1,
    "blended with holes": 0.5,
    glass: 0,
  };
  for (const [name, share] of Object.entries(expected)) {
    const found = (told.shades[name] - nothing) / (whole - nothing);
    assert.ok(
      Math.abs(found - share) < 0.15,
      `${name}: casts ${found.toFixed(2)} of the whole sheet's shadow, not ${share}`,
    );
  }
  assert.equal(told.draws.whole, told.draws["seen from the light"]);
}
