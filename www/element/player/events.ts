import type { Backend } from "../engine/engine.js";
import type { Clip } from "../files/contents.js";
import type { Progress, RolePair, Source } from "../files/source.js";
import type { GambolError, Warning } from "../errors.js";
import type { Marker } from "./motion.js";
import type { Finish } from "./run.js";

/** The events of a player, each with the type of its `detail`. */
export interface PlayerEvents {
  /** Fired when loading starts. The model shown before stays until `load`. */
  loadstart: { readonly source: Source };
  /** Fired when a loaded model is shown. */
  load: { readonly name: string; readonly clips: readonly Clip[]; readonly warnings: readonly Warning[] };
  /** Fired when clips of another file have been added. */
  clipsadd: AddedClips;
  /** Fired when the last texture of a model that was loaded with `textures: "later"` has arrived or failed. */
  textures: { readonly warnings: readonly Warning[] };
  /** Fired as bytes arrive. On an element, it includes the WebAssembly if that is fetched with the model. */
  progress: Progress;
  /** Fired when something fails; `detail.code` identifies the error. Where possible, the model shown before stays. */
  error: GambolError;
  /** Fired when a motion starts, or resumes after a pause. */
  play: Played;
  /** Fired when playback is paused. */
  pause: Played;
  /** Fired when a pass ends and another one begins. `passes` is the number of passes completed since `play`. */
  loop: Played & { readonly passes: number };
  /**
   * Fired when a motion ends, is replaced or is stopped; `reason` is the cause. The last pose of one that ended has
   * been applied by then and, unless the page drives time by `advance`, drawn.
   */
  finished: Played & { readonly reason: Finish };
  /** Fired when playback passes a marker, in either direction. */
  marker: Played & Marker;
  /** Fired when a state machine enters another state. */
  statechange: { readonly layer: string; readonly state: string };
  /** Fired when `currentTime` is set. */
  seeking: { readonly currentTime: number };
  /**
   * Fired when the pose at the new time has been drawn. While the canvas is out of view, it is fired without a draw.
   */
  seeked: { readonly currentTime: number };
  /** Fired when the clip that plays or is paused in the base layer changes; null means stopped. */
  clipchange: { readonly clip: Clip | null };
  /** Fired after a frame whose clip time differs from that of the frame before. */
  timeupdate: { readonly currentTime: number };
  /** Fired when the GPU is lost. The player waits for it; model, clip and time are kept. */
  contextlost: null;
  /** Fired when the GPU has been restored. The model is drawn again with the next frame. */
  contextrestored: null;
  /**
   * Fired when WebGPU draws nothing and the player goes on with WebGL2. `player.canvas` is another canvas then, which
   * has taken the place of the first one in the page.
   */
  backendchange: { readonly backend: Backend };
}

/** Clips that were added to a model. */
export interface AddedClips {
  /** The clips, which follow those that were there. */
  readonly clips: readonly Clip[];
  /** Problems found in their file, and what of it doesn't match the model. */
  readonly warnings: readonly Warning[];
  /** With `retarget`, the joints that belong together; otherwise empty. */
  readonly map: readonly RolePair[];
}

/** The motion that an event is about. */
export interface Played {
  /** The clip. For a blend, the one whose passes count. */
  readonly clip: Clip;
  /** Name of the layer. The lowest is `"base"`. */
  readonly layer: string;
}

/** Name of an event. */
export type PlayerEventName = keyof PlayerEvents;

/** Names of all events, for forwarding them. */
export const PLAYER_EVENTS: readonly PlayerEventName[] = [
  "loadstart",
  "progress",
  "load",
  "clipsadd",
  "textures",
  "error",
  "play",
  "pause",
  "seeking",
  "seeked",
  "clipchange",
  "loop",
  "finished",
  "marker",
  "statechange",
  "timeupdate",
  "contextlost",
  "contextrestored",
  "backendchange",
];

export type Listener<Name extends PlayerEventName> =
  | ((event: CustomEvent<PlayerEvents[Name]>) => void)
  | { handleEvent(event: CustomEvent<PlayerEvents[Name]>): void };

/** An `EventTarget` whose listeners are typed by event name. */
export interface PlayerEventTarget extends EventTarget {
  /**
   * Names of the events that have had listeners.
   *
   * @internal
   */
  readonly heard: Set<string>;
  addEventListener<Name extends PlayerEventName>(
    name: Name,
    listener: Listener<Name>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends PlayerEventName>(
    name: Name,
    listener: Listener<Name>,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** Keeps which events have had listeners, so that none is made for nobody in each frame. */
class HeardTarget extends EventTarget {
  readonly heard = new Set<string>();

  override addEventListener(...args: Parameters<EventTarget["addEventListener"]>): void {
    this.heard.add(args[0]);
    super.addEventListener(...args);
  }
}

export const PlayerEventTarget = HeardTarget as new () => PlayerEventTarget;
