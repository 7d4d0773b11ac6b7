/**
 * Babylon.js Lite: its glTF loader, and an animation group per clip and character, in one animation manager.
 *
 * Timed: `updateAnimationManager`, which samples, resolves the hierarchy and writes the skin matrices. Uploads go
 * to a stub device.
 *
 * - The documented way to have many characters is to load the file again for each. Here they share the parsed file,
 *   which saves memory and can only be faster.
 * - The library stores skin matrices for each primitive. Here they are stored once per character, as in the other
 *   players.
 * - Morph weights are left out.
 */

import {
  addAnimationGroups,
  createAnimationGroups,
  createAnimationManager,
  enableAnimationBlending,
  loadGltf,
  playAnimation,
  setAnimationWeight,
  updateAnimationManager,
} from "@babylonjs/lite";

import { inverse, multiply } from "../page/matrices.mjs";

export const name = "Babylon Lite";

export async function load(bytes) {
  const { animationGroups } = await loadGltf({ _device: idleDevice() }, bytes);
  return {
    characters(_count, phases, { fading }) {
      const manager = createAnimationManager({
        engine: { _device: { queue: { writeTexture() {}, writeBuffer() {} } } },
      });
      const [, nodes, [binding]] = animationGroups[0]._gltfMixer;
      const clips = animationGroups.slice(0, fading ? 2 : 1).map((group) => group._gltfMixer[0]);
      if (fading) enableAnimationBlending(manager);
      const skeletons = phases.map((phase) => {
        const skeleton = { ...binding, boneMatrices: new Float32Array(binding.boneCount * 16) };
        const groups = createAnimationGroups({
          clips,
          // The mixer distinguishes characters by the identity of this array.
          nodes: [...nodes],
          skeletons: [skeleton],
          morphBindings: [],
          nodeTargets: [],
          excludedNodeIndices: new Set(),
          nodeNames: [],
        });
        for (const group of groups) {
          playAnimation(group);
          group.currentTime = phase * group.duration;
          if (fading) setAnimationWeight(group, 0.5);
        }
        addAnimationGroups(manager, groups);
        return skeleton;
      });
      return {
        update: (dtSecs) => updateAnimationManager(manager, dtSecs * 1000),
        // Skeletons are in mesh space, and the library's world is mirrored in X.
        skinMatrices(character) {
          const inMirror = multiply(inverse(binding.invMeshWorld), skeletons[character].boneMatrices);
          return multiply([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], inMirror);
        },
        close() {},
      };
    },
    close() {},
  };
}

/** Returns a stub of a device whose methods do nothing. The loader requires a device. */
function idleDevice() {
  const idle = new Proxy(() => {}, {
    get: (_, key) => {
      if (key === "then") return undefined;
      if (key === "getMappedRange") return (_, size = 1 << 24) => new ArrayBuffer(size);
      return key === Symbol.toPrimitive ? () => 0 : idle;
    },
    apply: () => idle,
    set: () => true,
  });
  return idle;
}
