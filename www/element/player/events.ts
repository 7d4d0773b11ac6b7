import type { Clip } from "../files/contents.js";
import type { Progress, Source } from "../files/source.js";
import type { GambolError, Warning } from "../errors.js";
import type { Marker } from "./motion.js";
import type { Finish } from "./run.js";

/** What each event of a player carries in its `detail`. */
export interface PlayerEvents {
  /** A load begins; what was shown goes on until `load`. */
  loadstart: { readonly source: Source };
  /** A model is shown. */
  load: { readonly name: string; readonly clips: readonly Clip[]; readonly warnings: readonly Warning[] };
  /** More bytes of a file have come. An element counts the WebAssembly too where it comes with the model. */
  progress: Progress;
  /** Something failed. `detail.code` says what; what was shown goes on where it can. */
  error: GambolError;
  /** A motion began, or went on after a pause. */
  play: Played;
  /** What played stands still. */
  pause: Played;
  /** A pass ended and another began; `passes` have ended since `play`. */
  loop: Played & { readonly passes: number };
  /** The last pose has been applied; in a frame of the player's own clock it has been drawn. */
  finished: Played & { readonly reason: Finish };
  /** A marker was passed, in either direction. */
  marker: Played & Marker;
  /** A state machine went into another state. */
  statechange: { readonly layer: string; readonly state: string };
  /** `currentTime` was set. */
  seeking: { readonly currentTime: number };
  /** The pose that was sought has been drawn; when nobody can see the player, it will be. */
  seeked: { readonly currentTime: number };
  /** Another clip than before is the one that plays, or is paused, in the base layer; null when stopped. */
  clipchange: { readonly clip: Clip | null };
  /** A frame was drawn at another time of the clip than the one before. */
  timeupdate: { readonly currentTime: number };
  /** The GPU went away. The player waits for it; model, clip and time stay. */
  contextlost: null;
  /** The GPU is back and the picture with it. */
  contextrestored: null;
}

/** What an event is about. */
export interface Played {
  /** Of a blend the one whose passes count. */
  readonly clip: Clip;
  /** Its name; `"base"` for the one below all others. */
  readonly layer: string;
}

/** A name of an event. */
export type PlayerEventName = keyof PlayerEvents;

/** Every one, for who passes them on. */
export const PLAYER_EVENTS: readonly PlayerEventName[] = [
  "loadstart",
  "progress",
  "load",
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
];

export type Listener<Name extends PlayerEventName> =
  | ((event: CustomEvent<PlayerEvents[Name]>) => void)
  | { handleEvent(event: CustomEvent<PlayerEvents[Name]>): void };

/** `EventTarget` that knows which events come and what they carry. */
export interface PlayerEventTarget extends EventTarget {
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

export const PlayerEventTarget = EventTarget as new () => PlayerEventTarget;
