/** Queue of events for the page: dispatched in order, each once, and never in the middle of a call. */
import { EVENTS, FINISHES, type PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import type { Marker } from "./motion.js";
import type { Runs } from "./run.js";

type Dispatch = <Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name]) => void;

export class EventQueue {
  readonly #runs: Runs;
  readonly #dispatch: Dispatch;
  /** Events to dispatch. Those that a listener causes are appended, and dispatched after the current one. */
  readonly #queue: (() => void)[] = [];
  #delivering = false;

  constructor(runs: Runs, dispatch: Dispatch) {
    this.#runs = runs;
    this.#dispatch = dispatch;
  }

  /**
   * Queues the events recorded by the WebAssembly. Must run while their indices still refer to the same clips and
   * layers; `endedIn` has the layer names for `finished` events whose layers are gone.
   */
  collect(rust: PlayerHandle, { clips }: Contents, endedIn?: string[]): void {
    const numbers = rust.drainEvents();
    const layers = rust.layerNames();
    for (let at = 0; at < numbers.length; at += 5) {
      const [kind, layerNumber, run, clipNumber, extra] = numbers.subarray(at, at + 5) as unknown as Numbers;
      const name = EVENTS[kind];
      const layer = (name === "finished" && endedIn ? endedIn : layers)[layerNumber]!;
      const clip = clips[clipNumber]!;
      if (name !== "statechange") this.#runs.setClip(run, clip);
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
      if (ended !== undefined) this.#runs.end(ended, (detail as PlayerEvents["finished"]).reason);
      this.#dispatch(name, detail);
    });
  }

  deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    for (let push = this.#queue.shift(); push; push = this.#queue.shift()) push();
    this.#delivering = false;
  }

  /** Drops all queued events. */
  clear(): void {
    this.#queue.length = 0;
  }
}

function marker(rust: PlayerHandle, clip: number, index: number): Marker {
  return { name: rust.markerNames(clip)[index]!, time: rust.markerTimes(clip)[index]! };
}

type Numbers = [kind: number, layer: number, run: number, clip: number, extra: number];
