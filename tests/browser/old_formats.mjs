/**
 * Writes the model of `swing.glb` in other formats, with the conventions of their exporters. Its motion and keys
 * are known exactly.
 *
 *     swing.x       text, left-handed, matrix keys, 100 ticks per second; checks.png beside it
 *     ticks.x       the same without a statement of the ticks per second
 *     swing.dae     angles and translations, two clips; utf16.dae is the same in UTF-16, inside.dae embeds its picture
 *     lean.x        a clip with a shearing key, and one that rotates by 90°
 *     named_*.x     a picture named by a path of another machine, in another case, without an extension …
 *     red.*         red pictures as .tga, .bmp and .dds
 *     broken.*      files that can't be read
 *     missing.glb … files of other formats: see `NAMED_FORMATS`
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { banner } from "./banner.mjs";

export function writeOldFormats(folder, png) {
  mkdirSync(join(folder, "textures"), { recursive: true });
  const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
  const swing = (options) => xFile({ clips: [SWING, RAISE], ...options });
  write("swing.x", swing({ ticks: 100 }));
  write("ticks.x", swing({ ticks: 100, sayTicks: false }));
  write("lean.x", xFile({ ticks: 100, clips: [LEAN, TURN] }));
  const dae = daeFile();
  write("swing.dae", dae.replace("ENCODING", "utf-8"));
  write("utf16.dae", Buffer.from(`\ufeff${dae.replace("ENCODING", "utf-16")}`, "utf16le"));
  write(
    "inside.dae",
    dae.replace("ENCODING", "utf-8").replace("checks.png", `data:image/png;base64,${png.toString("base64")}`),
  );
  write("checks.png", png);

  for (const [name, texture] of Object.entries(NAMED)) write(`named_${name}.x`, swing({ ticks: 100, texture }));
  write("textures/lower.png", png);
  write("red.tga", redTga());
  write("red.bmp", redBmp());
  write("red.dds", redDds());

  write("broken.x", swing({ ticks: 100 }).slice(0, 900));
  write("broken.dae", dae.replace("</technique_common>", "</technique>"));
  write("broken.iqm", Buffer.concat([Buffer.from("INTERQUAKEMODEL\0"), Buffer.from([9, 0, 0, 0])]));
  write("page.dae", "<!doctype html><title>Not a model</title>");
  write("note.dae", '<?xml version="1.0"?><note/>');
  for (const [name, [bytes]] of Object.entries(NAMED_FORMATS)) write(name, bytes);
}

/** Files that can't be read, and the format's name in the error. Some have the extension of a model. */
export const NAMED_FORMATS = {
  "fox.fbx": [Buffer.from("Kaydara FBX Binary  \0\x1a\0"), "an FBX file"],
  "text.fbx": ["; FBX 7.4.0 project file\n", "an FBX file"],
  "fox.obj": ["# by hand\nmtllib fox.mtl\nv 0 0 0\n", "an OBJ file"],
  "fox.stl": ["solid fox\nfacet normal 0 0 1\n", "an STL file"],
  "fox.ply": ["ply\nformat ascii 1.0\n", "a PLY file"],
  "walk.bvh": ["HIERARCHY\nROOT Hips\n", "a BVH motion file"],
  "fox.usda": ["#usda 1.0\n", "a USD file"],
  "fox.blend": ["BLENDER-v300", "a Blender file"],
  "missing.glb": ["<!doctype html><title>Not found</title>", "a web page (HTML)"],
  "packed.gltf": [Buffer.from([0x1f, 0x8b, 8, 0]), "gzip-compressed data"],
  "other.gltf": ['{ "v": "5.7.4", "layers": [] }', "JSON that isn't glTF"],
};

/** Texture file names as in old files. They are written in quotes, so backslashes are doubled. */
export const NAMED = {
  plain: "checks.png",
  drive: "C:\\\\art\\\\checks.png",
  url: "file:///C:/art/checks.png",
  folder: "..\\\\art\\\\checks.png",
  case: "CHECKS.PNG",
  lower: "Textures\\\\Lower.png",
  stem: "checks.bmp",
  bare: "checks",
  tga: "red.tga",
  bmp: "red.bmp",
  dds: "red.dds",
  missing: "nowhere.tga",
};

// Matrices are column-major, in glTF's space. The writers convert them.
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const at = (x, y, z, basis = IDENTITY) => [...basis.slice(0, 12), x, y, z, 1];
const QUARTER = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const SHEARED = [1, 0, 0, 0, 0.8, 1, 0, 0, 0, 0.25, 1, 0, 0, 0, 0, 1];

/** Keys by node: time in seconds, and matrix. */
const SWING = {
  name: "Swing",
  Upper: [
    [0, at(0, 1, 0)],
    [1, at(0, 1, 0, QUARTER)],
    [2, at(0, 1, 0)],
  ],
};
const RAISE = {
  name: "Raise",
  Lower: [
    [0, at(0, 0, 0)],
    [1, at(0, 1, 0)],
  ],
};
export const LEAN = {
  name: "Lean",
  Upper: [
    [0, at(0, 1, 0)],
    [1, at(0.5, 1, 0.25, SHEARED)],
  ],
};
export const TURN = {
  name: "Turn",
  Upper: [
    [0, at(0, 1, 0)],
    [1, at(0, 1, 0, QUARTER)],
  ],
};

// ── .x: left-handed, so z is mirrored; matrices for row vectors have the same numbers in the same order ──

function xFile({ ticks, sayTicks = true, clips, texture = NAMED.plain }) {
  const { positions, uvs, weights, indices } = banner();
  const count = positions.length / 3;
  const list = (numbers, width) =>
    chunks(numbers, width)
      .map((row) => `${row.join(";")};`)
      .join(",\n");
  const triangles = chunks(indices, 3).map(([a, b, c]) => `3;${a},${c},${b};`);
  const hangs = (joint) => {
    const hung = Array.from({ length: count }, (_, vertex) => [vertex, weights[vertex * 4 + joint]]).filter(
      ([, weight]) => weight > 0,
    );
    const meshToJoint = joint === 0 ? at(0, 0, 0) : at(0, -1, 0);
    const vertices = hung.map(([vertex]) => vertex).join(",");
    const shares = hung.map(([, weight]) => weight.toFixed(6)).join(",");
    return `SkinWeights {
"${["Lower", "Upper"][joint]}";
${hung.length};
${vertices};
${shares};
${xMatrix(meshToJoint)};;
}`;
  };
  const frame = (name, matrix, inside) =>
    `Frame ${name} {\nFrameTransformMatrix {\n${xMatrix(matrix)};;\n}\n${inside}}\n`;
  const mesh = `Mesh Cloth {
${count};
${list(
  positions.map((number, lane) => (lane % 3 === 2 ? -number : number)),
  3,
)};
${triangles.length};
${triangles.join(",\n")};
MeshTextureCoords {
${count};
${list(uvs, 2)};
}
MeshMaterialList {
1;
${triangles.length};
${triangles.map(() => 0).join(",")};
Material Weave {
1.0;1.0;1.0;1.0;;
4.0;
0.0;0.0;0.0;;
0.0;0.0;0.0;;
TextureFilename { "${texture}"; }
}
}
XSkinMeshHeader { 2; 2; 2; }
${hangs(0)}
${hangs(1)}
}
`;
  const key = ([secs, matrix]) => `${Math.round(secs * ticks)};16;${xMatrix(matrix)};;`;
  const animation = ([node, keys]) =>
    `Animation {\n{ ${node} }\nAnimationKey {\n4;\n${keys.length};\n${keys.map(key).join(",\n")};\n}\n}\n`;
  const sets = clips.map(
    ({ name, ...nodes }) => `AnimationSet ${name} {\n${Object.entries(nodes).map(animation).join("")}}\n`,
  );
  return `xof 0303txt 0032
${sayTicks ? `AnimTicksPerSecond {\n${ticks};\n}\n` : ""}
${frame("Banner", IDENTITY, mesh)}
${frame("Lower", IDENTITY, frame("Upper", at(0, 1, 0), ""))}
${sets.join("")}`;
}

function xMatrix(matrix) {
  return matrix
    .map((number, index) => ((index % 4 === 2) !== (index >> 2 === 2) ? -number : number).toFixed(6))
    .join(",");
}

// ── .dae: its v counts from below, and its matrices are row-major ──

function daeFile() {
  const { positions, uvs, weights, indices } = banner();
  const count = positions.length / 3;
  const source = (id, numbers, params, type = "float") => {
    const tag = type === "name" ? "Name_array" : "float_array";
    const stride = params[0][1] === "float4x4" ? 16 : params.length;
    const named = params.map(([name, kind = "float"]) => `<param name="${name}" type="${kind}"/>`);
    return [
      `<source id="${id}"><${tag} id="${id}-array" count="${numbers.length}">${numbers.join(" ")}</${tag}>`,
      `<technique_common><accessor source="#${id}-array" count="${numbers.length / stride}" stride="${stride}">`,
      ...named,
      "</accessor></technique_common></source>",
    ].join("");
  };
  const input = (semantic, source, more = "") => `<input semantic="${semantic}" source="#${source}"${more}/>`;
  const hung = Array.from({ length: count }, (_, vertex) => [0, 1].filter((joint) => weights[vertex * 4 + joint] > 0));
  const allWeights = hung.flatMap((joints, vertex) => joints.map((joint) => weights[vertex * 4 + joint]));
  let next = 0;
  const pairs = hung.flatMap((joints) => joints.flatMap((joint) => [joint, next++]));
  const binds = [at(0, 0, 0), at(0, -1, 0)].flatMap(transposed);
  const sampler = (id) => {
    const inputs = [input("INPUT", `${id}-in`), input("OUTPUT", `${id}-out`), input("INTERPOLATION", `${id}-how`)];
    return `<sampler id="${id}-sampler">${inputs.join("")}</sampler>`;
  };
  const animation = (id, target, times, values, params) => `<animation id="${id}">
${source(`${id}-in`, times, [["TIME"]])}
${source(`${id}-out`, values, params)}
${source(
  `${id}-how`,
  times.map(() => "LINEAR"),
  [["INTERPOLATION", "name"]],
  "name",
)}
${sampler(id)}
<channel source="#${id}-sampler" target="${target}"/></animation>`;
  const triangles = [
    `<triangles material="weave-slot" count="${indices.length / 3}">`,
    input("VERTEX", "cloth-vertices", ' offset="0"'),
    input("TEXCOORD", "cloth-uvs", ' offset="1" set="0"'),
    `<p>${indices.map((index) => `${index} ${index}`).join(" ")}</p></triangles>`,
  ].join("");
  const vertexWeights = [
    `<vertex_weights count="${count}">`,
    input("JOINT", "pole-joints", ' offset="0"'),
    input("WEIGHT", "pole-weights", ' offset="1"'),
    `<vcount>${hung.map(({ length }) => length).join(" ")}</vcount><v>${pairs.join(" ")}</v></vertex_weights>`,
  ].join("");
  const instance = [
    '<instance_controller url="#pole"><skeleton>#Lower</skeleton>',
    '<bind_material><technique_common><instance_material symbol="weave-slot" target="#weave">',
    '<bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/>',
    "</instance_material></technique_common></bind_material></instance_controller>",
  ].join("");
  const upper = '<translate sid="place">0 1 0</translate><rotate sid="turn">0 0 1 0</rotate>';
  const bindShape = `<bind_shape_matrix>${IDENTITY.join(" ")}</bind_shape_matrix>`;
  return `<?xml version="1.0" encoding="ENCODING"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_images><image id="checks"><init_from>checks.png</init_from></image></library_images>
<library_effects><effect id="weave-fx"><profile_COMMON>
<newparam sid="surface"><surface type="2D"><init_from>checks</init_from></surface></newparam>
<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>
<technique sid="common"><lambert><diffuse><texture texture="sampler" texcoord="UV"/></diffuse></lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="weave" name="Weave"><instance_effect url="#weave-fx"/></material></library_materials>
<library_geometries><geometry id="cloth" name="Cloth"><mesh>
${source("cloth-positions", positions, [["X"], ["Y"], ["Z"]])}
${source(
  "cloth-uvs",
  uvs.map((number, lane) => (lane % 2 ? 1 - number : number)),
  [["S"], ["T"]],
)}
<vertices id="cloth-vertices"><input semantic="POSITION" source="#cloth-positions"/></vertices>
${triangles}
</mesh></geometry></library_geometries>
<library_controllers><controller id="pole"><skin source="#cloth">${bindShape}
${source("pole-joints", ["Lower", "Upper"], [["JOINT", "name"]], "name")}
${source("pole-binds", binds, [["TRANSFORM", "float4x4"]])}
${source("pole-weights", allWeights, [["WEIGHT"]])}
<joints><input semantic="JOINT" source="#pole-joints"/><input semantic="INV_BIND_MATRIX" source="#pole-binds"/></joints>
${vertexWeights}
</skin></controller></library_controllers>
<library_animations>
${animation("swing", "Upper/turn.ANGLE", [0, 1, 2], [0, 90, 0], [["ANGLE"]])}
${animation("raise", "Lower/place", [0, 1], [0, 0, 0, 0, 1, 0], [["X"], ["Y"], ["Z"]])}
</library_animations>
<library_animation_clips>
<animation_clip id="Swing" name="Swing" start="0" end="2"><instance_animation url="#swing"/></animation_clip>
<animation_clip id="Raise" name="Raise" start="0" end="1"><instance_animation url="#raise"/></animation_clip>
</library_animation_clips>
<library_visual_scenes><visual_scene id="scene">
<node id="Banner" name="Banner">${instance}</node>
<node id="Lower" name="Lower" sid="Lower" type="JOINT"><translate sid="place">0 0 0</translate>
<node id="Upper" name="Upper" sid="Upper" type="JOINT">${upper}</node></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
`;
}

function transposed(matrix) {
  return matrix.map((_, index) => matrix[(index % 4) * 4 + (index >> 2)]);
}

function chunks(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, index) =>
    numbers.slice(index * width, index * width + width),
  );
}

// ── pictures of one colour ──

const SIDE = 4;
/** Blue, green, red: the order of all three formats. */
const RED = [30, 20, 230];

function redTga() {
  const head = Buffer.alloc(18);
  head[2] = 2;
  head.writeUInt16LE(SIDE, 12);
  head.writeUInt16LE(SIDE, 14);
  head[16] = 24;
  return Buffer.concat([
    head,
    Buffer.from(
      Array(SIDE * SIDE)
        .fill(RED)
        .flat(),
    ),
  ]);
}

function redBmp() {
  const head = Buffer.alloc(54);
  head.write("BM", 0, "latin1");
  head.writeUInt32LE(54 + SIDE * SIDE * 3, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(SIDE, 18);
  head.writeInt32LE(SIDE, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([
    head,
    Buffer.from(
      Array(SIDE * SIDE)
        .fill(RED)
        .flat(),
    ),
  ]);
}

/** Returns a picture of one DXT1 block, whose two colours are equal, in 5, 6 and 5 bits. */
function redDds() {
  const head = Buffer.alloc(128);
  head.write("DDS ", 0, "latin1");
  for (const [at, number] of [
    [4, 124],
    [8, 0x81007],
    [12, SIDE],
    [16, SIDE],
    [20, 8],
    [76, 32],
    [80, 4],
    [108, 0x1000],
  ]) {
    head.writeUInt32LE(number, at);
  }
  head.write("DXT1", 84, "latin1");
  const [blue, green, red] = RED;
  const colour = ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3);
  const block = Buffer.alloc(8);
  block.writeUInt16LE(colour, 0);
  block.writeUInt16LE(colour, 2);
  return Buffer.concat([head, block]);
}
