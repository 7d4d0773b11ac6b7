/**
 * Gambol: the wasm that ships, through the calls that its own page makes in a frame. Without a canvas it poses as well.
 *
 * Timed: playheads, sampling, blending, hierarchy, skin matrices and morph weights, as the vertex shader reads them.
 */

const wasm = import("/gambol/wasm/webgpu/gambol.js").then(async (module) => {
  await module.default({ module_or_path: "/gambol/wasm/webgpu/gambol_bg.wasm" });
  return module;
});

export const name = "Gambol";

export async function load(bytes) {
  const { importModel, PlayerHandle } = await wasm;
  const model = importModel(new Uint8Array(bytes), [], []);
  return {
    clipCount: model.clipNames().length,
    characters(count, phases, { fading }) {
      const player = new PlayerHandle();
      player.show(model, []);
      player.crowd(count, -1, Float32Array.from(phases), placesAtOrigin(count));
      player.play("base", '{"clip":0}', playNumbers(0), undefined);
      if (fading) {
        player.play("base", '{"clip":1}', playNumbers(HELD_FADE_SECS), undefined);
        // Half of it passes while the clips stand still.
        player.playbackRate = 0;
        player.advance(HELD_FADE_SECS / 2);
        player.playbackRate = 1;
      }
      return {
        update(dtSecs) {
          if (player.update(dtSecs) & 2) player.drainEvents();
        },
        skinMatrices: (character) => player.skinMatrices(0, character),
        close: () => player.free(),
      };
    },
    bounds() {
      const player = new PlayerHandle();
      player.show(model, []);
      const bounds = player.bounds();
      player.free();
      return bounds;
    },
    close: () => model.free(),
  };
}

/** So long that the weights stay where they are for as long as anyone measures. */
const HELD_FADE_SECS = 2e9;

/** For ever, at its own speed: what the page's `play` says when nobody asks for more. */
function playNumbers(fadeSecs) {
  return Float64Array.of(fadeSecs, 0, 0, 0, 0, 1, 0, -1);
}

/** Identity matrices: the others' characters all stand there. */
function placesAtOrigin(count) {
  return Float32Array.from({ length: count * 16 }, (_, at) => (at % 16 % 5 === 0 ? 1 : 0));
}
