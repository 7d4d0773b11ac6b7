/**
 * What is asked of a player is checked here, before its host is asked, so that a player in a worker refuses the same at the
 * same time. Wrong values throw a `GambolError` and change nothing.
 */
import { GambolError } from "./errors.js";

const ANY = [-1e9, 1e9] as const;
const FINITE = [-Number.MAX_VALUE, Number.MAX_VALUE] as const;
const FROMZERO = [0, 1e9] as const;
const ABOVEZERO = [1e-9, 1e9] as const;
const SHARE = [0, 1] as const;

// Those that aren't ANY. The wasm side has the same table in `src/player/value.rs`: `tests/values.rs` fails when they drift.
const RANGES: { readonly [what: string]: readonly [least: number, most: number] } = {
  "time": FINITE,
  "step": ABOVEZERO,
  "release": FROMZERO,
  "weight": SHARE,
  "limit": FROMZERO,
  "smoothing": FROMZERO,
  "inset": FROMZERO,
  "zoom": ABOVEZERO,
  "distance": ABOVEZERO,
  "fov": ABOVEZERO,
  "exposure": FROMZERO,
  "background": SHARE,
  "alpha": SHARE,
  "color": FROMZERO,
  "metallic": SHARE,
  "roughness": SHARE,
};

/** A number within the range of its row; as in the DOM, a text that is one counts. */
export function number(what: string, value: unknown): number {
  const found = typeof value === "string" && value.trim() ? Number(value) : value;
  const [least, most] = RANGES[what] ?? ANY;
  const finite = typeof found === "number" && Number.isFinite(found);
  if (finite && found >= least && found <= most) return found;
  throw wrong(what, value, `a number from ${least} to ${most}`, finite ? "OUT_OF_RANGE" : "NOT_FINITE");
}

/** So many numbers, each within the range of the row. */
export function numbers(what: string, value: unknown, length = 3): Float32Array {
  if (!isObject(value) || (value as ArrayLike<number>).length !== length) throw wrong(what, value, `${length} numbers`);
  return Float32Array.from(value as ArrayLike<number>, (each) => number(what, each));
}

/** The same, or none. */
export function numbersOrNone(what: string, value: unknown): Float32Array {
  return value == null ? new Float32Array() : numbers(what, value);
}

/** A whole number within limits. */
export function whole(what: string, value: unknown, least: number, most: number, code = "OUT_OF_RANGE"): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw wrong(what, value, `a whole number from ${least} to ${most}`, code);
}

/** The place of a word in the list of those that there are. */
export function word(what: string, value: unknown, list: readonly string[]): number {
  const at = list.indexOf(value as string);
  if (at < 0) throw wrong(what, value, list.join(" or "), "OUT_OF_RANGE");
  return at;
}

/** A text or a function, as it is. */
export function ofKind<Value>(what: string, value: Value, kind: "string" | "function"): Value {
  if (typeof value !== kind) throw wrong(what, value, `a ${kind}`);
  return value;
}

/** Options, or none; whatever is called later is a function. */
export function given<Options extends object>(options: Options | null | undefined): Options {
  if (options != null && !isObject(options)) throw wrong("options", options, "an object");
  const { signal, onProgress } = (options ?? {}) as { signal?: AbortSignal | null; onProgress?: unknown };
  if (signal != null && !signal.throwIfAborted) throw wrong("signal", signal, "an AbortSignal");
  if (onProgress != null) ofKind("onProgress", onProgress, "function");
  return options ?? ({} as Options);
}

/** Plain data as the wasm side reads it. */
export function json(what: string, value: unknown): string {
  let written: string | undefined;
  try {
    written = JSON.stringify(value, (_, inner: unknown) => {
      // JSON would leave them out without a word.
      if (typeof inner === "function" || typeof inner === "symbol") throw inner;
      return inner;
    });
  } catch {
    // Or it refers to itself.
  }
  if (written === undefined) throw wrong(what, value, "plain data");
  return written;
}

/** Why a value is refused. */
export function wrong(what: string, value: unknown, expected: string, code = "WRONG_TYPE"): GambolError {
  return new GambolError(code, `The ${what} can't be ${said(value)}; give ${expected}.`);
}

/** A value for a person to read. */
export function said(value: unknown): string {
  try {
    return `“${String(value).slice(0, 80)}”`;
  } catch {
    return "that";
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
