/** Actors: further models of a player. Imported with the first one. */
import type * as checks from "../checks.js";
import type * as errors from "../errors.js";
import type { LoadOptions, Source } from "../files/source.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { Host, ShownModel } from "../host/host.js";
import type { Vec3 } from "./camera.js";
import type { EventQueue } from "./event_queue.js";
import type { PlayerNode, Quat } from "./node.js";
import type { Performer } from "./performer.js";
import type { PlayerContext } from "./player_context.js";
import type { Runs } from "./run.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export interface MainExports
  extends Pick<typeof checks, "checkOptions" | "isObject" | "number" | "numbers" | "wrongValue">,
    Pick<typeof errors, "abortedBy" | "asError" | "GambolError"> {
  readonly EventQueue: typeof EventQueue;
  readonly Performer: typeof Performer;
  readonly Runs: typeof Runs;
}

/** A transform: a point, a column-major 4×4 matrix, or a position, a rotation and a scale. */
export type Placement =
  | Vec3
  | Float32Array
  | { readonly position?: Vec3; readonly rotation?: Quat; readonly scale?: number | Vec3 };

/** How an actor follows a node. */
export interface AttachOptions {
  /** Transform of the actor in the space of the node. Default: the actor's origin is at the node's. */
  offset?: Placement;
}

/**
 * A further model of a player. {@link Player.add} returns it.
 *
 * Its members are those of the player that concern one model, and apply to this model alone. Its time passes with the
 * player's. Camera, canvas and picture are the player's. Positions that are given to it, such as goals, are in the
 * world; places of its characters are relative to its own.
 */
export interface Actor extends Performer {
  /** Position in world space. While the actor is attached or worn, it has no effect. */
  get position(): Vec3;
  set position(position: Vec3);
  /** Rotation in world space. */
  get rotation(): Quat;
  set rotation(rotation: Quat);
  /** Scale; 1 is the size in the file. One number scales all axes. */
  get scale(): Vec3;
  set scale(scale: number | Vec3);
  /** Whether the actor is drawn, casts a shadow and is framed. A hidden actor keeps playing. */
  get visible(): boolean;
  set visible(visible: boolean);
  /** Whether the actor belongs to the player. False after {@link remove}. */
  readonly alive: boolean;
  /**
   * Attaches the actor to a node of the player's own model or of another actor, such as a sword to a hand: it follows
   * the node on the first character. Null lets it stand at its own place again, as does another model of the other.
   *
   * The actor keeps its size: the scale that the node has in the file's rest pose is left out.
   */
  attachTo(node: PlayerNode | null, options?: AttachOptions): void;
  /**
   * Lets the actor wear the skeleton of the player's own model or of another actor, as an outfit: its nodes have the
   * transforms of the other's nodes of the same name. Null lets it stand at its own place again.
   *
   * The outfit must be made for the other's skeleton. One without a joint of the same name throws `NO_FITTING_JOINTS`.
   */
  wear(wearer: Performer | null): void;
  /** Removes the actor and frees what it holds. What followed it stands at its own place. */
  remove(): void;
}

/** An actor, with the queue of its events. */
export interface Member {
  readonly actor: Actor;
  readonly events: EventQueue;
}

/** What actors use of their player. */
export interface Company {
  /** Throws after the player's end. */
  readonly host: Host;
  /** The context of the player itself. */
  readonly context: PlayerContext;
  /** The actors, by number. */
  readonly members: Map<number, Member>;
  /** Aborted at the player's end. */
  readonly ended: AbortSignal;
}

/** Adds an actor, for {@link Player.add}. */
export async function addActor(
  source: Source,
  options: LoadOptions,
  company: Company,
  main: MainExports,
): Promise<Actor> {
  const own = main.abortedBy(options.signal, company.ended);
  try {
    const { actor: number, ...shown } = await company.host.add(source, { ...options, signal: own.signal });
    const actor = new (actorClass(main))(number, shown, company);
    const events = new main.EventQueue(actor, actor.context);
    company.members.set(number, { actor, events });
    company.context.changed();
    void shown.later?.then((warnings) => {
      if (!actor.alive) return;
      shown.warnings = warnings;
      events.dispatch("textures", { warnings });
    });
    return actor;
  } catch (error) {
    throw own.signal.aborted ? own.signal.reason : main.asError(error, "LOAD_FAILED");
  } finally {
    // Removes the listeners.
    own.abort();
  }
}

let known: ReturnType<typeof defineActor> | null = null;

/** Returns the class of actors. It extends one of the main script, so that it can't be defined without that script. */
function actorClass(main: MainExports): ReturnType<typeof defineActor> {
  return (known ??= defineActor(main));
}

function defineActor({
  checkOptions,
  GambolError,
  isObject,
  number,
  numbers,
  Performer,
  Runs,
  wrongValue,
}: MainExports) {
  /** Returns the column-major matrix of a placement. */
  const matrixOf = (placement: Placement): Float32Array => {
    if (!isObject(placement)) throw wrongValue("place", placement, "a point, a matrix or an object");
    if ((placement as ArrayLike<number>).length === 16) return numbers("place", placement, 16);
    const {
      position = [0, 0, 0],
      rotation = UNTURNED,
      scale = 1,
    } = "length" in placement ? { position: placement as Vec3 } : placement;
    return compose(numbers("place", position), turnOf(rotation), sizeOf(scale));
  };
  const turnOf = (rotation: Quat): Quat => {
    const [x, y, z, w] = numbers("rotation", rotation, 4) as unknown as Quat;
    const length = Math.hypot(x, y, z, w);
    if (length === 0) throw wrongValue("rotation", rotation, "a quaternion whose length isn't 0", "OUT_OF_RANGE");
    return [x / length, y / length, z / length, w / length];
  };
  const sizeOf = (scale: number | Vec3): Vec3 => {
    const [x, y, z] = isObject(scale) ? numbers("scale", scale) : new Float32Array(3).fill(number("scale", scale));
    return [x!, y!, z!];
  };

  return class extends Performer implements Actor {
    readonly #number: number;
    readonly #company: Company;
    #position: Vec3 = [0, 0, 0];
    #rotation: Quat = UNTURNED;
    #scale: Vec3 = [1, 1, 1];
    #visible = true;
    #removed = false;

    constructor(actor: number, shown: ShownModel, company: Company) {
      // The getters below run only after `super()` has returned.
      const own = () => this;
      super({
        actor,
        get shown() {
          return own().alive ? shown : null;
        },
        get rust() {
          return own().#host.rustOf(actor);
        },
        get contents() {
          return own().#host && shown.contents;
        },
        get upToDate() {
          return company.context.upToDate;
        },
        runs: new Runs(),
        replaced: company.ended,
        ended: company.ended,
        addClips: (source, options) => this.#host.addClips(source, options, actor),
        extend: (part) => this.#host.extend(part),
        rearrange: (change) => {
          this.#host.rearrange(change, actor);
          company.context.changed();
        },
        seeking: () => {
          company.members.get(actor)?.events.seeking();
          company.context.changed();
        },
        changed: () => company.context.changed(),
      });
      this.#number = actor;
      this.#company = company;
    }

    get position(): Vec3 {
      return this.#position;
    }

    set position(position: Vec3) {
      const [x, y, z] = numbers("place", position);
      this.#position = [x!, y!, z!];
      this.#place();
    }

    get rotation(): Quat {
      return this.#rotation;
    }

    set rotation(rotation: Quat) {
      this.#rotation = turnOf(rotation);
      this.#place();
    }

    get scale(): Vec3 {
      return this.#scale;
    }

    set scale(scale: number | Vec3) {
      this.#scale = sizeOf(scale);
      this.#place();
    }

    get visible(): boolean {
      return this.#visible;
    }

    set visible(visible: boolean) {
      this.#change((rust) => rust.showActor(this.#number, !!visible));
      this.#visible = !!visible;
    }

    get alive(): boolean {
      return !this.#removed && !this.#company.ended.aborted;
    }

    attachTo(node: PlayerNode | null, options: AttachOptions = {}): void {
      const { offset = {} } = checkOptions(options);
      const leader = node === null ? undefined : this.#other(node?.context, "node", node);
      const matrix = matrixOf(offset);
      this.#change((rust) => rust.attachActor(this.#number, leader, node?.index ?? 0, matrix));
    }

    wear(wearer: Performer | null): void {
      const leader = wearer === null ? undefined : this.#other(wearer?.context, "wearer", wearer);
      this.#change((rust) => rust.wearActor(this.#number, leader));
    }

    remove(): void {
      if (!this.alive) return;
      this.#host.remove(this.#number);
      this.#removed = true;
      this.#company.members.get(this.#number)?.events.clear();
      this.#company.members.delete(this.#number);
      this.context.runs.endAll();
      this.#company.context.changed();
    }

    #place(): void {
      const matrix = compose(this.#position, this.#rotation, this.#scale);
      this.#change((rust) => rust.placeActor(this.#number, matrix));
    }

    #change(change: (rust: PlayerHandle) => void): void {
      change(this.#host.rust);
      this.#company.context.changed();
    }

    /** Returns the number of the actor that a context belongs to, which must have the same player. */
    #other(context: PlayerContext | undefined, what: string, value: unknown): number {
      const { context: first, members } = this.#company;
      const number = context?.actor ?? 0;
      const held = number === 0 ? first : members.get(number)?.actor.context;
      if (!context || context !== held) throw wrongValue(what, value, `a ${what} of the same player`);
      return number;
    }

    get #host(): Host {
      const { host } = this.#company;
      if (this.#removed) throw new GambolError("UNKNOWN_ACTOR", "This actor was removed; add it again.");
      return host;
    }
  };
}

const UNTURNED: Quat = [0, 0, 0, 1];

/** Returns the column-major matrix of a translation, a rotation and a scale. */
function compose(
  [tx, ty, tz]: ArrayLike<number> & Iterable<number>,
  [x, y, z, w]: Quat,
  [sx, sy, sz]: Vec3,
): Float32Array {
  // The three columns of the rotation, each scaled.
  return Float32Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)].map((entry) => entry * sx),
    0,
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)].map((entry) => entry * sy),
    0,
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)].map((entry) => entry * sz),
    0,
    tx!,
    ty!,
    tz!,
    1,
  );
}
