import { number } from "../checks.js";
import type { Link } from "./link.js";

/** All morph targets that share a name, on any mesh of the model. */
export class PlayerMorph {
  /** Name of the morph targets, as written in the file. */
  readonly name: string;
  readonly #link: Link;

  /** Made by `Player.morph`. */
  constructor(name: string, link: Link) {
    this.name = name;
    this.#link = link;
  }

  /** Current weight. Setting it overrides playback until it is set to null. */
  get weight(): number {
    return this.#link.rust.morph(this.name);
  }

  set weight(weight: number | null) {
    this.#link.rust.setMorph(this.name, weight == null ? undefined : number("morph weight", weight));
    this.#link.changed();
  }
}
