/**
 * What went wrong, for a page to switch on (`code`) and for a person to read (`message`).
 *
 * Every failure of this package that isn't a cancellation is one of these.
 */
export class GambolError extends Error {
  /** Stable, such as `"NOT_A_MODEL"`. */
  readonly code: string;
  /** Where: a JSON pointer into the file, a byte offset, a URL, or empty. */
  readonly place: string;

  /** For pages that report failures of their own in the same way. */
  constructor(code: string, message: string, options: { place?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "GambolError";
    this.code = code;
    this.place = options.place ?? "";
  }
}

/**
 * Something odd about a file that didn't keep it from loading. Each kind comes once, with the first place and a count;
 * extensions that are ignored, and pictures that aren't there, come one by one.
 */
export interface Warning {
  /** Stable, such as `"ROTATION_NOT_UNIT"`. */
  readonly code: string;
  /** Where in the file it was found first: a JSON pointer, a line and column, or a byte; empty for the whole. */
  readonly place: string;
  /** What was found there and what was done about it, for a person to read; the count too where it isn't 1. */
  readonly message: string;
  /** How often it was found. */
  readonly count: number;
}

/** Cancellations (`AbortError`) pass through unchanged, as `fetch` does it. */
export function asError(error: unknown, otherwiseCode = "FAILED"): Error {
  if (error instanceof GambolError || isAbort(error)) return error as Error;
  const message = error instanceof Error ? error.message : String(error);
  return new GambolError(otherwiseCode, message, { cause: error });
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** Ends the waiting, not what is waited for: others may wait for the same. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
