/** One character of a player. */
import { checkOptions, number } from "../checks.js";
import { MEMBER, STATES, type PlayState } from "../engine/wasm.js";
import { matrixOf, type Place, type Standing } from "./crowd.js";
import { playRecord } from "./layer.js";
import { colorOf, lightOf } from "./light.js";
import type { PlayerContext } from "./player_context.js";
import { motionJson, type Motion, type PlayOptions } from "./motion.js";
import type { Color, Rgba } from "./options.js";

/**
 * One character of a crowd, or the only character. `player.characters` contains all of them. Its members apply to
 * this character alone; those of the player apply to every character, and the last call wins.
 *
 * The first character leads: the player's events, `currentTime` and other state are those of the first character. The
 * other characters fire no events.
 */
export class PlayerCharacter {
  /** Index in `player.characters`. Methods such as `player.worldMatrices(character)` take it. */
  readonly index: number;
  readonly #context: PlayerContext;

  /** Made by `Player`. */
  constructor(index: number, context: PlayerContext) {
    this.index = index;
    this.#context = context;
  }

  /**
   * Starts a motion in the character's base layer, from the start of the motion whatever the character's phase.
   * Without a motion, resumes after a pause, or replays a motion that has ended. Loops by default.
   */
  play(motion?: Motion, options: Omit<PlayOptions, "signal"> = {}): void {
    if (motion === undefined) return this.#set("state", 1);
    options = checkOptions(options);
    const { rust, contents } = this.#context;
    rust.playMember(this.index, motionJson(motion, options, contents), playRecord(options, "repeat"));
    this.#context.changed();
  }

  /** Pauses the character. `play()` resumes it. */
  pause(): void {
    this.#set("state", 0);
  }

  /** Stops the character and shows its rest pose. */
  stop(): void {
    this.#set("state");
  }

  /** Playback state of the character's base layer. */
  get state(): PlayState {
    return STATES[this.#get("state")]!;
  }

  /** Time in the current clip, in seconds. Setting it seeks. */
  get currentTime(): number {
    return this.#get("currentTime");
  }

  set currentTime(secs: number) {
    this.#set("currentTime", number("time", secs));
  }

  /** Playback speed: 1 is normal, and negative plays backwards. */
  get playbackRate(): number {
    return this.#get("playbackRate");
  }

  set playbackRate(rate: number) {
    this.#set("playbackRate", number("playbackRate", rate));
  }

  /**
   * Place of the character in world space. Its look-at targets and reaches stay in the world; its shadow moves with
   * it. The camera doesn't follow until `player.frame()`.
   *
   * It can be set to a matrix. Reading then returns the matrix's position, the heading of its z axis and the length
   * of its x axis.
   */
  get place(): Standing {
    const matrix = this.#numbers();
    const [x, , z] = matrix.slice(8);
    return {
      position: [matrix[12]!, matrix[13]!, matrix[14]!],
      heading: Math.atan2(x!, z!),
      scale: Math.hypot(...matrix.slice(0, 3)),
    };
  }

  set place(place: Place) {
    this.#set("place", ...Float32Array.from(matrixOf(place)));
  }

  /**
   * Colour that multiplies the base colours of the character; white by default. Alpha has an effect where the file's
   * material isn't opaque.
   */
  get tint(): Rgba {
    return colorOf(this.#numbers().subarray(16, 20));
  }

  set tint(color: Color) {
    this.#set("tint", ...Float32Array.from(lightOf("tint", color)));
  }

  /** Whether the character is drawn and casts a shadow. A hidden character keeps playing. */
  get visible(): boolean {
    return this.#get("visible") !== 0;
  }

  set visible(visible: boolean) {
    this.#set("visible", +!!visible);
  }

  #numbers(): Float64Array {
    return this.#context.rust.member(this.index);
  }

  #get(part: Exclude<Part, "place" | "tint">): number {
    return this.#numbers()[18 + MEMBER.indexOf(part)]!;
  }

  #set(part: Part, ...value: number[]): void {
    this.#context.rust.setMember(this.index, MEMBER.indexOf(part), Float64Array.from(value));
    this.#context.changed();
  }
}

type Part = (typeof MEMBER)[number];
