/** Queue of events for the page: dispatched in order, each once, and never in the middle of a call. */
import { EVENTS, FINISHES, type PlayerHandle } from "../engine/wasm.js";
import type { Clip } from "../files/contents.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import type { Marker } from "./motion.js";
import type { Performer } from "./performer.js";
import type { PlayerContext } from "./player_context.js";

/** The events of a player, or of one of its actors. */
export class EventQueue {
  readonly #performer: Performer;
  readonly #context: PlayerContext;
  /** Events to dispatch. Those that a listener causes are appended, and dispatched after the current one. */
  readonly #queue: (() => void)[] = [];
  #delivering = false;
  #shownTime = 0;
  #shownClip: Clip | null = null;
  #seeking = false;

  constructor(performer: Performer, context: PlayerContext) {
    this.#performer = performer;
    this.#context = context;
  }

  /** Called when the page has set the time. */
  seeking(): void {
    this.push("seeking", { currentTime: this.#performer.currentTime });
    this.#seeking = true;
  }

  /** Called after a frame. `eventful` is whether events were recorded in it. */
  drawn(eventful: boolean): void {
    const { currentTime, heard } = this.#performer;
    // Frequent, and a tenth of a frame's time on the page's thread.
    if (currentTime !== this.#shownTime && heard.has("timeupdate")) this.dispatch("timeupdate", { currentTime });
    this.#shownTime = currentTime;
    if (eventful || this.#seeking) this.drain(true);
  }

  /** Dispatches what has happened. `drawn` is whether the current pose has been drawn, or never will be. */
  drain(drawn: boolean): void {
    this.collect();
    const { shown, upToDate } = this.#context;
    if (this.#seeking && drawn && upToDate) {
      this.#seeking = false;
      this.push("seeked", { currentTime: this.#performer.currentTime });
    }
    const clip = upToDate ? shown && this.#performer.clip : this.#shownClip;
    if (clip !== this.#shownClip) this.push("clipchange", { clip });
    this.#shownClip = clip;
    this.#deliver();
  }

  /**
   * Queues the events recorded by the WebAssembly. Must run while their indices still refer to the same clips and
   * layers; `endedIn` has the layer names for `finished` events whose layers are gone.
   */
  collect(endedIn?: string[]): void {
    const { shown, runs } = this.#context;
    if (!shown || !this.#context.rust.hasEvents) return;
    const { rust } = this.#context;
    const { clips } = shown.contents;
    const numbers = rust.drainEvents();
    const layers = rust.layerNames();
    for (let at = 0; at < numbers.length; at += 5) {
      const [kind, layerNumber, run, clipNumber, extra] = numbers.subarray(at, at + 5) as unknown as Numbers;
      const name = EVENTS[kind];
      const layer = (name === "finished" && endedIn ? endedIn : layers)[layerNumber]!;
      const clip = clips[clipNumber]!;
      if (name !== "statechange") runs.setClip(run, clip);
      if (name === "play" || name === "pause") this.push(name, { clip, layer });
      else if (name === "loop") this.push(name, { clip, layer, passes: extra });
      else if (name === "marker") this.push(name, { clip, layer, ...marker(rust, clipNumber, extra) });
      else if (name === "statechange") this.push(name, { layer, state: rust.stateName(layer, extra)! });
      else this.push("finished", { clip, layer, reason: FINISHES[extra]! }, run);
    }
  }

  /** Appends an event to the queue. `ended` is the number of the run that it ends. */
  push<Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name], ended?: number): void {
    this.#queue.push(() => {
      if (ended !== undefined) this.#context.runs.end(ended, (detail as PlayerEvents["finished"]).reason);
      this.dispatch(name, detail);
    });
  }

  dispatch<Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name]): void {
    this.#performer.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    for (let push = this.#queue.shift(); push; push = this.#queue.shift()) push();
    this.#delivering = false;
  }

  /** Drops all queued events, at the performer's end. */
  clear(): void {
    this.#queue.length = 0;
    this.#seeking = false;
  }
}

function marker(rust: PlayerHandle, clip: number, index: number): Marker {
  return { name: rust.markerNames(clip)[index]!, time: rust.markerTimes(clip)[index]! };
}

type Numbers = [kind: number, layer: number, run: number, clip: number, extra: number];
