/** The base class of players and actors: one model with its playback, layers, nodes and characters. */
import { EASINGS, RAGDOLLS, SKINNINGS, STATES, type PlayState } from "../engine/wasm.js";
import type { Clip, Contents, ModelNode, Named, Skin } from "../files/contents.js";
import { checkSource, type AddClipsOptions, type Source } from "../files/source.js";
import { abortedBy, asError, GambolError, type Warning } from "../errors.js";
import type { Vec3 } from "./camera.js";
import {
  checkOptions,
  integer,
  isObject,
  json,
  number,
  numbers,
  numbersOrNone,
  ofType,
  wordIndex,
  wrongValue,
} from "../checks.js";
import { fetched } from "../engine/engine.js";
import { PlayerCharacter } from "./character.js";
import type { ConstraintDescription, PlayerConstraint } from "./constraint.js";
import {
  crowdMatrices,
  crowdPhases,
  matrixOf,
  MOST_CHARACTERS,
  type CrowdOptions,
  type Place,
  type Standing,
} from "./crowd.js";
import { PlayerEventTarget, type AddedClips } from "./events.js";
import { BASE, Layer, playIn } from "./layer.js";
import { colorOf, lightOf } from "./light.js";
import type { PlayerContext } from "./player_context.js";
import { PlayerMaterial } from "./material.js";
import { PlayerMorph } from "./morph.js";
import type { ClipNotes, Controller, LayerOptions, Marker, Motion, PlayOptions, RootMotion } from "./motion.js";
import { PlayerNode, type LookOptions, type ReachOptions } from "./node.js";
import type { Skinning, Travel } from "./options.js";
import type { Springs } from "./springs.js";
import type { PlayerRagdoll, RagdollOptions, RagdollState } from "./ragdoll.js";
import type { Throng, ThrongOptions } from "./throng.js";
import { Parameters } from "./parameters.js";
import { passesOf, type Loop, type Run } from "./run.js";

/** Number of characters from which on those that are small in the picture have fewer triangles. */
const MANY_CHARACTERS = 50;

/** The members that a {@link Player} and its actors have: those that concern one model. */
export abstract class Performer extends PlayerEventTarget {
  /** The parameters that blends and transitions read. */
  readonly parameters: Parameters;
  readonly #context: PlayerContext;
  readonly #characters: PlayerCharacter[] = [];
  #loop: Loop = "repeat";

  /** @internal */
  protected constructor(context: PlayerContext) {
    super();
    this.#context = context;
    this.parameters = new Parameters(context);
  }

  /** @internal */
  get context(): PlayerContext {
    return this.#context;
  }

  // ── the file ──

  /**
   * File name of the model that is shown. Empty before the first model, and for one loaded from bytes without a name.
   */
  get name(): string {
    return this.#context.shown?.name ?? "";
  }

  /** The clips of the model, in the file's order. Empty before the first model. */
  get clips(): readonly Clip[] {
    return this.#context.shown?.contents.clips ?? [];
  }

  /** Problems found in the file that didn't prevent it from loading. */
  get warnings(): readonly Warning[] {
    return this.#context.shown?.warnings ?? [];
  }

  /** The nodes of the model, in the file's order. {@link worldMatrices} uses the same order. */
  get nodes(): readonly ModelNode[] {
    return this.#contents?.nodes ?? [];
  }

  /** The skins of the model, in the file's order. {@link skinMatrices} takes an index into this list. */
  get skins(): readonly Skin[] {
    return this.#contents?.skins ?? [];
  }

  /** The materials of the model, in the file's order, for {@link material}. Names may repeat. */
  get materials(): readonly Named[] {
    return this.#contents?.materials ?? [];
  }

  /** The variants of the model's materials, in the file's order, for {@link variant}. Most models have none. */
  get variants(): readonly Named[] {
    return this.#contents?.variants ?? [];
  }

  /** Name of the variant that the materials have, such as a colour of a shoe. Null for the file's own materials. */
  get variant(): string | null {
    return this.variants[this.#context.rust.variant]?.name ?? null;
  }

  set variant(variant: string | null) {
    this.#context.rust.variant = variant === null ? -1 : this.#context.contents.variant(variant).index;
    this.#context.changed();
  }

  /**
   * Adds the clips of another file to those of the model, such as a walk that was exported without a mesh. They are
   * played, blended and referred to like the model's own, until another model is loaded. What plays isn't interrupted.
   *
   * Without `retarget`, both files must have the same skeleton. Nodes are found by their names: by equal ones or,
   * failing that, regardless of case, punctuation and a namespace such as `mixamorig:`. If less than half of the
   * animated nodes are found, they are found by the shape of the hierarchy. Warnings report what did not match. A file
   * of which nothing matches rejects with `NO_FITTING_CLIPS`.
   *
   * With `retarget`, the skeletons may differ if both are humanoids. Others reject with `NOT_HUMANOID`.
   *
   * A clip whose name is taken gets a number, and the only clip of a file gets the name of its file.
   */
  async addClips(source: Source, options: AddClipsOptions = {}): Promise<AddedClips> {
    options = checkOptions(options);
    const { names, retarget } = options;
    if (retarget != null && typeof retarget !== "boolean" && !isObject(retarget))
      throw wrongValue("retarget", retarget, "true, false or an object");
    if (names != null && !isObject(names)) throw wrongValue("names", names, "an object");
    checkSource(source);
    const context = this.#context;
    const { shown, replaced } = context;
    if (!shown) throw noModel();
    const own = abortedBy(options.signal, replaced);
    try {
      const added = await context.addClips(source, { ...options, signal: own.signal });
      const { clips, warnings, map = [] } = added;
      const told = { clips, warnings, map };
      shown.contents = added.contents;
      context.changed();
      this.dispatchEvent(new CustomEvent("clipsadd", { detail: told }));
      return told;
    } catch (error) {
      throw own.signal.aborted ? own.signal.reason : asError(error, "LOAD_FAILED");
    } finally {
      // Removes the listeners.
      own.abort();
    }
  }

  // ── playing ──

  /**
   * Starts a motion in the base layer. Without a motion, resumes all layers after a pause; if nothing was started,
   * plays the first clip.
   */
  play(motion?: Motion, options: PlayOptions = {}): Run {
    return playIn(this.#context, BASE, motion, options, this.#loop);
  }

  /** Pauses all layers. `play()` resumes them. */
  pause(): void {
    this.#context.rust.pause();
    this.#context.changed();
  }

  /** Stops all layers and state machines, and shows the rest pose. */
  stop(): void {
    this.#context.rust.stop();
    this.#context.changed();
  }

  /** The playback state of the base layer. */
  get state(): PlayState {
    return STATES[this.#context.rust.state]!;
  }

  /** Whether the base layer is paused, has ended, or is stopped. */
  get paused(): boolean {
    return this.state !== "playing";
  }

  /** Whether the motion has ended and its last pose is held. */
  get ended(): boolean {
    return this.state === "finished";
  }

  /**
   * The clip that plays or is paused in the base layer; null when stopped. For a blend, the clip whose passes count.
   */
  get clip(): Clip | null {
    const clip = this.#context.rust.clip;
    return clip < 0 ? null : this.#context.contents.clips[clip]!;
  }

  /** The time in the current clip, in seconds. Setting it seeks to exactly that time, and fires no `marker` event. */
  get currentTime(): number {
    return this.#context.rust.currentTime;
  }

  set currentTime(secs: number) {
    this.#context.rust.currentTime = number("time", secs);
    this.#context.seeking();
  }

  /** Duration of the current clip, in seconds; 0 when there is none. */
  get duration(): number {
    return this.clip?.duration ?? 0;
  }

  /** Playback speed: 1 is normal, and negative plays backwards. It is kept when another model is loaded. */
  get playbackRate(): number {
    return this.#context.rust.playbackRate;
  }

  set playbackRate(rate: number) {
    this.#context.rust.playbackRate = number("playbackRate", rate);
    this.#context.changed();
  }

  /**
   * How often motions of the base layer play. Setting it changes the current motion, and is the default of later
   * `play` calls.
   */
  get loop(): Loop {
    return this.#loop;
  }

  set loop(loop: Loop) {
    const { passes, bounce } = passesOf(loop);
    this.#context.rust.setLooping(passes, bounce);
    this.#loop = loop;
    this.#context.changed();
  }

  // ── layers and controllers ──

  /** Names of the layers, lowest first. The first is `"base"`. */
  get layers(): readonly string[] {
    return this.#context.rust.layerNames();
  }

  /**
   * Returns the layer of that name. Creates it above all others if it doesn't exist.
   *
   * Options replace those of an existing layer, while its motion keeps playing. A changed mode or reference takes
   * effect from its next motion on.
   */
  layer(name: string, options?: LayerOptions): Layer {
    if (options || !this.layers.includes(ofType("name", name, "string"))) {
      this.#context.rust.setLayer(ofType("name", name, "string"), json("options", checkOptions(options)));
      this.#context.changed();
    }
    return new Layer(name, this.#context);
  }

  /**
   * Sets the controller whose state machines decide what plays, replacing all layers. One with an error throws and
   * changes nothing. Null removes the controller and all layers above the base, and shows the rest pose.
   */
  setController(controller: Controller | string | null): void {
    const written =
      controller === null ? undefined : typeof controller === "string" ? controller : json("controller", controller);
    this.#context.rearrange(() => this.#context.rust.setController(written));
  }

  // ── notes on clips ──

  /** Returns the markers of a clip, whether set by {@link setMarkers} or by the controller. */
  markers(clip: string | number): readonly Marker[] {
    const { index } = this.#context.contents.clip(clip);
    const times = this.#context.rust.markerTimes(index);
    return this.#context.rust.markerNames(index).map((name, at) => ({ name, time: times[at]! }));
  }

  /** Sets the markers of a clip: times that fire a `marker` event when playback passes them. */
  setMarkers(clip: string | number, markers: readonly Marker[]): void {
    this.#note(clip, { markers: markers ?? null });
  }

  /**
   * Sets the beats of a clip: times, in seconds, that correspond between clips played in phase, such as footfalls.
   * Takes effect from the next `play` on.
   */
  setBeats(clip: string | number, beats: readonly number[]): void {
    this.#note(clip, { beats: beats ?? null });
  }

  /** Sets how the root motion of a clip is applied. Takes effect from the next `play` on. */
  setRootMotion(clip: string | number, root: RootMotion): void {
    this.#note(clip, { root: root ?? null });
  }

  /**
   * The node whose movement over the ground is the root motion. Setting null lets the player find it. A change takes
   * effect from the next `play` on.
   */
  get rootNode(): ModelNode | null {
    const node = this.#context.rust.rootNode;
    return node < 0 ? null : this.#context.contents.nodes[node]!;
  }

  set rootNode(node: string | number | null) {
    this.#context.rust.rootNode = node === null ? -1 : this.#context.contents.node(node).index;
    this.#context.changed();
  }

  /** Returns the root motion extracted since the last call, relative to where the character was then. */
  takeTravel(character = 0): Travel {
    const [x, y, z, yaw] = this.#context.rust.takeTravel(this.#character(character)) as unknown as [
      number,
      number,
      number,
      number,
    ];
    return { translation: [x, y, z], yaw };
  }

  // ── by hand ──

  /** Returns a node, by name or index, to read or to move it. */
  node(node: string | number): PlayerNode {
    return new PlayerNode(this.#context.contents.node(node), this.#context);
  }

  /** Turns a node towards a point in world space, on top of playback. A null target lets it play again. */
  lookAt(node: string | number, target: Vec3 | null, options?: LookOptions): void {
    this.node(node).lookAt(target, options);
  }

  /**
   * Bends the limb that ends in a node so that the node reaches a point in world space. A null target lets it play
   * again.
   */
  reach(node: string | number, target: Vec3 | null, options?: ReachOptions): void {
    this.node(node).reach(target, options);
  }

  /**
   * Sets a constraint of the pose, on top of playback: a chain that reaches goals, a gaze, or feet on the ground. It
   * replaces the one of that name. Constraints are applied after `lookAt` and `reach`, in the order in which they were
   * set. The first constraint of a page fetches the code for them.
   */
  async constrain(name: string, description: ConstraintDescription): Promise<PlayerConstraint> {
    ofType("name", name, "string");
    const { constrain } = await fetched(import("./constraint.js"));
    return constrain(name, description, this.#context, MAIN_EXPORTS);
  }

  /** Names of the constraints, in the order in which they were set. */
  get constraints(): readonly string[] {
    return this.#context.rust.constraintNames();
  }

  // ── springs ──

  /**
   * Sets the chains that swing, such as a tail, as an object or as JSON. Null sets those of the file, which swing from
   * the start: `VRMC_springBone` and VRM 0.x. An error changes nothing. The first springs of a page fetch the code for
   * them.
   */
  async setSprings(springs: Springs | string | null): Promise<void> {
    const written = springs === null ? undefined : typeof springs === "string" ? springs : json("springs", springs);
    const context = this.#context;
    await context.extend();
    await context.rust.setSprings(written);
    context.changed();
  }

  /** Fades the weight of all springs to a value from 0 to 1, within so many seconds. With 0, they cost no time. */
  fadeSprings(weight: number, secs = 0): void {
    this.#context.rust.fadeSprings(number("weight", weight), number("fade", secs));
    this.#context.changed();
  }

  /** Current weight of all springs. */
  get springWeight(): number {
    return this.#context.rust.springWeight;
  }

  /** Wind in world space: a force that is added to the gravity of every spring. */
  get wind(): Vec3 {
    const [x, y, z] = this.#context.rust.wind as unknown as [number, number, number];
    return [x, y, z];
  }

  set wind(wind: Vec3) {
    this.#context.rust.wind = numbers("wind", wind);
    this.#context.changed();
  }

  /** Places the springs where they hang still, as after a cut. Seeking and far moves of a character do so too. */
  resetSprings(): void {
    this.#context.rust.resetSprings();
    this.#context.changed();
  }

  // ── ragdoll ──

  /**
   * Lets characters fall from their pose, with the motion that they have. Bodies are fitted to the joints' vertices. A
   * ragdoll that there is goes on with the new options. The first ragdoll of a page fetches the code for it.
   */
  async ragdoll(options: RagdollOptions = {}): Promise<PlayerRagdoll> {
    const { startRagdoll } = await fetched(import("./ragdoll.js"));
    return startRagdoll(options, this.#context, MAIN_EXPORTS);
  }

  /** What the ragdoll of the first character does. */
  get ragdollState(): RagdollState {
    return RAGDOLLS[this.#context.rust.ragdollMotion]!;
  }

  /** Returns the morph targets of that name, to read or to set their weight. */
  morph(name: string): PlayerMorph {
    this.#context.rust.morph(ofType("name", name, "string"));
    return new PlayerMorph(name, this.#context);
  }

  /** Names of the morph targets, each once. */
  get morphs(): readonly string[] {
    return this.#context.rust.morphNames();
  }

  /** Returns a material, by name or index, to override what the file specifies. */
  material(material: string | number): PlayerMaterial {
    return new PlayerMaterial(this.#context.contents.material(material), this.#context);
  }

  // ── many ──

  /**
   * Shows `count` characters of this model, each at its own phase and place, and returns them. A count of 1 shows a
   * single character again. What was set on single characters before is reset.
   */
  crowd(count: number, options: CrowdOptions = {}): readonly PlayerCharacter[] {
    const { rust, contents } = this.#context;
    const { clip, phases, place } = checkOptions(options);
    const played = clip == null ? -1 : contents.clip(clip).index;
    integer("crowd", count, 1, MOST_CHARACTERS, "CROWD_SIZE");
    rust.crowd(count, played, crowdPhases(count, phases), crowdMatrices(count, place));
    if (count >= MANY_CHARACTERS) void coarsen(this.#context);
    this.#context.changed();
    return this.characters;
  }

  /**
   * Shows `count` members of this model beside its characters, in place of those before: a crowd that the GPU poses.
   * The first throng of a page fetches the code for it.
   */
  async throng(count: number, options: ThrongOptions = {}): Promise<Throng> {
    const { showThrong } = await fetched(import("./throng.js"));
    return showThrong(count, options, this.#context, MAIN_EXPORTS);
  }

  /**
   * The characters that play the model, each of which can be moved, tinted and played by itself. Without a crowd
   * there is one.
   */
  get characters(): readonly PlayerCharacter[] {
    const held = this.#characters;
    const count = this.characterCount;
    while (held.length < count) held.push(new PlayerCharacter(held.length, this.#context));
    held.length = count;
    return held;
  }

  /** Place of the first character. See {@link PlayerCharacter.place}. */
  get place(): Standing {
    return this.characters[0]!.place;
  }

  set place(place: Place) {
    this.characters[0]!.place = place;
  }

  /** Number of characters; 1 without a crowd. */
  get characterCount(): number {
    return this.#context.rust.characterCount;
  }

  /**
   * How vertices follow several joints. `"linear"`: a vertex is at the mean of where each of its joints would move it,
   * so that twisted wrists become thin. `"dual-quaternion"`: rotations are blended, so that they keep their volume.
   * Setting it applies to all skins, also of models that are loaded later. Default: `"linear"`.
   */
  get skinning(): Skinning {
    return SKINNINGS[this.#context.rust.skinning]!;
  }

  set skinning(skinning: Skinning) {
    this.#context.rust.skinning = wordIndex("skinning", skinning, SKINNINGS);
    this.#context.changed();
  }

  /** Sets how the vertices of one skin follow its joints, until {@link skinning} is set or another model is loaded. */
  setSkinning(skin: string | number, skinning: Skinning): void {
    this.#context.rust.setSkinning(this.#context.contents.skin(skin).index, wordIndex("skinning", skinning, SKINNINGS));
    this.#context.changed();
  }

  // ── reading ──

  /** Returns the world matrix of every node: 16 numbers each, column-major, in the file's node order. */
  worldMatrices(character = 0): Float32Array {
    return this.#context.rust.worldMatrices(this.#character(character));
  }

  /**
   * Returns the skinning matrix of every joint of a skin: its world matrix times its inverse bind matrix. 16 numbers
   * each, column-major, in the order of the skin's joints.
   */
  skinMatrices(skin = 0, character = 0): Float32Array {
    return this.#context.rust.skinMatrices(
      integer("skin", skin, 0, this.#context.contents.skins.length - 1, "UNKNOWN_SKIN"),
      this.#character(character),
    );
  }

  /** Returns the current weights of the morph targets of a node's mesh. */
  morphWeights(node: number, character = 0): Float32Array {
    return this.#context.rust.morphWeights(this.#context.contents.node(node).index, this.#character(character));
  }

  /** Contents of the model that is shown, or null. Throws after the player's end. */
  get #contents(): Contents | null {
    return this.#context.shown && this.#context.contents;
  }

  #character(character: number): number {
    return integer("character", character, 0, this.characterCount - 1, "UNKNOWN_CHARACTER");
  }

  #note(clip: string | number, notes: ClipNotes): void {
    this.#context.rust.setNotes(this.#context.contents.clip(clip).index, json("notes", notes));
    this.#context.changed();
  }
}

/** What scripts that are imported on first use have of this one. */
const MAIN_EXPORTS = {
  checkOptions,
  colorOf,
  crowdMatrices,
  crowdPhases,
  EASINGS,
  integer,
  isObject,
  lightOf,
  matrixOf,
  number,
  numbers,
  numbersOrNone,
  wordIndex,
  wrongValue,
};

/** Fetches the code that lets small characters have fewer triangles. Without it, all are drawn whole. */
async function coarsen(context: PlayerContext): Promise<void> {
  try {
    await context.extend();
    context.rust.coarsen();
    context.changed();
  } catch {
    // The player has ended, or the file can't be fetched, which the next call that needs it reports.
  }
}

/** Returns the error for what needs a model. */
export function noModel(): GambolError {
  return new GambolError("NO_MODEL", "No model is loaded; load one first.");
}
