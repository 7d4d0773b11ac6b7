/** A node of the model, to read and to move from the page. */
import { PARTS, RELATIONS } from "../engine/wasm.js";
import type { ModelNode } from "../files/contents.js";
import type { Vec3 } from "./camera.js";
import { checkOptions, number, numbers, numbersOrNone, wordIndex } from "../checks.js";
import type { PlayerContext } from "./player_context.js";

/** A unit quaternion. */
export type Quat = readonly [x: number, y: number, z: number, w: number];

/** How a rotation, translation or scale set from the page is applied. */
export interface HandOptions {
  /**
   * Base of the value: the rest pose (the default), or the pose that plays. With `"parent"`, the value is the node's
   * transform relative to its parent.
   */
  relativeTo?: (typeof RELATIONS)[number];
  /** Weight from 0, the pose that plays, to 1, the value that is set. Default: 1. */
  weight?: number;
}

/** How a node turns towards a target. */
export interface LookOptions {
  /**
   * Direction in which the node looks, in its own space. Default: the one that faces the model's front in the rest
   * pose.
   */
  forward?: Vec3;
  /** Largest turn, in radians. */
  limit?: number;
  /** Weight from 0 to 1. Default: 1. */
  weight?: number;
  /**
   * Time constant of the turn, in seconds: the time after which about a third (1/e) of the turn is left, at any frame
   * rate. Default: 0, the node turns at once. Without a target, the default is the value of the last call.
   */
  smoothing?: number;
}

/** How a limb reaches for a target. */
export interface ReachOptions {
  /** Point in world space towards which the middle joint bends. Default: it bends the way it is bent. */
  pole?: Vec3;
  /** Weight from 0 to 1. Default: 1. */
  weight?: number;
}

/**
 * A node of the model.
 *
 * Rotation, translation and scale set on a node override playback until they are released. They can be set one after
 * another; `relativeTo` and `weight` of the last call apply to all three.
 */
export class PlayerNode {
  /** Index in the file's order. */
  readonly index: number;
  /** Name, as written in the file. */
  readonly name: string;
  readonly #context: PlayerContext;

  /** @internal */
  get context(): PlayerContext {
    return this.#context;
  }

  /** Made by `Player.node`. */
  constructor({ index, name }: ModelNode, context: PlayerContext) {
    this.index = index;
    this.name = name;
    this.#context = context;
  }

  /** Current world matrix: 16 numbers, column-major. In a crowd, that of the first character. */
  get worldMatrix(): Float32Array {
    return this.#context.rust.nodeMatrix(this.index);
  }

  /**
   * Whether the meshes of the node and its descendants are drawn and cast shadows, on every character. True by
   * default, unless the file hides the node. A node below a hidden one isn't drawn, whatever its own value. Bounds and
   * framing don't change.
   *
   * A skinned mesh belongs to the node that references it in the file, not to the joints that move it.
   */
  get visible(): boolean {
    return !this.#context.rust.hiddenNodes().includes(this.index);
  }

  set visible(visible: boolean) {
    this.#context.rust.setVisible(this.index, !!visible);
    this.#context.changed();
  }

  /** Sets the rotation of the node, on top of playback. */
  rotate(rotation: Quat, options?: HandOptions): void {
    this.#set("rotation", rotation, options);
  }

  /** Sets the translation of the node, on top of playback. */
  translate(translation: Vec3, options?: HandOptions): void {
    this.#set("translation", translation, options);
  }

  /** Sets the scale of the node, on top of playback. */
  scale(scale: Vec3, options?: HandOptions): void {
    this.#set("scale", scale, options);
  }

  /** Turns the node towards a point in world space, on top of playback. A null target lets it play again. */
  lookAt(target: Vec3 | null, options: LookOptions = {}): void {
    const { forward, limit, weight = 1, smoothing } = checkOptions(options);
    this.#context.rust.lookAt(
      this.index,
      numbersOrNone("point", target),
      numbersOrNone("point", forward),
      limit == null ? undefined : number("limit", limit),
      number("weight", weight),
      smoothing == null ? undefined : number("smoothing", smoothing),
    );
    this.#context.changed();
  }

  /**
   * Turns the node's parent and grandparent so that the node reaches a point in world space. A null target lets them
   * play again.
   */
  reach(target: Vec3 | null, options: ReachOptions = {}): void {
    const { pole, weight = 1 } = checkOptions(options);
    const share = number("weight", weight);
    this.#context.rust.reach(this.index, numbersOrNone("point", target), numbersOrNone("point", pole), share);
    this.#context.changed();
  }

  /** Removes what `rotate`, `translate` and `scale` have set, so that the node plays again. */
  release(): void {
    this.#context.rust.releaseNode(this.index);
    this.#context.changed();
  }

  #set(part: (typeof PARTS)[number], value: readonly number[], options: HandOptions = {}): void {
    const { relativeTo = "rest", weight = 1 } = checkOptions(options);
    const floats = part === "rotation" ? numbers("rotation", value, 4) : numbers("point", value);
    const [relation, share] = [wordIndex("relativeTo", relativeTo, RELATIONS), number("weight", weight)];
    this.#context.rust.setNode(this.index, PARTS.indexOf(part), floats, relation, share);
    this.#context.changed();
  }
}
