/**
 * Babylon.js: its glTF loader with the one extension that a model requires, an asset container, and an instance of it
 * for each character.
 */

import "@babylonjs/core/Animations/animatable.js";
import { TargetCamera } from "@babylonjs/core/Cameras/targetCamera.js";
import { DirectionalLight } from "@babylonjs/core/Lights/directionalLight.js";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight.js";
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";
// The sample character requires it.
import "@babylonjs/loaders/glTF/2.0/Extensions/KHR_mesh_quantization.js";
import "@babylonjs/loaders/glTF/2.0/glTFLoader.js";
import "@babylonjs/loaders/glTF/glTFFileLoader.js";

import { cameraFor, FIELD_OF_VIEW, phaseOf, placeOf, sizeOf } from "./view.mjs";

export function openWith(engine, { box, preload, manual = false }) {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  // Each frame then advances by 16 ms.
  scene.useConstantAnimationDeltaTime = manual;
  new HemisphericLight("sky", new Vector3(0, 1, 0), scene);
  new DirectionalLight("sun", new Vector3(-0.4, -1, -0.6), scene);
  const camera = new TargetCamera("camera", Vector3.Zero(), scene);
  camera.fov = FIELD_OF_VIEW;
  return { engine, scene, camera, box, instances: [], loading: preload && load(preload, scene) };
}

function load(url, scene) {
  return LoadAssetContainerAsync(url, scene, { pluginExtension: ".glb" });
}

export async function show(stage, url) {
  stage.container = await (stage.loading ?? load(url, stage.scene));
  stage.loading = undefined;
  stage.container.addAllToScene();
  // The loader's plugin starts the first group already; the container has none running.
  stage.container.animationGroups[0].start(true);
  aim(stage, 1);
  await stage.scene.whenReadyAsync();
}

function aim({ camera, box }, count) {
  const { target, eye, near, far } = cameraFor(box, count);
  camera.minZ = near;
  camera.maxZ = far;
  camera.position = Vector3.FromArray(eye);
  camera.setTarget(Vector3.FromArray(target));
}

export function run({ engine, scene }) {
  engine.runRenderLoop(() => scene.render());
}

export function step({ engine, scene }) {
  engine.beginFrame();
  scene.render();
  engine.endFrame();
}

export async function crowd(stage, count) {
  const { container, instances, scene, box } = stage;
  container.animationGroups[0].stop();
  container.removeAllFromScene();
  for (let character = 0; character < count; character++) {
    const instance = container.instantiateModelsToScene((name) => name, false, { doNotInstantiate: true });
    instance.rootNodes[0].position = Vector3.FromArray(placeOf(character, count, sizeOf(box)));
    const [group] = instance.animationGroups;
    group.start(true);
    group.goToFrame(group.from + phaseOf(character) * (group.to - group.from));
    instances.push(instance);
  }
  aim(stage, count);
  await scene.whenReadyAsync();
}

export function hide(stage) {
  for (const instance of stage.instances.splice(0)) instance.dispose();
  stage.container.dispose();
  stage.container = undefined;
}
