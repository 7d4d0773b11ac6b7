/** A node of the model, to read and to move by hand. */
import { PARTS, RELATIONS } from "../engine/wasm.js";
import type { ModelNode } from "../files/contents.js";
import type { Vec3 } from "./camera.js";
import { given, number, numbers, numbersOrNone, word } from "../checks.js";
import type { Link } from "./link.js";

/** A unit quaternion. */
export type Quat = readonly [x: number, y: number, z: number, w: number];

/** How what is set by hand counts. */
export interface HandOptions {
  /**
   * What the value is a change of: the rest pose (the default), or the pose that plays. With `"parent"` it is no
   * change: it is where the node stands in its parent.
   */
  relativeTo?: (typeof RELATIONS)[number];
  /** From 0, all as it plays, to 1, all by hand: the default. */
  weight?: number;
}

/** How a node looks at something. */
export interface LookOptions {
  /** Which way the node looks in its own space; default: what faces the model's front at rest. */
  forward?: Vec3;
  /** Radians that it turns at most. */
  limit?: number;
  /** From 0 to 1. */
  weight?: number;
  /**
   * Seconds in which a turn shrinks to about a third (1/e) of what is left of it, at any frame rate; default: it jumps.
   * Without a target, the node goes back to what plays as smoothly as it last looked, unless this says otherwise.
   */
  smoothing?: number;
}

/** How a limb reaches for something. */
export interface ReachOptions {
  /** A point of the world towards which the middle joint bends. */
  pole?: Vec3;
  /** From 0 to 1. */
  weight?: number;
}

/**
 * What is set by hand stays until it is released, whatever plays. Rotation, translation and scale may be set one after
 * another; what they are relative to, and their weight, is one for all of them: the last call's.
 */
export class PlayerNode {
  /** Its number in the file's order. */
  readonly index: number;
  /** As the file has it. */
  readonly name: string;
  readonly #link: Link;

  /** Made by `Player.node`. */
  constructor({ index, name }: ModelNode, link: Link) {
    this.index = index;
    this.name = name;
    this.#link = link;
  }

  /** Where it is now: 16 numbers, column-major. */
  get worldMatrix(): Float32Array {
    return this.#link.rust.nodeMatrix(this.index);
  }

  /**
   * Whether its meshes and those of the nodes below it are drawn, and cast shadows; on every character of a crowd. True at
   * first. Below a node that is hidden nothing is seen, whatever it says of itself. Bounds and framing don't change.
   *
   * A skinned mesh belongs to the node that the file puts it on, not to the joints that move it.
   */
  get visible(): boolean {
    return !this.#link.rust.hiddenNodes().includes(this.index);
  }

  set visible(visible: boolean) {
    this.#link.rust.setVisible(this.index, !!visible);
    this.#link.changed();
  }

  /** Turns it, over whatever plays. */
  rotate(rotation: Quat, options?: HandOptions): void {
    this.#set("rotation", rotation, options);
  }

  /** Moves it, over whatever plays. */
  translate(translation: Vec3, options?: HandOptions): void {
    this.#set("translation", translation, options);
  }

  /** Makes it larger or smaller, over whatever plays. */
  scale(scale: Vec3, options?: HandOptions): void {
    this.#set("scale", scale, options);
  }

  /** Turns it towards a point of the world, over whatever plays; null lets it play again. */
  lookAt(target: Vec3 | null, options: LookOptions = {}): void {
    const { forward, limit, weight = 1, smoothing } = given(options);
    this.#link.rust.lookAt(
      this.index,
      numbersOrNone("point", target),
      numbersOrNone("point", forward),
      limit == null ? undefined : number("limit", limit),
      number("weight", weight),
      smoothing == null ? undefined : number("smoothing", smoothing),
    );
    this.#link.changed();
  }

  /** Bends the limb of two joints that it ends, so that it comes to a point of the world; null lets it play again. */
  reach(target: Vec3 | null, options: ReachOptions = {}): void {
    const { pole, weight = 1 } = given(options);
    const share = number("weight", weight);
    this.#link.rust.reach(this.index, numbersOrNone("point", target), numbersOrNone("point", pole), share);
    this.#link.changed();
  }

  /** Back to what plays, from what `rotate`, `translate` and `scale` have set. */
  release(): void {
    this.#link.rust.releaseNode(this.index);
    this.#link.changed();
  }

  #set(part: (typeof PARTS)[number], value: readonly number[], options: HandOptions = {}): void {
    const { relativeTo = "rest", weight = 1 } = given(options);
    const floats = part === "rotation" ? numbers("rotation", value, 4) : numbers("point", value);
    const [relation, share] = [word("relativeTo", relativeTo, RELATIONS), number("weight", weight)];
    this.#link.rust.setNode(this.index, PARTS.indexOf(part), floats, relation, share);
    this.#link.changed();
  }
}
