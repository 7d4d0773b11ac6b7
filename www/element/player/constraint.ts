/**
 * Constraints of the played pose: chains that reach goals, gazes of several nodes, and feet on the ground. Imported
 * with the first one.
 */
import type * as checks from "../checks.js";
import type { EASINGS } from "../engine/wasm.js";
import type { Vec3 } from "./camera.js";
import type { Easing } from "./motion.js";
import type { Quat } from "./node.js";
import type { PlayerContext } from "./player_context.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export type MainExports = { readonly EASINGS: typeof EASINGS } & Pick<
  typeof checks,
  "checkOptions" | "integer" | "isObject" | "number" | "numbers" | "numbersOrNone" | "wordIndex" | "wrongValue"
>;

// In the order of `src/web/constraints.rs`.
const SOLVERS = ["least-squares", "cyclic", "fabrik"] as const;

/** Options of every constraint. */
export interface ConstraintOptions {
  /** Weight from 0, the pose that plays, to 1, the constrained one. Default: 1. */
  weight?: number;
  /** Time within which the weight is reached, in seconds. Default: 0. */
  fade?: number;
  /**
   * Time constant with which goals, targets and the ground follow what is set, in seconds: after it, about a third
   * (1/e) of the way is left, at any frame rate. Default: 0.
   */
  smoothing?: number;
}

/** Range of a joint's rotation, relative to its rest rotation. Angles are in radians. */
export interface JointLimit {
  /** Axis in the joint's own space. For a cone, it usually points to the next joint; for a hinge, it is the hinge. */
  axis: Vec3;
  /** Largest angle between the axis and its direction at rest. 0, the default, makes a hinge. */
  swing?: number;
  /** Least and greatest angle of the rotation about the axis. Default: no limit. */
  twist?: readonly [least: number, greatest: number];
}

/** A chain of joints that bend, so that its nodes reach goals: an arm, a spine, a tail, a tentacle. */
export interface ChainDescription extends ConstraintOptions {
  /** First joint that turns, and last node, by name or index. */
  chain: readonly [root: string | number, tip: string | number];
  /**
   * Method: `"least-squares"`, the default, turns all joints together, as little as possible. `"cyclic"` (CCD) turns
   * joints near the tip most. `"fabrik"` moves the places of the joints along lines.
   */
  solver?: (typeof SOLVERS)[number];
  /** Largest number of iterations in a frame. Default: 40. */
  iterations?: number;
  /** Greatest speed at which a joint turns to another solution, in radians per second. Default: 20. */
  speed?: number;
  /** Limits of joints, by node name. */
  limits?: Readonly<Record<string, JointLimit>>;
}

/** Part of a node in a gaze. */
export interface GazeJoint {
  /** Share of the turn that is left by the nodes above it, from 0 to 1. */
  share: number;
  /** Largest turn, in radians. Default: no limit. */
  limit?: number;
  /** Greatest speed, in radians per second. Default: no limit. */
  speed?: number;
  /** Direction in which the node looks, in its own space. Default: the one that faces the model's front at rest. */
  forward?: Vec3;
}

/** Nodes such as spine, neck, head and eyes, which share the turn to a point. */
export interface GazeDescription extends ConstraintOptions {
  /** Nodes by name, each with its share or more. */
  gaze: Readonly<Record<string, number | GazeJoint>>;
}

/**
 * Feet that stand on the ground, which is flat at height 0 until `ground` is called. The hips follow the lowest foot.
 */
export interface FeetDescription extends ConstraintOptions {
  /** The hips, by name or index. */
  hips: string | number;
  /** The feet, by name or index. Each is below the hips and has at least two nodes above it. */
  feet: readonly (string | number)[];
}

/** What a constraint does. */
export type ConstraintDescription = ChainDescription | GazeDescription | FeetDescription;

/** Sets a constraint, for {@link Player.constrain}. */
export async function constrain(
  name: string,
  description: ConstraintDescription,
  context: PlayerContext,
  main: MainExports,
): Promise<PlayerConstraint> {
  await context.extend();
  const tip = await new Setting(name, main.checkOptions(description), context, main).set();
  context.changed();
  return new PlayerConstraint(name, tip, context, main);
}

/** A constraint of the pose, to which {@link Player.constrain} resolves. It applies to all characters. */
export class PlayerConstraint {
  /** Name that it was set with. */
  readonly name: string;
  /** Last node of a chain; −1 for others. */
  readonly #tip: number;
  readonly #context: PlayerContext;
  readonly #main: MainExports;

  /** Made by `Player.constrain`. */
  constructor(name: string, tip: number, context: PlayerContext, main: MainExports) {
    this.name = name;
    this.#tip = tip;
    this.#context = context;
    this.#main = main;
  }

  /**
   * Sets the point in world space that a node of the chain reaches for, or that a gaze turns to. Null removes it. Of
   * several goals of a chain, `weight` is the share.
   */
  goal(target: Vec3 | null, options: { node?: string | number; weight?: number } = {}): void {
    const { checkOptions, number, numbersOrNone } = this.#main;
    const { node, weight = 1 } = checkOptions(options);
    const { rust, contents } = this.#context;
    const point = numbersOrNone("point", target);
    const share = number("weight", weight);
    if (this.#tip < 0 && node == null) rust.setGazeTarget(this.name, point);
    else rust.setGoal(this.name, node == null ? this.#tip : contents.node(node).index, point, share);
    this.#context.changed();
  }

  /** Sets the rotation in world space of the chain's last node. Null ends it. */
  turnTip(rotation: Quat | null): void {
    const quaternion = rotation == null ? new Float32Array() : this.#main.numbers("rotation", rotation, 4);
    this.#context.rust.turnTip(this.name, quaternion);
    this.#context.changed();
  }

  /** Sets the ground below a foot: its height in world space, and its normal. Default: all characters, and level. */
  ground(foot: string | number, height: number, options: { normal?: Vec3; character?: number } = {}): void {
    const { checkOptions, integer, number, numbers } = this.#main;
    const { normal = [0, 1, 0], character } = checkOptions(options);
    const { rust, contents } = this.#context;
    const at = [number("point", height), numbers("point", normal)] as const;
    const last = rust.characterCount - 1;
    const one = character == null ? undefined : integer("character", character, 0, last, "UNKNOWN_CHARACTER");
    rust.setGroundBelow(this.name, contents.node(foot).index, ...at, one);
    this.#context.changed();
  }

  /** Fades the weight to a value within so many seconds. */
  fadeTo(weight: number, secs: number, easing: Easing = "smooth"): void {
    const { EASINGS, number, wordIndex } = this.#main;
    const values = [number("weight", weight), number("fade", secs), wordIndex("easing", easing, EASINGS)] as const;
    this.#context.rust.fadeConstraint(this.name, ...values);
    this.#context.changed();
  }

  /** Fades the constraint out within `fade` seconds, and removes it. Later calls fail with `UNKNOWN_CONSTRAINT`. */
  remove(options: { fade?: number } = {}): void {
    const { checkOptions, number } = this.#main;
    this.#context.rust.removeConstraint(this.name, number("fade", checkOptions(options).fade ?? 0));
    this.#context.changed();
  }
}

/** A constraint that is being set. */
class Setting {
  readonly #name: string;
  readonly #description: ConstraintDescription;
  readonly #context: PlayerContext;
  readonly #main: MainExports;

  constructor(name: string, description: ConstraintDescription, context: PlayerContext, main: MainExports) {
    this.#name = name;
    this.#description = description;
    this.#context = context;
    this.#main = main;
  }

  /** Resolves to the index of a chain's tip, and to −1 for other kinds. */
  async set(): Promise<number> {
    const { number, wrongValue } = this.#main;
    const description = this.#description;
    const { weight = 1, fade = 0, smoothing = 0 } = description;
    const options = Float32Array.of(number("weight", weight), number("fade", fade), number("smoothing", smoothing));
    if ("chain" in description) return this.#setChain(description, options);
    if ("gaze" in description) await this.#setGaze(description, options);
    else if ("feet" in description) await this.#setFeet(description, options);
    else throw wrongValue("constraint", description, "{ chain }, { gaze } or { hips, feet }");
    return -1;
  }

  async #setChain(
    { chain, solver = "least-squares", iterations = 40, speed = 20, limits = {} }: ChainDescription,
    options: Float32Array,
  ): Promise<number> {
    const { integer, number, wordIndex, wrongValue } = this.#main;
    if (!Array.isArray(chain) || chain.length !== 2) throw wrongValue("chain", chain, "a root and a tip");
    const [root, tip] = (chain as readonly (string | number)[]).map(this.#node) as [number, number];
    const method = wordIndex("solver", solver, SOLVERS);
    await this.#context.rust.setChain(
      this.#name,
      Uint32Array.of(root, tip, method, integer("iterations", iterations, 1, 1000)),
      number("limit", speed),
      Float32Array.from(this.#entries("limits", limits).flatMap(([joint, limit]) => this.#limit(joint, limit))),
      options,
    );
    return tip;
  }

  async #setGaze({ gaze }: GazeDescription, options: Float32Array): Promise<void> {
    const joints = this.#entries("gaze", gaze).flatMap(([joint, part]) => this.#gaze(joint, part));
    await this.#context.rust.setGaze(this.#name, Float32Array.from(joints), options);
  }

  async #setFeet({ hips, feet }: FeetDescription, options: Float32Array): Promise<void> {
    if (!Array.isArray(feet)) throw this.#main.wrongValue("feet", feet, "a list of nodes");
    const nodes = Uint32Array.from(feet as readonly (string | number)[], this.#node);
    await this.#context.rust.setFeet(this.#name, this.#node(hips), nodes, options);
  }

  readonly #node = (nameOrIndex: string | number): number => this.#context.contents.node(nameOrIndex).index;

  #entries<Value>(what: string, record: Readonly<Record<string, Value>>): [string, Value][] {
    const { isObject, wrongValue } = this.#main;
    if (!isObject(record)) throw wrongValue(what, record, "an object with node names");
    return Object.entries(record);
  }

  #limit(joint: string, limit: JointLimit): number[] {
    const { checkOptions, number, numbers } = this.#main;
    const { axis, swing = 0, twist = [-Math.PI, Math.PI] } = checkOptions(limit);
    return [this.#node(joint), ...numbers("point", axis), number("limit", swing), ...numbers("rotation", twist, 2)];
  }

  #gaze(joint: string, part: number | GazeJoint): number[] {
    const { checkOptions, number, numbers } = this.#main;
    const { share, limit, speed, forward } =
      typeof part === "number" ? ({ share: part } as GazeJoint) : checkOptions(part);
    const orNone = (what: string, value: number | undefined): number =>
      value == null ? Number.NaN : number(what, value);
    const direction = forward == null ? [Number.NaN, Number.NaN, Number.NaN] : numbers("point", forward);
    return [this.#node(joint), number("weight", share), orNone("limit", limit), orNone("limit", speed), ...direction];
  }
}
