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
  createPcfDirectionalShadowGenerator,
  createSceneContext,
  disposeScene,
  loadGltf,
  registerScene,
  renderFrame,
  setShadowTaskCasterMeshes,
  startEngine,
} from "@babylonjs/lite";

import { addCanvas, cameraFor, FIELD_OF_VIEW, phaseOf, placeOf, sizeOf, sphereOf } from "./view.mjs";

/** Side of the shadow map, for one character and for a crowd: as Gambol's. */
const SHADOW_SIDES = [1024, 2048];

export async function open(parent, { box, preload, shadows = false }) {
  const loading = preload && bytesOf(preload);
  return { engine: await createEngine(addCanvas(parent)), box, shadows, loading };
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
  const sun = createDirectionalLight([-0.4, -1, -0.6], 1);
  if (stage.shadows) castShadows(stage, sun, characters);
  addToScene(stage.scene, sun);
  const { target, distance, near, far } = cameraFor(stage.box, characters.length);
  const [x, y, z] = target;
  // The library's world is mirrored in X, and its angles begin at that axis.
  const camera = createArcRotateCamera(Math.PI / 2 + 0.46, 1.15, distance, { x, y, z });
  Object.assign(camera, { fov: FIELD_OF_VIEW, nearPlane: near, farPlane: far });
  stage.scene.camera = camera;
  await registerScene(stage.scene);
}

function castShadows({ engine, box }, sun, characters) {
  const { target, radius } = sphereOf(box, characters.length);
  const [x, y, z] = target;
  // The library's world is mirrored in X.
  Object.assign(sun.position, { x: -x + radius * 0.65, y: y + radius * 1.6, z: z + radius });
  const shadows = createPcfDirectionalShadowGenerator(engine, sun, {
    mapSize: SHADOW_SIDES[+(characters.length > 1)],
    orthoMinZ: radius / 4,
    orthoMaxZ: 4 * radius,
    forceRefreshEveryFrame: true,
  });
  sun.shadowGenerator = shadows;
  const meshes = characters.flatMap(({ entities }) => entities.flatMap(meshesOf));
  for (const mesh of meshes) mesh.receiveShadows = true;
  setShadowTaskCasterMeshes(shadows, meshes);
}

function meshesOf(node) {
  const below = (node.children ?? []).flatMap(meshesOf);
  return "receiveShadows" in node ? [node, ...below] : below;
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
