/** Throngs: members of a model that the GPU poses. Imported with the first one. */
import type * as checks from "../checks.js";
import type { Clip } from "../files/contents.js";
import type * as crowds from "./crowd.js";
import type { Place, Standing } from "./crowd.js";
import type * as lights from "./light.js";
import type { Marker } from "./motion.js";
import type { Color, Rgba } from "./options.js";
import type { PlayerContext } from "./player_context.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export type MainExports = Pick<typeof checks, "checkOptions" | "integer" | "isObject" | "number" | "wrongValue"> &
  Pick<typeof crowds, "crowdMatrices" | "crowdPhases" | "matrixOf"> &
  Pick<typeof lights, "colorOf" | "lightOf">;

/** Clips, phases, places and colours of the members of a throng. */
export interface ThrongOptions {
  /** Clip of each member, by name or index; null for the rest pose. Default: what plays now. */
  clip?: string | number | null | ((member: number) => string | number | null);
  /** Second clip of each member, and its share in the pose. Default: none. */
  blend?: ThrongBlend | null | ((member: number) => ThrongBlend | null);
  /** Phase of each member: how far ahead it is, as a fraction of the clip. Default: scattered evenly. */
  phases?: ArrayLike<number> | ((member: number) => number);
  /** Playback speed of each member: 1 is normal, and negative plays backwards. */
  speed?: number | ((member: number) => number);
  /** Place of each member. Default: spread around the characters, like the seeds of a sunflower. */
  place?: (member: number) => Place;
  /** Colour that multiplies the base colours of each member. */
  tint?: Color | ((member: number) => Color);
}

/** A second clip. Both clips are at the same share of their durations. */
export interface ThrongBlend {
  /** Name or index; null for the rest pose. */
  readonly clip: string | number | null;
  /** Share of the second clip, from 0 to 1. Default: 0.5. */
  readonly weight?: number;
}

/** A marker of a clip that a member has passed. */
export interface PassedMarker extends Marker {
  /** The clip that the marker is in. */
  readonly clip: Clip;
}

/** Largest throng. Matches `MOST_MEMBERS` in `src/player/throng`. */
export const MOST_MEMBERS = 65_536;

/** Parts of a member, in the order of `MemberPart` in `src/player/throng`, and how many numbers each has. */
const PARTS = { place: 16, tint: 4, visible: 1, motion: 5 };

type Part = keyof typeof PARTS;

/** Places of the numbers of a motion. */
const [CLIP, SECOND, WEIGHT, PHASE, SPEED] = [0, 1, 2, 3, 4] as const;

/** The throng of each player or actor. */
const throngs = new WeakMap<PlayerContext, Throng>();

/** Shows members, for {@link Player.throng}. */
export async function showThrong(
  count: number,
  options: ThrongOptions,
  context: PlayerContext,
  main: MainExports,
): Promise<Throng> {
  main.integer("throng", count, 1, MOST_MEMBERS, "CROWD_SIZE");
  const { clip, blend, phases, speed, place, tint } = main.checkOptions(options);
  await context.extend();
  const { rust, contents } = context;
  const playing = rust.clip < 0 ? null : rust.clip;
  const clipOf = (wanted: string | number | null): number => (wanted === null ? -1 : contents.clip(wanted).index);
  const phaseOf = main.crowdPhases(count, phases);
  const motions = new Float32Array(count * PARTS.motion);
  const tints = new Float32Array(count * PARTS.tint).fill(1);
  for (let member = 0; member < count; member++) {
    const first = clipOf(clip === undefined ? playing : (each(clip, member) ?? null));
    const [second, weight] = blendOf(each(blend, member) ?? null, first, clipOf, main);
    // Without a number, the phase that the WebAssembly has chosen stays.
    const phase = phaseOf[member] ?? Number.NaN;
    motions.set([first, second, weight, phase, main.number("speed", each(speed, member) ?? 1)], member * PARTS.motion);
    const color = each(tint, member);
    if (color != null) tints.set(main.lightOf("tint", color), member * PARTS.tint);
  }
  const places = main.crowdMatrices(count, place);
  const spread = await rust.setThrong(count);
  const numbers = {
    place: place ? places : spread,
    tint: tints,
    visible: new Float32Array(count).fill(1),
    motion: motions,
  };
  const throng = new Throng(count, numbers, context, main);
  throngs.set(context, throng);
  const parts: Part[] = ["motion"];
  if (place) parts.push("place");
  if (tint != null) parts.push("tint");
  for (const part of parts) throng.send(part, 0, count);
  return throng;
}

function each<Value>(value: Value | ((member: number) => Value), member: number): Value {
  return typeof value === "function" ? (value as (member: number) => Value)(member) : value;
}

/** Returns the index of the second clip and its share: those of the first clip, and none, without one. */
function blendOf(
  blend: ThrongBlend | null,
  first: number,
  clipOf: (clip: string | number | null) => number,
  { isObject, number, wrongValue }: MainExports,
): [number, number] {
  if (blend === null) return [first, 0];
  if (!isObject(blend)) throw wrongValue("blend", blend, "{ clip, weight }");
  return [clipOf(blend.clip), number("weight", blend.weight ?? 0.5)];
}

/**
 * Members of a player's model that only play clips, posed by the GPU. In each frame, the page's thread only finds those
 * that the picture may show. They stand beside the characters of the player, cast shadows, and are framed. Constraints,
 * springs, layers and events are for characters alone. {@link Player.throng} makes a throng. It ends with its model, or
 * with the next throng. What is set on its members then has no effect any more.
 */
export class Throng {
  /** Number of members. */
  readonly count: number;
  readonly #numbers: Record<Part, Float32Array>;
  readonly #context: PlayerContext;
  readonly #main: MainExports;
  readonly #replaced: AbortSignal;
  #rate = 1;

  /** Made by `Player.throng`. */
  constructor(count: number, numbers: Record<Part, Float32Array>, context: PlayerContext, main: MainExports) {
    this.count = count;
    this.#numbers = numbers;
    this.#context = context;
    this.#main = main;
    this.#replaced = context.replaced;
  }

  /** Returns a member. */
  at(member: number): ThrongMember {
    this.#main.integer("member", member, 0, this.count - 1, "UNKNOWN_CHARACTER");
    return new ThrongMember(member, this, this.#context, this.#main);
  }

  /** Factor of time for all members; 0 pauses them. */
  get playbackRate(): number {
    return this.#rate;
  }

  set playbackRate(rate: number) {
    this.#rate = this.#main.number("playbackRate", rate);
    if (this.hasEnded) return;
    this.#context.rust.setThrongRate(this.#rate);
    this.#context.changed();
  }

  /** Places members by column-major 4×4 matrices, 16 numbers for each from the member `first` on. */
  setPlaces(matrices: Float32Array, first = 0): void {
    this.#setMany("place", matrices, first);
  }

  /** Tints members by linear red, green, blue and alpha, 4 numbers for each from the member `first` on. */
  setTints(colors: Float32Array, first = 0): void {
    this.#setMany("tint", colors, first);
  }

  /**
   * Resolves to the largest distance between a vertex of a member as the GPU poses it and as its clips do, as a
   * fraction of the model's size. It helps to distinguish a driver bug from a broken file, and is slow.
   */
  async skinningError(): Promise<number> {
    return this.hasEnded ? 0 : this.#context.rust.throngError();
  }

  /** Whether the members have been removed or replaced, or their model has been. */
  get hasEnded(): boolean {
    return this.#replaced.aborted || throngs.get(this.#context) !== this;
  }

  /** Removes all members. */
  async remove(): Promise<void> {
    if (this.hasEnded) return;
    throngs.delete(this.#context);
    await this.#context.rust.setThrong(0);
    this.#context.changed();
  }

  /** @internal Returns the numbers of a member, which may be changed and then sent. */
  numbers(part: Part, member: number): Float32Array {
    const length = PARTS[part];
    return this.#numbers[part].subarray(member * length, (member + 1) * length);
  }

  /** @internal Passes the numbers of some members on. */
  send(part: Part, first: number, count: number): void {
    if (this.hasEnded) return;
    const length = PARTS[part];
    const numbers = this.#numbers[part].slice(first * length, (first + count) * length);
    this.#context.rust.setMembers(Object.keys(PARTS).indexOf(part), first, numbers);
    // Until it is set again, a phase stays as it goes on.
    if (part === "motion")
      for (let at = first; at < first + count; at++) this.#numbers.motion[at * length + PHASE] = Number.NaN;
    this.#context.changed();
  }

  #setMany(part: Part, numbers: Float32Array, first: number): void {
    const { integer, number, wrongValue } = this.#main;
    integer("member", first, 0, this.count - 1, "UNKNOWN_CHARACTER");
    const isList = numbers instanceof Float32Array;
    const count = isList ? numbers.length / PARTS[part] : Number.NaN;
    if (!(count % 1 === 0 && first + count <= this.count)) {
      const given = isList ? numbers.length : numbers;
      throw wrongValue(part, given, `a Float32Array of ${PARTS[part]} numbers for each member`, "CROWD_LIST");
    }
    // The message is made only when it is needed: calling this for each number takes longer than all the rest.
    for (const each of numbers) if (!(Math.abs(each) <= 1e6)) number(part, each);
    this.#numbers[part].set(numbers, first * PARTS[part]);
    if (count > 0) this.send(part, first, count);
  }
}

/** One member of a {@link Throng}. */
export class ThrongMember {
  /** Index in the throng. */
  readonly index: number;
  readonly #throng: Throng;
  readonly #context: PlayerContext;
  readonly #main: MainExports;

  /** Made by `Throng.at`. */
  constructor(index: number, throng: Throng, context: PlayerContext, main: MainExports) {
    this.index = index;
    this.#throng = throng;
    this.#context = context;
    this.#main = main;
  }

  /** Index of the clip; null for the rest pose. It can be set to a name. A clip begins where the one before was. */
  get clip(): number | null {
    const clip = this.#throng.numbers("motion", this.index)[CLIP]!;
    return clip < 0 ? null : clip;
  }

  set clip(clip: string | number | null) {
    const index = this.#clipOf(clip);
    this.#setMotion(this.blend ? { [CLIP]: index } : { [CLIP]: index, [SECOND]: index });
  }

  /** Second clip, and its share in the pose; null for none. */
  get blend(): ThrongBlend | null {
    const motion = this.#throng.numbers("motion", this.index);
    const [clip, weight] = [motion[SECOND]!, motion[WEIGHT]!];
    return weight === 0 ? null : { clip: clip < 0 ? null : clip, weight };
  }

  set blend(blend: ThrongBlend | null) {
    const first = this.#throng.numbers("motion", this.index)[CLIP]!;
    const [second, weight] = blendOf(blend, first, (clip) => this.#clipOf(clip), this.#main);
    this.#setMotion({ [SECOND]: second, [WEIGHT]: weight });
  }

  /** Playback speed: 1 is normal, and negative plays backwards. */
  get speed(): number {
    return this.#throng.numbers("motion", this.index)[SPEED]!;
  }

  set speed(speed: number) {
    this.#setMotion({ [SPEED]: this.#main.number("speed", speed) });
  }

  /** Moves the member to a place in its clips, as a fraction of them. */
  seek(phase: number): void {
    this.#setMotion({ [PHASE]: this.#main.number("phase", phase) });
  }

  /** Place in world space. It can be set to a matrix: see {@link PlayerCharacter.place}. */
  get place(): Standing {
    const matrix = this.#throng.numbers("place", this.index);
    return {
      position: [matrix[12]!, matrix[13]!, matrix[14]!],
      heading: Math.atan2(matrix[8]!, matrix[10]!),
      scale: Math.hypot(matrix[0]!, matrix[1]!, matrix[2]!),
    };
  }

  set place(place: Place) {
    this.#set("place", this.#main.matrixOf(place));
  }

  /** Colour that multiplies the base colours of the member; white by default. */
  get tint(): Rgba {
    return this.#main.colorOf(this.#throng.numbers("tint", this.index));
  }

  set tint(color: Color) {
    this.#set("tint", this.#main.lightOf("tint", color));
  }

  /** Whether the member is drawn and casts a shadow. A hidden member keeps playing. */
  get visible(): boolean {
    return this.#throng.numbers("visible", this.index)[0] !== 0;
  }

  set visible(visible: boolean) {
    this.#set("visible", [+!!visible]);
  }

  /** Resolves to the time in the first clip, in seconds. */
  async time(): Promise<number> {
    return this.#throng.hasEnded ? 0 : this.#context.rust.throngTime(this.index);
  }

  /**
   * Resolves to the markers that the member has passed since the last call, in this order. The first call resolves to
   * none: the member is followed from then on. Of two clips, the one with the greater share counts. Of more than 256
   * markers, the last ones are kept.
   */
  async takeMarkers(): Promise<readonly PassedMarker[]> {
    const passed: PassedMarker[] = [];
    const { rust, contents } = this.#context;
    const numbers = this.#throng.hasEnded ? [] : await rust.throngMarkers(this.index);
    if (this.#throng.hasEnded) return passed;
    for (let at = 0; at < numbers.length; at += 2) {
      const [clip, marker] = [numbers[at]!, numbers[at + 1]!];
      const [name, time] = [rust.markerNames(clip)[marker], rust.markerTimes(clip)[marker]];
      // Others may have been set meanwhile.
      if (name !== undefined) passed.push({ name, time: time!, clip: contents.clip(clip) });
    }
    return passed;
  }

  /**
   * Resolves to the world matrix of every node: 16 numbers each, column-major, in the file's node order. They are
   * computed when they are asked for.
   */
  async worldMatrices(): Promise<Float32Array> {
    return this.#throng.hasEnded ? new Float32Array() : this.#context.rust.throngMatrices(this.index);
  }

  #clipOf(clip: string | number | null): number {
    return clip === null ? -1 : this.#context.contents.clip(clip).index;
  }

  #setMotion(numbers: Record<number, number>): void {
    const motion = this.#throng.numbers("motion", this.index);
    for (const [at, number] of Object.entries(numbers)) motion[Number(at)] = number;
    this.#throng.send("motion", this.index, 1);
  }

  #set(part: Part, numbers: ArrayLike<number>): void {
    this.#throng.numbers(part, this.index).set(numbers);
    this.#throng.send(part, this.index, 1);
  }
}
