/** The worker's side of a player: a local host that carries out the page's calls and reports changes. */
import { connect } from "../engine/connection.js";
import type { Engine } from "../engine/engine.js";
import { EVENTS } from "../engine/wasm.js";
import type { StartProgress } from "../files/prefetch.js";
import { readAhead } from "../files/read_ahead.js";
import type { FetchOptions, Source } from "../files/source.js";
import type { Spare } from "../host/heal.js";
import { LocalHost } from "../host/local_host.js";
import type { Stage } from "../host/stage.js";
import { asError } from "../errors.js";
import { keyOf, OF_THE_MODEL, OPENING } from "./remote_messages.js";
import type {
  ActorCall,
  ActorUpdate,
  Call,
  EventBatch,
  PageMessage,
  StateUpdate,
  WorkerMessage,
} from "./remote_messages.js";
import { serializeError, Reporter } from "./remote_reporter.js";

export type Post = (message: WorkerMessage, transfer?: Transferable[]) => void;

/** The stage of a transferred canvas. Messages from the page set its size and visibility. */
class OffscreenStage implements Stage {
  readonly canvas: OffscreenCanvas;
  width = 1;
  height = 1;
  slack = 1;
  refines = true;
  visible = true;
  changed: () => void = () => undefined;

  constructor(canvas: OffscreenCanvas) {
    keepContext(canvas);
    this.canvas = canvas;
  }

  refresh(): void {
    // The page reports every change.
  }

  stop(): void {
    this.changed = () => undefined;
  }
}

/**
 * Makes `getContext` return the first result for each kind of context. Firefox 153 rejects a second call on a canvas
 * that a page has transferred.
 */
function keepContext(canvas: OffscreenCanvas): void {
  const getContext = canvas.getContext.bind(canvas) as (
    kind: string,
    options?: unknown,
  ) => OffscreenRenderingContext | null;
  const contexts = new Map<string, OffscreenRenderingContext | null>();
  const getContextOnce = (kind: string, options?: unknown): OffscreenRenderingContext | null => {
    const context = contexts.get(kind) ?? getContext(kind, options);
    contexts.set(kind, context);
    return context;
  };
  canvas.getContext = getContextOnce as OffscreenCanvas["getContext"];
}

type Opening = Extract<PageMessage, { open: unknown }>;
type Loading = Extract<PageMessage, { load: unknown }>;
type Adding = Extract<PageMessage, { clipsOf: unknown }>;
/** Options that aren't sent. */
type Fetching = FetchOptions & { signal: AbortSignal };
type Members = Record<string, unknown>;

export class Guest {
  readonly #id: number;
  readonly #post: Post;
  #stage: OffscreenStage;
  /** Receives the other canvas that was asked for. */
  #takeSpare: (spare: Spare) => void = () => undefined;
  #host: LocalHost | null = null;
  #engine: Engine | null = null;
  /** Those of the player itself and of its other actors. */
  readonly #reporters = new Map<number, Reporter>();
  readonly #loads = new Map([[OPENING, new AbortController()]]);
  #events: EventBatch[] = [];
  /** Number of the newest batch of calls that was carried out. */
  #batch = 0;
  /** Number of models shown so far. */
  #model = 0;
  #disposed = false;
  /** Whether this animation frame has had its picture. Known with WebGL2 only. */
  #hadPicture = false;

  constructor(opening: Opening, post: Post) {
    this.#id = opening.id;
    this.#post = post;
    this.#stage = new OffscreenStage(opening.canvas);
    Object.assign(this.#stage, opening.stage);
    void this.#open(opening);
  }

  receive(message: Exclude<PageMessage, Opening>): void {
    if ("dispose" in message) return this.#dispose();
    if ("abort" in message) return this.#loads.get(message.abort)?.abort();
    if ("spare" in message) return this.#takeSpare(this.#spareOf(message.spare));
    const host = this.#host;
    if (!host || this.#disposed) return;
    if ("calls" in message) this.#reportTrap(() => this.#runCalls(host, message));
    else if ("load" in message) void this.#fetch(message, (options) => this.#load(host, message, options));
    else if ("clipsOf" in message) void this.#fetch(message, (options) => this.#addClips(host, message, options));
    else void this.#respond(host, message);
  }

  /** Runs an action, and reports a trap that it throws: traps don't run the panic hook. */
  #reportTrap(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#engine!.checkTrap(error);
      if (!this.#disposed) throw error;
    }
  }

  async #open({ open, wasm, preload }: Opening): Promise<void> {
    let claimed = false;
    const { signal } = this.#loads.get(OPENING)!;
    const onProgress = (progress: StartProgress): void => this.#post({ id: this.#id, opening: progress });
    const ahead = readAhead({ preload, signal, onProgress }, wasm);
    try {
      const connection = await connect(this.#stage.canvas, open, wasm, ahead.read);
      if (this.#disposed) {
        ahead.end();
        return connection.binding.close();
      }
      this.#engine = connection.engine;
      claimed = connection.engine.flavour === "webgpu";
      const host = new LocalHost(this.#stage, connection, wasm, ahead, open === "auto" && this.#askForSpare);
      this.#listen(host);
      this.#report(0);
      this.#post({ id: this.#id, opened: host.backend, update: this.#update(host, 0) });
    } catch (error) {
      ahead.end();
      this.#fail(asError(error, "NO_GPU"), claimed);
    }
  }

  /** Begins to report what an actor does. */
  #report(actor: number): Reporter {
    const own = (): LocalHost => this.#host!;
    const handle = {
      get rust() {
        return own().rustOf(actor);
      },
    };
    const reporter = new Reporter(handle, actor === 0);
    this.#reporters.set(actor, reporter);
    return reporter;
  }

  #listen(host: LocalHost): void {
    this.#host = host;
    host.listener = {
      drawn: (hasEvents) => {
        this.#limitPictures(host);
        if (hasEvents) this.#collectAll(host);
        this.#post({ id: this.#id, update: { ...this.#update(host), drawn: { hasEvents } } });
      },
      updated: () => undefined,
      collect: (actor, endedIn) => this.#collect(host, actor, endedIn),
      contextLost: () => this.#post({ id: this.#id, context: "lost" }),
      contextRestored: () => this.#post({ id: this.#id, context: "restored" }),
      rejected: () => undefined,
      replaced: (replace) => {
        this.#collectAll(host);
        const next = replace() as LocalHost;
        this.#listen(next);
        this.#post({ id: this.#id, replaced: next.backend });
      },
      failed: (error) => {
        this.#fail(host.explain(error));
        host.stop();
        host.free();
      },
    };
  }

  /**
   * Allows one requested picture in an animation frame, of which the browser has no more than the GPU draws. Otherwise
   * the page's requests would pile up in the worker. WebGPU tells when its GPU is behind.
   */
  #limitPictures({ backend, autoUpdate }: LocalHost): void {
    if (backend !== "webgl2" || autoUpdate || this.#hadPicture) return;
    this.#hadPicture = true;
    requestAnimationFrame(() => (this.#hadPicture = false));
  }

  readonly #askForSpare = (): Promise<Spare> =>
    new Promise((resolve) => {
      this.#takeSpare = resolve;
      this.#post({ id: this.#id, blank: true });
    });

  #spareOf(canvas: OffscreenCanvas): Spare {
    return {
      canvas,
      show: () => {
        const { width, height, slack, refines, visible } = this.#stage;
        return (this.#stage = Object.assign(new OffscreenStage(canvas), { width, height, slack, refines, visible }));
      },
    };
  }

  #fail(error: Error, claimed = false): void {
    this.#disposed = true;
    this.#post({ id: this.#id, failed: serializeError(error), claimed });
  }

  #dispose(): void {
    const alive = this.#host && !this.#disposed;
    this.#disposed = true;
    for (const load of this.#loads.values()) load.abort();
    if (!alive) return;
    this.#host!.stop();
    this.#host!.free();
  }

  // ── messages from the page ──

  #runCalls(host: LocalHost, { calls, batch, model }: Extract<PageMessage, { calls: unknown }>): void {
    this.#batch = batch;
    for (const call of calls) {
      if (this.#disposed) return;
      const { actor } = call;
      const run = call.do === "command" ? call.run : undefined;
      if (model !== this.#model && isOfTheModel(call)) {
        this.#post({ id: this.#id, rejected: true, actor, run });
        continue;
      }
      try {
        this.#runCall(host, call);
      } catch (error) {
        this.#engine!.checkTrap(error);
        if (this.#disposed) return;
        this.#post({ id: this.#id, rejected: true, actor, run, error: serializeError(asError(error)) });
      }
    }
    if (this.#disposed) return;
    if (calls.some((call) => call.do !== "watch")) host.changed();
    this.#collectAll(host);
    this.#post({ id: this.#id, update: this.#update(host) });
  }

  #runCall(host: LocalHost, call: ActorCall): void {
    const { actor } = call;
    const rust = host.rustOf(actor) as unknown as Members;
    switch (call.do) {
      case "command":
        return this.#command(host, actor, call);
      case "move":
        return void (rust[call.member] as (...args: unknown[]) => unknown)(...call.args);
      case "set":
        rust[call.member] = call.value;
        return;
      case "watch":
        return this.#reporters.get(actor)?.watch(call.member, call.args);
      case "stage":
        Object.assign(this.#stage, call.stage);
        return this.#stage.changed();
      case "autoUpdate":
        host.autoUpdate = call.on;
        return;
      case "advance":
        return host.advance(call.secs);
      case "draw":
        return host.requestDraw(call.mayDefer, this.#hadPicture && this.#stage.visible);
      case "remove":
        this.#reporters.delete(actor);
        return host.remove(actor);
    }
  }

  #command(host: LocalHost, actor: number, { member, args }: Extract<Call, { do: "command" }>): void {
    const rust = host.rustOf(actor) as unknown as Record<string, (...args: unknown[]) => unknown>;
    const command = () => rust[member]!(...args);
    if (member === "removeLayer" || member === "setController") host.rearrange(command, actor);
    else command();
    if (member === "setController" || member === "setNotes") this.#reporters.get(actor)?.forgetNotes();
  }

  async #load(host: LocalHost, { load, isAdded, request, options }: Loading, fetching: Fetching): Promise<void> {
    const all = { ...options, ...fetching };
    const shown = isAdded
      ? await host.add(load as Source, all)
      : { actor: 0, ...(await host.load(load as Source, all)) };
    const { actor, name, contents, warnings, later } = shown;
    if (!isAdded) {
      this.#model++;
      // Hidden until the page has set up the new model and sends the stage again, so that no frame shows it otherwise.
      this.#stage.visible = false;
      this.#stage.changed();
    }
    const { clips, nodes, skins, materials, variants, cameras } = contents;
    (isAdded ? this.#report(actor) : this.#reporters.get(0)!).begin(contents);
    this.#post({
      id: this.#id,
      request,
      shown: { actor, name, clips, nodes, skins, materials, variants, cameras, warnings, isLater: !!later },
      update: this.#update(host, actor),
    });
    void later?.then((value) => this.#post({ id: this.#id, request, value }));
  }

  async #addClips(host: LocalHost, { clipsOf, actor, request, options }: Adding, fetching: Fetching): Promise<void> {
    const { clips, warnings, map } = await host.addClips(clipsOf as Source, { ...options, ...fetching }, actor);
    this.#reporters.get(actor)?.addClips(clips.length);
    this.#post({ id: this.#id, request, added: { actor, clips, warnings, map }, update: this.#update(host) });
  }

  /** Answers a request that fetches files and can be aborted. */
  async #fetch({ request }: Loading | Adding, respond: (fetching: Fetching) => Promise<void>): Promise<void> {
    const own = new AbortController();
    this.#loads.set(request, own);
    try {
      await respond({
        signal: own.signal,
        onProgress: (progress) => this.#post({ id: this.#id, request, progress }),
      });
    } catch (error) {
      this.#post({ id: this.#id, request, error: serializeError(asError(error, "LOAD_FAILED")) });
    } finally {
      this.#loads.delete(request);
    }
  }

  async #respond(
    host: LocalHost,
    { request, actor, member, args, model }: Extract<PageMessage, { member: string }>,
  ): Promise<void> {
    try {
      host.check();
      const isChange = /^(set|start)/.test(member);
      if (isChange && actor === 0 && model !== this.#model)
        throw new DOMException("Another model is shown.", "AbortError");
      host.flushDraw(false);
      const owner = (member === "extend" ? host : host.rustOf(actor)) as unknown as Members;
      const target = owner[member];
      const value: unknown = typeof target === "function" ? await target.apply(owner, args) : target;
      if (this.#disposed) return;
      if (isChange) host.changed();
      const transfer = value instanceof Uint8Array ? [value.buffer] : [];
      this.#post({ id: this.#id, request, value, update: this.#update(host) }, transfer);
    } catch (error) {
      this.#engine!.checkTrap(error);
      this.#post({ id: this.#id, request, error: serializeError(asError(error)) });
    }
  }

  // ── messages to the page ──

  /** `fresh` is the number of the actor that shows another model, if one does. */
  #update(host: LocalHost, fresh?: number): StateUpdate {
    const events = this.#events;
    this.#events = [];
    const actors: ActorUpdate[] = [];
    for (const [actor, reporter] of this.#reporters) {
      const changes = reporter.changes();
      if (actor === fresh || changes.length > 0) actors.push({ actor, fresh: actor === fresh, changes });
    }
    return { actors, events, batch: this.#batch, timings: host.timings };
  }

  #collectAll(host: LocalHost): void {
    for (const actor of this.#reporters.keys()) this.#collect(host, actor);
  }

  #collect(host: LocalHost, actor: number, endedIn?: string[]): void {
    const rust = host.rustOf(actor);
    if (!rust.hasEvents) return;
    const numbers = rust.drainEvents();
    const layers = rust.layerNames();
    const names = new Map<string, unknown>();
    for (let at = 0; at < numbers.length; at += 5) {
      const [kind, layer, , clip, extra] = numbers.subarray(at, at + 5) as unknown as [
        number,
        number,
        number,
        number,
        number,
      ];
      const name = EVENTS[kind];
      if (name === "marker") {
        names.set(keyOf("markerNames", clip), rust.markerNames(clip));
        names.set(keyOf("markerTimes", clip), rust.markerTimes(clip));
      }
      if (name === "statechange") {
        names.set(keyOf("stateName", layers[layer], extra), rust.stateName(layers[layer]!, extra));
      }
    }
    this.#events.push({ actor, numbers, layers, endedIn, names: [...names] });
  }
}

/** Returns whether a call applies only to the player's own model for which it was made. */
function isOfTheModel(call: ActorCall): boolean {
  if (call.do === "move") return /^(attach|wear)Actor$/.test(call.member) && call.args[1] === 0;
  if (call.actor !== 0) return false;
  return call.do === "command" || (call.do === "set" && OF_THE_MODEL.includes(call.member)) || call.do === "watch";
}
