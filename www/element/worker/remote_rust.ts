/** The page's image of a wasm side that is in a worker: it sends on what is asked, and answers with what it was told. */
import type { PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import { predict, type Guess } from "./remote_guess.js";
import type { RemoteCore } from "./remote_host.js";
import {
  FIRST_RUN,
  isRefusal,
  keyOf,
  MEMBERS,
  type Call,
  type Happened,
  type Kind,
  type News,
  type Runs,
} from "./remote_messages.js";
import { errorOf } from "./remote_worker.js";

/** The way to the worker. */
export interface Line {
  /** Answers with the number of the batch that it will be in. */
  call(call: Call): number;
  ask(member: string, args: readonly unknown[]): Promise<unknown>;
}

type Member = keyof PlayerHandle;

export class RemoteRust {
  readonly rust: PlayerHandle;
  /** Of the model that the page knows to be shown. */
  contents: Contents | null = null;
  readonly #core: RemoteCore;
  readonly #line: Line;
  readonly #told = new Map<string, unknown>();
  /** What was asked and not yet told, with the batch that it was asked in. */
  readonly #expected = new Map<string, { value: unknown; batch: number }>();
  readonly #watched = new Set<string>();
  readonly #travels = new Map<number, Float32Array>();
  #recalled: Happened | null = null;
  #lastRun = FIRST_RUN;

  constructor(core: RemoteCore, line: Line) {
    this.#core = core;
    this.#line = line;
    const rust = {};
    for (const [member, kind] of Object.entries(MEMBERS)) Object.defineProperty(rust, member, this.#define(member, kind));
    this.rust = rust as PlayerHandle;
  }

  // ── what is told ──

  learn({ fresh, changes, batch }: News): void {
    if (fresh) {
      this.#told.clear();
      this.#watched.clear();
      this.#travels.clear();
    }
    for (const [key, value] of changes) {
      const [member, character] = key.split("\n");
      if (member === "takeTravel") this.#travel(Number(character), value as Float32Array);
      else this.#told.set(key, value);
    }
    for (const [key, expected] of this.#expected) if (expected.batch <= batch) this.#expected.delete(key);
  }

  /** While `collect` runs, events and what their numbers stand for are those of then. */
  recall(happened: Happened, collect: () => void): void {
    this.#recalled = happened;
    collect();
    this.#recalled = null;
  }

  ask(member: Member, ...args: unknown[]): Promise<unknown> {
    return this.#line.ask(member, args);
  }

  // ── for whoever predicts ──

  /** What is known or expected of a member. */
  read(member: Member, ...args: unknown[]): unknown {
    const key = keyOf(member, ...args);
    const expected = this.#expected.get(key);
    return expected ? expected.value : this.#told.get(key);
  }

  layers(): string[] {
    return this.read("layerNames") as string[];
  }

  // ── members ──

  #define(member: string, kind: Kind): PropertyDescriptor {
    const own = member as Member;
    switch (kind) {
      case "value":
        return { get: () => this.#answer(own, []) };
      case "setting":
        return { get: () => this.#answer(own, []), set: (value) => this.#set(own, value) };
      case "list":
        return { value: () => (own === "layerNames" && this.#recalled?.layers) || this.#answer(own, []) };
      case "ofLayer":
        return { value: (layer: string, ...more: unknown[]) => this.#ofLayer(own, layer, more) };
      case "ofParameter":
        return { value: (name: string) => this.#answer(own, [this.#known("parameter", name)]) };
      case "asked":
        return { value: (...args: unknown[]) => this.#asked(own, args) };
      case "command":
        return { value: (...args: unknown[]) => this.#command(own, args) };
      case "move":
        return { value: (...args: unknown[]) => this.#foresee(this.#line.call({ do: "move", member, args }), own, args) };
      case "question":
        return { value: (...args: unknown[]) => this.#line.ask(own, args) };
      case "inner":
        return this.#inner(own);
    }
  }

  /** Those few of the inner ones that the player itself asks. */
  #inner(member: Member): PropertyDescriptor {
    if (member === "hasEvents") return { get: () => this.#recalled !== null };
    if (member === "drainEvents") return { value: () => this.#recalled!.numbers };
    if (member === "takeTravel") return { value: (character: number) => this.#takeTravel(character) };
    return { value: undefined };
  }

  #answer(member: Member, args: unknown[]): unknown {
    const value = this.read(member, ...args);
    if (isRefusal(value)) throw errorOf(value.refusal, this.#core);
    // The page may do with it what it likes.
    return Array.isArray(value) || ArrayBuffer.isView(value) ? (value as Float32Array).slice() : value;
  }

  #asked(member: Member, args: unknown[]): unknown {
    const recalled = this.#recalled?.names.find(([key]) => key === keyOf(member, ...args));
    if (recalled) return recalled[1];
    if (member === "morph") this.#known("morph", args[0] as string);
    this.#watch(member, args);
    const value = this.#answer(member, args);
    if (value !== undefined) return value;
    if (!this.contents) throw this.#error("NO_MODEL", "No model is loaded; load one first.");
    if (member === "nodeMatrix") {
      const node = args[0] as number;
      const { buffer } = this.#answer("worldMatrices", [0]) as Float32Array;
      return new Float32Array(buffer, node * 64, 16).slice();
    }
    throw this.#error("NOT_TOLD_YET", "The worker hasn't told of this yet. Ask again after “await player.settled()”.");
  }

  #ofLayer(member: Member, layer: string, more: unknown[]): unknown {
    const recalled = this.#recalled?.names.find(([key]) => key === keyOf(member, layer, ...more));
    if (recalled) return recalled[1];
    return this.#answer(member, [this.#known("layer", layer), ...more]);
  }

  #set(member: Member, value: unknown): void {
    this.#foresee(this.#line.call({ do: "set", member, value }), member, [value]);
  }

  #command(member: Member, args: unknown[]): unknown {
    const [first] = args;
    if (OF_A_LAYER.includes(member)) this.#known("layer", first as string);
    if (member === "setMorph") this.#known("morph", first as string);
    if (member === "setParameter") this.#known("parameter", first as string);
    if (member !== "play" && member !== "setController") {
      this.#foresee(this.#line.call({ do: "command", member, args }), member, args);
      return undefined;
    }
    // The page numbers its runs itself, since it can't wait for the wasm side's numbers.
    const layers = member === "play" ? [first as string] : this.layers();
    const runs: Runs = layers.map((layer) => [layer, ++this.#lastRun] as const);
    this.#foresee(this.#line.call({ do: "command", member, args, runs }), member, args, runs);
    return runs[0]![1];
  }

  #foresee(batch: number, member: Member, args: unknown[], runs: Runs = []): void {
    for (const [known, parameters, value] of this.#predict(member, args, runs)) {
      this.#expected.set(keyOf(known, ...parameters), { value, batch });
      if (MEMBERS[known] === "asked") this.#watch(known, parameters);
    }
  }

  /** Nothing for what will be refused: the motions and notes of a page may be anything. */
  #predict(member: Member, args: unknown[], runs: Runs): Guess[] {
    try {
      return predict(this, member, args, runs).filter(([, , value]) => isSound(value));
    } catch {
      return [];
    }
  }

  #watch(member: Member, args: readonly unknown[]): void {
    const key = keyOf(member, ...args);
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    this.#line.call({ do: "watch", member, args });
  }

  // ── the way over the ground ──

  #takeTravel(character: number): Float32Array {
    this.#watch("takeTravel", [character]);
    const travel = this.#travels.get(character) ?? new Float32Array(4);
    this.#travels.delete(character);
    return travel;
  }

  /** A piece of the way more, seen from where the one before ended. */
  #travel(character: number, [x, y, z, yaw]: Float32Array): void {
    const [wayX, wayY, wayZ, turned] = this.#travels.get(character) ?? [0, 0, 0, 0];
    const [sin, cos] = [Math.sin(turned!), Math.cos(turned!)];
    this.#travels.set(
      character,
      Float32Array.of(wayX! + cos * x! + sin * z!, wayY! + y!, wayZ! - sin * x! + cos * z!, turned! + yaw!),
    );
  }

  // ── refusals that need no worker ──

  #known(noun: "layer" | "morph" | "parameter", name: string): string {
    const names = this.read(`${noun}Names`) as string[];
    if (names.includes(name)) return name;
    const listed = names.join(", ") || "none at all";
    throw this.#error(`UNKNOWN_${noun.toUpperCase()}`, `There is no ${noun === "morph" ? "morph target" : noun} “${name}”. There is: ${listed}.`);
  }

  #error(code: string, message: string): Error {
    return new this.#core.GambolError(code, message);
  }
}

function isSound(value: unknown): boolean {
  const numbers = typeof value === "number" ? [value] : ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : [];
  return numbers.every(Number.isFinite);
}

/** Commands that are about a layer that there must be. */
const OF_A_LAYER: readonly Member[] = ["play", "removeLayer", "fadeLayer", "seekLayer", "stopLayer"];
