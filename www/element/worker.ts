/** The script of the worker that plays for a page: hosts as a page has them, on canvases that were handed over. */
import { Guest, type Post } from "./worker/remote_guest.js";
import type { Answer, Asked } from "./worker/remote_messages.js";

/** Of `DedicatedWorkerGlobalScope`, whose types exclude those of pages. */
interface Scope {
  postMessage(answer: Answer, transfer?: Transferable[]): void;
  addEventListener(name: "message", listener: (event: MessageEvent<Asked>) => void): void;
}

const scope = globalThis as unknown as Scope;
const guests = new Map<number, Guest>();
const post: Post = (answer, transfer) => scope.postMessage(answer, transfer);

scope.addEventListener("message", ({ data }) => {
  const { id } = data;
  if ("open" in data) guests.set(id, new Guest(data, post));
  else guests.get(id)?.receive(data);
  if ("dispose" in data) guests.delete(id);
});

post({ ready: true });
