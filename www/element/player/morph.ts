import { number } from "../checks.js";
import type { Link } from "./link.js";

/** All morph targets of one name, whatever mesh they are of. */
export class PlayerMorph {
  /** Of the morph targets, as the file has it. */
  readonly name: string;
  readonly #link: Link;

  /** Made by `Player.morph`. */
  constructor(name: string, link: Link) {
    this.name = name;
    this.#link = link;
  }

  /** What is shown. Setting it takes it out of the hands of what plays; null gives it back. */
  get weight(): number {
    return this.#link.rust.morph(this.name);
  }

  set weight(weight: number | null) {
    this.#link.rust.setMorph(this.name, weight == null ? undefined : number("morph weight", weight));
    this.#link.changed();
  }
}
