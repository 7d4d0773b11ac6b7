import { PARAMETER_KINDS } from "../engine/wasm.js";
import { number, ofType } from "../checks.js";
import type { PlayerContext } from "./player_context.js";

/** The kind of a parameter. A trigger is reset by the transition that it enables. */
export type ParameterKind = (typeof PARAMETER_KINDS)[number];

/** The parameters that blends and transitions read. The controller defines them, as do blends that name one. */
export class Parameters {
  readonly #context: PlayerContext;

  /** Made by `Player`. */
  constructor(context: PlayerContext) {
    this.#context = context;
  }

  /** Names of the parameters that the controller and the started blends use. */
  get names(): readonly string[] {
    return this.#context.rust.parameterNames();
  }

  /** Returns the kind of a parameter. */
  kind(name: string): ParameterKind {
    return PARAMETER_KINDS[this.#context.rust.parameter(ofType("name", name, "string"))[0]!]!;
  }

  /**
   * Returns the value of a parameter. For a trigger, returns whether it is set and hasn't been used by a transition.
   */
  get(name: string): number | boolean {
    const value = this.#context.rust.parameter(ofType("name", name, "string"))[1]!;
    return this.kind(name) === "number" ? value : value !== 0;
  }

  /** Sets the value of a parameter. Takes effect with the next frame. */
  set(name: string, value: number | boolean): void {
    this.#context.rust.setParameter(
      ofType("name", name, "string"),
      number("parameter", typeof value === "boolean" ? +value : value),
    );
    this.#context.changed();
  }

  /** Sets a trigger to true. */
  fire(name: string): void {
    this.set(name, true);
  }
}
