/** What a player plays, and who in it: everything that has to do with neither files nor pictures. */
import { STATES, type PlayState } from "../engine/wasm.js";
import type { Clip, ModelNode } from "../files/contents.js";
import type { Vec3 } from "./camera.js";
import { given, json, number, ofKind, whole } from "../checks.js";
import { PlayerCharacter } from "./character.js";
import { crowdMatrices, crowdPhases, MOST_CHARACTERS, type CrowdOptions, type Place, type Standing } from "./crowd.js";
import { PlayerEventTarget } from "./events.js";
import { BASE, Layer, playIn, readLayer } from "./layer.js";
import type { Link } from "./link.js";
import { PlayerMaterial } from "./material.js";
import { PlayerMorph } from "./morph.js";
import type { ClipNotes, Controller, LayerOptions, Marker, Motion, PlayOptions, RootMotion } from "./motion.js";
import { PlayerNode, type LookOptions, type ReachOptions } from "./node.js";
import type { Travel } from "./options.js";
import { Parameters } from "./parameters.js";
import { passesOf, type Loop, type Run } from "./run.js";

/** The part of {@link Player} that is the same without a canvas. */
export abstract class Performer extends PlayerEventTarget {
  /** What the page turns, and blends and transitions read. */
  readonly parameters: Parameters;
  readonly #link: Link;
  readonly #characters: PlayerCharacter[] = [];
  #loop: Loop = "repeat";

  /** @internal */
  protected constructor(link: Link) {
    super();
    this.#link = link;
    this.parameters = new Parameters(link);
  }

  /** @internal */
  protected get link(): Link {
    return this.#link;
  }

  // ── playing ──

  /**
   * Starts a motion in the base layer; without one, goes on after a pause in all layers, or starts the first clip where
   * there is nothing to go on with.
   */
  play(motion?: Motion, options: PlayOptions = {}): Run {
    const { rust, runs } = this.#link;
    const held = motion === undefined && rust.layerNames().find((name) => readLayer(rust, name, "run") >= 0);
    if (!held) return playIn(this.#link, BASE, motion ?? 0, options, this.#loop);
    rust.resume();
    this.#link.changed();
    return runs.begin(readLayer(rust, held, "run"), this.#link.contents.clips[readLayer(rust, held, "clip")]!, held);
  }

  /** Everything stands still; `play()` goes on. */
  pause(): void {
    this.#link.rust.pause();
    this.#link.changed();
  }

  /** Back to the rest pose. */
  stop(): void {
    this.#link.rust.stop();
    this.#link.changed();
  }

  /** The one truth about playing, of the base layer. */
  get state(): PlayState {
    return STATES[this.#link.rust.state]!;
  }

  /** Whether nothing plays: paused, at its end, or stopped. */
  get paused(): boolean {
    return this.state !== "playing";
  }

  /** Whether the last pass is over, its last pose held. */
  get ended(): boolean {
    return this.state === "finished";
  }

  /** What plays, or is paused; null when stopped. */
  get clip(): Clip | null {
    const clip = this.#link.rust.clip;
    return clip < 0 ? null : this.#link.contents.clips[clip]!;
  }

  /** In seconds. Setting it seeks, exactly, and passes no marker. */
  get currentTime(): number {
    return this.#link.rust.currentTime;
  }

  set currentTime(secs: number) {
    this.#link.rust.currentTime = number("time", secs);
    this.#link.sought();
  }

  /** Of the current clip, in seconds; 0 without one. */
  get duration(): number {
    return this.#link.rust.duration;
  }

  /** Negative runs backwards. Outlives the model. */
  get playbackRate(): number {
    return this.#link.rust.playbackRate;
  }

  set playbackRate(rate: number) {
    this.#link.rust.playbackRate = number("playbackRate", rate);
    this.#link.changed();
  }

  /** For what plays now, and for whatever is played later without saying. */
  get loop(): Loop {
    return this.#loop;
  }

  set loop(loop: Loop) {
    const { passes, bounce } = passesOf(loop);
    this.#link.rust.setLooping(passes, bounce);
    this.#loop = loop;
    this.#link.changed();
  }

  // ── layers and controllers ──

  /** Their names, the base first. */
  get layers(): readonly string[] {
    return this.#link.rust.layerNames();
  }

  /**
   * The layer of that name, made above the others if there is none. Options replace those that it had, while what it
   * plays goes on; mode and reference count from its next motion on.
   */
  layer(name: string, options?: LayerOptions): Layer {
    if (options || !this.layers.includes(ofKind("name", name, "string"))) {
      this.#link.rust.setLayer(ofKind("name", name, "string"), json("options", given(options)));
      this.#link.changed();
    }
    return new Layer(name, this.#link);
  }

  /** All or nothing: one with an error leaves everything as it was. Null lets go of the machines. */
  setController(controller: Controller | string | null): void {
    const written = controller === null ? undefined : typeof controller === "string" ? controller : json("controller", controller);
    this.#link.rearrange(() => this.#link.rust.setController(written));
  }

  // ── notes on clips ──

  /** Those that were set, and those of the controller. */
  markers(clip: string | number): readonly Marker[] {
    const { index } = this.#link.contents.clip(clip);
    const times = this.#link.rust.markerTimes(index);
    return this.#link.rust.markerNames(index).map((name, at) => ({ name, time: times[at]! }));
  }

  /** Times that cause an event when they are passed. */
  setMarkers(clip: string | number, markers: readonly Marker[]): void {
    this.#note(clip, { markers: markers ?? null });
  }

  /** Times, ascending, that correspond between clips played in phase, such as footfalls; they count from the next `play`. */
  setBeats(clip: string | number, beats: readonly number[]): void {
    this.#note(clip, { beats: beats ?? null });
  }

  /** Counts from the next `play` on. */
  setRootMotion(clip: string | number, root: RootMotion): void {
    this.#note(clip, { root: root ?? null });
  }

  /** Whose way over the ground `setRootMotion` is about; null finds it. */
  get rootNode(): ModelNode | null {
    const node = this.#link.rust.rootNode;
    return node < 0 ? null : this.#link.contents.nodes[node]!;
  }

  set rootNode(node: string | number | null) {
    this.#link.rust.rootNode = node === null ? -1 : this.#link.contents.node(node).index;
    this.#link.changed();
  }

  /** The way that was extracted since it was last taken, seen from where it began. */
  takeTravel(character = 0): Travel {
    const [x, y, z, yaw] = this.#link.rust.takeTravel(this.#character(character)) as unknown as [number, number, number, number];
    return { translation: [x, y, z], yaw };
  }

  // ── by hand ──

  /** By name or number, to read and to move. */
  node(node: string | number): PlayerNode {
    return new PlayerNode(this.#link.contents.node(node), this.#link);
  }

  /** Turns a node towards a point of the world, over whatever plays; null lets it play again. */
  lookAt(node: string | number, target: Vec3 | null, options?: LookOptions): void {
    this.node(node).lookAt(target, options);
  }

  /** Bends the limb that ends in a node so that it comes to a point of the world; null lets it play again. */
  reach(node: string | number, target: Vec3 | null, options?: ReachOptions): void {
    this.node(node).reach(target, options);
  }

  /** By name, to read and to set. */
  morph(name: string): PlayerMorph {
    this.#link.rust.morph(ofKind("name", name, "string"));
    return new PlayerMorph(name, this.#link);
  }

  /** Names of morph targets, each once. */
  get morphs(): readonly string[] {
    return this.#link.rust.morphNames();
  }

  /** By name or number, to draw it otherwise than the file says. */
  material(material: string | number): PlayerMaterial {
    return new PlayerMaterial(this.#link.contents.material(material), this.#link);
  }

  // ── many ──

  /**
   * Many characters of this model, each at its own time and place; 1 is the player alone again. Answers with all of them,
   * which stand and look as the options say: what was set for single ones before is forgotten.
   */
  crowd(count: number, options: CrowdOptions = {}): readonly PlayerCharacter[] {
    const { rust, contents } = this.#link;
    const { clip, phases, place } = given(options);
    const played = clip == null ? -1 : contents.clip(clip).index;
    whole("crowd", count, 1, MOST_CHARACTERS, "CROWD_SIZE");
    rust.crowd(count, played, crowdPhases(count, phases), crowdMatrices(count, place));
    this.#link.changed();
    return this.characters;
  }

  /** All who play the model, each to be moved, tinted and played by itself. The first leads; without a crowd it is alone. */
  get characters(): readonly PlayerCharacter[] {
    const held = this.#characters;
    const count = this.characterCount;
    while (held.length < count) held.push(new PlayerCharacter(held.length, this.#link));
    held.length = count;
    return held;
  }

  /** Where the first character stands: without a crowd, the only one. See {@link PlayerCharacter.place}. */
  get place(): Standing {
    return this.characters[0]!.place;
  }

  set place(place: Place) {
    this.characters[0]!.place = place;
  }

  /** How many characters are drawn; 1 without a crowd. */
  get characterCount(): number {
    return this.#link.rust.characterCount;
  }

  // ── reading ──

  /** 16 numbers a node, column-major, in the file's node order. */
  worldMatrices(character = 0): Float32Array {
    return this.#link.rust.worldMatrices(this.#character(character));
  }

  /** 16 numbers a joint: where it stands times its inverse bind matrix. */
  skinMatrices(skin = 0, character = 0): Float32Array {
    return this.#link.rust.skinMatrices(
      whole("skin", skin, 0, this.#link.contents.skins.length - 1, "UNKNOWN_SKIN"),
      this.#character(character),
    );
  }

  /** One number per morph target of the node's mesh. */
  morphWeights(node: number, character = 0): Float32Array {
    return this.#link.rust.morphWeights(this.#link.contents.node(node).index, this.#character(character));
  }

  #character(character: number): number {
    return whole("character", character, 0, this.characterCount - 1, "UNKNOWN_CHARACTER");
  }

  #note(clip: string | number, notes: ClipNotes): void {
    this.#link.rust.setNotes(this.#link.contents.clip(clip).index, json("notes", notes));
    this.#link.changed();
  }
}
