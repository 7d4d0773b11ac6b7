import type { GambolError, Warning } from "./errors.js";
import type { Clip, Finish } from "./run.js";
import type { Progress } from "./source.js";

/** What each event of a player carries in its `detail`. */
export interface PlayerEvents {
  load: { readonly name: string; readonly clips: readonly Clip[]; readonly warnings: readonly Warning[] };
  progress: Progress;
  error: GambolError;
  play: { readonly clip: Clip };
  pause: { readonly clip: Clip };
  /** A pass ended and another began; `passes` have ended since `play`. */
  loop: { readonly clip: Clip; readonly passes: number };
  finished: { readonly clip: Clip; readonly reason: Finish };
  /** A frame was drawn at another time of the clip than the one before. */
  timeupdate: { readonly currentTime: number };
  contextlost: null;
  contextrestored: null;
}

export type PlayerEventName = keyof PlayerEvents;

/** Every one, for who passes them on. */
export const PLAYER_EVENTS: readonly PlayerEventName[] = [
  "load",
  "progress",
  "error",
  "play",
  "pause",
  "loop",
  "finished",
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
