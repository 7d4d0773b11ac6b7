/**
 * Occlusion between limbs darkens a corner as much as rays say, and nothing else: not what is far from other surfaces,
 * nor unlit and blended materials. On the page, in a worker, in an element, and in screenshots of several tiles.
 */

import assert from "node:assert/strict";

import { glb } from "../fixtures.mjs";

/** Side of the floor and of the wall, which meet at x = 0. */
const SIDE = 4;
/** The distance from which on surfaces occlude nothing, as `src/render/occlusion.rs` chooses it. */
const REACH = 0.1 * Math.hypot(SIDE, SIDE, SIDE);
/** Distances of points from the corner. */
const DISTANCES = [0.12, 0.2, 0.4, 0.7, 1.3, 2.5].map((share) => share * REACH);

export default async function ({ page, backend }) {
  const kinds = [{}, { extensions: { KHR_materials_unlit: {} } }, { alphaMode: "BLEND" }];
  const files = kinds.map((material) => corner(material).toString("base64"));
  for (const worker of [false, true]) {
    const { lit, half, restored, unchanged, tiles } = await page.evaluate(look, backend, worker, files, DISTANCES);
    for (const [index, distance] of DISTANCES.entries()) {
      const expected = openAt(distance);
      for (const side of ["floor", "wall"]) {
        const about = `${side}, ${(distance / REACH).toFixed(2)} of the reach from the corner`;
        const found = lit[side][index];
        assert.ok(Math.abs(found - expected) < 0.03, `${about}: ${found}, not ${expected}`);
        // The strength mixes with no occlusion.
        assert.ok(Math.abs(half[side][index] - (1 + found) / 2) < 0.02, `${about}: half of ${found}`);
      }
    }
    assert.deepEqual([restored, ...unchanged], [0, 0, 0], "pixels that differ without occlusion, unlit and blended");
    assert.ok(tiles < 0.5, `a picture of four tiles differs by ${tiles} on average`);
  }
  const shades = await page.evaluate(showInElement, backend);
  assert.ok(shades[1] < shades[0] * 0.99 && shades[2] === shades[0], `luminance in the element: ${shades}`);
}

/** Returns the share of light that reaches a point of the floor: the mean over rays, more of them near the normal. */
function openAt(distance) {
  let blocked = 0;
  const count = 200;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const [radius, angle] = [Math.sqrt((i + 0.5) / count), ((j + 0.5) / count) * 2 * Math.PI];
      const towardsWall = -radius * Math.cos(angle);
      // Surfaces matter less the farther they are.
      if (towardsWall > 0) blocked += Math.min(Math.max((REACH - distance / towardsWall) / (0.3 * REACH), 0), 1);
    }
  return 1 - blocked / count ** 2;
}

/** Returns a file with a floor and a wall. */
function corner(material) {
  const [near, far] = [-SIDE / 2, SIDE / 2];
  const floor = [
    [0, 0, near],
    [0, 0, far],
    [SIDE, 0, near],
    [SIDE, 0, far],
  ];
  const positions = [...floor, ...floor.map(([x, y, z]) => [y, x, -z])];
  const normals = positions.map((_, index) => (index < 4 ? [0, 1, 0] : [1, 0, 0]));
  const indices = [0, 1, 2, 2, 1, 3];
  const bin = Buffer.concat([
    Buffer.from(Float32Array.from([...positions, ...normals].flat()).buffer),
    Buffer.from(Uint16Array.from([...indices, ...indices.map((index) => index + 4)]).buffer),
  ]);
  const view = (byteOffset, byteLength) => ({ buffer: 0, byteOffset, byteLength });
  const json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material: 0 }] }],
    materials: [
      {
        pbrMetallicRoughness: { baseColorFactor: [0.5, 0.5, 0.5, 1], metallicFactor: 0, roughnessFactor: 1 },
        ...material,
      },
    ],
    ...(material.extensions && { extensionsUsed: Object.keys(material.extensions) }),
    buffers: [{ byteLength: bin.length }],
    bufferViews: [view(0, 96), view(96, 96), view(192, 24)],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: "VEC3", min: [0, 0, near], max: [SIDE, SIDE, far] },
      { bufferView: 1, componentType: 5126, count: 8, type: "VEC3" },
      { bufferView: 2, componentType: 5123, count: 12, type: "SCALAR" },
    ],
  };
  return glb(json, bin);
}

/** Returns the shares of light at points, and how many pixels change where none may. */
async function look(backend, worker, files, distances) {
  const [plain, unlit, blended] = files.map((text) => {
    return new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
  });
  const css = "width:420px;height:420px";
  const player = await stage.openModel(backend, plain, { css, worker });
  Object.assign(player, { ground: false, toneMapping: "linear", still: "plain" });
  await player.setEnvironment("flat");
  const aim = () => Object.assign(player.camera, { target: [0.7, 0.7, 0.3], eye: [6, 5.5, 2], fov: 0.4 });
  const picture = async (width = 420, height = 420) => {
    await player.settled();
    return stage.pixelsOf(await createImageBitmap(await player.screenshot({ width, height })));
  };
  const linear = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  const lightAt = (image, place) => {
    const [x, y] = player.camera.project(place);
    return linear(image.data[4 * (Math.floor(y) * image.width + Math.floor(x)) + 1]);
  };
  aim();
  const plainPicture = await picture();
  // With a strength that changes no pixel, surfaces have the same shader.
  await player.setOcclusion(1e-6);
  const open = await picture();
  const differenceOfTiles = async () => {
    const [one, four] = [await picture(), await picture(5 * 420, 5 * 420)];
    const mean = (x, y) => {
      const of = Array.from(
        { length: 25 },
        (_, i) => four.data[4 * ((5 * y + (i % 5)) * four.width + 5 * x + Math.floor(i / 5)) + 1],
      );
      return of.reduce((sum, byte) => sum + byte) / 25;
    };
    let sum = 0;
    for (let y = 0; y < 420; y++)
      for (let x = 0; x < 420; x++) sum += Math.abs(one.data[4 * (y * 420 + x) + 1] - mean(x, y));
    return sum / 420 ** 2;
  };
  const sharesAt = (image) => {
    const share = (place) => lightAt(image, place) / lightAt(open, place);
    return {
      floor: distances.map((distance) => share([distance, 0, 0.3])),
      wall: distances.map((distance) => share([0, distance, 0.3])),
    };
  };
  await player.setOcclusion(1);
  const lit = sharesAt(await picture());
  const tiles = worker ? 0 : await differenceOfTiles();
  await player.setOcclusion(0.5);
  const half = sharesAt(await picture());
  await player.setOcclusion(0);
  const differing = (a, b) => a.data.filter((byte, index) => byte !== b.data[index]).length;
  const restored = differing(plainPicture, await picture());
  const unchanged = [];
  for (const file of [unlit, blended]) {
    await player.load(file);
    aim();
    await player.setOcclusion(0);
    const before = await picture();
    await player.setOcclusion(1);
    unchanged.push(differing(before, await picture()));
  }
  player.dispose();
  return { lit, half, restored, unchanged, tiles };
}

/** Returns the mean luminance of an element without the attribute, with it, and without it again. */
async function showInElement(backend) {
  const element = document.createElement("gambol-player");
  Object.assign(element, { backend, src: "/gambol/viewer/character.glb", still: "plain" });
  document.body.append(element);
  await stage.once(element, "load");
  element.player.pause();
  const luminance = async () => {
    await element.player.settled();
    const blob = await element.player.screenshot({ width: 200, height: 200 });
    const { data } = stage.pixelsOf(await createImageBitmap(blob));
    return data.reduce((sum, byte) => sum + byte, 0) / data.length;
  };
  const shades = [];
  for (const occlusion of [0, 1, 0]) {
    element.occlusion = occlusion;
    const [last] = shades;
    shades.push(await luminance());
    for (let left = 60; left > 0 && last && (shades.at(-1) === last) === (occlusion === 1); left--) {
      await new Promise(requestAnimationFrame);
      shades[shades.length - 1] = await luminance();
    }
  }
  element.remove();
  return shades;
}
