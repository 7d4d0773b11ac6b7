/**
 * Gambol: the shipped wasm, called as the package's own page calls it in each frame. Posing needs no canvas.
 *
 * Timed: playheads, sampling, blending, hierarchy, skin matrices and morph weights, as the vertex shader reads them.
 */

const wasm = import("./gambol/wasm/webgpu/gambol.js").then(async (module) => {
  const core = await fetchModule("bg");
  module.start(await WebAssembly.instantiate(core, module.imports()), core);
  // The importer of materials with extensions, which the sample character has, and of normal maps without tangents.
  for (const [part, name] of ["import", "tangents"].entries()) {
    module.join(name, await WebAssembly.instantiate(await fetchModule(name), module.partImports()));
    module.partJoined(part);
  }
  return module;
});

/** Fetches a wasm file, and unpacks it if it is packed, as the package does. */
async function fetchModule(name) {
  const module = await WebAssembly.compileStreaming(fetch(`gambol/wasm/webgpu/gambol_${name}.wasm`));
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === "unpack")) return module;
  const { memory, unpack } = (await WebAssembly.instantiate(module)).exports;
  return WebAssembly.compile(new Uint8Array(memory.buffer, unpack()));
}

export const name = "Gambol";

export async function load(bytes) {
  const { importModel, PlayerHandle } = await wasm;
  const model = importModel(new Uint8Array(bytes), [], [], [], false);
  return {
    clipCount: model.names(0).length,
    characters(count, phases, { fading }) {
      const player = new PlayerHandle();
      player.show(model, []);
      player.crowd(count, -1, Float32Array.from(phases), placesAtOrigin(count));
      player.play("base", '{"clip":0}', playRecord(0));
      if (fading) {
        player.play("base", '{"clip":1}', playRecord(HELD_FADE_SECS));
        // Advance to the middle of the crossfade while the clips stand still.
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

/** Crossfade duration, in seconds. The weights change imperceptibly while they are measured. */
const HELD_FADE_SECS = 1e9;

/** Returns the record that the package's `play` passes by default: endless, at normal speed. */
function playRecord(fade) {
  return { fade, easing: 0, crossing: 0, passes: 0, bounce: false, speed: 1, start: 0, resumes: false };
}

/** Returns identity matrices, because the other players' characters are at the origin. */
function placesAtOrigin(count) {
  return Float32Array.from({ length: count * 16 }, (_, at) => ((at % 16) % 5 === 0 ? 1 : 0));
}
