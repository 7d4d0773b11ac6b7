/** What `import … from "gambol"` gives. Touches no DOM: safe under Node and in server rendering. */
export { PlayerCamera, type Vec3 } from "./camera.js";
export type { CrowdOptions, Place } from "./crowd.js";
export { GambolError, type Warning } from "./errors.js";
export type { PlayerEventName, PlayerEvents } from "./events.js";
export { preload, type Backend, type BackendChoice, type WasmUrls } from "./loader.js";
export type { PlayerOptions, PlayOptions, ScreenshotOptions } from "./options.js";
export { Player, type Named } from "./player.js";
export type { Clip, Finish, Loop, Run } from "./run.js";
export type { FetchOptions, Progress, Source } from "./source.js";
export type { Stats } from "./stats.js";
