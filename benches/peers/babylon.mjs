/**
 * Babylon.js: its glTF loader, and an instance of the asset container for each character, on `NullEngine`.
 *
 * Timed: `Scene.animate` (all animation groups), and for each character `computeWorldMatrix` of its mesh and
 * `Skeleton.prepare`. A frame of `Scene.render` does these and more. Matrices aren't uploaded to a texture.
 */

import "@babylonjs/core/Animations/animatable.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Scene } from "@babylonjs/core/scene.js";
import "@babylonjs/loaders/glTF/2.0/index.js";

import { multiply } from "../page/matrices.mjs";

export const name = "Babylon.js";

export async function load(bytes) {
  const engine = new NullEngine();
  return {
    // A scene for each set of characters, because a scene animates everything in it.
    async characters(_count, phases, { fading }) {
      const scene = new Scene(engine);
      scene.useRightHandedSystem = true;
      // This fixes the step at 16 ms, which the other players use too.
      scene.useConstantAnimationDeltaTime = true;
      const container = await LoadAssetContainerAsync(new Uint8Array(bytes), scene, { pluginExtension: ".glb" });
      const characters = phases.map((phase) => {
        const instance = container.instantiateModelsToScene((name) => name, false, { doNotInstantiate: true });
        const groups = instance.animationGroups.slice(0, fading ? 2 : 1);
        const started = groups.map((group) => {
          group.start(true);
          group.goToFrame(group.from + phase * (group.to - group.from));
          if (fading) group.setWeightForAllAnimatables(0.5);
          return group;
        });
        const [skeleton] = instance.skeletons;
        skeleton.useTextureToStoreBoneMatrices = false;
        const mesh = instance.rootNodes
          .flatMap((root) => root.getChildMeshes())
          .find((mesh) => mesh.skeleton === skeleton);
        return { mesh, skeleton, started };
      });
      // The first call only starts the clock.
      scene.animate();
      return {
        update() {
          scene.animate();
          for (const { mesh, skeleton } of characters) {
            mesh.computeWorldMatrix();
            skeleton.prepare(true);
          }
        },
        // Skeletons are in mesh space.
        skinMatrices(character) {
          const { mesh, skeleton } = characters[character];
          return multiply(mesh.computeWorldMatrix(true).asArray(), skeleton.getTransformMatrices(mesh).slice(0, -16));
        },
        close: () => scene.dispose(),
      };
    },
    close: () => engine.dispose(),
  };
}
