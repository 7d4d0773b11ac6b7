/** A proxy of the `PlayerHandle` in the worker: forwards calls, and answers reads from the worker's reports. */
import type { PlayerHandle, PlayRecord } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { MainExports } from "./remote_host.js";
import { isReadError, keyOf, MEMBERS } from "./remote_messages.js";
import type { ActorUpdate, Call, EventBatch, Kind } from "./remote_messages.js";
import { deserializeError } from "./remote_worker.js";
import { writesOf, type KnownValues, type Write } from "./remote_writes.js";

/** Connection to the worker. */
export interface WorkerChannel {
  /** Whether the worker has carried out every call. */
  readonly upToDate: boolean;
  /** Returns the number of the batch that will contain the call. */
  call(call: Call): number;
  request(member: string, args: readonly unknown[]): Promise<unknown>;
}

type Member = keyof PlayerHandle;

export class RemoteRust implements KnownValues {
  readonly rust: PlayerHandle;
  /** Contents of the model that the worker reported last, or null. */
  contents: Contents | null = null;
  readonly #main: MainExports;
  readonly #channel: WorkerChannel;
  readonly #reported = new Map<string, unknown>();
  /** Values that were set and that the worker hasn't reported yet, in order, each with the batch of its call. */
  readonly #written = new Map<string, readonly (Write & { readonly batch: number })[]>();
  readonly #watched = new Set<string>();
  readonly #travels = new Map<number, Float32Array>();
  #replayed: EventBatch | null = null;

  constructor(main: MainExports, channel: WorkerChannel) {
    this.#main = main;
    this.#channel = channel;
    const rust = {};
    for (const [member, kind] of Object.entries(MEMBERS))
      Object.defineProperty(rust, member, this.#define(member, kind));
    this.rust = rust as PlayerHandle;
  }

  // ── reports ──

  /** `batch` is the number of the newest batch of calls that was carried out. */
  apply({ fresh, changes }: Omit<ActorUpdate, "actor">, batch: number): void {
    if (fresh) {
      this.#reported.clear();
      this.#watched.clear();
      this.#travels.clear();
    }
    for (const [key, value] of changes) {
      const [member, character] = key.split("\n");
      if (member === "takeTravel") this.#travel(Number(character), value as Float32Array);
      else this.#reported.set(key, value);
    }
    for (const [key, writes] of this.#written) {
      const left = writes.filter((write) => write.batch > batch);
      if (left.length > 0) this.#written.set(key, left);
      else this.#written.delete(key);
    }
  }

  /** Runs `collect`. Meanwhile reads return the recorded events, and the names valid when they were recorded. */
  replay(events: EventBatch, collect: () => void): void {
    this.#replayed = events;
    collect();
    this.#replayed = null;
  }

  request(member: Member | "extend", ...args: unknown[]): Promise<unknown> {
    return this.#channel.request(member, args);
  }

  // ── known values ──

  /** Returns the value that the worker reported last, with the values set since. */
  read(member: Member, ...args: unknown[]): unknown {
    const key = keyOf(member, ...args);
    return (this.#written.get(key) ?? []).reduce(applyWrite, this.#reported.get(key));
  }

  // ── members ──

  #define(member: string, kind: Kind): PropertyDescriptor {
    const own = member as Member;
    switch (kind) {
      case "value":
        return { get: () => this.#readReported(own, []) };
      case "setting":
        return { get: () => this.#readReported(own, []), set: (value) => this.#set(own, value) };
      case "list":
        return { value: () => (own === "layerNames" && this.#replayed?.layers) || this.#readReported(own, []) };
      case "ofLayer":
        return { value: (layer: string, ...more: unknown[]) => this.#ofLayer(own, layer, more) };
      case "ofParameter":
        return { value: (name: string) => this.#ofParameter(own, name) };
      case "watched":
        return { value: (...args: unknown[]) => this.#readWatched(own, args) };
      case "command":
        return { value: (...args: unknown[]) => this.#command(own, args) };
      case "move":
        return { value: (...args: unknown[]) => this.#move(own, args) };
      case "async":
        return { value: (...args: unknown[]) => this.#channel.request(own, args) };
      case "host":
        return this.#defineHostMember(own);
    }
  }

  /** Defines a member of kind `host`. The player itself uses only three of them. */
  #defineHostMember(member: Member): PropertyDescriptor {
    if (member === "hasEvents") return { get: () => this.#replayed !== null };
    if (member === "drainEvents") return { value: () => this.#replayed!.numbers };
    if (member === "takeTravel") return { value: (character: number) => this.#takeTravel(character) };
    return { value: undefined };
  }

  #readReported(member: Member, args: unknown[]): unknown {
    const value = this.read(member, ...args);
    if (isReadError(value)) throw deserializeError(value.thrown, this.#main);
    // Copied, since the page may modify it.
    return Array.isArray(value) || ArrayBuffer.isView(value) ? (value as Float32Array).slice() : value;
  }

  #readWatched(member: Member, args: unknown[]): unknown {
    const replayed = this.#replayed?.names.find(([key]) => key === keyOf(member, ...args));
    if (replayed) return replayed[1];
    if (member === "morph") this.#checkName("morph", args[0] as string);
    this.#watch(member, args);
    const value = this.#readReported(member, args);
    if (value !== undefined) return value;
    if (!this.contents) throw this.#error("NO_MODEL", "No model is loaded; load one first.");
    if (member === "nodeMatrix") {
      const node = args[0] as number;
      const { buffer } = this.#readReported("worldMatrices", [0]) as Float32Array;
      return new Float32Array(buffer, node * 64, 16).slice();
    }
    throw this.#notReportedYet();
  }

  #ofLayer(member: Member, layer: string, more: unknown[]): unknown {
    const replayed = this.#replayed?.names.find(([key]) => key === keyOf(member, layer, ...more));
    if (replayed) return replayed[1];
    return this.#readReported(member, [this.#checkName("layer", layer), ...more]);
  }

  #ofParameter(member: Member, name: string): unknown {
    const value = this.#readReported(member, [this.#checkName("parameter", name)]);
    if (value === undefined) throw this.#notReportedYet();
    return value;
  }

  #set(member: Member, value: unknown): void {
    this.#write(this.#channel.call({ do: "set", member, value }), member, [value]);
  }

  #move(member: Member, args: unknown[]): void {
    this.#write(this.#channel.call({ do: "move", member, args }), member, args);
  }

  #command(member: Member, args: unknown[]): unknown {
    const [first] = args;
    if (OF_A_LAYER.includes(member)) this.#checkName("layer", first as string);
    if (member === "setMorph") this.#checkName("morph", first as string);
    if (member === "setParameter") this.#checkName("parameter", first as string);
    // Number of the run that the call begins, if any.
    const run = member === "play" ? (args[2] as PlayRecord).run : undefined;
    this.#write(this.#channel.call({ do: "command", member, args, run }), member, args);
    return undefined;
  }

  #write(batch: number, member: Member, args: unknown[]): void {
    for (const write of this.#writes(member, args)) {
      const key = keyOf(write.member, ...write.args);
      const kept = (this.#written.get(key) ?? []).filter((earlier) => !replaces(write, earlier));
      this.#written.set(key, [...kept, { ...write, batch }]);
      if (MEMBERS[write.member] === "watched") this.#watch(write.member, write.args);
    }
  }

  /**
   * Returns the values that a call sets, and none for a call that the worker will reject: a page's motions, notes and
   * controllers may contain anything.
   */
  #writes(member: Member, args: unknown[]): Write[] {
    try {
      return writesOf(this, member, args).filter(({ value }) => allFinite(value));
    } catch {
      return [];
    }
  }

  #watch(member: Member, args: readonly unknown[]): void {
    const key = keyOf(member, ...args);
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    this.#channel.call({ do: "watch", member, args });
  }

  // ── root motion ──

  #takeTravel(character: number): Float32Array {
    this.#watch("takeTravel", [character]);
    const travel = this.#travels.get(character) ?? new Float32Array(4);
    this.#travels.delete(character);
    return travel;
  }

  /** Appends a piece of travel, which is relative to the end of the previous piece. */
  #travel(character: number, [x, y, z, yaw]: Float32Array): void {
    const [sumX, sumY, sumZ, sumYaw] = this.#travels.get(character) ?? [0, 0, 0, 0];
    const [sin, cos] = [Math.sin(sumYaw!), Math.cos(sumYaw!)];
    this.#travels.set(
      character,
      Float32Array.of(sumX! + cos * x! + sin * z!, sumY! + y!, sumZ! - sin * x! + cos * z!, sumYaw! + yaw!),
    );
  }

  // ── errors thrown without the worker ──

  #checkName(noun: "layer" | "morph" | "parameter", name: string): string {
    const names = this.read(`${noun}Names`) as string[];
    // A motion started by a pending call may add parameters.
    if (names.includes(name) || (noun === "parameter" && !this.#channel.upToDate)) return name;
    const listed = names.join(", ") || "none at all";
    throw this.#error(
      `UNKNOWN_${noun.toUpperCase()}`,
      `There is no ${noun === "morph" ? "morph target" : noun} “${name}”. There is: ${listed}.`,
    );
  }

  #notReportedYet(): Error {
    return this.#error("NOT_TOLD_YET", "The worker hasn't told of this yet. Ask again after “await player.settled()”.");
  }

  #error(code: string, message: string): Error {
    return new this.#main.GambolError(code, message);
  }
}

/** Whether a later write leaves nothing of an earlier one. A page may write many times before the worker reports. */
function replaces(later: Write, earlier: Write): boolean {
  const length = ({ value }: Write): number => (value as ArrayLike<number>).length;
  return later.at === undefined || (later.at === earlier.at && length(later) >= length(earlier));
}

/** Returns a value after a write. A partial write to an unknown value leaves it unknown. */
function applyWrite(before: unknown, { value, at }: Write): unknown {
  if (at === undefined) return value;
  if (before === undefined || isReadError(before)) return before;
  const numbers = (before as Float64Array).slice();
  numbers.set(value as Float64Array, at);
  return numbers;
}

function allFinite(value: unknown): boolean {
  const values = Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as unknown[]) : [value];
  return values.every((each) => typeof each !== "number" || Number.isFinite(each));
}

/** Commands whose first argument must be the name of an existing layer. */
const OF_A_LAYER: readonly Member[] = ["play", "removeLayer", "fadeLayer", "seekLayer", "stopLayer"];
