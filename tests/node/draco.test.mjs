/** Compares the decoder of Draco's encoding with Draco's own, byte for byte. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";
import { realModels, saw, skipped } from "../real_models.mjs";
import { madeUpMesh, random } from "./draco_meshes.mjs";
import { encoderModule, meshesOf, packed } from "./draco_reference.mjs";

/** The options that `npm test` passes to cargo, so that nothing is compiled twice. */
const CARGO = ["--workspace", "--features", "gambol/render"];
const SEED = Number(process.env.GAMBOL_DRACO_SEED ?? 1);
const COUNT = Number(process.env.GAMBOL_DRACO_COUNT ?? 1000);

/** Lets `tests/decode/draco.rs` decode meshes and compare the results. */
function compare(name, meshes) {
  const folder = join(root, "target/draco");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.pack`);
  writeFileSync(path, packed(meshes));
  const filter = "meshes_decode_as_draco_decodes_them";
  const output = execFileSync("cargo", ["test", "--quiet", "--test", "decode", ...CARGO, "--", filter, "--nocapture"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, GAMBOL_DRACO_PACK: path },
  });
  assert.match(output, new RegExp(`^${meshes.length} meshes$`, "m"));
}

test("made-up meshes decode as Draco decodes them", async () => {
  const next = random(SEED);
  const meshes = [];
  let encoder = await encoderModule();
  for (let index = 0; index < COUNT; index++) {
    try {
      const mesh = madeUpMesh(encoder, next, index % 50 === 0 ? 80 : index % 5 === 0 ? 40 : 8);
      if (mesh) meshes.push(mesh);
    } catch {
      // The encoder aborts where a number overflows.
      encoder = await encoderModule();
    }
  }
  console.log(`# seed ${SEED}: ${meshes.length} of ${COUNT} meshes were encoded`);
  assert.ok(meshes.length > 0.8 * COUNT);
  compare("made-up", meshes);
});

test("real meshes decode as Draco decodes them", () => {
  const folder = realModels();
  if (!folder) return skipped("draco");
  const files = readdirSync(folder, { recursive: true }).filter((name) => /\.(glb|gltf)$/.test(name));
  const meshes = files
    .filter((name) => !/invalid/.test(name))
    .flatMap((name) => {
      try {
        return meshesOf(join(folder, name));
      } catch {
        // Files that aren't complete belong to other tests.
        return [];
      }
    });
  saw("draco", meshes.length);
  compare("real", meshes);
});
