/**
 * Runs the Khronos validator on the output of `gambol convert`: for every readable fixture, generated models with
 * every feature, the viewer's character, and real files if there are any.
 */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { before, test } from "node:test";

import validator from "gltf-validator";
import { MeshoptDecoder } from "meshoptimizer";

import { root } from "../../www/toolchain.mjs";
import { realModels } from "../real_models.mjs";

/** The options that `npm test` passes to cargo, so that nothing is compiled twice. */
const CARGO = ["--workspace", "--features", "gambol/render"];
const MODEL = /\.(glb|gltf|x|dae|iqm)$/i;

/** Validator warnings about the contents of the source model, which the export keeps. */
const FROM_THE_MODEL = {
  ANIMATION_CHANNEL_TARGET_NODE_SKIN: "a node that draws a skinned mesh is animated: its children may need it",
  IMAGE_FEATURES_UNSUPPORTED: "a picture has a colour profile: pictures are copied as they are",
  KHR_MATERIALS_VOLUME_DOUBLE_SIDED: "a volume has faces with two sides: both are kept",
  KHR_MATERIALS_VOLUME_NO_TRANSMISSION: "a volume lets no light pass: factors of 0 are left out",
  MULTIPLE_EXTENSIONS: "a material has extensions that exclude each other: all are kept",
  MESH_PRIMITIVE_GENERATED_TANGENT_SPACE: "a normal map on a mesh for which no tangents can be made",
  NODE_SKINNED_MESH_LOCAL_TRANSFORMS: "a node that draws a skinned mesh stands somewhere: its children may need it",
  NODE_SKINNED_MESH_NON_ROOT: "a node that draws a skinned mesh has a parent: nodes keep their place",
};
/** The validator's severity of warnings. Errors have a lower number, information a higher one. */
const WARNING = 1;

/** Options for a compressed file. */
const SMALLER = ["--compress", "meshopt", "--reduce-keys", "0.001"];

const out = join(root, "target/exported");
let gambol;

before(async () => {
  await MeshoptDecoder.ready;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  // `cargo build` would compile everything below wgpu again: without tests, it has fewer features.
  const messages = execFileSync("cargo", ["test", "--no-run", "--quiet", "--message-format", "json", ...CARGO], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const artifacts = messages
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  gambol = artifacts.find(
    ({ executable, target, profile }) =>
      executable && target.name === "gambol" && target.kind[0] === "bin" && !profile.test,
  ).executable;
});

test("made-up models become valid files", async () => {
  const folder = join(out, "made-up");
  mkdirSync(folder);
  const tests = ["made_up_models_are_written", "smaller_models_are_written"];
  execFileSync("cargo", ["test", "--quiet", "--test", "export", ...CARGO, "--", ...tests], {
    cwd: root,
    env: { ...process.env, GAMBOL_EXPORT_TO: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  assert.ok(files.length > 80, `only ${files.length} files`);
  for (const file of files) await assertValid(file);
});

test("every fixture that can be read becomes a valid file", async () => {
  const converted = await convertAll(join(root, "tests/fixtures"));
  assert.ok(converted > 60, `only ${converted} files`);
});

test("the viewer's character stays valid, and becomes smaller", async () => {
  const file = join(root, "dist/viewer/character.glb");
  await assertValid(convert(file));
  const small = convert(file, SMALLER);
  await assertValid(small);
  const factor = readFileSync(file).length / readFileSync(small).length;
  assert.ok(factor > 1.5, `only by a factor of ${factor}`);
});

test("real files become valid files", async (t) => {
  const models = realModels();
  if (!models) return t.skip("there are no models of other projects");
  const converted = await convertAll(models);
  assert.ok(converted > 80, `only ${converted} files`);
  t.diagnostic(`MODELS exported: ${converted}`);
});

/** Converts the files of a folder, and returns how many can be read. */
async function convertAll(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => MODEL.test(name))
    .sort();
  let converted = 0;
  for (const name of files) {
    const file = convert(join(folder, name));
    if (!file) continue;
    await assertValid(file);
    await assertValid(convert(join(folder, name), SMALLER));
    converted += 1;
  }
  return converted;
}

/** Returns the new file, or nothing if the command reports that it can't read the old one. */
function convert(file, options = []) {
  const to = join(out, `${relative(root, file).replaceAll(/[^\w.-]/g, "_")}${options.length > 0 ? ".small" : ""}.glb`);
  const { status, stderr } = spawnSync(gambol, ["convert", file, to, ...options], { encoding: "utf8" });
  if (status === 0) return to;
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^gambol: .*: [A-Z_]+: .* at .*\.$/m, basename(file));
  return undefined;
}

async function assertValid(file) {
  assertDecodes(file);
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 0 });
  const found = issues.messages.filter(({ severity, code }) => severity <= WARNING && !(code in FROM_THE_MODEL));
  assert.deepEqual(found, [], relative(root, file));
}

/** Decodes the compressed views of a file with meshoptimizer, and checks that they fill the buffer without bytes. */
function assertDecodes(file) {
  const bytes = readFileSync(file);
  const length = bytes.readUInt32LE(12);
  const { bufferViews = [], buffers = [] } = JSON.parse(bytes.toString("utf8", 20, 20 + length));
  const binary = bytes.subarray(28 + length);
  let end = 0;
  for (const { byteOffset = 0, byteLength, extensions } of bufferViews) {
    const stream = extensions?.EXT_meshopt_compression;
    if (!stream) continue;
    const { count, byteStride, mode, filter } = stream;
    assert.equal(byteLength, count * byteStride);
    const start = stream.byteOffset ?? 0;
    const source = binary.subarray(start, start + stream.byteLength);
    MeshoptDecoder.decodeGltfBuffer(new Uint8Array(byteLength), count, byteStride, source, mode, filter);
    end = Math.max(end, byteOffset + byteLength);
  }
  if (end > 0) assert.ok(buffers[1].byteLength - end < 4 && !buffers[1].uri, file);
}
