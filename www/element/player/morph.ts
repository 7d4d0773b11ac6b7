import { number } from "../checks.js";
import type { PlayerContext } from "./player_context.js";

/** All morph targets that share a name, on any mesh of the model. */
export class PlayerMorph {
  /** Name of the morph targets, as written in the file. */
  readonly name: string;
  readonly #context: PlayerContext;

  /** Made by `Player.morph`. */
  constructor(name: string, context: PlayerContext) {
    this.name = name;
    this.#context = context;
  }

  /** Current weight. Setting it overrides playback until it is set to null. */
  get weight(): number {
    return this.#context.rust.morph(this.name);
  }

  set weight(weight: number | null) {
    this.#context.rust.setMorph(this.name, weight == null ? undefined : number("morph weight", weight));
    this.#context.changed();
  }
}
