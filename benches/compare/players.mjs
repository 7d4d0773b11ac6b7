/** The players, and the two parts of the comparison. */

/** The players in the order in which they draw. three.js is first, because it also finds the cameras. */
export const PLAYERS = [
  { key: "three", name: "three.js", module: "three", parts: ["light", "defaults"] },
  { key: "webgpu", name: "Gambol WebGPU", module: "gambol", backend: "webgpu", parts: ["light", "defaults"] },
  { key: "webgl2", name: "Gambol WebGL2", module: "gambol", backend: "webgl2", parts: ["light", "defaults"] },
  { key: "viewer", name: "model-viewer", module: "model_viewer", parts: ["defaults"] },
];

/**
 * The parts: `columns` of the sheets, and `pairs` of players whose pictures are compared. A pair with `shown` has a
 * column, too.
 */
export const PARTS = {
  light: {
    title: "Same environment image, camera and tone mapper",
    columns: ["webgpu", "webgl2", "three"],
    pairs: [{ of: ["webgpu", "three"], shown: true }, { of: ["webgl2", "three"] }, { of: ["webgpu", "webgl2"] }],
  },
  defaults: {
    title: "Default light of each player",
    columns: ["webgpu", "webgl2", "three", "viewer"],
    pairs: [
      { of: ["webgpu", "viewer"], shown: true },
      { of: ["webgpu", "three"], shown: true },
      { of: ["webgl2", "viewer"] },
      { of: ["webgl2", "three"] },
      { of: ["webgpu", "webgl2"] },
      { of: ["three", "viewer"] },
    ],
  },
};

export function nameOf(key) {
  return PLAYERS.find((player) => player.key === key).name;
}
