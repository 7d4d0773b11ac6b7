/** What `import … from "gambol"` gives. Touches no DOM: safe under Node and in server rendering. */
export { PlayerCamera, type Vec3 } from "./camera.js";
export { toGlb, type ConvertOptions, type Converted } from "./conversion.js";
export type { Clip, ModelNode, Named, Skin } from "./contents.js";
export type { CrowdOptions, Place } from "./crowd.js";
export { GambolError, type Warning } from "./errors.js";
export type { Played, PlayerEventName, PlayerEvents } from "./events.js";
export { Layer } from "./layer.js";
export { preload, type Backend, type BackendChoice, type Flavour, type WasmUrls } from "./loader.js";
export { PlayerMorph } from "./morph.js";
export type * from "./motion.js";
export { PlayerNode, type HandOptions, type LookOptions, type Quat, type ReachOptions } from "./node.js";
export type { CameraHome, Clock, PlayerOptions, Rgba, ScreenshotOptions, Travel } from "./options.js";
export { Parameters, type ParameterKind } from "./parameters.js";
export { Player } from "./player.js";
export type { Finish, Loop, Run } from "./run.js";
export type { FetchOptions, FormatOptions, LoadOptions, MatrixKeys, Progress, Source } from "./source.js";
export type { Stats } from "./stats.js";
export type { PlayState } from "./wasm.js";
