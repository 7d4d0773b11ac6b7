/** The page's worker. All players of one address share it: it starts with the first, and ends after the last. */
import type { MainExports } from "./remote_host.js";
import type { WorkerMessage, PageMessage, SerializedError } from "./remote_messages.js";

/** Delay before an unused worker ends. Another player may follow soon, as when an element restarts. */
const END_AFTER_MILLIS = 2000;

/** A player's end of the connection to the worker. */
export interface WorkerClient {
  receive(message: WorkerMessage): void;
  /** Called when the worker has failed and sends no more messages. */
  failed(error: Error): void;
}

/** Workers by address. */
const workers = new Map<string, PlayerWorker>();

export function workerAt(address: true | string | URL, main: MainExports): PlayerWorker {
  const key = String(address === true ? "" : new URL(address, document.baseURI));
  const held = workers.get(key);
  if (held) return held;
  const opened = new PlayerWorker(
    () => start(key),
    main,
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
  readonly #main: MainExports;
  /** Removes this worker from `workers`, so that new players start another one. */
  readonly #forget: () => void;
  readonly #clients = new Map<number, WorkerClient>();
  #count = 0;
  #end: ReturnType<typeof setTimeout> | undefined;
  #panicked = false;

  constructor(start: () => Worker, main: MainExports, forget: () => void) {
    this.#main = main;
    this.#forget = forget;
    let settle!: (error?: Error) => void;
    this.ready = new Promise((resolve, reject) => (settle = (error) => (error ? reject(error) : resolve())));
    // Prevents an unhandled rejection if nothing awaits `ready`.
    this.ready.catch(() => undefined);
    try {
      this.#worker = start();
    } catch (error) {
      const failure = this.#notLoaded(error instanceof Error ? error.message : String(error));
      // Deferred: `forget` compares with this object, which its caller has only after the constructor returns.
      queueMicrotask(() => this.#fail(settle, failure));
      return;
    }
    let isReady = false;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
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
  add(client: WorkerClient): number {
    clearTimeout(this.#end);
    const id = ++this.#count;
    this.#clients.set(id, client);
    return id;
  }

  remove(id: number): void {
    this.#clients.delete(id);
    if (this.#clients.size > 0) return;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#terminate(), this.#panicked ? 0 : END_AFTER_MILLIS);
  }

  post(message: PageMessage, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  #receive(message: Exclude<WorkerMessage, { ready: true }>): void {
    if ("failed" in message && message.failed.code === "PLAYER_POISONED") {
      // Present players receive the error themselves. The next player starts a new worker.
      this.#panicked = true;
      this.#forget();
    }
    this.#clients.get(message.id)?.receive(message);
  }

  #fail(settle: (error: Error) => void, error: Error): void {
    this.#forget();
    settle(error);
    for (const client of [...this.#clients.values()]) client.failed(error);
    this.#terminate();
  }

  #terminate(): void {
    this.#forget();
    this.#worker?.terminate();
  }

  #notLoaded(reason: string | undefined): Error {
    const advice =
      "Is the package's worker.js served, from this page's origin, with the files beside it? Does the page's " +
      "Content-Security-Policy allow it (worker-src or script-src 'self')?";
    return new this.#main.GambolError(
      "WORKER_NOT_LOADED",
      `The player's worker could not be started. ${advice} (${reason || "no reason given"})`,
    );
  }

  #broken(reason: string): Error {
    return new this.#main.GambolError(
      "WORKER_BROKEN",
      `The player's worker broke; create the player again for a fresh one. (${reason})`,
    );
  }
}

/** Recreates an error that was sent from the worker. */
export function deserializeError({ name, code, place, message }: SerializedError, { GambolError }: MainExports): Error {
  if (code !== undefined) return new GambolError(code, message, { place });
  return name === "AbortError" ? new DOMException(message, name) : new Error(message);
}
