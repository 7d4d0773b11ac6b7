/**
 * PlayCanvas: its container loader, and an entity with the component `anim` for each character, on its null device.
 *
 * Timed: the event `animationUpdate` of the systems, which advances and samples all characters, `syncHierarchy`, and
 * for each character `SkinInstance.updateMatrixPalette`, which writes what the vertex shader reads. `AppBase.render`
 * calls the latter two for each character it draws. A crossfade is a blend tree with the same weight for both clips.
 *
 * Between two keys, the engine interpolates rotations linearly, where glTF wants a spherical interpolation. Poses of
 * clips with few keys differ from those of the other players.
 */

import {
  ANIM_BLEND_DIRECT,
  ANIM_PARAMETER_FLOAT,
  AnimComponentSystem,
  AppBase,
  AppOptions,
  Asset,
  ContainerHandler,
  NullGraphicsDevice,
  RenderComponentSystem,
  TextureHandler,
} from "playcanvas";

import { multiply } from "../page/matrices.mjs";

export const name = "PlayCanvas";

export async function load(bytes) {
  return {
    // An app for each set of characters, because an app animates everything in it.
    async characters(_count, phases, { fading }) {
      const app = openApp();
      const resource = await loadContainer(app, bytes.slice(0));
      const tracks = resource.animations.map((asset) => asset.resource);
      const skins = phases.map((phase) => {
        const root = resource.instantiateRenderEntity();
        app.root.addChild(root);
        root.addComponent("anim", { activate: true });
        play(root.anim, tracks, fading, phase);
        const [{ meshInstances }] = root.findComponents("render");
        return { node: meshInstances[0].node, skin: meshInstances[0].skinInstance };
      });
      let frame = 0;
      return {
        update(dtSecs) {
          app.systems.fire("animationUpdate", dtSecs);
          app.root.syncHierarchy();
          frame++;
          for (const { node, skin } of skins) skin.updateMatrixPalette(node, frame);
        },
        // Palettes are in the space of the mesh's node.
        skinMatrices(character) {
          const { node, skin } = skins[character];
          return multiply(
            Array.from(node.getWorldTransform().data),
            skin.matrices.flatMap(({ data }) => Array.from(data)),
          );
        },
        close: () => app.destroy(),
      };
    },
    close() {},
  };
}

function openApp() {
  const canvas = document.createElement("canvas");
  const app = new AppBase(canvas);
  const options = new AppOptions();
  options.graphicsDevice = new NullGraphicsDevice(canvas, {});
  options.componentSystems = [RenderComponentSystem, AnimComponentSystem];
  options.resourceHandlers = [TextureHandler, ContainerHandler];
  app.init(options);
  app.start();
  cancelAnimationFrame(app.frameRequestId);
  return app;
}

function loadContainer(app, contents) {
  const asset = new Asset("model", "container", { url: "model.glb", filename: "model.glb", contents });
  app.assets.add(asset);
  return new Promise((done, failed) => {
    asset.ready(() => done(asset.resource));
    asset.once("error", (error) => failed(new Error(error)));
    app.assets.load(asset);
  });
}

function play(anim, tracks, fading, phase) {
  if (!fading) {
    anim.assignAnimation("clip", tracks[0]);
  } else {
    const weight = { type: ANIM_PARAMETER_FLOAT, value: 0.5 };
    const children = [{ name: "first" }, { name: "second" }];
    const blendTree = { type: ANIM_BLEND_DIRECT, parameters: ["first", "second"], syncAnimations: false, children };
    anim.loadStateGraph({
      layers: [
        {
          name: "Base",
          states: [{ name: "START" }, { name: "both", speed: 1, loop: true, defaultState: true, blendTree }],
          transitions: [{ from: "START", to: "both" }],
        },
      ],
      parameters: { first: weight, second: { ...weight } },
    });
    anim.assignAnimation("both.first", tracks[0]);
    anim.assignAnimation("both.second", tracks[1]);
  }
  // The first update enters the state, and only the clips have times of their own.
  anim.update(0);
  for (const clip of anim.baseLayer._controller.animEvaluator.clips) clip.time = phase * clip.track.duration;
}
