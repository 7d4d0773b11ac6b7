/**
 * An error with a code for programs (`code`) and a message for people (`message`).
 *
 * Every failure of this package is a `GambolError`, except cancellations, which are `AbortError`s.
 */
export class GambolError extends Error {
  /** Stable code, such as `"NOT_A_MODEL"`. */
  readonly code: string;
  /** Location of the problem: a JSON pointer into the file, a byte offset or a URL; empty if unknown. */
  readonly place: string;

  /** Creates an error. Pages can use it to report failures of their own in the same way. */
  constructor(code: string, message: string, options: { place?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "GambolError";
    this.code = code;
    this.place = options.place ?? "";
  }
}

/**
 * A problem of a file that didn't prevent it from loading. Each kind is reported once, with its first location and a
 * count; ignored extensions and missing pictures are reported one by one.
 */
export interface Warning {
  /** Stable code, such as `"ROTATION_NOT_UNIT"`. */
  readonly code: string;
  /**
   * Location of the first occurrence: a JSON pointer, a line and column, or a byte offset; empty for the whole file.
   */
  readonly place: string;
  /** Description of the problem and of what was done about it, for people. Includes the count if it isn't 1. */
  readonly message: string;
  /** Number of occurrences. */
  readonly count: number;
}

/** Converts any error to a `GambolError`. An `AbortError` is returned unchanged. */
export function asError(error: unknown, otherwiseCode = "FAILED"): Error {
  if (error instanceof GambolError || isAbort(error)) return error as Error;
  const message = error instanceof Error ? error.message : String(error);
  return new GambolError(otherwiseCode, message, { cause: error });
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** Waits for a promise until the signal aborts. The operation continues, since others may wait for it. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Returns a controller that is aborted with any of the signals. Aborting it ends the connection with them. */
export function abortedBy(...signals: (AbortSignal | null | undefined)[]): AbortController {
  const own = new AbortController();
  const abort = ({ target }: Event): void => own.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal?.aborted) own.abort(signal.reason);
    signal?.addEventListener("abort", abort, { signal: own.signal });
  }
  return own;
}
