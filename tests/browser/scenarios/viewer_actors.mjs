/** The viewer adds models to the picture: held by the selected node or beside the model, worn, and removed. */

import assert from "node:assert/strict";
import { join } from "node:path";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const webgpu = false;

export default async function ({ page, mounts, out }) {
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.readyState === 4);
  await page.evaluate(() => (window.player = document.querySelector("gambol-player").player));
  const add = async (path, count) => {
    const chooser = page.waitForFileChooser();
    await page.click("#add-model");
    await (await chooser).accept([path]);
    await page.waitForFunction((count) => document.querySelectorAll("#actors li").length === count, {}, count);
  };
  const swing = join(out, "fixtures/swing.glb");
  const character = join(mounts["/gambol/"], "viewer/character.glb");

  await add(character, 1);
  const first = await page.evaluate(() => [player.actors[0].position[0] > 0.1, player.actors[0].clip !== null]);
  assert.deepEqual(first, [true, true], "it stands beside and plays");
  await page.click('#actors button[aria-pressed="false"]');
  const worn = await page.evaluate(() => {
    const [a, b] = [player, player.actors[0]].map((each) => each.node("LeftHand").worldMatrix.slice(12, 15));
    return Math.hypot(...a.map((number, at) => number - b[at]));
  });
  assert.ok(worn < 1e-4, `the outfit is ${worn} from its wearer`);

  await page.click("#nodes-section summary");
  await page.type("#node-search", "RightHand");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await add(swing, 2);
  const held = await page.evaluate(() => {
    const actor = player.actors[1];
    const [hand, root] = [player.node("RightHand"), actor.node(0)].map(({ worldMatrix }) => worldMatrix.slice(12, 15));
    return Math.hypot(...hand.map((number, at) => number - root[at]));
  });
  assert.ok(held < 1e-3, `it is ${held} from the hand`);
  await page.screenshot({ path: join(out, "viewer_actors.png") });

  await page.click("#actors li:first-child button:last-child");
  assert.deepEqual(await page.evaluate(() => player.actors.map(({ name }) => name)), ["swing.glb"]);

  // Another model replaces all.
  const chooser = page.waitForFileChooser();
  await page.click("#open-file");
  await (await chooser).accept([swing]);
  await page.waitForFunction(() => document.querySelector("#file-name").textContent === "swing.glb");
  assert.deepEqual(
    await page.evaluate(() => [player.actors.length, document.querySelector("#actors-section").hidden]),
    [0, true],
  );
}
