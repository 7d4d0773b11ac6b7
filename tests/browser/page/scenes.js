/**
 * The scenes of `golden_images` and `backends_agree`, each drawn with 240 by 240 pixels.
 *
 * `outliers` is the share of pixels that may differ by more than `tolerance` of 255 from the golden. A comment names
 * the cause. No scene may have more than `CEILING`.
 */

const SWING = "/fixtures/swing.glb";
const CHARACTER = "/gambol/viewer/character.glb";

/** At edges, backends differ in the positions and the order of samples. */
const EDGES = { tolerance: 10, outliers: 0.01 };

export const CEILING = { tolerance: 16, outliers: 0.02 };

export const SCENES = {
  banner: { ...EDGES, show: (stage, backend) => stage.openModel(backend, SWING, { clip: "Swing", time: 0.5 }) },
  banner_without_ground: {
    ...EDGES,
    show: async (stage, backend) => {
      const player = await stage.openModel(backend, SWING, { clip: "Swing", time: 1.5 });
      player.ground = false;
      return player;
    },
  },
  skeleton: {
    ...EDGES,
    show: async (stage, backend) => {
      const player = await stage.openModel(backend, SWING, { clip: "Swing", time: 1 });
      player.skeleton = true;
      return player;
    },
  },
  crowd: {
    ...EDGES,
    show: async (stage, backend) => {
      const player = await stage.openModel(backend, SWING, { clip: "Swing" });
      player.crowd(9, {
        clip: "Swing",
        phases: (character) => character / 9,
        place: (character) => [(character % 3) * 2.5, 0, Math.floor(character / 3) * 2.5],
      });
      player.frame();
      return player;
    },
  },
  character_walk: {
    ...EDGES,
    show: (stage, backend) => stage.openModel(backend, CHARACTER, { clip: "Walk", time: 0.3 }),
  },
  character_limbs: {
    ...EDGES,
    show: async (stage, backend) => {
      const player = await stage.openModel(backend, CHARACTER, { clip: "Walk", time: 0.1 });
      player.camera.yaw += 0.5;
      await player.setOcclusion(1);
      return player;
    },
  },
  character_wave: {
    ...EDGES,
    show: async (stage, backend) => {
      const player = await stage.openModel(backend, CHARACTER, { clip: "Wave", time: 0.8 });
      player.camera.yaw += 0.7;
      player.advance(0);
      return player;
    },
  },
};
