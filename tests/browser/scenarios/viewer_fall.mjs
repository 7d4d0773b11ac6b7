/** The viewer's button lets the character fall and get up, and its switch fits added clips to the body. */

import assert from "node:assert/strict";
import { join } from "node:path";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const webgpu = false;

export default async function ({ page, mounts, out }) {
  const isShown = () => document.querySelector("gambol-player").player?.readyState === 4;
  await page.waitForFunction(isShown);
  await page.evaluate(() => {
    window.player = document.querySelector("gambol-player").player;
    window.headHeight = () => player.node("Head").worldMatrix[13];
  });
  const label = () => page.$eval("#fall", ({ textContent }) => textContent);
  const standing = await page.evaluate(() => headHeight());
  assert.equal(await label(), "Let fall");
  await page.click("#fall");
  await page.waitForFunction((standing) => headHeight() < standing * 0.7, { polling: 100 }, standing);
  assert.equal(await label(), "Get up");
  await page.click("#fall");
  await page.waitForFunction((standing) => headHeight() > standing * 0.9, { polling: 100 }, standing);
  assert.equal(await label(), "Let fall");

  const add = async (path) => {
    const added = page.evaluate(
      () =>
        new Promise((resolve) => {
          const element = document.querySelector("gambol-player");
          element.addEventListener("clipsadd", ({ detail }) => resolve(detail.map?.length ?? 0), { once: true });
        }),
    );
    const chooser = page.waitForFileChooser();
    await page.click("#add-clips");
    await (await chooser).accept([path]);
    return added;
  };
  const character = join(mounts["/gambol/"], "viewer/character.glb");
  assert.equal(await add(character), 0, "with the same joints");
  await page.click("#retarget");
  assert.ok((await add(character)) > 15, "by the roles of the joints");

  // Another model has no ragdoll.
  await page.click("#fall");
  await page.waitForFunction(() => document.querySelector("#fall").textContent === "Get up");
  const chooser = page.waitForFileChooser();
  await page.click("#open-file");
  await (await chooser).accept([join(out, "fixtures/swing.glb")]);
  await page.waitForFunction(() => document.querySelector("#file-name").textContent === "swing.glb");
  assert.equal(await label(), "Let fall");
}
