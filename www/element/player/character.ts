/** One of those who play the model, by itself. */
import { given, number } from "../checks.js";
import { MEMBER, STATES, type PlayState } from "../engine/wasm.js";
import { matrixOf, type Place, type Standing } from "./crowd.js";
import { groupOf, playNumbers } from "./layer.js";
import { colorOf, lightOf } from "./light.js";
import type { Link } from "./link.js";
import { motionJson, type Motion, type PlayOptions } from "./motion.js";
import type { Color, Rgba } from "./options.js";

/**
 * One character of a crowd, or the only one: `player.characters` has them all. What is set here is for it alone. What is
 * asked of the player is asked of every character, this one too: the last command counts.
 *
 * The first character leads: events, `currentTime` and all else that a player tells are its own. Of the others there are
 * no events.
 */
export class PlayerCharacter {
  /** Its place in `player.characters`, which methods such as `player.worldMatrices(character)` count by. */
  readonly index: number;
  readonly #link: Link;

  /** Made by `Player`. */
  constructor(index: number, link: Link) {
    this.index = index;
    this.#link = link;
  }

  /**
   * Starts a motion in its base layer, from the motion's start, whatever its phase in the crowd; without one, goes on after
   * a pause, or from the beginning of what has ended. Loops unless it is told otherwise.
   */
  play(motion?: Motion, options: Omit<PlayOptions, "signal"> = {}): void {
    if (motion === undefined) return this.#set("state", 1);
    options = given(options);
    const { rust, contents } = this.#link;
    const numbers = playNumbers(options, "repeat");
    rust.playMember(this.index, motionJson(motion, options, contents), numbers, groupOf(options));
    this.#link.changed();
  }

  /** It stands still; `play()` goes on. */
  pause(): void {
    this.#set("state", 0);
  }

  /** Back to the rest pose. */
  stop(): void {
    this.#set("state");
  }

  /** Whether it plays, is paused, has finished, or plays nothing. */
  get state(): PlayState {
    return STATES[this.#get("state")]!;
  }

  /** In seconds of what it plays. Setting it seeks. */
  get currentTime(): number {
    return this.#get("currentTime");
  }

  set currentTime(secs: number) {
    this.#set("currentTime", number("time", secs));
  }

  /** How fast it plays; negative runs backwards. */
  get playbackRate(): number {
    return this.#get("playbackRate");
  }

  set playbackRate(rate: number) {
    this.#set("playbackRate", number("playbackRate", rate));
  }

  /**
   * Where it stands in the world, as a whole. What it looks at, reaches for and casts goes along; the camera doesn't, before
   * `player.frame()`. Of a matrix one gets back the position, and its turn round the vertical axis and its size as far as
   * it has them.
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

  /** What its base colours are multiplied by; white at first. Alpha counts where the file's material lets through. */
  get tint(): Rgba {
    return colorOf(this.#numbers().subarray(16, 20));
  }

  set tint(color: Color) {
    this.#set("tint", ...Float32Array.from(lightOf("tint", color)));
  }

  /** Whether it is drawn, and casts a shadow; unseen it plays on. */
  get visible(): boolean {
    return this.#get("visible") !== 0;
  }

  set visible(visible: boolean) {
    this.#set("visible", +!!visible);
  }

  #numbers(): Float64Array {
    return this.#link.rust.member(this.index);
  }

  #get(part: Exclude<Part, "place" | "tint">): number {
    return this.#numbers()[18 + MEMBER.indexOf(part)]!;
  }

  #set(part: Part, ...value: number[]): void {
    this.#link.rust.setMember(this.index, MEMBER.indexOf(part), Float64Array.from(value));
    this.#link.changed();
  }
}

type Part = (typeof MEMBER)[number];
