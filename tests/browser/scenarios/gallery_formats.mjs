/** Every model of `../shared/models` that isn't glTF plays all its clips, with the images that lie beside it. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";

import { saw, skipped } from "../../real_models.mjs";

export const longestSecs = 240;

const PICTURES = [".bmp", ".dds", ".jpg", ".png", ".tga"];

/** Models that refer to an image that isn't in the folder. */
const WITHOUT_PICTURE = ["iqm/guy/guy.iqm", "dae/thinmatrix/model.dae"];

export default async function ({ page, backend, name: suite, shared }) {
  if (!shared) return skipped(suite);
  const models = ["x", "dae", "iqm"]
    .flatMap((format) => readdirSync(join(shared, format), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && [".x", ".dae", ".iqm"].includes(extname(entry.name)))
    .map((entry) => relative(shared, join(entry.parentPath, entry.name)).split("\\").join("/"))
    .sort();
  saw(suite, models.length);
  await page.evaluate(async (backend) => {
    window.player = await stage.open(backend);
    window.player.ground = false;
  }, backend);

  const failures = [];
  for (const model of models) {
    const pictures = readdirSync(join(shared, dirname(model))).filter((name) => PICTURES.includes(extname(name)));
    const trouble = troubleWith(
      model,
      await page.evaluate(
        show,
        model,
        pictures.map((name) => `${dirname(model)}/${name}`),
      ),
    );
    if (trouble) failures.push(`${model}: ${trouble}`);
  }
  assert.deepEqual(failures, []);
}

/** Runs in the page. Shows the model at rest and at three times of every clip. */
async function show(model, pictures) {
  const { player } = window;
  const files = await Promise.all([model, ...pictures].map((path) => stage.file(`/shared/${path}`)));
  const failure = await stage.failure(() => player.load(files));
  if (failure) return { failure };
  const clips = player.clips.map(({ index, name, duration }) => {
    player.play(index, { loop: "once" });
    const poses = [0.1, 0.4, 0.75].map((part) => {
      player.currentTime = part * duration;
      return player.worldMatrices();
    });
    const moves = poses.some((pose) => pose.some((number, at) => Math.abs(number - poses[0][at]) > 1e-3));
    return { name, moves, finite: poses.every((pose) => stage.allFinite(pose)) };
  });
  player.frame();
  return {
    clips,
    hasMesh: player.nodes.some(({ hasMesh }) => hasMesh),
    part: stage.coverage(await stage.look(player), 4).part,
    missing: player.warnings.filter(({ code }) => code === "IMAGE_NOT_LOADED").map(({ place }) => place),
  };
}

function troubleWith(model, { failure, clips, hasMesh, part, missing }) {
  if (failure) return `${failure.code} at ${failure.place}: ${failure.message}`;
  const odd = clips.find(({ moves, finite }) => !moves || !finite);
  if (odd) return `${odd.name} ${odd.finite ? "doesn't move" : "isn't finite"}`;
  if (hasMesh && part < 0.01) return "nothing is to be seen";
  if (missing.length > 0 && !WITHOUT_PICTURE.includes(model)) return `without its picture ${missing}`;
  return null;
}
