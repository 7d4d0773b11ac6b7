/** Playback layers: each overrides or adds to the layers below it, where its mask allows it. */
import { CROSSINGS, EASINGS, LAYER, STATES } from "../engine/wasm.js";
import type { PlayerHandle, PlayRecord, PlayState } from "../engine/wasm.js";
import type { Clip } from "../files/contents.js";
import { checkOptions, number, ofType, wordIndex } from "../checks.js";
import type { PlayerContext } from "./player_context.js";
import { motionJson, type Easing, type Motion, type PlayOptions } from "./motion.js";
import { passesOf, type Loop, type Run } from "./run.js";

/** Name of the lowest layer, which plays over the rest pose. */
export const BASE = "base";

/** A playback layer, on top of those created before it. `player.layer(name)` returns it. */
export class Layer {
  /** Name that the layer was created with. */
  readonly name: string;
  readonly #context: PlayerContext;

  /** Made by `Player.layer`. */
  constructor(name: string, context: PlayerContext) {
    this.name = name;
    this.#context = context;
  }

  /** Starts a motion in this layer, as `player.play` does in the base layer. Loops by default. */
  play(motion: Motion, options: PlayOptions = {}): Run {
    return playIn(this.#context, this.name, motion, options, "repeat");
  }

  /** Fades out to the layers below, within `fade` seconds. */
  stop(options: { fade?: number } = {}): void {
    this.#context.rust.stopLayer(this.name, number("fade", checkOptions(options).fade ?? 0));
    this.#context.changed();
  }

  /** Weight from 0 to 1, multiplied with the mask. Setting it ends a fade of the weight. */
  get weight(): number {
    return this.#read("weight");
  }

  set weight(weight: number) {
    this.fadeTo(weight, 0);
  }

  /** Fades the weight of the layer to a value within so many seconds. */
  fadeTo(weight: number, secs: number, easing: Easing = "linear"): void {
    const numbers = [number("weight", weight), number("fade", secs), wordIndex("easing", easing, EASINGS)] as const;
    this.#context.rust.fadeLayer(this.name, ...numbers);
    this.#context.changed();
  }

  /** Removes the layer; later calls fail with `UNKNOWN_LAYER`. The base layer is emptied instead. */
  remove(): void {
    this.#context.rearrange(() => this.#context.rust.removeLayer(this.name));
  }

  /** The clip that plays or is paused; null when stopped. For a blend, the clip whose passes count. */
  get clip(): Clip | null {
    return this.#context.contents.clips[this.#read("clip")] ?? null;
  }

  /** Time in the current clip, in seconds. Setting it seeks to exactly that time, and fires no `marker` event. */
  get currentTime(): number {
    return this.#read("currentTime");
  }

  set currentTime(secs: number) {
    this.#context.rust.seekLayer(this.name, number("time", secs));
    this.#context.changed();
  }

  /** Playback state of the layer. */
  get state(): PlayState {
    return STATES[this.#read("state")]!;
  }

  /** Name of the current state of the layer's state machine; null without one. */
  get stateName(): string | null {
    return this.#context.rust.stateName(this.name) ?? null;
  }

  #read(what: LayerNumber): number {
    return readLayer(this.#context.rust, this.name, what);
  }
}

type LayerNumber = (typeof LAYER)[number];

/** Returns one of the numbers in {@link LAYER}. */
export function readLayer(rust: PlayerHandle, layer: string, what: LayerNumber): number {
  return rust.layer(layer)[LAYER.indexOf(what)]!;
}

/** Checks the options of `play`, and returns them in the form that the WebAssembly expects. */
export function playRecord(options: PlayOptions, otherwise: Loop, run?: number, resumes = false): PlayRecord {
  const { fade = 0, easing = "linear", crossing = "fade", speed = 1, start = 0, ending = "hold", sync } = options;
  return {
    fade: number("fade", fade),
    easing: wordIndex("easing", easing, EASINGS),
    crossing: wordIndex("crossing", crossing, CROSSINGS),
    ...passesOf(options.loop ?? otherwise),
    speed: number("speed", speed),
    start: number("start", start),
    release: ending === "hold" ? undefined : number("release", checkOptions(ending).release),
    sync: sync == null ? undefined : ofType("sync", sync, "string"),
    run,
    resumes,
  };
}

/**
 * Starts a motion in a layer. Without a motion, continues what plays, is paused or has ended in the lowest layer, or
 * starts the first clip where there is nothing to continue.
 */
export function playIn(
  context: PlayerContext,
  layer: string,
  motion: Motion | undefined,
  options: PlayOptions,
  otherwise: Loop,
): Run {
  options = checkOptions(options);
  const signal = options.signal ?? undefined;
  signal?.throwIfAborted();
  const { rust, contents, runs } = context;
  const held = motion === undefined && rust.layerNames().find((name) => readLayer(rust, name, "run") >= 0);
  if (held) layer = held;
  // A run that hasn't finished goes on under its number.
  const number = held && runs.isPending(readLayer(rust, held, "run")) ? undefined : runs.next();
  const source = motionJson(motion ?? 0, options, contents);
  rust.play(layer, source, playRecord(options, otherwise, number, motion === undefined));
  context.changed();
  const id = readLayer(rust, layer, "run");
  const run = runs.begin(id, contents.clips[readLayer(rust, layer, "clip")]!, layer);
  if (signal) {
    const stop = () => {
      // The run may have ended, and its layer or the player may be gone.
      if (!runs.isPending(id) || !context.rust.layerNames().includes(layer)) return;
      // A motion that replaced this one keeps playing.
      if (readLayer(context.rust, layer, "run") !== id) return;
      context.rust.stopLayer(layer, 0);
      context.changed();
    };
    signal.addEventListener("abort", stop, { once: true });
    void run.finished.then(() => signal.removeEventListener("abort", stop));
  }
  return run;
}
