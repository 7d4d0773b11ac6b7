/** Entry script of the worker: runs players for a page, each on an `OffscreenCanvas` transferred from it. */
import { Guest, type Post } from "./worker/remote_guest.js";
import type { WorkerMessage, PageMessage } from "./worker/remote_messages.js";

/** The used part of `DedicatedWorkerGlobalScope`, whose types can't be combined with those of pages. */
interface Scope {
  postMessage(message: WorkerMessage, transfer?: Transferable[]): void;
  addEventListener(name: "message", listener: (event: MessageEvent<PageMessage>) => void): void;
}

const scope = globalThis as unknown as Scope;
const guests = new Map<number, Guest>();
const post: Post = (message, transfer) => scope.postMessage(message, transfer);

scope.addEventListener("message", ({ data }) => {
  const { id } = data;
  if ("open" in data) guests.set(id, new Guest(data, post));
  else guests.get(id)?.receive(data);
  if ("dispose" in data) guests.delete(id);
});

post({ ready: true });
