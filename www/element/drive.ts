/**
 * `gambol/drive`: a clip whose time something else decides: a scroll, another medium, a number.
 *
 * It listens, reads once a frame while something may change, and seeks. At rest and out of view it does nothing. What the
 * visitor moves is the visitor's own motion: `prefers-reduced-motion` doesn't forbid it.
 */
import type { GambolPlayerElement } from "./element.js";
import { GambolError, type Player } from "./index.js";

/** A `ScrollTimeline` or `ViewTimeline`. Described here: DOM libraries of TypeScript don't all know them. */
export interface TimelineLike {
  /** Null while there is nothing to scroll. */
  readonly currentTime: unknown;
  /** Of older ones, which count in milliseconds. */
  readonly duration?: unknown;
  /** What scrolls. */
  readonly source: Element | null;
  /** Of a `ViewTimeline`, what passes through the view. */
  readonly subject?: Element | null;
}

/** A `<video>`, an `<audio>`, another `<gambol-player>` or its `Player`. */
export interface MediaLike extends EventTarget {
  /** In seconds. */
  readonly currentTime: number;
  /** Whether its time stands still. */
  readonly paused: boolean;
  /** Of a `Player`: nothing can be asked of one that was disposed of. */
  readonly alive?: boolean;
}

/**
 * What decides the time:
 * - a `ScrollTimeline` or `ViewTimeline`;
 * - an element: its way through the view, from its first edge's coming in to its last one's going out;
 * - a medium: its seconds are the clip's;
 * - a number from 0 to 1, or a function that gives one and is asked each frame that the player is in view.
 */
export type Driver = TimelineLike | MediaLike | Element | number | (() => number);

/** Which clip is driven, and how far. */
export interface DriveOptions {
  /** Name or number of the clip; default: the one that plays, else the first. */
  clip?: string | number;
  /** The part of the clip, in seconds; the other way round it runs backwards. Default: all of it. */
  range?: readonly [fromSecs: number, toSecs: number];
  /** For a medium that lasts longer than the part: whether it starts over (the default), or holds its last pose. */
  loop?: boolean;
}

/** What `drive` gives. */
export interface Drive {
  /** Lets go. The clip stays paused where it is. */
  stop(): void;
}

/**
 * Pauses the player and lets something else decide its time. Of an element it holds for every model that it loads. A later
 * call for the same player takes the place of an earlier one. Where the clip wasn't the one that played, the view is
 * framed for it, as `player.frame()` does.
 */
export function drive(target: Player | GambolPlayerElement, by: Driver, options: DriveOptions = {}): Drive {
  if (typeof (target as Partial<Player> | null)?.play !== "function") {
    throw new GambolError("NOT_A_PLAYER", "This can't be driven; give a Player or a <gambol-player>.");
  }
  if (typeof options !== "object") throw new GambolError("WRONG_TYPE", "The options can't be that; give an object.");
  options ??= {};
  const range: unknown = options.range;
  if (range != null && !(Array.isArray(range) && range.length === 2 && range.every(Number.isFinite))) {
    throw new GambolError("NOT_FINITE", "The range can't be that; give two times in seconds.");
  }
  const driving = new Driving(target, gaugeFor(by), options);
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

/** A timeline's time may be that of the frame before. */
const READINGS_AT_REST = 2;

const drives = new WeakMap<object, Drive>();

/** How far it is. */
interface Gauge {
  /** From 0 to 1, or in seconds; null when it can't be told now, which changes nothing. */
  read(): number | null;
  /** Whether it gives seconds. */
  readonly inSecs?: boolean;
  /** Whether the next frame may differ though no event says so. */
  readonly restless?: () => boolean;
  /** Calls back when it may have changed. */
  listen(changed: () => void, signal: AbortSignal): void;
}

class Driving implements Drive {
  readonly #target: Player | GambolPlayerElement;
  readonly #gauge: Gauge;
  readonly #options: DriveOptions;
  readonly #life = new AbortController();
  readonly #observer: IntersectionObserver;
  #observed: Element | null = null;
  #visible = true;
  #request = 0;
  /** How often it is yet to be read though nothing moves. */
  #readings = 0;
  /** What was read last; null before. */
  #shown: number | null = null;

  constructor(target: Player | GambolPlayerElement, gauge: Gauge, options: DriveOptions) {
    this.#target = target;
    this.#gauge = gauge;
    this.#options = options;
    this.#observer = new IntersectionObserver((entries) => {
      this.#visible = entries[entries.length - 1]!.isIntersecting;
      // Now, as the picture that comes into view is drawn in the next frame.
      if (this.#visible) this.#follow();
    });
  }

  start(): void {
    // What can't be done now is the caller's to hear; what can't be done later, the page's.
    if (this.#player?.clips.length) this.#hold();
    const { signal } = this.#life;
    const target: EventTarget = this.#target;
    const later = (action: () => void) => () => {
      try {
        action();
      } catch (error) {
        this.stop();
        target.dispatchEvent(new CustomEvent("error", { detail: error, cancelable: true }));
      }
    };
    target.addEventListener("load", later(() => this.#hold()), { signal });
    // Whoever starts it, or another clip, starts that in vain: `autoplay` and `clip` of an element, for instance.
    target.addEventListener("play", later(() => !this.#holds && this.#hold()), { signal });
    // The player rests when it has drawn: woken only by what we read in the next frame, it would draw that in the one after.
    target.addEventListener("timeupdate", () => this.#request !== 0 && this.#wake(), { signal });
    target.addEventListener("contextrestored", () => this.#observe(), { signal });
    signal.addEventListener("abort", () => this.#observer.disconnect());
    this.#observe();
    this.#gauge.listen(() => this.#changed(), signal);
  }

  stop(): void {
    this.#life.abort();
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

  /** Alone in the base layer, without a fade, at its time. */
  #hold(): void {
    const player = this.#player;
    if (!player || player.clips.length === 0) return;
    const before = player.clip;
    player.play(this.#options.clip ?? before?.index ?? 0, { fade: 0 });
    player.pause();
    // The view was framed for what played before, or for the rest pose.
    if (player.clip !== before) player.frame();
    this.#shown = null;
    this.#observe();
    this.#seek();
  }

  #changed(): void {
    if (!this.#visible) return;
    this.#follow();
    // After our own request for the coming frame, so that what we read in it is drawn in it.
    this.#wake();
  }

  /** Reads in the next frame, and goes on until nothing moves. */
  #follow(readings = READINGS_AT_REST): void {
    this.#readings = readings;
    if (this.#request !== 0 || this.#life.signal.aborted) return;
    this.#request = requestAnimationFrame(() => {
      this.#request = 0;
      const left = this.#readings - 1;
      // Asked for ahead of the player's request, which follows from seeking.
      this.#follow(left);
      if (!this.#seekOrStop() && (!this.#visible || (left <= 0 && !this.#gauge.restless?.()))) {
        cancelAnimationFrame(this.#request);
        this.#request = 0;
      }
    });
  }

  /** A page's function that fails is asked once, not once a frame. */
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

  /** Whether it is somewhere else than it was. */
  #seek(): boolean {
    const player = this.#player;
    const at = this.#gauge.read();
    if (!player || player.clips.length === 0 || typeof at !== "number" || Number.isNaN(at) || at === this.#shown) return false;
    this.#shown = at;
    player.currentTime = this.#timeFor(at, player.duration);
    return true;
  }

  #timeFor(at: number, duration: number): number {
    const { range, loop = true } = this.#options;
    const [from, to] = range ?? [0, duration];
    const span = Math.abs(to - from);
    const way = !this.#gauge.inSecs ? span * limited(at, 1) : loop && span > 0 && at > span ? at % span : limited(at, span);
    return from + Math.sign(to - from) * way;
  }

  #wake(): void {
    const player = this.#player;
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

function gaugeFor(by: Driver): Gauge {
  if (typeof by === "number" && Number.isFinite(by)) return { read: () => by, listen: () => undefined };
  if (typeof by === "function") return { read: by, restless: () => true, listen: (changed) => changed() };
  if (typeof by === "object" && by !== null) {
    if ("paused" in by) return mediumGauge(by);
    if ("source" in by) return timelineGauge(by);
    if (by instanceof Element) return wayGauge(by);
  }
  throw new GambolError(
    "NOT_A_DRIVER",
    `${String(by)} can't drive a clip; give a ScrollTimeline, a ViewTimeline, an element, a medium, a number or a function.`,
  );
}

function mediumGauge(medium: MediaLike): Gauge {
  return {
    read: () => (medium.alive === false ? null : medium.currentTime),
    inSecs: true,
    restless: () => medium.alive !== false && !medium.paused,
    listen(changed, signal) {
      for (const name of ["play", "playing", "pause", "seeking", "seeked", "timeupdate", "ratechange", "ended", "emptied"]) {
        medium.addEventListener(name, changed, { signal });
      }
      changed();
    },
  };
}

function timelineGauge(timeline: TimelineLike): Gauge {
  return {
    read: () => share(timeline.currentTime, timeline.duration),
    listen(changed, signal) {
      const { source, subject } = timeline;
      listenToScroll(source, [source, subject], changed, signal);
      changed();
    },
  };
}

/** A timeline's time is a percentage; older ones count in milliseconds. */
function share(time: unknown, duration: unknown): number | null {
  const number = (value: unknown): unknown => (value as { value?: number } | null)?.value ?? value;
  const [part, whole] = [number(time), number(duration)];
  if (typeof part !== "number") return null;
  return typeof whole === "number" && whole > 0 ? part / whole : part / 100;
}

type ViewTimelineMaker = new (options: { subject: Element; inset: string }) => TimelineLike;

/** The way of an element through the view. */
function wayGauge(element: Element): Gauge {
  const { ViewTimeline } = globalThis as { ViewTimeline?: ViewTimelineMaker };
  // By default the page's `scroll-padding` shortens the way.
  return ViewTimeline ? timelineGauge(new ViewTimeline({ subject: element, inset: "0px" })) : observedGauge(element);
}

/** The same where no browser counts it. */
function observedGauge(element: Element): Gauge {
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
        // Coming in or gone out: how far is one more time to be read.
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

/** The element whose scrolling moves it; null for the page. */
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

/** Brought into 0 … most. */
function limited(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
