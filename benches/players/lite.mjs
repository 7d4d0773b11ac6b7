/**
 * Babylon.js Lite, which has a renderer for WebGPU only. A crowd loads the file once for each character, as its
 * documentation says.
 */

import {
  addToScene,
  createArcRotateCamera,
  createDirectionalLight,
  createEngine,
  createHemisphericLight,
  createSceneContext,
  disposeScene,
  loadGltf,
  registerScene,
  renderFrame,
  startEngine,
} from "@babylonjs/lite";

import { addCanvas, cameraFor, FIELD_OF_VIEW, phaseOf, placeOf, sizeOf } from "./view.mjs";

export async function open(parent, { box, preload }) {
  const loading = preload && bytesOf(preload);
  return { engine: await createEngine(addCanvas(parent)), box, loading };
}

async function bytesOf(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

export async function show(stage, url) {
  stage.bytes = await (stage.loading ?? bytesOf(url));
  stage.loading = undefined;
  await fill(stage, [await loadGltf(stage.engine, stage.bytes)]);
}

/** Makes a scene of characters. A scene can't be changed after its registration without rebuilding its pipelines. */
async function fill(stage, characters) {
  stage.scene = createSceneContext(stage.engine);
  for (const character of characters) addToScene(stage.scene, character);
  addToScene(stage.scene, createHemisphericLight([0, 1, 0], 1));
  addToScene(stage.scene, createDirectionalLight([-0.4, -1, -0.6], 1));
  const { target, distance, near, far } = cameraFor(stage.box, characters.length);
  const [x, y, z] = target;
  // The library's world is mirrored in X, and its angles begin at that axis.
  const camera = createArcRotateCamera(Math.PI / 2 + 0.46, 1.15, distance, { x, y, z });
  Object.assign(camera, { fov: FIELD_OF_VIEW, nearPlane: near, farPlane: far });
  stage.scene.camera = camera;
  await registerScene(stage.scene);
}

export function run({ engine }) {
  return startEngine(engine);
}

export function step({ engine }, dtSecs) {
  renderFrame(engine, dtSecs * 1000);
}

export async function crowd(stage, count) {
  hide(stage);
  const characters = [];
  for (let character = 0; character < count; character++) {
    const loaded = await loadGltf(stage.engine, stage.bytes);
    const [root] = loaded.entities;
    const [x, y, z] = placeOf(character, count, sizeOf(stage.box));
    root.position.set(x, y, z);
    for (const group of loaded.animationGroups) group.currentTime = phaseOf(character) * group.duration;
    characters.push(loaded);
  }
  await fill(stage, characters);
}

export function hide({ scene }) {
  disposeScene(scene);
}
