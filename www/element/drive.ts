/**
 * `gambol/drive`: drives the time of a clip from outside, by scrolling, by other media or by a number.
 *
 * It listens for events, and reads once a frame while something may change. At rest and out of view it does nothing.
 * The visitor causes this motion, so it ignores `prefers-reduced-motion`.
 */
import type { GambolPlayerElement } from "./element.js";
import { GambolError, type Player } from "./index.js";

/** A `ScrollTimeline` or `ViewTimeline`. Declared here because not every TypeScript DOM library has them. */
export interface TimelineLike {
  /** Current time. Null while there is nothing to scroll. */
  readonly currentTime: unknown;
  /** Duration. Read for older implementations, whose times are in milliseconds. */
  readonly duration?: unknown;
  /** The element that scrolls. */
  readonly source: Element | null;
  /** The element whose way through the view a `ViewTimeline` measures. */
  readonly subject?: Element | null;
}

/** A `<video>`, an `<audio>`, another `<gambol-player>` or its `Player`. */
export interface MediaLike extends EventTarget {
  /** Current time, in seconds. */
  readonly currentTime: number;
  /** Whether its time is stopped. */
  readonly paused: boolean;
  /** Whether a `Player` can be used; see `Player.alive`. Other media don't have it. */
  readonly alive?: boolean;
}

/**
 * The source of the clip's time, one of:
 * - a `ScrollTimeline` or `ViewTimeline`;
 * - an element: its way through the view, from when its first edge enters until its last edge leaves;
 * - a medium: its time in seconds is the clip's time;
 * - a number from 0 to 1, or a function that returns one and is called in every frame while the player is in view.
 */
export type Driver = TimelineLike | MediaLike | Element | number | (() => number);

/** The clip to drive, and the range of its time. */
export interface DriveOptions {
  /** Name or index of the clip. Default: the one that plays, or else the first. */
  clip?: string | number;
  /** Part of the clip, in seconds; it plays backwards if the second time is smaller. Default: the whole clip. */
  range?: readonly [fromSecs: number, toSecs: number];
  /** Whether the part repeats for a medium that is longer than it. If false, its last pose is held. Default: true. */
  loop?: boolean;
}

/** A connection made by `drive`. */
export interface Drive {
  /** Stops driving. The clip stays paused at its current time. */
  stop(): void;
}

/**
 * Pauses the player and drives its time from another source. For an element, the connection holds for every model
 * that it loads. A later call for the same player replaces an earlier one. If another clip was playing, the view is
 * framed for the driven one, as `player.frame()` does.
 */
export function drive(target: Player | GambolPlayerElement, by: Driver, options: DriveOptions = {}): Drive {
  if (typeof (target as Partial<Player> | null)?.play !== "function") {
    throw new GambolError("NOT_A_PLAYER", "The first argument of drive() must be a Player or a <gambol-player>.");
  }
  if (typeof options !== "object") throw new GambolError("WRONG_TYPE", "The options of drive() must be an object.");
  options ??= {};
  const range: unknown = options.range;
  if (range != null && !(Array.isArray(range) && range.length === 2 && range.every(Number.isFinite))) {
    throw new GambolError("NOT_FINITE", "The range must be two times in seconds.");
  }
  const driving = new Driving(target, timeSourceFor(by), options);
  const before = drives.get(target);
  drives.set(target, driving);
  try {
    driving.start();
  } catch (error) {
    driving.stop();
    if (before) drives.set(target, before);
    throw error;
  }
  before?.stop();
  return driving;
}

/** Number of further readings after the last change: a timeline's time may be that of the previous frame. */
const READINGS_AT_REST = 2;

const drives = new WeakMap<object, Drive>();

/** A source of time, read once a frame. */
interface TimeSource {
  /** Returns the position, from 0 to 1 or in seconds. Null, while it is unknown, changes nothing. */
  read(): number | null;
  /** Whether `read` returns seconds. */
  readonly inSecs?: boolean;
  /** Whether the next frame may differ without an event. */
  readonly moving?: () => boolean;
  /** Calls `changed` whenever the position may have changed. */
  listen(changed: () => void, signal: AbortSignal): void;
}

class Driving implements Drive {
  readonly #target: Player | GambolPlayerElement;
  readonly #source: TimeSource;
  readonly #options: DriveOptions;
  readonly #abort = new AbortController();
  readonly #observer: IntersectionObserver;
  #observed: Element | null = null;
  #visible = true;
  #request = 0;
  /** Number of readings left before it rests. */
  #readings = 0;
  /** The last reading; null before the first. */
  #shown: number | null = null;

  constructor(target: Player | GambolPlayerElement, source: TimeSource, options: DriveOptions) {
    this.#target = target;
    this.#source = source;
    this.#options = options;
    this.#observer = new IntersectionObserver((entries) => {
      this.#visible = entries[entries.length - 1]!.isIntersecting;
      // Follow at once: the picture that enters the view is drawn in the next frame.
      if (this.#visible) this.#follow();
    });
  }

  start(): void {
    // Errors of this call are thrown to the caller; later ones are dispatched to the page.
    if (this.#player?.clips.length) this.#hold();
    const { signal } = this.#abort;
    const target: EventTarget = this.#target;
    const later = (action: () => void) => () => {
      try {
        action();
      } catch (error) {
        this.stop();
        target.dispatchEvent(new CustomEvent("error", { detail: error, cancelable: true }));
      }
    };
    target.addEventListener(
      "load",
      later(() => this.#hold()),
      { signal },
    );
    // Take over again when anything else starts playback, such as an element's `autoplay` and `clip`.
    target.addEventListener(
      "play",
      later(() => !this.#holds && this.#hold()),
      { signal },
    );
    // The player rests after a draw. Woken only by the reading in the next frame, it would draw one frame late.
    target.addEventListener("timeupdate", () => this.#request !== 0 && this.#wake(), { signal });
    for (const name of ["contextrestored", "backendchange"])
      target.addEventListener(name, () => this.#observe(), { signal });
    signal.addEventListener("abort", () => this.#observer.disconnect());
    this.#observe();
    this.#source.listen(() => this.#changed(), signal);
  }

  stop(): void {
    this.#abort.abort();
    cancelAnimationFrame(this.#request);
    if (drives.get(this.#target) === this) drives.delete(this.#target);
  }

  get #player(): Player | null {
    const player = "player" in this.#target ? this.#target.player : this.#target;
    return player?.alive ? player : null;
  }

  get #holds(): boolean {
    const { clip: wanted } = this.#options;
    const { paused = true, clip } = this.#player ?? {};
    return paused && (wanted === undefined || wanted === clip?.index || wanted === clip?.name);
  }

  /** Plays the clip alone in the base layer, without a fade, and pauses it at its time. */
  #hold(): void {
    const player = this.#player;
    if (!player || player.clips.length === 0) return;
    const before = player.clip;
    player.play(this.#options.clip ?? before?.index ?? 0, { fade: 0 });
    player.pause();
    // The view was framed for the previous clip, or for the rest pose.
    if (player.clip !== before) player.frame();
    this.#shown = null;
    this.#observe();
    this.#seek();
  }

  #changed(): void {
    if (!this.#visible) return;
    this.#follow();
    // After the frame request of `#follow`, so that this frame draws what it reads.
    this.#wake();
  }

  /** Reads in the next frame, and continues until nothing moves. */
  #follow(readings = READINGS_AT_REST): void {
    this.#readings = readings;
    if (this.#request !== 0 || this.#abort.signal.aborted) return;
    this.#request = requestAnimationFrame(() => {
      this.#request = 0;
      const left = this.#readings - 1;
      // Request the frame before seeking makes the player request its own.
      this.#follow(left);
      if (!this.#seekOrStop() && (!this.#visible || (left <= 0 && !this.#source.moving?.()))) {
        cancelAnimationFrame(this.#request);
        this.#request = 0;
      }
    });
  }

  /** Seeks, and stops driving on an error, so that a page's function that throws isn't called again. */
  #seekOrStop(): boolean {
    try {
      const moved = this.#seek();
      if (moved) this.#readings = READINGS_AT_REST;
      return moved;
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Reads the position and seeks. Returns whether it has changed. */
  #seek(): boolean {
    const player = this.#player;
    const at = this.#source.read();
    if (!player || player.clips.length === 0 || typeof at !== "number" || Number.isNaN(at) || at === this.#shown)
      return false;
    this.#shown = at;
    player.currentTime = this.#timeFor(at, player.duration);
    return true;
  }

  #timeFor(at: number, duration: number): number {
    const { range, loop = true } = this.#options;
    const [from, to] = range ?? [0, duration];
    const span = Math.abs(to - from);
    const offset = !this.#source.inSecs
      ? span * limited(at, 1)
      : loop && span > 0 && at > span
        ? at % span
        : limited(at, span);
    return from + Math.sign(to - from) * offset;
  }

  #wake(): void {
    const player = this.#player;
    // biome-ignore lint/correctness/noSelfAssign: the setter starts the frame loop.
    if (player) player.autoUpdate = player.autoUpdate;
  }

  #observe(): void {
    const element = "player" in this.#target ? this.#target : this.#target.canvas;
    if (element === this.#observed) return;
    this.#observer.disconnect();
    this.#observer.observe(element);
    this.#observed = element;
  }
}

function timeSourceFor(by: Driver): TimeSource {
  if (typeof by === "number" && Number.isFinite(by)) return { read: () => by, listen: () => undefined };
  if (typeof by === "function") return { read: by, moving: () => true, listen: (changed) => changed() };
  if (typeof by === "object" && by !== null) {
    if ("paused" in by) return mediaSource(by);
    if ("source" in by) return timelineSource(by);
    if (by instanceof Element) return viewSource(by);
  }
  throw new GambolError(
    "NOT_A_DRIVER",
    `${String(by)} can't drive a clip; give a ScrollTimeline, a ViewTimeline, an element, a medium, ` +
      "a number or a function.",
  );
}

function mediaSource(medium: MediaLike): TimeSource {
  return {
    read: () => (medium.alive === false ? null : medium.currentTime),
    inSecs: true,
    moving: () => medium.alive !== false && !medium.paused,
    listen(changed, signal) {
      for (const name of [
        "play",
        "playing",
        "pause",
        "seeking",
        "seeked",
        "timeupdate",
        "ratechange",
        "ended",
        "emptied",
      ]) {
        medium.addEventListener(name, changed, { signal });
      }
      changed();
    },
  };
}

function timelineSource(timeline: TimelineLike): TimeSource {
  return {
    read: () => share(timeline.currentTime, timeline.duration),
    listen(changed, signal) {
      const { source, subject } = timeline;
      listenToScroll(source, [source, subject], changed, signal);
      changed();
    },
  };
}

/** Returns a timeline's time as a fraction. It is a percentage, in older implementations milliseconds. */
function share(time: unknown, duration: unknown): number | null {
  const number = (value: unknown): unknown => (value as { value?: number } | null)?.value ?? value;
  const [part, whole] = [number(time), number(duration)];
  if (typeof part !== "number") return null;
  return typeof whole === "number" && whole > 0 ? part / whole : part / 100;
}

type ViewTimelineMaker = new (options: { subject: Element; inset: string }) => TimelineLike;

/** Returns a time source for the way of an element through the view. */
function viewSource(element: Element): TimeSource {
  const { ViewTimeline } = globalThis as { ViewTimeline?: ViewTimelineMaker };
  // By default, the page's `scroll-padding` shortens the way.
  return ViewTimeline
    ? timelineSource(new ViewTimeline({ subject: element, inset: "0px" }))
    : observedViewSource(element);
}

/** Returns that time source for browsers without `ViewTimeline`. */
function observedViewSource(element: Element): TimeSource {
  const scroller = scrollerOf(element);
  return {
    read() {
      const { top, bottom } = element.getBoundingClientRect();
      const port = scroller?.getBoundingClientRect();
      const start = port ? port.top + scroller!.clientTop : 0;
      const height = scroller?.clientHeight ?? document.documentElement.clientHeight;
      const whole = height + bottom - top;
      return whole > 0 ? limited((start + height - top) / whole, 1) : null;
    },
    listen(changed, signal) {
      let listening: AbortController | null = null;
      const observer = new IntersectionObserver((entries) => {
        const seen = entries[entries.length - 1]!.isIntersecting;
        if (seen && !listening) {
          listening = new AbortController();
          listenToScroll(scroller, [element, scroller], changed, listening.signal);
        } else if (!seen) {
          listening?.abort();
          listening = null;
        }
        // The element entered or left the view: read its position once more.
        changed();
      });
      observer.observe(element);
      signal.addEventListener("abort", () => {
        observer.disconnect();
        listening?.abort();
      });
    },
  };
}

/** Returns the element whose scrolling moves this one; null for the page. */
function scrollerOf(element: Element): Element | null {
  for (let outer = element.parentElement; outer && outer !== document.scrollingElement; outer = outer.parentElement) {
    if (outer === document.body) continue;
    if (/auto|scroll|hidden/.test(getComputedStyle(outer).overflowY)) return outer;
  }
  return null;
}

function listenToScroll(
  source: Element | null,
  sized: readonly (Element | null | undefined)[],
  changed: () => void,
  signal: AbortSignal,
): void {
  const page = source === null || source === document.scrollingElement;
  (page ? document : source).addEventListener("scroll", changed, { signal, passive: true });
  globalThis.addEventListener("resize", changed, { signal });
  const observer = new ResizeObserver(changed);
  for (const element of sized) if (element) observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Clamps a value to 0 … `most`. */
function limited(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
