/** Ragdolls: characters that fall. Imported with the first one. */
import type * as checks from "../checks.js";
import type { Vec3 } from "./camera.js";
import type { PlayerContext } from "./player_context.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export type MainExports = Pick<
  typeof checks,
  "checkOptions" | "integer" | "isObject" | "number" | "numbers" | "wrongValue"
>;

/** Options of a ragdoll. */
export interface RagdollOptions {
  /** Joints that fall with all below them, by name or index. The others go on with what plays. Default: all. */
  joints?: readonly (string | number)[];
  /** Acceleration in world space. Default: downwards, as if the model were 1.75 m high. */
  gravity?: Vec3;
  /** Ground: its height on the world's y axis and its normal. Null for none. Default: level, at height 0. */
  ground?: { height?: number; normal?: Vec3 } | null;
  /** Coefficient of the friction on the ground. Default: 0.8. */
  friction?: number;
  /** How much joints resist turning. Default: 8. */
  damping?: number;
  /** Index of the only character that falls. Default: all. */
  character?: number;
}

/** What a ragdoll does. `"asleep"` means that it lies still. */
export type RagdollState = "none" | "falling" | "asleep";

/** Starts ragdolls, for {@link Player.ragdoll}. */
export async function startRagdoll(
  options: RagdollOptions,
  context: PlayerContext,
  main: MainExports,
): Promise<PlayerRagdoll> {
  await context.extend();
  const { checkOptions, integer, isObject, number, numbers, wrongValue } = main;
  const { joints = [], gravity, ground = {}, friction, damping, character } = checkOptions(options);
  if (!Array.isArray(joints)) throw wrongValue("joints", joints, "a list of nodes");
  if (ground !== null && !isObject(ground)) throw wrongValue("ground", ground, "an object or null");
  const { rust, contents } = context;
  const orNone = (what: string, value: number | undefined): number =>
    value == null ? Number.NaN : number(what, value);
  const vectorOrNone = (what: string, value: Vec3 | undefined): ArrayLike<number> =>
    value == null ? [Number.NaN, Number.NaN, Number.NaN] : numbers(what, value);
  const nodes = (joints as readonly (string | number)[]).map((joint) => contents.node(joint).index);
  const last = rust.characterCount - 1;
  const one = character == null ? undefined : integer("character", character, 0, last, "UNKNOWN_CHARACTER");
  const values = [
    ...Array.from(vectorOrNone("gravity", gravity)),
    ground ? orNone("point", ground.height) : Infinity,
    ...Array.from(vectorOrNone("point", ground?.normal)),
    orNone("friction", friction),
    orNone("damping", damping),
  ];
  await rust.startRagdoll(Uint32Array.from(nodes), Float32Array.from(values), one);
  context.changed();
  return new PlayerRagdoll(one, context, main);
}

/** A ragdoll, to which {@link Player.ragdoll} resolves: that of one character, or those of all. */
export class PlayerRagdoll {
  readonly #character: number | undefined;
  readonly #context: PlayerContext;
  readonly #main: MainExports;

  /** Made by `Player.ragdoll`. */
  constructor(character: number | undefined, context: PlayerContext, main: MainExports) {
    this.#character = character;
    this.#context = context;
    this.#main = main;
  }

  /** Pushes the body of a node. `impulse` is the change of the whole ragdoll's speed, in world space. */
  push(node: string | number, impulse: Vec3): void {
    const { rust, contents } = this.#context;
    const values = this.#main.numbers("impulse", impulse);
    rust.pushRagdoll(contents.node(node).index, values, this.#character);
    this.#context.changed();
  }

  /** Fades the share of the ragdoll in the pose, from 0 to 1. At 0, the ragdoll ends. */
  fadeTo(weight: number, secs: number): void {
    const { number } = this.#main;
    this.#context.rust.fadeRagdoll(number("weight", weight), number("fade", secs), this.#character);
    this.#context.changed();
  }

  /** Returns to what plays, from where the character lies, within `fade` seconds. Default: 0.5. */
  stop(options: { fade?: number } = {}): void {
    this.fadeTo(0, this.#main.checkOptions(options).fade ?? 0.5);
  }
}
