/** Queue of events for the page: dispatched in order, each once, and never in the middle of a call. */
import { EVENTS, FINISHES, type PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import type { Marker } from "./motion.js";
import type { Runs } from "./run.js";

type Emit = <Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name]) => void;

export class Delivery {
  readonly #runs: Runs;
  readonly #emit: Emit;
  /** Events to dispatch. Those that a listener causes are appended, and dispatched after the current one. */
  readonly #waiting: (() => void)[] = [];
  #telling = false;

  constructor(runs: Runs, emit: Emit) {
    this.#runs = runs;
    this.#emit = emit;
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
      if (name !== "statechange") this.#runs.learn(run, clip);
      if (name === "play" || name === "pause") this.tell(name, { clip, layer });
      else if (name === "loop") this.tell(name, { clip, layer, passes: extra });
      else if (name === "marker") this.tell(name, { clip, layer, ...marker(rust, clipNumber, extra) });
      else if (name === "statechange") this.tell(name, { layer, state: rust.stateName(layer, extra)! });
      else this.tell("finished", { clip, layer, reason: FINISHES[extra]! }, run);
    }
  }

  /** Appends an event to the queue. `ended` is the number of the run that it ends. */
  tell<Name extends PlayerEventName>(name: Name, detail: PlayerEvents[Name], ended?: number): void {
    this.#waiting.push(() => {
      if (ended !== undefined) this.#runs.end(ended, (detail as PlayerEvents["finished"]).reason);
      this.#emit(name, detail);
    });
  }

  deliver(): void {
    if (this.#telling) return;
    this.#telling = true;
    for (let tell = this.#waiting.shift(); tell; tell = this.#waiting.shift()) tell();
    this.#telling = false;
  }

  /** Drops all queued events. */
  forget(): void {
    this.#waiting.length = 0;
  }
}

function marker(rust: PlayerHandle, clip: number, index: number): Marker {
  return { name: rust.markerNames(clip)[index]!, time: rust.markerTimes(clip)[index]! };
}

type Numbers = [kind: number, layer: number, run: number, clip: number, extra: number];
