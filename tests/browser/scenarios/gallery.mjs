/** Every model of `../shared/models/gltf` plays. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { extname, join, relative } from "node:path";

import { saw, skipped } from "../../real_models.mjs";

export const longestSecs = 900;

export default async function ({ page, backend, name: suite, shared }) {
  if (!shared) return skipped(suite);
  const models = readdirSync(join(shared, "gltf"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && [".glb", ".gltf"].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  saw(suite, models.length);
  await page.evaluate(async (backend) => {
    window.player = await stage.open(backend);
    window.player.ground = false;
  }, backend);

  const failures = [];
  for (const path of models) {
    const name = relative(shared, path);
    const told = await page.evaluate(show, `/shared/${name.split("\\").join("/")}`);
    const trouble = troubleWithModel(told);
    if (trouble) failures.push(`${name}: ${trouble}`);
  }
  assert.deepEqual(failures, []);
}

/** Runs in the page. Plays every clip of the model, and returns how much of it is visible. */
async function show(url) {
  const { player } = window;
  const failure = await stage.failure(() => player.load(url));
  if (failure) return { failure };
  const looks = [];
  for (const clip of [null, ...player.clips]) {
    if (clip) player.play(clip.index, { loop: "repeat" });
    player.advance((clip?.duration ?? 0) * 0.4);
    player.frame();
    looks.push({
      clip: clip?.name,
      part: stage.coverage(await stage.look(player), 4).part,
      finite:
        stage.allFinite(player.worldMatrices()) &&
        player.skins.every(({ index }) => stage.allFinite(player.skinMatrices(index))),
    });
  }
  return { looks, draws: player.nodes.some(({ hasMesh }) => hasMesh) };
}

function troubleWithModel({ failure, looks, draws }) {
  if (failure) return `${failure.code} at ${failure.place}: ${failure.message}`;
  const infinite = looks.find(({ finite }) => !finite);
  if (infinite) return `a matrix of ${infinite.clip} isn't finite`;
  // A model may shrink to nothing in one clip, but must be visible in another, unless it has nothing to draw.
  return draws && looks.every(({ part }) => part < 0.0005) ? "nothing is to be seen" : null;
}
