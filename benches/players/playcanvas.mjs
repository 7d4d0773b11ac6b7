/** PlayCanvas: its engine without the editor's parts, a container asset, and an entity with `anim` a character. */

import {
  AnimComponentSystem,
  AppBase,
  AppOptions,
  Asset,
  CameraComponentSystem,
  Color,
  ContainerHandler,
  Entity,
  FILLMODE_NONE,
  LightComponentSystem,
  RenderComponentSystem,
  RESOLUTION_FIXED,
  TextureHandler,
} from "playcanvas";

import { cameraFor, FIELD_OF_VIEW, HEIGHT, phaseOf, placeOf, sizeOf, WIDTH } from "./view.mjs";

export function openWith(graphicsDevice, canvas, { box, preload, manual = false }) {
  const options = new AppOptions();
  options.graphicsDevice = graphicsDevice;
  options.componentSystems = [RenderComponentSystem, CameraComponentSystem, LightComponentSystem, AnimComponentSystem];
  options.resourceHandlers = [TextureHandler, ContainerHandler];
  const app = new AppBase(canvas);
  app.init(options);
  app.setCanvasFillMode(FILLMODE_NONE, WIDTH, HEIGHT);
  app.setCanvasResolution(RESOLUTION_FIXED, WIDTH, HEIGHT);
  app.scene.ambientLight = new Color(0.4, 0.4, 0.4);
  const sun = new Entity();
  sun.addComponent("light", { type: "directional", intensity: 1 });
  sun.setEulerAngles(40, 30, 0);
  app.root.addChild(sun);
  const camera = new Entity();
  camera.addComponent("camera", { fov: (FIELD_OF_VIEW * 180) / Math.PI });
  app.root.addChild(camera);
  return { app, camera, box, manual, characters: [], loading: preload && load(app, preload) };
}

function load(app, url) {
  const asset = new Asset("model", "container", { url, filename: "model.glb" });
  app.assets.add(asset);
  return new Promise((done, failed) => {
    asset.ready(() => done(asset));
    asset.once("error", (error) => failed(new Error(error)));
    app.assets.load(asset);
  });
}

export async function show(stage, url) {
  stage.asset = await (stage.loading ?? load(stage.app, url));
  stage.loading = undefined;
  add(stage, 0);
  aim(stage, 1);
  if (!stage.started && stage.manual) run(stage);
}

function add({ app, asset, characters }, phase) {
  const root = asset.resource.instantiateRenderEntity();
  root.addComponent("anim", { activate: true });
  root.anim.assignAnimation("clip", asset.resource.animations[0].resource);
  root.anim.baseLayer.activeStateCurrentTime = phase * root.anim.baseLayer.activeStateDuration;
  app.root.addChild(root);
  characters.push(root);
  return root;
}

function aim({ camera, box }, count) {
  const { target, eye, near, far } = cameraFor(box, count);
  camera.camera.nearClip = near;
  camera.camera.farClip = far;
  camera.setPosition(...eye);
  camera.lookAt(...target);
}

export function run(stage) {
  stage.app.start();
  stage.started = true;
  // Systems initialize when the app starts; in manual mode `step` then replaces its loop.
  if (stage.manual) cancelAnimationFrame(stage.app.frameRequestId);
}

export function step({ app }, dtSecs) {
  app.update(dtSecs);
  app.render();
}

export function crowd(stage, count) {
  for (const root of stage.characters.splice(0)) root.destroy();
  for (let character = 0; character < count; character++) {
    add(stage, phaseOf(character)).setPosition(...placeOf(character, count, sizeOf(stage.box)));
  }
  aim(stage, count);
}

export function hide({ app, asset, characters }) {
  for (const root of characters.splice(0)) root.destroy();
  app.assets.remove(asset);
  asset.unload();
}
