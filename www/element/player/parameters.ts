import { PARAMETER_KINDS } from "../engine/wasm.js";
import { number, ofKind } from "../checks.js";
import type { Link } from "./link.js";

/** What a parameter holds; a trigger is spent by the transition that it lets pass. */
export type ParameterKind = (typeof PARAMETER_KINDS)[number];

/** What the page turns, and blends and transitions read. They come from the controller, and from blends that name them. */
export class Parameters {
  readonly #link: Link;

  /** Made by `Player`. */
  constructor(link: Link) {
    this.#link = link;
  }

  /** All that the controller and the blends that play speak of. */
  get names(): readonly string[] {
    return this.#link.rust.parameterNames();
  }

  /** What a parameter of that name holds. */
  kind(name: string): ParameterKind {
    return PARAMETER_KINDS[this.#link.rust.parameter(ofKind("name", name, "string"))[0]!]!;
  }

  /** Of a trigger: whether it is set, and waits for a transition that it lets pass. */
  get(name: string): number | boolean {
    const value = this.#link.rust.parameter(ofKind("name", name, "string"))[1]!;
    return this.kind(name) === "number" ? value : value !== 0;
  }

  /** Counts from the next frame on. */
  set(name: string, value: number | boolean): void {
    this.#link.rust.setParameter(ofKind("name", name, "string"), number("parameter", typeof value === "boolean" ? +value : value));
    this.#link.changed();
  }

  /** Sets a trigger. */
  fire(name: string): void {
    this.set(name, true);
  }
}
