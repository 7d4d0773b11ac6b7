/** Entry script of the workers that decode compressed data. */
import { TASKS } from "./files/decode_tasks.js";
import type { Answer } from "./files/decode_pool.js";

/** The used part of `DedicatedWorkerGlobalScope`, whose types can't be combined with those of pages. */
interface Scope {
  postMessage(message: Answer, transfer?: Transferable[]): void;
  addEventListener(name: "message", listener: (event: MessageEvent<Task>) => void): void;
}

interface Task {
  readonly id: number;
  readonly name: keyof typeof TASKS;
  readonly module: WebAssembly.Module;
  readonly data: never;
}

const scope = globalThis as unknown as Scope;

scope.addEventListener("message", async ({ data: { id, name, module, data } }) => {
  try {
    const result = await TASKS[name](module, data);
    scope.postMessage({ id, result }, buffersOf(result));
  } catch (error) {
    scope.postMessage({ id, error: String(error) });
  }
});

/** Returns the buffers of a result, which are moved instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  return value instanceof Object ? Object.values(value).flatMap(buffersOf) : [];
}
