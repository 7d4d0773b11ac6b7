/**
 * Validates arguments on the page's side, before the host is called, so that a player in a worker throws the same
 * errors at the same time. A wrong value throws a `GambolError` and changes nothing.
 */
import { GambolError } from "./errors.js";

const ANY = [-1e9, 1e9] as const;
const FINITE = [-Number.MAX_VALUE, Number.MAX_VALUE] as const;
const FROMZERO = [0, 1e9] as const;
const ABOVEZERO = [1e-9, 1e9] as const;
const SHARE = [0, 1] as const;

// Ranges other than ANY. The Rust side has the same table in `src/player/value.rs`; `tests/playback/values.rs` fails
// when they differ.
const RANGES: { readonly [what: string]: readonly [least: number, most: number] } = {
  time: FINITE,
  step: ABOVEZERO,
  release: FROMZERO,
  weight: SHARE,
  limit: FROMZERO,
  smoothing: FROMZERO,
  inset: FROMZERO,
  zoom: ABOVEZERO,
  distance: ABOVEZERO,
  fov: ABOVEZERO,
  exposure: FROMZERO,
  environmentIntensity: FROMZERO,
  lightsIntensity: FROMZERO,
  background: SHARE,
  alpha: SHARE,
  color: FROMZERO,
  metallic: SHARE,
  roughness: SHARE,
  friction: FROMZERO,
  damping: FROMZERO,
};

/** Returns a number within its range. As in the DOM, a string that contains a number is accepted. */
export function number(what: string, value: unknown): number {
  const found = typeof value === "string" && value.trim() ? Number(value) : value;
  const [least, most] = RANGES[what] ?? ANY;
  const finite = typeof found === "number" && Number.isFinite(found);
  if (finite && found >= least && found <= most) return found;
  throw wrongValue(what, value, `a number from ${least} to ${most}`, finite ? "OUT_OF_RANGE" : "NOT_FINITE");
}

/** Returns `length` numbers, each within the range. */
export function numbers(what: string, value: unknown, length = 3): Float32Array {
  if (!isObject(value) || (value as ArrayLike<number>).length !== length)
    throw wrongValue(what, value, `${length} numbers`);
  return Float32Array.from(value as ArrayLike<number>, (each) => number(what, each));
}

/** Returns three numbers, or an empty array for null and undefined. */
export function numbersOrNone(what: string, value: unknown): Float32Array {
  return value == null ? new Float32Array() : numbers(what, value);
}

/** Returns a whole number within limits. */
export function integer(what: string, value: unknown, least: number, most: number, code = "OUT_OF_RANGE"): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw wrongValue(what, value, `a whole number from ${least} to ${most}`, code);
}

/** Returns the index of a word in a list, or throws if it isn't there. */
export function wordIndex(what: string, value: unknown, list: readonly string[]): number {
  const at = list.indexOf(value as string);
  if (at < 0) throw wrongValue(what, value, list.join(" or "), "OUT_OF_RANGE");
  return at;
}

/** Returns the value if it is of the given type, or throws. */
export function ofType<Value>(what: string, value: Value, kind: "string" | "function"): Value {
  if (typeof value !== kind) throw wrongValue(what, value, `a ${kind}`);
  return value;
}

/** Returns the options, or an empty object. Checks the members that are used only later: `signal` and `onProgress`. */
export function checkOptions<Options extends object>(options: Options | null | undefined): Options {
  if (options != null && !isObject(options)) throw wrongValue("options", options, "an object");
  const { signal, onProgress } = (options ?? {}) as { signal?: AbortSignal | null; onProgress?: unknown };
  if (signal != null && !signal.throwIfAborted) throw wrongValue("signal", signal, "an AbortSignal");
  if (onProgress != null) ofType("onProgress", onProgress, "function");
  return options ?? ({} as Options);
}

/** Serializes plain data for the WebAssembly. */
export function json(what: string, value: unknown): string {
  let written: string | undefined;
  try {
    written = JSON.stringify(value, (_, inner: unknown) => {
      // JSON would leave them out silently.
      if (typeof inner === "function" || typeof inner === "symbol") throw inner;
      return inner;
    });
  } catch {
    // Cyclic data can't be serialized either.
  }
  if (written === undefined) throw wrongValue(what, value, "plain data");
  return written;
}

/** Returns the error for a wrong value. */
export function wrongValue(what: string, value: unknown, expected: string, code = "WRONG_TYPE"): GambolError {
  return new GambolError(code, `The ${what} can't be ${quote(value)}; give ${expected}.`);
}

/** Formats a value for an error message. */
export function quote(value: unknown): string {
  try {
    return `“${String(value).slice(0, 80)}”`;
  } catch {
    return "that value";
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
