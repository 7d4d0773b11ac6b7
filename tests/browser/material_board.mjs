/**
 * A board of square patches in the plane z = 0, each with a material of its own: as a file, as pixels, and as the
 * values that materials have at a point. A patch is `{ normal, base, extensions }`: the vertices' normal, the words of
 * glTF's core, and the extensions as in glTF, but for textures, which are `[image, texCoord, transform, others]`.
 */

import assert from "node:assert/strict";

import { pngOf } from "./fixtures.mjs";
import { unit } from "./reference_light.mjs";

/** Side of a patch. The distance between patches is 1. */
const SIDE = 0.9;
const COLUMNS = 5;

/** Pixels of the images, whose channels differ. */
const IMAGES = {
  across: { size: [4, 1], at: (x) => [[60, 255, 130, 190][x], 255 - 60 * x, [20, 90, 160, 220][x], 250 - 55 * x] },
  white: { size: [1, 1], at: () => [255, 255, 255, 255] },
  tilt: { size: [1, 1], at: () => [190, 90, 220, 255] },
  down: { size: [1, 4], at: (_, y) => [255 - 50 * y, [40, 200, 120, 255][y], [250, 90, 140, 30][y], 110 + 45 * y] },
};
const NAMES = Object.keys(IMAGES);

/** What each texture multiplies: a factor of the same extension, by channels, which may be sRGB. */
const TEXTURES = {
  clearcoatTexture: ["clearcoatFactor", "r"],
  clearcoatRoughnessTexture: ["clearcoatRoughnessFactor", "g"],
  specularTexture: ["specularFactor", "a"],
  specularColorTexture: ["specularColorFactor", "rgb", "srgb"],
  sheenColorTexture: ["sheenColorFactor", "rgb", "srgb"],
  sheenRoughnessTexture: ["sheenRoughnessFactor", "a"],
  specularGlossinessTexture: [["specularFactor", "glossinessFactor"], ["rgb", "a"], "srgb"],
  iridescenceTexture: ["iridescenceFactor", "r"],
  iridescenceThicknessTexture: ["thicknessShare", "g"],
  diffuseTransmissionTexture: ["diffuseTransmissionFactor", "a"],
  diffuseTransmissionColorTexture: ["diffuseTransmissionColorFactor", "rgb", "srgb"],
  transmissionTexture: ["transmissionFactor", "r"],
  thicknessTexture: ["thicknessFactor", "g"],
  diffuseTexture: ["diffuseFactor", "rgba", "srgb"],
};

const dataUri = (type, bytes) => `data:${type};base64,${bytes.toString("base64")}`;

/** Returns the board as a .gltf. A lamp is `{ light, node }`: words of KHR_lights_punctual, and of its node. */
function boardFile(patches, lamps) {
  const floats = [];
  const views = [];
  const accessors = [];
  const accessor = (type, values, bounds = {}) => {
    views.push({ buffer: 0, byteOffset: floats.length * 4, byteLength: values.length * 4 });
    floats.push(...values);
    const count = values.length / { VEC2: 2, VEC3: 3, VEC4: 4 }[type];
    accessors.push({ bufferView: views.length - 1, componentType: 5126, type, count, ...bounds });
    return accessors.length - 1;
  };
  const meshes = patches.map(({ normal }, index) => {
    const [left, top] = cornerOf(patches, index);
    const corners = [0, 2, 1, 1, 2, 3].map((corner) => [corner % 2, corner >> 1]);
    const positions = corners.flatMap(([u, v]) => [left + u * SIDE, top - v * SIDE, 0]);
    const ofCorners = (type, value) => accessor(type, corners.flatMap(value));
    const attributes = {
      POSITION: accessor("VEC3", positions, { min: [left, top - SIDE, 0], max: [left + SIDE, top, 0] }),
      NORMAL: ofCorners("VEC3", () => unit(normal)),
      TANGENT: ofCorners("VEC4", () => [...tangentOf(unit(normal)), 1]),
      TEXCOORD_0: ofCorners("VEC2", (corner) => corner),
      TEXCOORD_1: ofCorners("VEC2", ([u, v]) => [v, u]),
    };
    return { primitives: [{ attributes, material: index }] };
  });
  const buffer = Buffer.from(new Float32Array(floats).buffer);
  const used = new Set(patches.flatMap(({ extensions = {} }) => Object.keys(extensions)));
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: [...used, "KHR_texture_transform", ...(lamps.length > 0 ? ["KHR_lights_punctual"] : [])],
    ...(lamps.length > 0 && { extensions: { KHR_lights_punctual: { lights: lamps.map(({ light }) => light) } } }),
    nodes: [
      ...meshes.map((_, mesh) => ({ mesh })),
      ...lamps.map(({ node }, light) => ({ ...node, extensions: { KHR_lights_punctual: { light } } })),
    ],
    meshes,
    materials: patches.map(materialOf),
    textures: NAMES.map((_, source) => ({ source, sampler: 0 })),
    samplers: [{ magFilter: 9728, minFilter: 9728 }],
    images: Object.values(IMAGES).map(({ size, at }) => ({ uri: dataUri("image/png", pngOf(...size, at)) })),
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: buffer.length, uri: dataUri("application/octet-stream", buffer) }],
  });
}

function materialOf({ base, extensions = {} }) {
  const texture = ([image, texCoord, transform, others]) => ({
    ...others,
    index: NAMES.indexOf(image),
    // The extension's set replaces the texture's own.
    texCoord: 1 - texCoord,
    extensions: { KHR_texture_transform: { ...transform, texCoord } },
  });
  const isTexture = (value) => typeof value[0] === "string";
  const written = Object.entries(extensions).map(([name, properties]) => {
    const entries = Object.entries(properties);
    return [name, Object.fromEntries(entries.map(([key, value]) => [key, isTexture(value) ? texture(value) : value]))];
  });
  return {
    pbrMetallicRoughness: {
      baseColorFactor: [...base.color, 1],
      metallicFactor: base.metallic ?? 0,
      roughnessFactor: base.roughness ?? 1,
    },
    emissiveFactor: base.emissive ?? [0, 0, 0],
    ...(base.normalTexture && { normalTexture: texture(base.normalTexture) }),
    extensions: Object.fromEntries(written),
  };
}

/** Returns the upper left corner of a patch. The board's centre is the origin. */
function cornerOf(patches, index) {
  const gap = 1 - SIDE;
  const rows = Math.ceil(patches.length / COLUMNS);
  return [(index % COLUMNS) - COLUMNS / 2 + gap / 2, rows / 2 - Math.floor(index / COLUMNS) - gap / 2];
}

/** Returns the unit vector along x, perpendicular to the normal. */
export function tangentOf([x, y, z]) {
  return unit([1 - x * x, -x * y, -x * z]);
}

/** Returns points on the patches: `{ patch, point }`. */
function boardPoints(patches) {
  const offsets = [0.12, 0.3, 0.5, 0.68, 0.9];
  return patches.flatMap((_, patch) => {
    const [left, top] = cornerOf(patches, patch);
    return offsets.flatMap((u) => offsets.map((v) => ({ patch, point: [left + u * SIDE, top - v * SIDE, 0] })));
  });
}

/**
 * Returns a function that reads textures at a point of a patch, as numbers from 0 to 1; it returns `null` next to the
 * edge of a texel, where rounding decides.
 */
export function readerAt(patches, patch, point) {
  const [left, top] = cornerOf(patches, patch);
  const uv = [(point[0] - left) / SIDE, (top - point[1]) / SIDE];
  return ([image, texCoord, { offset = [0, 0], rotation = 0, scale = [1, 1] }]) => {
    const [u, v] = [uv[texCoord] * scale[0], uv[1 - texCoord] * scale[1]];
    // Translation · rotation · scale of KHR_texture_transform.
    const [sin, cos] = [Math.sin(rotation), Math.cos(rotation)];
    const placed = [cos * u + sin * v + offset[0], -sin * u + cos * v + offset[1]];
    const { size, at } = IMAGES[image];
    const where = placed.map((value, i) => (value - Math.floor(value)) * size[i]);
    if (size.some((count, i) => count > 1 && Math.abs(where[i] - Math.round(where[i])) < 0.05)) return null;
    return at(...where.map(Math.floor)).map((value) => value / 255);
  };
}

/**
 * Returns the values of a patch's extensions at a point, by their names in glTF, with textures multiplied; `null` next
 * to the edge of a texel.
 */
export function valuesAt(patches, patch, point, defaults) {
  const texel = readerAt(patches, patch, point);
  const properties = Object.assign({}, ...Object.values(patches[patch].extensions ?? {}));
  const values = { ...defaults, ...properties };
  for (const [name, [factors, channels, encoding]] of Object.entries(TEXTURES)) {
    if (!properties[name]) continue;
    const read = texel(properties[name]);
    if (!read) return null;
    const whole = read.map((value, i) => (encoding && i < 3 ? decoded(value) : value));
    for (const [index, factor] of [factors].flat().entries()) {
      const lanes = [...[channels].flat()[index]].map((channel) => whole["rgba".indexOf(channel)]);
      const times = (value, i) => value * lanes[i];
      values[factor] = Array.isArray(values[factor]) ? values[factor].map(times) : times(values[factor], 0);
    }
  }
  return values;
}

const decoded = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

const EYE = { eye: [0.6, 0.9, 8] };

/**
 * Shows a board in some lights, and returns the points on its patches with their pixels, for each light. A light is
 * `{ room, panorama }`, a name or the bytes of a file, with other settings of the player. `camera` are settings of the
 * camera, which looks at the origin. `lamps` are lights of the file.
 */
export async function lookAtBoard({ page, backend }, patches, lights, { camera = EYE, lamps = [] } = {}) {
  const told = await page.evaluate(
    async (backend, text, points, lights, camera) => {
      const file = new File([text], "board.gltf");
      const player = await stage.openModel(backend, file, { css: "width:600px;height:480px" });
      player.ground = false;
      Object.assign(player.camera, { target: [0, 0, 0], ...camera });
      const pictures = [];
      for (const { room, panorama, ...settings } of lights) {
        const bytes = panorama && Uint8Array.from(atob(panorama), (letter) => letter.charCodeAt(0));
        await player.setEnvironment(bytes ? new Blob([bytes]) : room);
        Object.assign(player, settings);
        const image = await stage.look(player);
        pictures.push(
          points.map(({ patch, point }) => {
            const [x, y] = player.camera.project(point).slice(0, 2).map(Math.floor);
            // The point on the board that the centre of the pixel shows.
            const [near, far] = [1, 10].map((depth) => player.camera.unproject(x + 0.5, y + 0.5, depth));
            const share = near[2] / (near[2] - far[2]);
            const shown = near.map((value, i) => value + (far[i] - value) * share);
            const at = 4 * (y * image.width + x);
            return { patch, point: shown, pixel: [...image.data.slice(at, at + 4)] };
          }),
        );
      }
      const { eye } = player.camera;
      const { warnings } = player;
      player.dispose();
      return { pictures, eye, warnings };
    },
    backend,
    boardFile(patches, lamps),
    boardPoints(patches),
    lights.map(({ panorama, ...others }) => ({ ...others, panorama: panorama?.toString("base64") })),
    camera,
  );
  assert.deepEqual(told.warnings, []);
  return told;
}
