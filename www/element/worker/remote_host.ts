/** The page's side of a host in a worker: sends calls to the worker and receives its reports. */
import type { webgpu } from "../engine/connection.js";
import type { Backend, BackendChoice, Part, WasmUrls } from "../engine/engine.js";
import type { PlayerHandle, WasmSource } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { Added } from "../files/added_clips.js";
import type { AddClipsOptions, FetchOptions, LoadOptions, Progress, Source } from "../files/source.js";
import type { HostListener, Host, ShownActor, ShownModel } from "../host/host.js";
import type { PlayerOptions } from "../host/options.js";
import type { PageStage } from "../host/stage.js";
import type { Timings } from "../host/stats.js";
import type { asError, GambolError } from "../errors.js";
import {
  OPENING,
  type ActorCall,
  type WorkerMessage,
  type Call,
  type StateUpdate,
  type StageState,
} from "./remote_messages.js";
import { RemoteRust } from "./remote_rust.js";
import { deserializeError, workerAt, type WorkerClient, type PlayerWorker } from "./remote_worker.js";

/** Values of the player's main script, passed as an argument: importing them would make bundlers split that script. */
export interface MainExports {
  readonly asError: typeof asError;
  readonly Contents: typeof Contents;
  readonly GambolError: typeof GambolError;
  readonly PageStage: typeof PageStage;
  readonly pageUrls: WasmUrls;
  readonly webgpu: typeof webgpu;
}

/** Starts a player in the worker. A copy replaces the canvas if WebGPU fails after the canvas was claimed for it. */
export async function startRemote(
  canvas: HTMLCanvasElement,
  options: PlayerOptions,
  main: MainExports,
): Promise<RemoteHost> {
  const { backend = "auto" } = options;
  const choice = backend === "auto" && !main.webgpu.draws ? "webgl2" : backend;
  const wasm = await cloneableUrls({
    ...(options.worker === true && bundledWasm()),
    ...main.pageUrls,
    ...options.wasm,
  });
  const open = (onto: HTMLCanvasElement, backend: BackendChoice) =>
    RemoteHost.open(workerAt(options.worker as true | string | URL, main), onto, backend, wasm, options, main);
  try {
    return await open(canvas, choice);
  } catch (error) {
    if (choice !== "auto" || !(error instanceof CanvasClaimed)) throw main.asError(causeOf(error), "NO_GPU");
    const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
    canvas.replaceWith(fresh);
    return open(fresh, "webgl2").catch((error) => {
      throw main.asError(causeOf(error), "NO_GPU");
    });
  }
}

/** Returns the wasm URLs for a bundled worker: some bundlers copy a worker unchanged, without the files beside it. */
function bundledWasm(): WasmUrls {
  return {
    webgpu: new URL("./wasm/webgpu/gambol_bg.wasm", import.meta.url),
    webgl2: new URL("./wasm/webgl/gambol_bg.wasm", import.meta.url),
    webgpuImport: new URL("./wasm/webgpu/gambol_import.wasm", import.meta.url),
    webgl2Import: new URL("./wasm/webgl/gambol_import.wasm", import.meta.url),
    webgpuLate: new URL("./wasm/webgpu/gambol_late.wasm", import.meta.url),
    webgl2Late: new URL("./wasm/webgl/gambol_late.wasm", import.meta.url),
    webgpuStill: new URL("./wasm/webgpu/gambol_still.wasm", import.meta.url),
    webgl2Still: new URL("./wasm/webgl/gambol_still.wasm", import.meta.url),
    webgpuTangents: new URL("./wasm/webgpu/gambol_tangents.wasm", import.meta.url),
    webgl2Tangents: new URL("./wasm/webgl/gambol_tangents.wasm", import.meta.url),
    formats: new URL("./wasm/formats/gambol_bg.wasm", import.meta.url),
    draco: new URL("./wasm/decoders/draco.wasm", import.meta.url),
    ktx2: new URL("./wasm/decoders/ktx2.wasm", import.meta.url),
    meshopt: new URL("./wasm/decoders/meshopt.wasm", import.meta.url),
  };
}

/** An error after the canvas was claimed for WebGPU, which makes it unusable for another backend. */
class CanvasClaimed extends Error {
  constructor(readonly why: Error) {
    super(why.message);
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof CanvasClaimed ? error.why : error;
}

interface PendingRequest {
  resolve(value: unknown): void;
  reject(error: Error): void;
  progress?(progress: Progress): void;
}

export class RemoteHost implements Host, WorkerClient {
  stage: PageStage;
  readonly timings: Timings = { updateMillis: 0, renderMillis: 0 };
  listener!: HostListener;
  backend!: Backend;
  readonly #main: MainExports;
  readonly #options: PlayerOptions;
  readonly #worker: PlayerWorker;
  readonly #id: number;
  /** The player itself, and its other actors. */
  readonly #remotes = new Map<number, RemoteRust>();
  readonly #requests = new Map<number, PendingRequest>();
  #autoUpdate = true;
  #lastRequest = 0;
  /** Calls that haven't been sent yet. */
  #calls: ActorCall[] = [];
  /** Number of the newest batch that was sent. */
  #batch = 0;
  /** Number of the newest batch that the worker has carried out. */
  #doneBatch = 0;
  /** Number of models shown so far. */
  #model = 0;
  #stopped = false;
  readonly #extending: Partial<Record<Part, Promise<void>>> = {};
  /** Canvas to go on with when WebGPU draws nothing. */
  #spare: { show(): PageStage } | null = null;

  static async open(
    worker: PlayerWorker,
    canvas: HTMLCanvasElement,
    backend: BackendChoice,
    wasm: WasmUrls,
    options: PlayerOptions,
    main: MainExports,
  ): Promise<RemoteHost> {
    const host = new RemoteHost(worker, canvas, options, main);
    try {
      // Awaited before the transfer, so that a worker that can't be loaded leaves the canvas usable.
      await worker.ready;
      await host.#open(canvas, backend, wasm);
      return host;
    } catch (error) {
      host.stop();
      host.free();
      throw error;
    }
  }

  private constructor(worker: PlayerWorker, canvas: HTMLCanvasElement, options: PlayerOptions, main: MainExports) {
    this.#worker = worker;
    this.#options = options;
    this.#main = main;
    this.#id = worker.add(this);
    this.stage = this.#stageOf(canvas);
    this.#remoteOf(0);
  }

  /** Returns what is known of an actor. */
  #remoteOf(actor: number): RemoteRust {
    const held = this.#remotes.get(actor);
    if (held) return held;
    const own = (): RemoteHost => this;
    const remote = new RemoteRust(this.#main, {
      get upToDate() {
        return own().upToDate;
      },
      call: (call) => this.#call(call, actor),
      request: (member, args) => {
        this.#send();
        return this.#request((request) =>
          this.#worker.post({ id: this.#id, actor, request, member, args, model: this.#model }),
        );
      },
    });
    this.#remotes.set(actor, remote);
    return remote;
  }

  #stageOf(canvas: HTMLCanvasElement): PageStage {
    const stage = new this.#main.PageStage(canvas, this.stage?.ratio);
    stage.refines = this.stage?.refines ?? true;
    stage.changed = () => this.#call({ do: "stage", stage: this.#stageState });
    return stage;
  }

  get rust(): PlayerHandle {
    return this.rustOf(0);
  }

  rustOf(actor: number): PlayerHandle {
    return this.#remoteOf(actor).rust;
  }

  get upToDate(): boolean {
    return this.#doneBatch === this.#batch && this.#calls.length === 0;
  }

  get autoUpdate(): boolean {
    return this.#autoUpdate;
  }

  set autoUpdate(on: boolean) {
    this.#autoUpdate = on;
    this.#call({ do: "autoUpdate", on });
  }

  changed(): void {
    // The worker's host requests the frame when it carries out the call.
  }

  draw(mayDefer: boolean): false {
    this.stage.refresh();
    this.#call({ do: "draw", mayDefer });
    return false;
  }

  advance(secs: number): void {
    this.#call({ do: "advance", secs });
  }

  async load(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<ShownModel> {
    try {
      return await this.#bring(source, options, false);
    } finally {
      // Sent after the calls of code that awaits this load. It has no batch number, so `upToDate` doesn't depend on it.
      setTimeout(() => {
        const calls: ActorCall[] = [{ do: "stage", stage: this.#stageState, actor: 0 }];
        if (!this.#stopped) this.#worker.post({ id: this.#id, calls, batch: this.#batch, model: this.#model });
      });
    }
  }

  add(source: Source, options: LoadOptions & { signal: AbortSignal }): Promise<ShownActor> {
    return this.#bring(source, options, true);
  }

  async #bring(
    source: Source,
    { signal, onProgress, ...options }: LoadOptions & { signal: AbortSignal },
    isAdded: boolean,
  ): Promise<ShownActor> {
    const clips = options.clips?.map(cloneableSource);
    return (await this.#fetch({ signal, onProgress }, (id, request) =>
      this.#worker.post({ id, request, load: cloneableSource(source), isAdded, options: { ...options, clips } }),
    )) as ShownActor;
  }

  remove(actor: number): void {
    this.#call({ do: "remove" }, actor);
    this.#remotes.delete(actor);
  }

  async addClips(
    source: Source,
    { signal, onProgress, ...options }: AddClipsOptions & { signal: AbortSignal },
    actor: number,
  ): Promise<Added> {
    return (await this.#fetch({ signal, onProgress }, (id, request) =>
      this.#worker.post({ id, actor, request, clipsOf: cloneableSource(source), options }),
    )) as Added;
  }

  /** Sends a request that fetches files. */
  async #fetch(
    { signal, onProgress }: FetchOptions & { signal: AbortSignal },
    post: (id: number, request: number) => void,
  ): Promise<unknown> {
    signal.throwIfAborted();
    this.#send();
    let request = 0;
    const abort = () => this.#worker.post({ id: this.#id, abort: request });
    signal.addEventListener("abort", abort);
    try {
      return await this.#request((number) => {
        request = number;
        try {
          post(this.#id, request);
        } catch (cause) {
          throw new this.#main.GambolError(
            "WRONG_TYPE",
            "These options can't be handed to a worker; give plain data.",
            { cause },
          );
        }
      }, onProgress);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  rearrange(change: () => void): void {
    change();
  }

  extend(part: Part = "late"): Promise<void> {
    return (this.#extending[part] ??= this.#remoteOf(0)
      .request("extend", part)
      .catch((error) => {
        delete this.#extending[part];
        throw error;
      }) as Promise<void>);
  }

  async settled(): Promise<void> {
    await this.#remoteOf(0).request("state");
  }

  stop(): void {
    this.#stopped = true;
    this.stage.stop();
    for (const request of this.#requests.values()) request.reject(gone());
    this.#requests.clear();
  }

  free(): void {
    this.#worker.post({ id: this.#id, dispose: true });
    this.#worker.remove(this.#id);
  }

  explain(error: Error): Error {
    return error;
  }

  // ── messages from the worker ──

  receive(message: WorkerMessage): void {
    if (this.#stopped || "ready" in message) return;
    if ("context" in message)
      return message.context === "lost" ? this.listener.contextLost() : this.listener.contextRestored();
    if ("rejected" in message) {
      const failure = message.error && deserializeError(message.error, this.#main);
      return this.listener.rejected(message.actor, message.run, failure);
    }
    if ("failed" in message) return this.#fail(deserializeError(message.failed, this.#main), message.claimed === true);
    if ("blank" in message) return void this.#giveSpare();
    if ("replaced" in message) return this.#replace(message.replaced);
    if ("opening" in message) return this.#options.onProgress?.(message.opening);
    if ("update" in message) this.#update(message.update, "shown" in message);
    if ("opened" in message) this.backend = message.opened;
    if ("request" in message) this.#respond(message);
    else if ("opened" in message) this.#settle(OPENING, (request) => request.resolve(null));
  }

  failed(error: Error): void {
    if (!this.#stopped) this.#fail(error, false);
  }

  async #open(canvas: HTMLCanvasElement, backend: BackendChoice, wasm: WasmUrls): Promise<void> {
    const offscreen = this.#transfer(canvas);
    const { preload, signal } = this.#options;
    const abort = (): void => this.#worker.post({ id: this.#id, abort: OPENING });
    signal?.addEventListener("abort", abort);
    await new Promise((resolve, reject) => {
      this.#requests.set(OPENING, { resolve, reject });
      const urls = preload === undefined ? [] : [preload].flat().map(absolute);
      this.#worker.post(
        { id: this.#id, open: backend, canvas: offscreen, stage: this.#stageState, wasm, preload: urls },
        [offscreen],
      );
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  async #giveSpare(): Promise<void> {
    const { spareOf } = await import("../host/heal.js");
    if (this.#stopped) return;
    const spare = spareOf(this.stage.canvas, (canvas) => this.#stageOf(canvas));
    this.#spare = spare;
    const offscreen = spare.canvas.transferControlToOffscreen();
    this.#worker.post({ id: this.#id, spare: offscreen }, [offscreen]);
  }

  #replace(backend: Backend): void {
    this.#main.webgpu.draws = false;
    this.listener.replaced(() => {
      const before = this.stage;
      this.stage = this.#spare!.show();
      before.stop();
      this.backend = backend;
      this.stage.changed();
      return this;
    });
  }

  #transfer(canvas: HTMLCanvasElement): OffscreenCanvas {
    try {
      return canvas.transferControlToOffscreen();
    } catch (cause) {
      const advice =
        "It was drawn on before, by a player or by the page, or the browser doesn't support it; use a new canvas.";
      throw new this.#main.GambolError("CANVAS_NOT_GIVEN", `The canvas can't be handed to a worker. ${advice}`, {
        cause,
      });
    }
  }

  get #stageState(): StageState {
    const { width, height, slack, refines, visible } = this.stage;
    return { width, height, slack, refines, visible };
  }

  /** Queues a call. Returns the number of the batch that will contain it. */
  #call(call: Call, actor = 0): number {
    if (!this.#stopped && this.#calls.push({ ...call, actor }) === 1) queueMicrotask(() => this.#send());
    return this.#batch + 1;
  }

  #send(): void {
    if (this.#stopped || this.#calls.length === 0) return;
    this.#worker.post({ id: this.#id, calls: this.#calls, batch: ++this.#batch, model: this.#model });
    this.#calls = [];
  }

  #request(post: (request: number) => void, progress?: (progress: Progress) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const number = ++this.#lastRequest;
      this.#requests.set(number, { resolve, reject, ...(progress && { progress }) });
      post(number);
    });
  }

  #respond(message: Extract<WorkerMessage, { request: number }>): void {
    const { request } = message;
    if ("progress" in message) this.#requests.get(request)?.progress?.(message.progress);
    else if ("error" in message)
      this.#settle(request, ({ reject }) => reject(deserializeError(message.error, this.#main)));
    else if ("shown" in message) {
      const { actor, name, warnings, isLater } = message.shown;
      if (actor === 0) {
        // Queued calls were made for the previous model, so they are sent with its number.
        this.#send();
        this.#model++;
      }
      const contents = new this.#main.Contents(message.shown);
      this.#remoteOf(actor).contents = contents;
      this.#settle(request, (pending) => {
        const later = isLater && new Promise((resolve) => this.#requests.set(request, { ...pending, resolve }));
        pending.resolve({ actor, name, warnings, contents, ...(later && { later }) } as ShownActor);
      });
    } else if ("added" in message) {
      const { actor, clips, warnings, map } = message.added;
      const remote = this.#remotes.get(actor);
      // The actor was removed meanwhile.
      if (!remote?.contents) return this.#settle(request, ({ reject }) => reject(gone()));
      const contents = remote.contents.with(clips);
      remote.contents = contents;
      this.#settle(request, (pending) => pending.resolve({ clips, warnings, contents, map } satisfies Added));
    } else this.#settle(request, (pending) => pending.resolve(message.value));
  }

  #settle(request: number, how: (request: PendingRequest) => void): void {
    const pending = this.#requests.get(request);
    this.#requests.delete(request);
    if (pending) how(pending);
  }

  #update(update: StateUpdate, shown: boolean): void {
    const updates = new Map(update.actors.map((each) => [each.actor, each]));
    // An actor is created by its first report. Reports of one that was removed meanwhile are dropped.
    for (const [actor, { fresh }] of updates) if (fresh) this.#remoteOf(actor);
    for (const [actor, remote] of this.#remotes) {
      remote.apply(updates.get(actor) ?? { fresh: false, changes: [] }, update.batch);
    }
    this.#doneBatch = update.batch;
    Object.assign(this.timings, update.timings);
    // There is no listener until the player exists.
    if (!this.listener) return;
    for (const events of update.events) {
      const { actor, endedIn } = events;
      this.#remotes.get(actor)?.replay(events, () => this.listener.collect(actor, endedIn));
    }
    // A new model is reported by the promise of `load`.
    if (shown) return;
    if (update.drawn) this.listener.drawn(update.drawn.hasEvents);
    else this.listener.updated();
  }

  #fail(error: Error, claimed: boolean): void {
    const opening = this.#requests.get(OPENING);
    if (opening) return opening.reject(claimed ? new CanvasClaimed(error) : error);
    // Until the player exists, a failure can only reject the promise that opens it.
    if (this.listener) this.listener.failed(error);
    else this.free();
  }
}

function gone(): DOMException {
  return new DOMException("The player was disposed of, or the actor was removed.", "AbortError");
}

/** Resolves URLs against the page's base. Responses and requests can't be cloned: they become bytes and URLs. */
async function cloneableUrls(urls: WasmUrls): Promise<WasmUrls> {
  const entries = Object.entries(urls).map(
    async ([flavour, source]) => [flavour, await cloneableWasm(source)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function cloneableWasm(source: WasmSource): Promise<WasmSource> {
  if (source instanceof Response) return source.arrayBuffer();
  if (source instanceof Request) return source.url;
  return typeof source === "string" || source instanceof URL ? absolute(source) : source;
}

function cloneableSource(source: Source): Source {
  if (typeof source === "string" || source instanceof URL) return absolute(source);
  // Structured cloning drops `webkitRelativePath`, so the paths are sent as keys.
  if (Array.isArray(source))
    return new Map((source as File[]).map((file) => [file.webkitRelativePath || file.name, file]));
  return source;
}

function absolute(url: string | URL): string {
  try {
    return new URL(url, document.baseURI).href;
  } catch {
    // An invalid URL is reported where it is opened.
    return String(url);
  }
}
