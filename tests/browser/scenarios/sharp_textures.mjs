/**
 * Cut-outs have smooth edges, and textures stay sharp where they are seen at a grazing angle, but for GPUs in software,
 * for which that is too much work.
 */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  await page.addScriptTag({ content: `${sheets}` });
  const edge = await page.evaluate(seeEdge, backend);
  const pixels = edge.pixels.map(({ x, y, alpha, white, red }) => ({ share: shareOf(x, y), alpha, white, red }));
  const crossed = pixels.filter(({ share }) => share > 0.02 && share < 0.98);
  assert.ok(crossed.length > 60, `the edge crosses ${crossed.length} pixels`);
  const error = crossed.reduce((sum, { alpha, share }) => sum + Math.abs(alpha / 255 - share), 0) / crossed.length;
  // An edge of whole pixels is wrong by a quarter.
  assert.ok(error < 0.1, `alphas at the edge are wrong by ${error} on average`);
  for (const { share, alpha, white, red } of pixels) {
    if (share === 0 || share === 1) assert.ok(Math.abs(alpha - share * 255) < 20, `${alpha} beside the edge`);
    // The picture is read with straight alpha.
    assert.ok(alpha === 0 || white > 250, `the edge is as white as the sheet: ${white}`);
    assert.equal(red, 255, "the edge is blended with the sheet behind it, whatever their order in the file");
  }
  // At the cutoff, a pixel is drawn. A cutoff of 0 draws all, and one above 1 nothing.
  assert.deepEqual(edge.flat, [255, 0, 255, 0]);

  for (const isSoftware of [false, true]) {
    await page.reload();
    await page.waitForFunction(() => window.stage);
    await page.evaluate(pretend, isSoftware);
    await page.addScriptTag({ content: `${sheets}` });
    const contrast = await page.evaluate(seeStripes, backend);
    const message = `stripes have a contrast of ${contrast} of 255`;
    assert.ok(isSoftware ? contrast < 100 : contrast > 120, message);
  }
}

/** Runs in the page. Lets the browser's GPU be one in software, or not. */
function pretend(isSoftware) {
  if (globalThis.GPUAdapterInfo)
    Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => isSoftware });
  const { getParameter } = WebGL2RenderingContext.prototype;
  const RENDERERS = [WebGL2RenderingContext.RENDERER, 0x9246];
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    if (!RENDERERS.includes(name)) return getParameter.call(this, name);
    return isSoftware ? "SwiftShader" : "a GPU";
  };
}

/** Angle of the edge from the vertical. */
const TILT = 0.2;

/** Returns the share of a pixel that is right of the edge, which goes through the middle of the picture. */
function shareOf(x, y) {
  const steps = Array.from({ length: 16 }, (_, at) => (at + 0.5) / 16);
  const inside = steps.flatMap((dx) => steps.filter((dy) => (x + dx) * Math.cos(TILT) + (y + dy) * Math.sin(TILT) > 0));
  return inside.length / 256;
}

/**
 * Defined in the page. Returns a .gltf of unlit sheets in planes of constant z, or of constant y with `lies`, each with
 * a material and a picture for its texture. They are turned about z by `tilt`.
 */
function sheets(list, tilt = 0) {
  const floats = [];
  const accessors = [];
  const add = (type, rows) => {
    const bounds = [Math.min, Math.max].map((of) =>
      rows[0].map((_, i) => of(...rows.map((row) => Math.fround(row[i])))),
    );
    const [min, max] = bounds;
    accessors.push({ bufferView: accessors.length, componentType: 5126, type, count: rows.length, min, max });
    floats.push(rows.flat());
    return accessors.length - 1;
  };
  const corners = [0, 1, 2, 2, 1, 3].map((corner) => [corner % 2, corner >> 1]);
  const meshes = list.map(({ z = 0, lies }, material) => {
    const turned = (x, y) => [x * Math.cos(tilt) - y * Math.sin(tilt), x * Math.sin(tilt) + y * Math.cos(tilt), z];
    const places = corners.map(([u, v]) => (lies ? [u - 0.5, 0, 0.5 - v] : turned(u - 0.5, v - 0.5)));
    const attributes = { POSITION: add("VEC3", places), TEXCOORD_0: add("VEC2", corners) };
    return { primitives: [{ attributes, material }] };
  });
  const bytes = new Uint8Array(new Float32Array(floats.flat()).buffer);
  let byteOffset = 0;
  const bufferViews = floats.map(({ length }) => {
    byteOffset += length * 4;
    return { buffer: 0, byteOffset: byteOffset - length * 4, byteLength: length * 4 };
  });
  const json = {
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_materials_unlit"],
    scene: 0,
    scenes: [{ nodes: meshes.map((_, node) => node) }],
    nodes: meshes.map((_, mesh) => ({ mesh })),
    meshes,
    materials: list.map(({ material, color = [1, 1, 1, 1] }, index) => ({
      ...material,
      pbrMetallicRoughness: { baseColorFactor: color, baseColorTexture: { index } },
      extensions: { KHR_materials_unlit: {} },
    })),
    textures: list.map((_, source) => ({ source, sampler: 0 })),
    samplers: [{ magFilter: 9729, minFilter: 9987 }],
    images: list.map(({ picture }) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 256, height: 256 });
      picture?.(canvas.getContext("2d"));
      return { uri: canvas.toDataURL() };
    }),
    accessors,
    bufferViews,
    buffers: [
      { byteLength: bytes.length, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` },
    ],
  };
  return new File([JSON.stringify(json)], "sheets.gltf");
}

/** Runs in the page. Returns pixels around the middle, relative to it, and alphas of sheets of one alpha. */
async function seeEdge(backend) {
  const filled = (context) => {
    context.fillStyle = "white";
    context.fillRect(0, 0, 256, 256);
  };
  // The alpha passes the cutoff in the middle.
  const ramp = (context) => {
    const pixels = context.createImageData(256, 256);
    const alphaAt = (x) => Math.min(Math.max((x - 127.5) * 16 + 127.5, 0), 255);
    pixels.data.forEach((_, at) => (pixels.data[at] = at % 4 < 3 ? 255 : alphaAt((at >> 2) & 255)));
    context.putImageData(pixels, 0, 0);
  };
  const look = async (list) => {
    const player = await stage.openModel(backend, sheets(list, 0.2));
    player.ground = false;
    Object.assign(player.camera, { yaw: 0, pitch: 0, target: [0, 0, 0] });
    player.advance(10);
    const picture = await stage.look(player);
    stage.close();
    const at = (x, y) => picture.data.slice((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 4);
    return { at, middle: picture.width / 2 };
  };
  const mask = { alphaMode: "MASK", alphaCutoff: 0.5, doubleSided: true };
  const cut = { material: mask, picture: ramp };
  const alone = await look([cut]);
  const before = await look([cut, { z: -0.2, color: [1, 0, 0, 1], picture: filled }]);
  const pixels = [];
  for (let y = -40; y < 40; y++) {
    for (let x = -40; x < 40; x++) {
      const [, white, , alpha] = alone.at(alone.middle + x, alone.middle + y);
      pixels.push({ x, y: -y - 1, alpha, white, red: before.at(before.middle + x, before.middle + y)[0] });
    }
  }
  const flat = [];
  for (const [alpha, alphaCutoff] of [
    [0.5, 0.5],
    [0.49, 0.5],
    [0, 0],
    [1, 1.5],
  ]) {
    const one = { material: { alphaMode: "MASK", alphaCutoff }, color: [1, 1, 1, alpha], picture: filled };
    const { at, middle } = await look([one]);
    flat.push(at(middle, middle)[3]);
  }
  return { pixels, flat };
}

/** Runs in the page. Returns the contrast of stripes that lead away from the viewer, nearly from the side. */
async function seeStripes(backend) {
  const stripes = (context) => {
    for (let x = 0; x < 256; x++) {
      context.fillStyle = x & 8 ? "white" : "black";
      context.fillRect(x, 0, 1, 256);
    }
  };
  const player = await stage.openModel(backend, sheets([{ lies: true, picture: stripes }]));
  player.ground = false;
  Object.assign(player.camera, { yaw: 0, pitch: 0.07, target: [0, 0, 0], distance: 1.5 });
  player.advance(10);
  const { data, width, height } = await stage.look(player);
  stage.close();
  const row = Array.from({ length: width / 2 }, (_, at) => data[((height / 2) * width + width / 4 + at) * 4]);
  return Math.max(...row) - Math.min(...row);
}
