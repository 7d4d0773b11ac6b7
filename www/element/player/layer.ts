/** One storey of what plays: it overrides what lies below it or adds to it, where its mask lets it. */
import { CROSSINGS, EASINGS, LAYER, STATES, type PlayerHandle, type PlayState } from "../engine/wasm.js";
import type { Clip } from "../files/contents.js";
import { given, number, ofKind, word } from "../checks.js";
import type { Link } from "./link.js";
import { motionJson, type Easing, type Motion, type PlayOptions } from "./motion.js";
import { passesOf, type Loop, type Run } from "./run.js";

/** The layer that plays over the rest pose. */
export const BASE = "base";

/** One storey of what plays, over those made before it: `player.layer(name)` gives it. */
export class Layer {
  /** What it was made with. */
  readonly name: string;
  readonly #link: Link;

  /** Made by `Player.layer`. */
  constructor(name: string, link: Link) {
    this.name = name;
    this.#link = link;
  }

  /** Starts a motion in this layer, as `player.play` does in the base. */
  play(motion: Motion, options: PlayOptions = {}): Run {
    return playIn(this.#link, this.name, motion, options, "repeat");
  }

  /** Fades out, to what lies below. */
  stop(options: { fade?: number } = {}): void {
    this.#link.rust.stopLayer(this.name, number("fade", given(options).fade ?? 0));
    this.#link.changed();
  }

  /** From 0 to 1, on top of the mask. Setting it ends a fade of it. */
  get weight(): number {
    return this.#read("weight");
  }

  set weight(weight: number) {
    this.fadeTo(weight, 0);
  }

  /** Brings its weight to a value within so many seconds. */
  fadeTo(weight: number, secs: number, easing: Easing = "linear"): void {
    const numbers = [number("weight", weight), number("fade", secs), word("easing", easing, EASINGS)] as const;
    this.#link.rust.fadeLayer(this.name, ...numbers);
    this.#link.changed();
  }

  /** Whatever is asked of it afterwards fails with `UNKNOWN_LAYER`. Of the base only what plays goes. */
  remove(): void {
    this.#link.rearrange(() => this.#link.rust.removeLayer(this.name));
  }

  /** What plays, or is paused; of a blend the weightiest; null when stopped. */
  get clip(): Clip | null {
    return this.#link.contents.clips[this.#read("clip")] ?? null;
  }

  /** In seconds. Setting it seeks, exactly, and causes no event. */
  get currentTime(): number {
    return this.#read("currentTime");
  }

  set currentTime(secs: number) {
    this.#link.rust.seekLayer(this.name, number("time", secs));
    this.#link.changed();
  }

  /** Whether it plays, is paused, has finished, or plays nothing. */
  get state(): PlayState {
    return STATES[this.#read("state")]!;
  }

  /** The state its machine is in; null without one. */
  get stateName(): string | null {
    return this.#link.rust.stateName(this.name) ?? null;
  }

  #read(what: LayerNumber): number {
    return readLayer(this.#link.rust, this.name, what);
  }
}

type LayerNumber = (typeof LAYER)[number];

/** One of the numbers of a layer. */
export function readLayer(rust: PlayerHandle, layer: string, what: LayerNumber): number {
  return rust.layer(layer)[LAYER.indexOf(what)]!;
}

/** The options of `play` that are numbers on the wasm side. */
export function playNumbers(options: PlayOptions, otherwise: Loop): Float64Array {
  const { fade = 0, easing = "linear", crossing = "fade", speed = 1, start = 0, ending = "hold" } = options;
  const { passes, bounce } = passesOf(options.loop ?? otherwise);
  return Float64Array.of(
    number("fade", fade),
    word("easing", easing, EASINGS),
    word("crossing", crossing, CROSSINGS),
    passes,
    +bounce,
    number("speed", speed),
    number("start", start),
    ending === "hold" ? -1 : number("release", given(ending).release),
  );
}

/** The name that motions in phase share, if they do. */
export function groupOf({ sync }: PlayOptions): string | undefined {
  return sync == null ? undefined : ofKind("sync", sync, "string");
}

/** Starts a motion in a layer. */
export function playIn(link: Link, layer: string, motion: Motion, options: PlayOptions, otherwise: Loop): Run {
  options = given(options);
  const signal = options.signal ?? undefined;
  signal?.throwIfAborted();
  const numbers = playNumbers(options, otherwise);
  const { rust, contents, runs } = link;
  const id = rust.play(layer, motionJson(motion, options, contents), numbers, groupOf(options));
  link.changed();
  const run = runs.begin(id, contents.clips[readLayer(rust, layer, "clip")]!, layer);
  if (signal) {
    const stop = () => {
      // It may have ended, and its layer or the player with it.
      if (!runs.isPending(id) || !link.rust.layerNames().includes(layer)) return;
      // Whatever took its place goes on.
      if (readLayer(rust, layer, "run") !== id) return;
      rust.stopLayer(layer, 0);
      link.changed();
    };
    signal.addEventListener("abort", stop, { once: true });
    void run.finished.then(() => signal.removeEventListener("abort", stop));
  }
  return run;
}
