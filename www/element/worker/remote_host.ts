/** The page's side of a host in a worker: sends calls to the worker and receives its reports. */
import type { Backend, BackendChoice, WasmUrls } from "../engine/engine.js";
import type { PlayerHandle, WasmSource } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { LoadOptions, Progress, Source } from "../files/source.js";
import type { Audience, Host, Shown } from "../host/host.js";
import type { PlayerOptions } from "../host/options.js";
import type { PageStage } from "../host/stage.js";
import type { Timings } from "../host/stats.js";
import type { asError, GambolError } from "../errors.js";
import { OPENING, type Answer, type Call, type News, type Seen } from "./remote_messages.js";
import { RemoteRust } from "./remote_rust.js";
import { errorOf, workerAt, type Correspondent, type PlayerWorker } from "./remote_worker.js";

/** Values of the player's main script, passed as an argument: importing them would make bundlers split that script. */
export interface RemoteCore {
  readonly asError: typeof asError;
  readonly Contents: typeof Contents;
  readonly GambolError: typeof GambolError;
  readonly PageStage: typeof PageStage;
  readonly saidOfPage: WasmUrls;
}

/** Starts a player in the worker. A copy replaces the canvas if WebGPU fails after the canvas was claimed for it. */
export async function startRemote(
  canvas: HTMLCanvasElement,
  options: PlayerOptions,
  core: RemoteCore,
): Promise<RemoteHost> {
  const choice = options.backend ?? "auto";
  const wasm = await portable({ ...(options.worker === true && wasmBesideUs()), ...core.saidOfPage, ...options.wasm });
  const open = (onto: HTMLCanvasElement, backend: BackendChoice) =>
    RemoteHost.open(workerAt(options.worker as true | string | URL, core), onto, backend, wasm, options, core);
  try {
    return await open(canvas, choice);
  } catch (error) {
    if (choice !== "auto" || !(error instanceof Claimed)) throw core.asError(unclaimed(error), "NO_GPU");
    const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
    canvas.replaceWith(fresh);
    return open(fresh, "webgl2").catch((error) => {
      throw core.asError(unclaimed(error), "NO_GPU");
    });
  }
}

/** Returns the wasm URLs for a bundled worker: some bundlers copy a worker unchanged, without the files beside it. */
function wasmBesideUs(): WasmUrls {
  return {
    webgpu: new URL("./wasm/webgpu/gambol_bg.wasm", import.meta.url),
    webgl2: new URL("./wasm/webgl/gambol_bg.wasm", import.meta.url),
    formats: new URL("./wasm/formats/gambol_bg.wasm", import.meta.url),
  };
}

/** An error after the canvas was claimed for WebGPU, which makes it unusable for another backend. */
class Claimed extends Error {
  constructor(readonly why: Error) {
    super(why.message);
  }
}

function unclaimed(error: unknown): unknown {
  return error instanceof Claimed ? error.why : error;
}

interface Question {
  answer(value: unknown): void;
  fail(error: Error): void;
  progress?(progress: Progress): void;
}

export class RemoteHost implements Host, Correspondent {
  readonly stage: PageStage;
  readonly timings: Timings = { updateMillis: 0, renderMillis: 0 };
  audience!: Audience;
  backend!: Backend;
  readonly #core: RemoteCore;
  readonly #options: PlayerOptions;
  readonly #worker: PlayerWorker;
  readonly #id: number;
  readonly #mirror: RemoteRust;
  readonly #questions = new Map<number, Question>();
  #autoUpdate = true;
  #lastQuestion = 0;
  /** Calls that haven't been sent yet. */
  #calls: Call[] = [];
  /** Number of the newest batch that was sent. */
  #batch = 0;
  /** Number of the newest batch that the worker has carried out. */
  #followed = 0;
  /** Number of models shown so far. */
  #model = 0;
  #stopped = false;

  static async open(
    worker: PlayerWorker,
    canvas: HTMLCanvasElement,
    backend: BackendChoice,
    wasm: WasmUrls,
    options: PlayerOptions,
    core: RemoteCore,
  ): Promise<RemoteHost> {
    const host = new RemoteHost(worker, canvas, options, core);
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

  private constructor(worker: PlayerWorker, canvas: HTMLCanvasElement, options: PlayerOptions, core: RemoteCore) {
    this.#worker = worker;
    this.#options = options;
    this.#core = core;
    this.#id = worker.join(this);
    this.stage = new core.PageStage(canvas);
    this.stage.changed = () => this.#call({ do: "stage", seen: this.#seen });
    const own = (): RemoteHost => this;
    this.#mirror = new RemoteRust(core, {
      get upToDate() {
        return own().upToDate;
      },
      call: (call) => this.#call(call),
      ask: (member, args) => {
        this.#send();
        return this.#ask((question) => worker.post({ id: this.#id, question, member, args }));
      },
    });
  }

  get rust(): PlayerHandle {
    return this.#mirror.rust;
  }

  get upToDate(): boolean {
    return this.#followed === this.#batch && this.#calls.length === 0;
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

  draw(): false {
    this.stage.refresh();
    this.#call({ do: "draw" });
    return false;
  }

  advance(secs: number): void {
    this.#call({ do: "advance", secs });
  }

  async load(
    source: Source,
    { signal, onProgress, ...options }: LoadOptions & { signal: AbortSignal },
  ): Promise<Shown> {
    signal.throwIfAborted();
    this.#send();
    let question = 0;
    const abort = () => this.#worker.post({ id: this.#id, abort: question });
    signal.addEventListener("abort", abort);
    try {
      return (await this.#ask((number) => {
        question = number;
        try {
          this.#worker.post({ id: this.#id, question, load: portableSource(source), options });
        } catch (cause) {
          throw new this.#core.GambolError(
            "WRONG_TYPE",
            "These options can't be handed to a worker; give plain data.",
            { cause },
          );
        }
      }, onProgress)) as Shown;
    } finally {
      signal.removeEventListener("abort", abort);
      // Sent after the calls of code that awaits this load. It has no batch number, so `upToDate` doesn't depend on it.
      setTimeout(() => {
        const calls: Call[] = [{ do: "stage", seen: this.#seen }];
        if (!this.#stopped) this.#worker.post({ id: this.#id, calls, batch: this.#batch, model: this.#model });
      });
    }
  }

  rearrange(change: () => void): void {
    change();
  }

  async settled(): Promise<void> {
    await this.#mirror.ask("state");
  }

  stop(): void {
    this.#stopped = true;
    this.stage.stop();
    const gone = new DOMException("The player was disposed of.", "AbortError");
    for (const question of this.#questions.values()) question.fail(gone);
    this.#questions.clear();
  }

  free(): void {
    this.#worker.post({ id: this.#id, dispose: true });
    this.#worker.leave(this.#id);
  }

  explain(error: Error): Error {
    return error;
  }

  // ── messages from the worker ──

  receive(answer: Answer): void {
    if (this.#stopped || "ready" in answer) return;
    if ("context" in answer)
      return answer.context === "lost" ? this.audience.contextLost() : this.audience.contextRestored();
    if ("refused" in answer) {
      const failure = answer.failure && errorOf(answer.failure, this.#core);
      return this.audience.refused(answer.run, failure);
    }
    if ("failed" in answer) return this.#fail(errorOf(answer.failed, this.#core), answer.claimed === true);
    if ("came" in answer) return this.#options.onProgress?.(answer.came);
    if ("news" in answer) this.#learn(answer.news, "shown" in answer);
    if ("opened" in answer) this.backend = answer.opened;
    if ("question" in answer) this.#answer(answer);
    else if ("opened" in answer) this.#settle(OPENING, (question) => question.answer(null));
  }

  cutOff(error: Error): void {
    if (!this.#stopped) this.#fail(error, false);
  }

  async #open(canvas: HTMLCanvasElement, backend: BackendChoice, wasm: WasmUrls): Promise<void> {
    const given = this.#transfer(canvas);
    const { preload, signal } = this.#options;
    const abort = (): void => this.#worker.post({ id: this.#id, abort: OPENING });
    signal?.addEventListener("abort", abort);
    await new Promise((answer, fail) => {
      this.#questions.set(OPENING, { answer, fail });
      const ahead = preload === undefined ? preload : absolute(preload);
      this.#worker.post({ id: this.#id, open: backend, canvas: given, seen: this.#seen, wasm, preload: ahead }, [
        given,
      ]);
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  #transfer(canvas: HTMLCanvasElement): OffscreenCanvas {
    try {
      return canvas.transferControlToOffscreen();
    } catch (cause) {
      const advice =
        "It was drawn on before, by a player or by the page, or the browser doesn't support it; use a new canvas.";
      throw new this.#core.GambolError("CANVAS_NOT_GIVEN", `The canvas can't be handed to a worker. ${advice}`, {
        cause,
      });
    }
  }

  get #seen(): Seen {
    const { width, height, visible } = this.stage;
    return { width, height, visible };
  }

  /** Queues a call. Returns the number of the batch that will contain it. */
  #call(call: Call): number {
    if (!this.#stopped && this.#calls.push(call) === 1) queueMicrotask(() => this.#send());
    return this.#batch + 1;
  }

  #send(): void {
    if (this.#stopped || this.#calls.length === 0) return;
    this.#worker.post({ id: this.#id, calls: this.#calls, batch: ++this.#batch, model: this.#model });
    this.#calls = [];
  }

  #ask(post: (question: number) => void, progress?: (progress: Progress) => void): Promise<unknown> {
    return new Promise((answer, fail) => {
      const number = ++this.#lastQuestion;
      this.#questions.set(number, { answer, fail, ...(progress && { progress }) });
      post(number);
    });
  }

  #answer(answer: Extract<Answer, { question: number }>): void {
    const { question } = answer;
    if ("progress" in answer) this.#questions.get(question)?.progress?.(answer.progress);
    else if ("failure" in answer) this.#settle(question, ({ fail }) => fail(errorOf(answer.failure, this.#core)));
    else if ("shown" in answer) {
      // Queued calls were made for the previous model, so they are sent with its number.
      this.#send();
      this.#model++;
      const { name, warnings } = answer.shown;
      const contents = new this.#core.Contents(answer.shown);
      this.#mirror.contents = contents;
      this.#settle(question, (asked) => asked.answer({ name, warnings, contents } satisfies Shown));
    } else this.#settle(question, (asked) => asked.answer(answer.value));
  }

  #settle(question: number, how: (question: Question) => void): void {
    const asked = this.#questions.get(question);
    this.#questions.delete(question);
    if (asked) how(asked);
  }

  #learn(news: News, shown: boolean): void {
    this.#mirror.learn(news);
    this.#followed = news.batch;
    Object.assign(this.timings, news.timings);
    // There is no audience until the player exists.
    if (!this.audience) return;
    for (const happened of news.happened) this.#mirror.recall(happened, () => this.audience.collect(happened.endedIn));
    // A new model is reported by the promise of `load`.
    if (shown) return;
    if (news.drawn) this.audience.drawn(news.drawn.eventful);
    else this.audience.told();
  }

  #fail(error: Error, claimed: boolean): void {
    const opening = this.#questions.get(OPENING);
    if (opening) return opening.fail(claimed ? new Claimed(error) : error);
    // Until the player exists, a failure can only reject the promise that opens it.
    if (this.audience) this.audience.failed(error);
    else this.free();
  }
}

/** Resolves URLs against the page's base. Responses and requests can't be cloned: they become bytes and URLs. */
async function portable(urls: WasmUrls): Promise<WasmUrls> {
  const entries = Object.entries(urls).map(async ([flavour, source]) => [flavour, await portableWasm(source)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function portableWasm(source: WasmSource): Promise<WasmSource> {
  if (source instanceof Response) return source.arrayBuffer();
  if (source instanceof Request) return source.url;
  return typeof source === "string" || source instanceof URL ? absolute(source) : source;
}

function portableSource(source: Source): Source {
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
