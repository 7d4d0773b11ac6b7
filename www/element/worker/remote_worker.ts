/** The page's worker. All players of one address share it: it starts with the first, and ends after the last. */
import type { RemoteCore } from "./remote_host.js";
import type { Answer, Asked, Failure } from "./remote_messages.js";

/** Delay before an unused worker ends. Another player may follow soon, as when an element restarts. */
const END_AFTER_MILLIS = 2000;

/** A player's end of the connection to the worker. */
export interface Correspondent {
  receive(answer: Answer): void;
  /** Called when the worker has failed and answers no more. */
  cutOff(error: Error): void;
}

/** Workers by address. */
const workers = new Map<string, PlayerWorker>();

export function workerAt(address: true | string | URL, core: RemoteCore): PlayerWorker {
  const key = String(address === true ? "" : new URL(address, document.baseURI));
  const held = workers.get(key);
  if (held) return held;
  const opened = new PlayerWorker(
    () => start(key),
    core,
    () => {
      if (workers.get(key) === opened) workers.delete(key);
    },
  );
  workers.set(key, opened);
  return opened;
}

function start(address: string): Worker {
  if (address) return new Worker(address, { type: "module" });
  // Written out, because bundlers find workers by reading this as text.
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

export class PlayerWorker {
  /** Resolves when the script runs, and rejects if it can't be loaded. */
  readonly ready: Promise<void>;
  readonly #worker: Worker | null = null;
  readonly #core: RemoteCore;
  /** Removes this worker from `workers`, so that new players start another one. */
  readonly #leave: () => void;
  readonly #correspondents = new Map<number, Correspondent>();
  #count = 0;
  #end: ReturnType<typeof setTimeout> | undefined;
  #spoiled = false;

  constructor(start: () => Worker, core: RemoteCore, leave: () => void) {
    this.#core = core;
    this.#leave = leave;
    let settle!: (error?: Error) => void;
    this.ready = new Promise((resolve, reject) => (settle = (error) => (error ? reject(error) : resolve())));
    // Prevents an unhandled rejection if nothing awaits `ready`.
    this.ready.catch(() => undefined);
    try {
      this.#worker = start();
    } catch (error) {
      const failure = this.#notLoaded(error instanceof Error ? error.message : String(error));
      // Deferred: `leave` compares with this object, which its caller has only after the constructor returns.
      queueMicrotask(() => this.#fail(settle, failure));
      return;
    }
    let isReady = false;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      if ("ready" in data) {
        isReady = true;
        settle();
      } else this.#receive(data);
    });
    // The event of a script that can't be loaded has no message; the event of a later error has one.
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#fail(settle, isReady ? this.#broken(event.message) : this.#notLoaded(event.message));
    });
  }

  /** Adds a player. Returns its id in messages. */
  join(correspondent: Correspondent): number {
    clearTimeout(this.#end);
    const id = ++this.#count;
    this.#correspondents.set(id, correspondent);
    return id;
  }

  leave(id: number): void {
    this.#correspondents.delete(id);
    if (this.#correspondents.size > 0) return;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#terminate(), this.#spoiled ? 0 : END_AFTER_MILLIS);
  }

  post(asked: Asked, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(asked, transfer);
  }

  #receive(answer: Exclude<Answer, { ready: true }>): void {
    if ("failed" in answer && answer.failed.code === "PLAYER_POISONED") {
      // Present players receive the error themselves. The next player starts a new worker.
      this.#spoiled = true;
      this.#leave();
    }
    this.#correspondents.get(answer.id)?.receive(answer);
  }

  #fail(settle: (error: Error) => void, error: Error): void {
    this.#leave();
    settle(error);
    for (const correspondent of [...this.#correspondents.values()]) correspondent.cutOff(error);
    this.#terminate();
  }

  #terminate(): void {
    this.#leave();
    this.#worker?.terminate();
  }

  #notLoaded(reason: string | undefined): Error {
    const advice =
      "Is the package's worker.js served, from this page's origin, with the files beside it? Does the page's " +
      "Content-Security-Policy allow it (worker-src or script-src 'self')?";
    return new this.#core.GambolError(
      "WORKER_NOT_LOADED",
      `The player's worker could not be started. ${advice} (${reason || "no reason given"})`,
    );
  }

  #broken(reason: string): Error {
    return new this.#core.GambolError(
      "WORKER_BROKEN",
      `The player's worker broke; create the player again for a fresh one. (${reason})`,
    );
  }
}

/** Recreates an error that was sent from the worker. */
export function errorOf({ name, code, place, message }: Failure, { GambolError }: RemoteCore): Error {
  if (code !== undefined) return new GambolError(code, message, { place });
  return name === "AbortError" ? new DOMException(message, name) : new Error(message);
}
