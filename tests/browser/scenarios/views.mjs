/**
 * Views of surfaces: each shows the value that the file has at each point, whatever the light. Also with instances,
 * mirrored nodes, several actors, in a worker, in screenshots, after a lost context and through the element.
 */

import assert from "node:assert/strict";

import { pngOf } from "../fixtures.mjs";

export default async function (context) {
  await showsValues(context);
  await marksMirroredUvs(context);
  await drawsEdgesAndOutlines(context);
  await keepsWidths(context);
  for (const worker of [false, true]) await lasts(context, worker);
  if (context.backend === "webgl2") await survivesLoss(context);
  await listensToAttributes(context);
}

const SIDE = 0.9;
const BLACK = [0, 0, 0];
const encoded = (value) => 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
const decoded = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const unit = (vector) => vector.map((part) => part / Math.hypot(...vector));

/** Texels that are the same everywhere, but for the alpha of `holes`, which is 255 on the left and 51 on the right. */
const IMAGES = {
  plain: [1, 1, () => [200, 100, 50, 255]],
  data: [1, 1, () => [128, 64, 192, 255]],
  tilt: [1, 1, () => [190, 90, 220, 255]],
  holes: [2, 1, (x) => [200, 100, 50, [255, 51][x]]],
};
const texture = (image, others) => ({ index: Object.keys(IMAGES).indexOf(image), ...others });

/** Square patches side by side: what their vertices and materials have. */
const PATCHES = [
  {
    normal: unit([0.3, -0.4, 0.8]),
    material: {
      pbrMetallicRoughness: {
        baseColorFactor: [0.5, 0.25, 1, 1],
        baseColorTexture: texture("plain"),
        metallicRoughnessTexture: texture("data"),
        metallicFactor: 0.5,
        roughnessFactor: 0.75,
      },
      occlusionTexture: texture("data", { strength: 0.5 }),
      emissiveTexture: texture("plain"),
      emissiveFactor: [0.2, 0.4, 0.8],
    },
    color: [0.25, 0.5, 0.75, 1],
  },
  {
    normal: unit([0, 0, 1]),
    tangent: [...unit([1, 1, 0]), 1],
    material: { normalTexture: texture("tilt") },
  },
  { normal: unit([0, 0, 1]), material: holes({ alphaMode: "MASK" }) },
  { normal: unit([0, 0, 1]), material: holes({ alphaMode: "BLEND", factor: 0.5 }) },
  { bare: true },
  // Materials with extensions have bind groups of their own.
  {
    normal: unit([0, 0, 1]),
    mirrored: true,
    material: { extensions: { KHR_materials_clearcoat: { clearcoatFactor: 1, clearcoatTexture: texture("plain") } } },
  },
  // Four vertices: the upper ones belong to the joint Upper, the lower ones to Lower.
  { normal: unit([0, 0, 1]), skinned: true },
];

function holes({ alphaMode, factor = 1 }) {
  const base = { baseColorFactor: [1, 1, 1, factor], baseColorTexture: texture("holes") };
  return { alphaMode, pbrMetallicRoughness: base, doubleSided: true };
}

const left = (patch) => patch - PATCHES.length / 2 + (1 - SIDE) / 2;

function boardFile() {
  const bytes = [];
  const [bufferViews, accessors] = [[], []];
  const accessor = (type, componentType, array, bounds) => {
    const part = Buffer.from(array.buffer);
    const byteOffset = Buffer.concat(bytes).length;
    bytes.push(part, Buffer.alloc(-part.length & 3));
    bufferViews.push({ buffer: 0, byteOffset, byteLength: part.length });
    const count = array.length / { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    accessors.push({ bufferView: bufferViews.length - 1, componentType, type, count, ...bounds });
    return accessors.length - 1;
  };
  const floats = (type, values, bounds) => accessor(type, 5126, Float32Array.from(values), bounds);
  // Upper left, upper right, lower left, lower right.
  const corners = [0, 1, 2, 3].map((corner) => [corner % 2, corner >> 1]);
  const ofCorners = (type, value) => floats(type, corners.flatMap(value));
  const indices = accessor("SCALAR", 5123, Uint16Array.from([0, 2, 1, 1, 2, 3]));
  const upright = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const materials = PATCHES.map(({ material = {} }) => material);
  const meshes = PATCHES.map(({ normal, tangent, color, bare, mirrored, skinned }, patch) => {
    const x = left(patch);
    const positions = corners.flatMap(([u, v]) => [x + u * SIDE, (0.5 - v) * SIDE, 0]);
    const bounds = { min: [x, -SIDE / 2, 0], max: [x + SIDE, SIDE / 2, 0] };
    const attributes = { POSITION: floats("VEC3", positions, bounds) };
    if (!bare) {
      attributes.NORMAL = ofCorners("VEC3", () => normal);
      attributes.TEXCOORD_0 = ofCorners("VEC2", ([u, v]) => [mirrored ? 1 - u : u, v]);
    }
    if (tangent) attributes.TANGENT = ofCorners("VEC4", () => tangent);
    if (color) attributes.COLOR_0 = ofCorners("VEC4", () => color);
    if (skinned) {
      attributes.JOINTS_0 = accessor("VEC4", 5121, Uint8Array.from([1, 0, 0, 0, 1, 0, 0, 0, ...Array(8).fill(0)]));
      attributes.WEIGHTS_0 = ofCorners("VEC4", () => [1, 0, 0, 0]);
    }
    return { primitives: [{ attributes, indices, material: patch }] };
  });
  const skin = meshes.length - 1;
  const inverseBindMatrices = floats("MAT4", [...upright, ...upright]);
  const nodes = meshes.map((_, mesh) => ({ mesh, ...(mesh === skin && { skin: 0 }) }));
  nodes.push({ name: "Lower", children: [nodes.length + 1] }, { name: "Upper" });
  const buffer = Buffer.concat(bytes);
  const data = (type, content) => `data:${type};base64,${content.toString("base64")}`;
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_materials_clearcoat"],
    scene: 0,
    scenes: [{ nodes: nodes.map((_, node) => node).slice(0, -1) }],
    nodes,
    meshes,
    materials,
    skins: [{ joints: [nodes.length - 2, nodes.length - 1], inverseBindMatrices }],
    textures: Object.keys(IMAGES).map((_, source) => ({ source, sampler: 0 })),
    samplers: [{ magFilter: 9728, minFilter: 9728 }],
    images: Object.values(IMAGES).map(([width, height, at]) => ({ uri: data("image/png", pngOf(width, height, at)) })),
    accessors,
    bufferViews,
    buffers: [{ byteLength: buffer.length, uri: data("application/octet-stream", buffer) }],
  });
}

/** Returns the pixels of the patches at places from 0 to 1, for each view. `null` is the background. */
async function lookAt({ page, backend }, views, places, background = [1, 0, 1, 1]) {
  return page.evaluate(
    async (backend, text, views, points, background) => {
      const file = new File([text], "board.gltf");
      const player = await stage.openModel(backend, file, { css: "width:2000px;height:280px" });
      Object.assign(player.camera, { target: [0, 0, 0], projection: "orthographic", yaw: 0, pitch: 0, distance: 2 });
      player.background = background;
      const pictures = {};
      for (const [name, options] of views) {
        await player.setView(name, options);
        const image = await stage.look(player);
        const pixels = points.map((patch) =>
          patch.map((point) => {
            const [x, y] = player.camera.project(point).slice(0, 2).map(Math.floor);
            const at = 4 * (y * image.width + x);
            return [...image.data.slice(at, at + 4)];
          }),
        );
        pictures[[name, options?.joint].filter(Boolean).join(" ")] = pixels;
      }
      const { warnings, view } = player;
      player.dispose();
      return { pictures, warnings, view };
    },
    backend,
    boardFile(),
    views,
    PATCHES.map((_, patch) => places.map(([u, v]) => [left(patch) + u * SIDE, (0.5 - v) * SIDE, 0])),
    background,
  );
}

const EXACT = ["normals", "view-normals", "tangents", "color", "alpha", "metallic", "roughness", "occlusion"];

async function showsValues(context) {
  const views = [...EXACT, "emissive", "vertex-color", "weights", "matcap", "toon", "uv"].map((name) => [name]);
  views.push(["weights", { joint: "Upper" }], ["weights", { joint: "Nobody" }], ["shaded"]);
  const [near, far] = [
    [0.23, 0.27],
    [0.77, 0.73],
  ];
  const { pictures, warnings, view } = await lookAt(context, views, [near, far]);
  assert.deepEqual(warnings, []);
  assert.equal(view, "shaded");
  const of = (name, patch) => pictures[name][patch].map((pixel) => pixel.slice(0, 3));
  const is = (name, patch, expected, tolerance = 1) => {
    for (const pixel of of(name, patch)) {
      const fits = pixel.every((byte, at) => Math.abs(byte - expected[at]) <= tolerance);
      assert.ok(fits, `${name} of patch ${patch}: ${pixel}, not ${expected.map(Math.round)}`);
    }
  };
  const grey = (value) => [value, value, value];

  // Normals. The tangent of the second patch is turned by 45°.
  const normal = (vector) => vector.map((part) => 127.5 + 127.5 * part);
  const tilt = [190, 90, 220].map((byte) => (byte / 255) * 2 - 1);
  const [along, across] = [
    [Math.SQRT1_2, Math.SQRT1_2],
    [-Math.SQRT1_2, Math.SQRT1_2],
  ];
  const tilted = unit([0, 1].map((at) => tilt[0] * along[at] + tilt[1] * across[at]).concat(tilt[2]));
  for (const name of ["normals", "view-normals"]) {
    is(name, 0, normal(PATCHES[0].normal));
    is(name, 1, normal(tilted), 2);
    is(name, 4, normal([0, 0, 1]));
    is(name, 5, normal([0, 0, 1]));
  }
  is("tangents", 0, grey(127.5));
  is("tangents", 1, normal([...along, 0]));

  // Materials.
  const texel = [200, 100, 50].map(decoded);
  const [factor, color] = [[0.5, 0.25, 1], PATCHES[0].color];
  is(
    "color",
    0,
    texel.map((value, at) => encoded(value * factor[at] * color[at])),
  );
  is("color", 4, grey(255));
  is("metallic", 0, grey(0.5 * 192));
  is("roughness", 0, grey(0.75 * 64));
  is("metallic", 4, grey(255));
  is("roughness", 4, grey(255));
  is("occlusion", 0, grey(255 - 0.5 * (255 - 128)));
  is("occlusion", 1, grey(255));
  const emitted = [0.2, 0.4, 0.8].map((value, at) => encoded(value * texel[at]));
  is("emissive", 0, emitted);
  is("emissive", 1, BLACK);
  is("vertex-color", 0, PATCHES[0].color.slice(0, 3).map(encoded));
  is("vertex-color", 1, grey(255));

  // Alpha: the right halves of the patches 2 and 3 have a fifth of the factor's alpha, and are cut out.
  const magenta = [255, 0, 255];
  for (const [patch, alpha] of [
    [2, 255],
    [3, 127.5],
  ]) {
    const [solid, faint] = of("alpha", patch);
    assert.ok(Math.abs(solid[0] - alpha) <= 1 && Math.abs(faint[0] - alpha / 5) <= 1, `${patch}: ${solid} ${faint}`);
    for (const name of ["normals", "color", "weights", "matcap"])
      assert.deepEqual(of(name, patch)[1], magenta, `${name} of patch ${patch}`);
    assert.deepEqual(of("normals", patch)[0], [128, 128, 255]);
  }

  // Joints: at the two places, about a quarter and three quarters of the way from Upper to Lower.
  const heat = (share) => {
    const at = share * 4;
    return [at - 2, Math.min(at, 4 - at), 2 - at].map((part) => 255 * Math.min(Math.max(part, 0), 1));
  };
  const [high, low] = of("weights Upper", 6);
  [high, low].forEach((pixel, at) => {
    const expected = heat(1 - [near, far][at][1]);
    // A pixel of the picture is 0.02 of the patch.
    assert.ok(
      pixel.every((byte, part) => Math.abs(byte - expected[part]) <= 12),
      `${pixel}, not ${expected}`,
    );
  });
  is("weights Nobody", 6, [0, 0, 255]);
  is("weights Upper", 4, [0, 0, 255]);
  const [top, bottom] = of("weights", 6);
  assert.ok(Math.hypot(...top.map((byte, at) => byte - bottom[at])) > 40, `${top} and ${bottom} differ`);

  // Without UVs the grid has no cells. Drawings and clay aren't the data, nor each other.
  is("uv", 4, grey(127.5));
  const looks = ["shaded", "matcap", "toon"].map((name) => of(name, 4).join());
  assert.equal(new Set(looks).size, 3, looks.join(" | "));
}

/** The grid has 8 cells along each side, with labels. Where it is mirrored, it is red. */
async function marksMirroredUvs(context) {
  // The middle of the right edge of cells, where there is no label.
  const places = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((row) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((column) => [(column + 0.93) / 8, (row + 0.5) / 8]),
  );
  const { pictures } = await lookAt(context, [["uv"]], places);
  const [straight, mirrored] = [pictures.uv[1], pictures.uv[5]];
  for (const [at, pixel] of straight.entries()) {
    const [red, green, blue] = pixel;
    assert.ok(red < Math.max(green, blue), `cell ${at}: ${pixel}`);
    const [r, g, b] = mirrored[at];
    assert.ok(r > g && r > b, `mirrored cell ${at}: ${r},${g},${b}`);
    // Light and dark alternate.
    const [row, column] = [at >> 3, at & 7];
    const next = column < 7 ? straight[at + 1] : straight[at - 1];
    const isLight = (row + column) % 2 === 0;
    assert.equal(green + blue + red > next[0] + next[1] + next[2], isLight, `cell ${at}: ${pixel} beside ${next}`);
  }
}

async function drawsEdgesAndOutlines({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/gambol/viewer/character.glb", { clip: "Walk", time: 0.3 });
    player.background = [1, 1, 1, 1];
    player.ground = false;
    const dark = (image) => {
      let count = 0;
      for (let at = 0; at < image.data.length; at += 4) count += Math.max(...image.data.slice(at, at + 3)) < 60 ? 1 : 0;
      return count;
    };
    const looks = {};
    const draws = {};
    for (const view of ["normals", "wireframe", "toon", "matcap"]) {
      await player.setView(view);
      looks[view] = dark(await stage.look(player));
      draws[view] = player.stats.draws;
    }
    // A mirrored node, morphs and instances.
    await player.setView("wireframe");
    const one = await stage.look(player);
    player.crowd(2, { place: (nth) => [nth, 0, 0] });
    const two = await stage.look(player);
    const crowd = stage.compare(one, two).differing;
    const drawn = player.stats.draws;
    player.crowd(1);
    const back = stage.compare(one, await stage.look(player)).differing;
    return { looks, draws, crowd, drawn, back };
  }, backend);
  const { looks, draws } = told;
  assert.ok(looks.normals < 20 && looks.wireframe > 500 && looks.toon > 300, JSON.stringify(told));
  assert.ok(draws.wireframe > draws.normals && draws.toon > draws.normals, JSON.stringify(told));
  assert.equal(draws.matcap, draws.normals);
  assert.equal(told.drawn, draws.wireframe, "characters are instances of the same draws");
  assert.ok(told.crowd > 0.01, "another character is seen");
  assert.equal(told.back, 0);
}

/** Outlines are as wide on a model whose node is scaled, also where the thickness of glass scales with it. */
async function keepsWidths({ page, backend }) {
  const [dark, differing] = await page.evaluate(async (backend) => {
    const pictures = [];
    for (const scale of [1, 20]) {
      const file = await stage.editedGlb("/fixtures/swing.glb", (json) => {
        const extensions = { KHR_materials_volume: { thicknessFactor: 0.1 } };
        json.materials = [{ extensions }];
        json.extensionsUsed = ["KHR_materials_volume"];
        for (const { primitives } of json.meshes) for (const primitive of primitives) primitive.material = 0;
        delete json.animations;
        const roots = json.scenes[0].nodes;
        json.scenes[0].nodes = [json.nodes.length];
        json.nodes.push({ children: roots, scale: [scale, scale, scale] });
      });
      const player = await stage.openModel(backend, file, { css: "width:200px;height:200px" });
      Object.assign(player, { ground: false, background: "#ffffff" });
      await player.setView("toon");
      player.frame();
      pictures.push(await stage.look(player));
      player.dispose();
    }
    const dark = pictures[0].data.filter((value, at) => at % 4 === 1 && value < 60).length;
    return [dark, stage.compare(...pictures, 40).count];
  }, backend);
  assert.ok(dark > 50, `${dark} pixels of outlines`);
  assert.ok(differing < dark / 10, `${differing} pixels differ`);
}

/** A view stays with another model and for all actors, is in screenshots, and ends. */
async function lasts({ page, backend }, worker) {
  const told = await page.evaluate(
    async (backend, worker) => {
      const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5, worker });
      const picture = async () => {
        await player.settled();
        return stage.pixelsOfPng(await player.screenshot({ width: 160, height: 120 }));
      };
      const differ = (a, b) => stage.compare(a, b).differing;
      const shaded = await picture();
      const kept = player.setView("normals");
      // The last of several calls wins.
      await Promise.all([kept, player.setView("uv"), player.setView("normals")]);
      const normals = await picture();
      const wrong = [];
      for (const [view, options] of [["normal"], [3], [{}], ["uv", 5], ["uv", { joint: 3 }], ["Uv"], [""]])
        wrong.push((await stage.failure(() => player.setView(view, options)))?.code);
      const after = [player.view, differ(normals, await picture())];
      await player.load("/fixtures/stroll.glb");
      const other = await picture();
      const actor = await player.add("/fixtures/swing.glb");
      actor.position = [1.5, 0, 0];
      const both = await picture();
      actor.remove();
      await player.setView(null);
      await player.load("/fixtures/swing.glb");
      player.play("Swing", { fade: 0 });
      player.currentTime = 0.5;
      player.pause();
      player.frame();
      const again = await picture();
      // The colours of normals that face the camera.
      const blue = (image) => {
        let count = 0;
        for (let at = 0; at < image.data.length; at += 4)
          count += image.data[at + 3] > 200 && image.data[at + 2] > 180 && image.data[at] < 200 ? 1 : 0;
        return count;
      };
      const view = player.view;
      player.dispose();
      return {
        changed: differ(shaded, normals),
        wrong,
        after,
        blues: [blue(other), blue(both)],
        again: differ(shaded, again),
        view,
      };
    },
    backend,
    worker,
  );
  assert.ok(told.changed > 0.02, JSON.stringify(told));
  assert.deepEqual([...new Set(told.wrong)].toSorted(), ["OUT_OF_RANGE", "WRONG_TYPE"]);
  assert.deepEqual(told.after, ["normals", 0]);
  assert.ok(told.blues[0] > 200 && told.blues[1] > told.blues[0] * 1.2, JSON.stringify(told));
  assert.ok(told.again < 0.001, `${told.again}`);
  assert.equal(told.view, "shaded");
}

async function survivesLoss({ page, backend }) {
  const differing = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    await player.setView("toon");
    const before = await stage.look(player);
    await stage.loseContext(player, async () => {
      await player.setView("weights", { joint: "Upper" });
      await player.setView("toon");
    });
    player.currentTime = 0.5;
    return stage.compare(before, await stage.look(player)).differing;
  }, backend);
  assert.equal(differing, 0);
}

async function listensToAttributes({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/swing.glb", view: "weights", viewJoint: "Upper" });
    document.body.append(element);
    await stage.once(element, "load");
    const { player } = element;
    player.autoUpdate = false;
    const frames = async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    };
    const views = [player.view];
    const one = await stage.look(player);
    element.viewJoint = "";
    await frames();
    const all = await stage.look(player);
    element.removeAttribute("view");
    await frames();
    views.push(player.view);
    const failed = stage.once(element, "error");
    element.view = "film";
    const { code } = await failed;
    element.remove();
    return { views, changed: stage.compare(one, all).differing, code };
  }, backend);
  assert.deepEqual(told.views, ["weights", "shaded"]);
  assert.ok(told.changed > 0.01, `${told.changed}`);
  assert.equal(told.code, "OUT_OF_RANGE");
}
