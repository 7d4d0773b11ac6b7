/** three.js: `GLTFLoader`, an `AnimationMixer` for each character, and either of its two renderers. */

import { AnimationMixer, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Timer } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";

import { cameraFor, FIELD_OF_VIEW, HEIGHT, phaseOf, placeOf, sizeOf, sphereOf, WIDTH } from "./view.mjs";

/** Side of the shadow map, for one character and for a crowd: as Gambol's. */
const SHADOW_SIDES = [1024, 2048];

export async function openWith(renderer, parent, { box, preload, meshoptDecoder, shadows = false }) {
  const loader = new GLTFLoader();
  if (meshoptDecoder) loader.setMeshoptDecoder(meshoptDecoder);
  const loading = preload && loader.loadAsync(preload);
  const stage = { renderer, loader, box, shadows, characters: [], scene: new Scene(), loading };
  renderer.setSize(WIDTH, HEIGHT);
  parent.append(renderer.domElement);
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(0.4, 1, 0.6);
  sun.castShadow = renderer.shadowMap.enabled = shadows;
  stage.sun = sun;
  stage.scene.add(new HemisphereLight(0xffffff, 0x444444, 2), sun);
  await renderer.init?.();
  return stage;
}

export async function show(stage, url) {
  stage.gltf = await (stage.loading ?? stage.loader.loadAsync(url));
  stage.loading = undefined;
  add(stage, stage.gltf.scene, 0);
  aim(stage, 1);
}

function add({ scene, characters, gltf, shadows }, root, phase) {
  root.traverse((object) => (object.castShadow = object.receiveShadow = shadows));
  const mixer = new AnimationMixer(root);
  const [clip] = gltf.animations;
  mixer.clipAction(clip).play().time = phase * clip.duration;
  scene.add(root);
  characters.push({ root, mixer });
}

function aim(stage, count) {
  const sphere = sphereOf(stage.box, count);
  lookFrom(stage, cameraFor(stage.box, count), sphere, SHADOW_SIDES[+(count > 1)]);
}

/** Sets the camera, and, if there are shadows, a shadow map that covers a sphere. */
export function lookFrom(stage, { target, eye, near, far }, sphere, shadowSide) {
  stage.camera = new PerspectiveCamera((FIELD_OF_VIEW * 180) / Math.PI, WIDTH / HEIGHT, near, far);
  stage.camera.position.set(...eye);
  stage.camera.lookAt(...target);
  if (stage.shadows) aimSun(stage, sphere, shadowSide);
}

function aimSun({ sun }, { target, radius }, shadowSide) {
  sun.target.position.set(...target);
  sun.target.updateMatrixWorld();
  sun.position
    .set(0.4, 1, 0.6)
    .setLength(2 * radius)
    .add(sun.target.position);
  sun.shadow.mapSize.setScalar(shadowSide);
  Object.assign(sun.shadow.camera, { left: -radius, right: radius, bottom: -radius, top: radius });
  Object.assign(sun.shadow.camera, { near: radius / 2, far: 3.5 * radius });
  sun.shadow.camera.updateProjectionMatrix();
  sun.shadow.map?.dispose();
  sun.shadow.map = null;
}

export function run(stage) {
  const timer = new Timer();
  const draw = () => {
    timer.update();
    step(stage, timer.getDelta());
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

export function step({ renderer, scene, camera, characters }, dtSecs) {
  for (const { mixer } of characters) mixer.update(dtSecs);
  renderer.render(scene, camera);
}

export function crowd(stage, count) {
  aim(stage, count);
  stage.scene.remove(stage.characters.pop().root);
  for (let character = 0; character < count; character++) {
    const root = clone(stage.gltf.scene);
    root.position.set(...placeOf(character, count, sizeOf(stage.box)));
    add(stage, root, phaseOf(character));
  }
}

export function hide({ scene, characters }) {
  for (const { root, mixer } of characters.splice(0)) {
    mixer.stopAllAction();
    mixer.uncacheRoot(root);
    scene.remove(root);
    root.traverse(dispose);
  }
}

function dispose({ geometry, skeleton, material }) {
  geometry?.dispose();
  skeleton?.dispose();
  if (!material) return;
  for (const value of Object.values(material)) {
    if (!value?.isTexture) continue;
    value.dispose();
    // `GLTFLoader` decodes to image bitmaps, which it leaves to the page.
    value.source.data?.close?.();
  }
  material.dispose();
}
