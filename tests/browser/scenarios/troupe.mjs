/**
 * Ten actors of different models share a player: each has the pose and the picture that it has alone, with attachments
 * and an outfit, and leaves nothing behind.
 */

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const longestSecs = 240;

const MADE = [
  "/gambol/viewer/character.glb",
  "/fixtures/swing.glb",
  "/fixtures/stroll.glb",
  "/fixtures/swing.zip",
  "/formats/flag.x",
  "/formats/flag.binary.x",
  "/formats/flag.bzip.x",
  "/formats/flag.dae",
  "/formats/flag.iqm",
  "/fixtures/swing.gltf",
];
/** Models of other projects, which take the place of the last ones where they exist. */
const REAL = [
  "gltf/robot-expressive/RobotExpressive.glb",
  "gltf/kaykit/Knight.glb",
  "gltf/quaternius/platformer_game_pack_Character.glb",
  "gltf/khronos/Fox/glTF-Binary/Fox.glb",
  "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
  "gltf/khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
  "iqm/mrfixit.iqm",
];

export default async function ({ page, backend, shared, out }) {
  const real = shared ? REAL.filter((path) => existsSync(join(shared, path))) : [];
  const models = [...MADE.slice(0, MADE.length - real.length), ...real.map((path) => `/shared/${path}`)];
  const told = await page.evaluate(play, { backend, models });
  writeFileSync(join(out, `troupe_${backend}.png`), Buffer.from(told.png, "base64"));
  assert.equal(told.each.length, 10);
  for (const { name, poses, pictures, seen } of told.each) {
    assert.ok(poses < 1e-4, `${name}: the pose differs by ${poses} of the model's size`);
    assert.ok(seen > 0.001, `${name} covers ${seen} of the picture`);
    assert.ok(pictures.differing < 1e-4, `${name}: ${pictures.differing} of the pixels differ`);
  }
  assert.ok(told.held < 1e-4, `the attached model is off by ${told.held}`);
  assert.ok(told.worn < 1e-4, `the outfit is off by ${told.worn}`);
  assert.deepEqual(told.left, { bytes: 0, differing: 0, actors: 0 });
}

/** Runs in the page. */
async function play({ backend, models }) {
  const SECS = 0.4;
  const SIZE = { width: 480, height: 270 };
  const picture = async (player) => stage.pixelsOfPng(await player.screenshot(SIZE));
  const empty = async () => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    return player;
  };
  const begin = (performer) => {
    if (performer.clips.length > 0) performer.play(0);
    performer.currentTime = SECS;
  };
  const aim = (player) => {
    player.camera.target = [0, 0, 0];
    player.camera.eye = [0, 0.5, 9];
    player.render();
  };

  // Each model alone: its matrices, and where the camera that frames it is.
  const alone = [];
  for (const model of models) {
    const player = await stage.openModel(backend, model, {});
    begin(player);
    player.frame();
    const { target, distance } = player.camera;
    alone.push({ matrices: player.worldMatrices(), target, distance });
    player.dispose();
  }

  const place = (actor, index) => {
    const { target, distance } = alone[index];
    const scale = 3.5 / distance;
    actor.scale = scale;
    actor.position = [(index % 5) * 2 - 4, index < 5 ? -1 : 1, 0].map((at, axis) => at - target[axis] * scale);
    return scale;
  };
  const player = await empty();
  aim(player);
  const [bytes, before] = [player.stats.gpuBytes, await picture(player)];
  const actors = [];
  for (const model of models) actors.push(await player.add(model));
  const scales = actors.map(place);
  actors.forEach(begin);
  aim(player);
  const png = await stage.base64(await player.screenshot({ width: 960, height: 540 }));

  const each = [];
  for (const [index, actor] of actors.entries()) {
    const { matrices } = alone[index];
    const placed = actor.worldMatrices();
    let poses = 0;
    for (let at = 0; at < matrices.length; at++) {
      const [row, column] = [at % 4, Math.floor(at / 4) % 4];
      if (row === 3) continue;
      const moved = matrices[at] * scales[index] + (column === 3 ? actor.position[row] : 0);
      poses = Math.max(poses, Math.abs(moved - placed[at]));
    }
    for (const other of actors) other.visible = other === actor;
    const amongOthers = await picture(player);
    const solo = await empty();
    const only = await solo.add(models[index]);
    place(only, index);
    begin(only);
    aim(solo);
    const pictures = stage.compare(amongOthers, await picture(solo));
    only.remove();
    const seen = stage.compare(amongOthers, await picture(solo)).differing;
    solo.dispose();
    each.push({ name: models[index], poses, pictures, seen });
  }
  for (const actor of actors) actor.visible = true;

  // One holds another, and a third has an outfit.
  const [character, banner] = actors;
  banner.attachTo(character.node("RightHand"));
  const coat = await player.add(models[0]);
  coat.wear(character);
  aim(player);
  const column = (performer, node) => performer.worldMatrices().subarray(node * 16 + 12, node * 16 + 15);
  const apart = (a, b) => Math.hypot(...a.map((number, at) => number - b[at]));
  const hand = column(character, character.node("RightHand").index);
  const root = banner.nodes.findIndex(({ parent }) => parent < 0);
  const held = apart(column(banner, root), hand);
  const [a, b] = [character.worldMatrices(), coat.worldMatrices()];
  const worn = Math.max(...a.map((number, at) => Math.abs(number - b[at])));

  for (const actor of [coat, ...actors]) actor.remove();
  aim(player);
  const { differing } = stage.compare(before, await picture(player));
  // A screenshot holds a share of what is drawn until the GPU has finished.
  for (let tries = 0; tries < 20 && player.stats.gpuBytes !== bytes; tries++) await player.settled();
  const left = { bytes: player.stats.gpuBytes - bytes, differing, actors: player.actors.length };
  player.dispose();
  return { each, held, worn, left, png };
}
