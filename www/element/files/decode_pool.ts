/** Runs decoders in workers. */
import { TASKS, type Decoding, type DecodeTasks } from "./decode_tasks.js";

/** Number of workers. Pictures are decoded in parallel, and the rest of the page needs a core, too. */
const MOST_WORKERS = Math.max(1, Math.min(4, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1));

/** Delay before an unused worker ends. Another model may follow soon. */
const END_AFTER_MILLIS = 10_000;

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  /** Whether the task is too small for a worker. */
  readonly isSmall?: boolean;
}

/**
 * Runs a task in a worker, or here if it is small, if this is a worker, or if none can be started.
 *
 * An abort ends the worker, unless it runs other tasks.
 */
export async function runDecoder<Name extends keyof DecodeTasks>(
  name: Name,
  module: WebAssembly.Module,
  data: Decoding<Name>["data"],
  { signal, isSmall = false }: RunOptions,
): Promise<Decoding<Name>["result"]> {
  const here = (): Promise<Decoding<Name>["result"]> => TASKS[name](module, data as never) as never;
  if (isSmall || typeof document === "undefined") return here();
  try {
    return (await leastBusy().run(name, module, data, signal)) as never;
  } catch (error) {
    if (error instanceof NoWorker) return here();
    throw error;
  }
}

/** The worker's script couldn't be run, such as under a policy that forbids workers. */
class NoWorker extends Error {}

const workers: DecodeWorker[] = [];

function leastBusy(): DecodeWorker {
  const idle = workers.find(({ taskCount }) => taskCount === 0);
  if (idle) return idle;
  if (workers.length >= MOST_WORKERS) return workers.toSorted((a, b) => a.taskCount - b.taskCount)[0]!;
  const worker = new DecodeWorker();
  workers.push(worker);
  return worker;
}

interface Running {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** What a worker answers. */
export type Answer = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string });

class DecodeWorker {
  #worker: Worker | null = null;
  #lastId = 0;
  #end: ReturnType<typeof setTimeout> | undefined;
  readonly #tasks = new Map<number, Running>();

  constructor() {
    try {
      // Written out, because bundlers find workers by reading this as text.
      this.#worker = new Worker(new URL("./decode_worker.js", import.meta.url), { type: "module" });
    } catch {
      return;
    }
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#answered(data));
    this.#worker.addEventListener("error", () => this.#fail());
  }

  get taskCount(): number {
    return this.#tasks.size;
  }

  run(name: string, module: WebAssembly.Module, data: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    clearTimeout(this.#end);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const abort = () => {
        reject(signal!.reason);
        this.#tasks.delete(id);
        if (this.taskCount === 0) this.#stop();
      };
      signal?.addEventListener("abort", abort);
      const settle = () => signal?.removeEventListener("abort", abort);
      this.#tasks.set(id, {
        resolve: (result) => (settle(), resolve(result)),
        reject: (error) => (settle(), reject(error)),
      });
      if (!this.#worker) return this.#fail();
      this.#worker.postMessage({ id, name, module, data });
    });
  }

  #answered(answer: Answer): void {
    const task = this.#tasks.get(answer.id);
    this.#tasks.delete(answer.id);
    if ("result" in answer) task?.resolve(answer.result);
    else task?.reject(new Error(answer.error));
    if (this.taskCount === 0) this.#end = setTimeout(() => this.#stop(), END_AFTER_MILLIS);
  }

  #fail(): void {
    const tasks = [...this.#tasks.values()];
    this.#tasks.clear();
    this.#stop();
    for (const { reject } of tasks) reject(new NoWorker());
  }

  #stop(): void {
    this.#worker?.terminate();
    const at = workers.indexOf(this);
    if (at >= 0) workers.splice(at, 1);
  }
}
