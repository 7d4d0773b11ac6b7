/** Finds the values that differ from those reported to the page. */
import type { PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { Host } from "../host/host.js";
import { asError, GambolError } from "../errors.js";
import { keyOf, MEMBERS, OF_THE_PLAYER, type SerializedError, type ReadError } from "./remote_messages.js";

type Member = keyof PlayerHandle;

const OF_KIND = (...kinds: string[]): Member[] =>
  (Object.keys(MEMBERS) as Member[]).filter((member) => kinds.includes(MEMBERS[member]));
const VALUES = OF_KIND("value", "setting");
const LISTS = OF_KIND("list");

export class Reporter {
  /** Its handle changes when the first picture has been checked. */
  readonly #host: Pick<Host, "rust">;
  readonly #isReported: (member: Member) => boolean;
  readonly #reported = new Map<string, unknown>();
  /** Members that the page has read, by key. `#once` has those to report once, with a new model or new markers. */
  readonly #watched = new Map<string, readonly [member: Member, args: readonly unknown[]]>();
  #once: (readonly [member: Member, args: readonly unknown[]])[] = [];
  #clipCount = 0;

  constructor(host: Pick<Host, "rust">, isOfPlayer: boolean) {
    this.#host = host;
    this.#isReported = (member) => isOfPlayer || !OF_THE_PLAYER.includes(member);
  }

  watch(member: string, args: readonly unknown[]): void {
    this.#watched.set(keyOf(member, ...args), [member as Member, args]);
  }

  /** Begins reporting for another model. */
  begin({ clips, nodes, skins, materials }: Contents): void {
    this.#reported.clear();
    this.#watched.clear();
    this.#clipCount = clips.length;
    this.#once = [
      ["bounds", []],
      ["worldMatrices", [0]],
      ["member", [0]],
    ];
    for (const { index } of skins) this.#once.push(["skinMatrices", [index, 0]]);
    for (const { index, hasMesh } of nodes) if (hasMesh) this.#once.push(["morphWeights", [index, 0]]);
    for (const name of this.#host.rust.morphNames()) this.#once.push(["morph", [name]]);
    for (const { index } of materials) this.#once.push(["material", [index]]);
    this.forgetNotes();
  }

  /** Reports clips that were added. */
  addClips(count: number): void {
    this.#clipCount += count;
    this.forgetNotes();
  }

  /** Reports the markers of all clips again, after they were set. */
  forgetNotes(): void {
    for (let clip = 0; clip < this.#clipCount; clip++)
      this.#once.push(["markerNames", [clip]], ["markerTimes", [clip]]);
  }

  /** Returns the values that have changed since the previous call. */
  changes(): [key: string, value: unknown][] {
    const { rust } = this.#host;
    const changes: [string, unknown][] = [];
    const report = (member: Member, args: readonly unknown[]) => {
      if (!this.#isReported(member)) return;
      const key = keyOf(member, ...args);
      const value = this.#read(member, args);
      if (member === "takeTravel") {
        // Each read resets the travel, so every piece that isn't zero is reported.
        if ((value as Float32Array).some((number) => number !== 0)) changes.push([key, value]);
      } else if (!this.#reported.has(key) || !same(this.#reported.get(key), value)) {
        this.#reported.set(key, value);
        changes.push([key, value]);
      }
    };
    for (const member of VALUES) report(member, []);
    for (const member of LISTS) report(member, []);
    for (const layer of rust.layerNames()) {
      report("layer", [layer]);
      report("stateName", [layer]);
    }
    for (const parameter of rust.parameterNames()) report("parameter", [parameter]);
    for (const [member, args] of this.#once.splice(0)) report(member, args);
    for (const [member, args] of this.#watched.values()) report(member, args);
    return changes;
  }

  #read(member: Member, args: readonly unknown[]): unknown {
    try {
      const { rust } = this.#host;
      const target = rust[member] as unknown;
      return typeof target === "function" ? target.apply(rust, args) : target;
    } catch (error) {
      return { thrown: serializeError(asError(error)) } satisfies ReadError;
    }
  }
}

export function serializeError(error: Error): SerializedError {
  const { code, place } = error instanceof GambolError ? error : { code: undefined, place: "" };
  return { name: error.name, code, place, message: error.message };
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!Object.is(a[at], b[at])) return false;
  return true;
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}
