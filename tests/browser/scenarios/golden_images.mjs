/**
 * Pictures compared with reviewed golden images. One golden serves both backends.
 *
 * After an intended change: `node tests/browser/all.mjs --update-goldens golden_images`, then review
 * `tests/browser/goldens` before committing. The goldens are made with WebGPU.
 */

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const goldens = fileURLToPath(new URL("../goldens", import.meta.url));

export default async function ({ page, backend, out, updateGoldens }) {
  const scenes = await page.evaluate(async () => {
    window.scenes = await import("/scenes.js");
    const { CEILING, SCENES } = window.scenes;
    const tooLax = Object.entries(SCENES)
      .filter(([, scene]) => scene.tolerance > CEILING.tolerance || scene.outliers > CEILING.outliers)
      .map(([name]) => name);
    return { names: Object.keys(SCENES), tooLax };
  });
  assert.deepEqual(scenes.tooLax, [], "no scene may pass the ceiling");

  const failures = [];
  for (const name of scenes.names) {
    const golden = join(goldens, `${name}.png`);
    const save = (bytes, path) => writeFileSync(path, Buffer.from(bytes, "base64"));
    if (updateGoldens && backend === "webgpu") save(await take(page, backend, name), golden);
    if (!existsSync(golden)) {
      save(await take(page, backend, name), join(out, `${name}.${backend}.actual.png`));
      failures.push(
        `${name}: there is no golden. Look at tests/browser/out/${name}.${backend}.actual.png; if it is right, make ` +
          "one with `node tests/browser/all.mjs --update-goldens golden_images`",
      );
      continue;
    }
    const { differing, greatest, allowed, actual, diff, look } = await compareWithGolden(page, backend, name);
    if (look.part < 0.01 || look.brightest < 60) failures.push(`${name}: the picture is as good as empty`);
    if (differing <= allowed) continue;
    save(actual, join(out, `${name}.${backend}.actual.png`));
    if (diff) save(diff, join(out, `${name}.${backend}.diff.png`));
    failures.push(
      `${name}: ${(differing * 100).toFixed(2)} % of the pixels differ, by up to ${greatest}; ` +
        `${(allowed * 100).toFixed(2)} % may. See tests/browser/out/${name}.${backend}.{actual,diff}.png`,
    );
  }
  assert.deepEqual(failures, []);
}

function take(page, backend, name) {
  return page.evaluate(
    async (backend, name) => {
      const picture = await stage.look(await window.scenes.SCENES[name].show(stage, backend));
      stage.close();
      return stage.png(picture);
    },
    backend,
    name,
  );
}

function compareWithGolden(page, backend, name) {
  return page.evaluate(
    async (backend, name) => {
      const scene = window.scenes.SCENES[name];
      const golden = await stage.pixelsOfPng(`/goldens/${name}.png`);
      const picture = await stage.look(await scene.show(stage, backend));
      stage.close();
      const { differing, greatest, diff } = stage.compare(golden, picture, scene.tolerance);
      const failed = differing > scene.outliers;
      return {
        differing,
        greatest,
        allowed: scene.outliers,
        look: stage.coverage(picture),
        actual: failed && (await stage.png(picture)),
        diff: failed && diff && (await stage.png(diff)),
      };
    },
    backend,
    name,
  );
}
