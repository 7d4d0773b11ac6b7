/** The host that runs on the current thread: that of the page or of a worker. */
import { connect, webgpu, type Connection } from "../engine/connection.js";
import { fetched, panicError, type Backend, type Engine, type Part, type WasmUrls } from "../engine/engine.js";
import type { Images, ModelHandle, PlayerHandle, Picture } from "../engine/wasm.js";
import type { Added, ClipFiles } from "../files/added_clips.js";
import { ModelListing, type Contents } from "../files/contents.js";
import { readAhead, type Ahead } from "../files/read_ahead.js";
import { missingImage, warningsOf } from "../files/needs.js";
import { SharedFile, type Pictures } from "../files/shared_file.js";
import type { AddClipsOptions, LoadOptions, Opened, Source } from "../files/source.js";
import { asError, unlessAborted, type Warning } from "../errors.js";
import { FrameLoop } from "./frame_loop.js";
import type { Spare } from "./heal.js";
import type { HostListener, Host, ShownActor, ShownModel } from "./host.js";
import type { PlayerOptions } from "./options.js";
import type { Pace } from "./pace.js";
import { Screen } from "./screen.js";
import { PageStage, type Stage } from "./stage.js";
import type { Timings } from "./stats.js";

/**
 * Starts a host. When WebGPU fails after the canvas was claimed for it, a copy of the canvas replaces it in the page.
 */
export async function startLocal(canvas: HTMLCanvasElement, options: PlayerOptions): Promise<LocalHost> {
  const choice = options.backend ?? "auto";
  const ahead = readAhead(options, options.wasm);
  try {
    const connection = await connect(canvas, choice, options.wasm, ahead.read);
    try {
      return new LocalHost(new PageStage(canvas), connection, options.wasm, ahead, choice === "auto");
    } catch (error) {
      if (choice !== "auto" || connection.engine.flavour === "webgl2") throw error;
      const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
      canvas.replaceWith(fresh);
      return new LocalHost(new PageStage(fresh), await connect(fresh, "webgl2", options.wasm), options.wasm, ahead);
    }
  } catch (error) {
    ahead.end();
    throw asError(error, "NO_GPU");
  }
}

export class LocalHost implements Host {
  readonly stage: Stage;
  rust: PlayerHandle;
  readonly timings: Timings = { updateMillis: 0, renderMillis: 0 };
  readonly upToDate = true;
  autoUpdate = true;
  listener!: HostListener;
  /**
   * What has changed the player since the start, to repeat it on another host. Null when a picture has been seen, and
   * where no other host could take over.
   */
  journal: Change[] | null = null;
  readonly urls: WasmUrls | undefined;
  /** Returns a canvas for another host; true stands for a copy of the one in the page. */
  readonly spare: boolean | (() => Promise<Spare>);
  readonly #engine: Engine;
  /** What `rust` forwards to while changes are recorded. */
  readonly #handle: PlayerHandle;
  readonly #screen: Screen;
  readonly #frames: FrameLoop;
  readonly #stopListening: () => void;
  readonly #ahead: Ahead | undefined;
  /** The player itself, and its other actors. */
  readonly #roles = new Map<number, Role>();
  /** Whether a requested draw is still pending. */
  #drawPending = false;
  /** Whether the first picture has been checked, or is being checked. */
  #isProbed = false;
  /** The host that has taken over. */
  #next: LocalHost | null = null;
  /** Whether something has changed since the last draw, other than by the passing of time. */
  #stale = true;
  /** Whether the last draw lacked details. */
  #deferred = false;
  /** Chooses the resolution. Fetched with the first late picture of a screen that has more pixels than CSS has. */
  #pace: Pace | undefined;
  #asksForPace = true;
  /** Runs out when nothing has moved for a while. */
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Whether the next picture refines the last one. */
  #refines = false;

  constructor(
    stage: Stage,
    connection: Connection,
    urls: WasmUrls | undefined,
    ahead?: Ahead,
    spare: LocalHost["spare"] = false,
  ) {
    const { engine } = connection;
    this.#ahead = ahead;
    const own = (): LocalHost => this;
    this.#engine = engine;
    this.urls = urls;
    this.spare = spare;
    this.stage = stage;
    const handle = new engine.wasm.PlayerHandle();
    this.#handle = this.rust = handle;
    this.#roles.set(0, { handle, file: null, contents: null });
    if (spare && engine.flavour === "webgpu") {
      this.journal = [];
      this.rust = recorded(handle, (change) => this.#record(change));
    }
    try {
      this.#screen = new Screen(stage, connection, handle, {
        changed: () => this.changed(),
        contextLost: () => this.listener.contextLost(),
        contextRestored: () => this.listener.contextRestored(),
        failed: (error) => this.listener.failed(asError(error, "GPU_LOST")),
        get roles() {
          return own().#roles.values();
        },
      });
    } catch (error) {
      stage.stop();
      connection.binding.close();
      throw error;
    }
    this.#frames = new FrameLoop(
      () => stage.visible,
      () => this.#screen.behind,
      (dtSecs) => this.#tick(dtSecs),
    );
    stage.changed = () => this.changed();
    this.#stopListening = engine.onPanic((error) => this.listener.failed(error));
  }

  get backend(): Backend {
    return this.#engine.flavour;
  }

  get #lead(): Role {
    return this.#roles.get(0)!;
  }

  changed(): void {
    this.#stale = true;
    if (this.autoUpdate && !this.#screen.blank) this.#frames.wake();
  }

  draw(mayDefer: boolean): true {
    const before = performance.now();
    this.#drawPending = this.#stale = false;
    this.#deferred = this.#screen.draw(mayDefer, this.#pace?.scale ?? 1);
    if (this.#deferred) this.#frames.wake();
    this.timings.renderMillis = performance.now() - before;
    if (this.journal && !this.#isProbed) void this.#probe();
    return true;
  }

  /** Resolves to whether what was drawn in this task is blank. Undefined if nothing was drawn. */
  probe(): Promise<boolean> | undefined {
    return this.#handle.probe();
  }

  /** Checks the first picture. If nothing can be seen in it, another host may take over. */
  async #probe(): Promise<void> {
    const probing = this.probe();
    if (!probing) return;
    this.#isProbed = true;
    try {
      if (await probing) await (await import("./heal.js")).heal(this, { LocalHost, PageStage, connect, webgpu });
    } catch {
      // Without another host, this one goes on.
    }
    this.#endRecording();
  }

  #record(change: Change): void {
    if (this.journal && this.journal.push(change) > MOST_CHANGES) this.#endRecording();
  }

  #endRecording(): void {
    this.journal = null;
    this.rust = this.#handle;
  }

  /** Ends this host. Loads in progress go on in the other one. */
  yieldTo(next: LocalHost): void {
    this.#next = next;
    // The page keeps the contents.
    for (const { file } of this.#roles.values()) file?.loaded.contents.list();
    this.stop();
    this.free();
  }

  /** Draws at once or, if `waits` or while the GPU is behind, with the next frame. */
  requestDraw(mayDefer: boolean, waits: boolean): void {
    this.#drawPending = this.#stale = true;
    if (!waits && !this.#screen.behind) return this.flushDraw(mayDefer);
    // Smoothed turns depend on the poses before them.
    this.rust.pose();
    this.#frames.wake();
  }

  flushDraw(mayDefer: boolean): void {
    if (!this.#drawPending) return;
    this.draw(mayDefer);
    this.listener.drawn(false);
  }

  advance(dtSecs: number): void {
    this.#timed(() => this.rust.advance(dtSecs));
  }

  load(source: Source, options: LoadOptions & { signal: AbortSignal; opened?: Opened }): Promise<ShownModel> {
    return this.#bring(source, options, this.#lead, {
      show: (model, images) => {
        this.rearrange(() => this.#screen.use(() => this.#handle.show(model, images)));
        this.#pace?.reset();
        return this.#lead;
      },
      repeat: (host, again) => host.load(source, again),
    });
  }

  async add(source: Source, options: LoadOptions & { signal: AbortSignal; opened?: Opened }): Promise<ShownActor> {
    const extending = this.extend();
    const { addressed } = await fetched(import("./addressed.js"));
    await unlessAborted(extending, options.signal);
    let actor = 0;
    const shown = await this.#bring(source, options, null, {
      show: (model, images) => {
        this.#screen.use(() => (actor = this.#handle.addActor(model, images)));
        const role: Role = {
          handle: addressed(() => this.#handle, actor),
          recorded: addressed(() => this.rust, actor),
          file: null,
          contents: null,
        };
        this.#roles.set(actor, role);
        return role;
      },
      repeat: async (host, again) => {
        const repeated = await host.add(source, again);
        ({ actor } = repeated);
        return repeated;
      },
    });
    return { ...shown, actor };
  }

  /** Reads a model and lets a role have it. `before` is the role that shows another one, if any. */
  async #bring(
    source: Source,
    options: LoadOptions & { signal: AbortSignal; opened?: Opened },
    before: Role | null,
    { show, repeat }: Entrance,
  ): Promise<ShownModel> {
    let file: SharedFile | null = null;
    const adding = options.clips?.length ? this.#openClips(options.clips, options) : undefined;
    try {
      const opening = SharedFile.open(this.#engine, source, { ...options, wasm: this.urls }, before?.file ?? null);
      // The load has taken over by now.
      this.#ahead?.end(true);
      file = await opening;
      options.signal.throwIfAborted();
      if (this.#next) throw new Error();
      const { model, name, opened } = file.loaded;
      let { contents } = file.loaded;
      let ofClips: readonly Warning[] = [];
      const clips = await adding;
      options.signal.throwIfAborted();
      if (this.#next) throw new Error();
      // Nothing may run between this check and `show`.
      const isWhole = this.#screen.holds(model) && file.unfinished === 0;
      const pictures = isWhole ? null : file.borrowPictures(this.#screen.imageTarget);
      const isLater = options.textures === "later";
      // The copy on the GPU lacks its pictures until it is shown.
      if (pictures) file.unfinished++;
      let role: Role;
      try {
        if (pictures) this.#screen.use(() => this.#handle.prepare(model));
        const { clip } = options;
        if (pictures && !isLater) {
          model.measure(contents.clips.findIndex(({ index, name }) => index === clip || name === clip));
        }
        const images: Images = isLater || !pictures ? [] : await unlessAborted(pictures.all, options.signal);
        options.signal.throwIfAborted();
        if (this.#next) throw new Error();
        if (file.loaded.failure && !isLater) throw file.loaded.failure;
        role = show(model, images);
        if (clips) {
          ({ contents, warnings: ofClips } = clips.addTo(role.handle, contents, true));
        }
      } catch (error) {
        pictures?.close();
        throw error;
      } finally {
        if (pictures) file.unfinished--;
      }
      // Until the promise has resolved, the page reads the contents of the model before.
      role.contents?.list();
      role.file?.close();
      role.file = file;
      role.contents = contents;
      this.changed();
      let repeated: Promise<readonly Warning[]> | undefined;
      this.#record(async (host) => {
        const { signal } = new AbortController();
        repeated = (await repeat(host, { ...options, onProgress: undefined, signal, opened })).later;
      });
      const withClips = (warnings: readonly Warning[]): readonly Warning[] => [...warnings, ...ofClips];
      const later = this.#finish(role, file, pictures, isLater, options).then(
        (ofFile) => repeated ?? withClips(ofFile),
      );
      return { name, contents, warnings: withClips(file.warnings), ...(isLater && { later }) };
    } catch (error) {
      this.#engine.checkTrap(error);
      file?.unwatch(options.onProgress);
      file?.close();
      if (this.#next && !options.signal.aborted) return repeat(this.#next, options);
      throw error;
    } finally {
      void adding?.then((clips) => clips.close()).catch(() => undefined);
    }
  }

  remove(actor: number): void {
    this.#handle.removeActor(actor);
    const role = this.#roles.get(actor)!;
    this.#roles.delete(actor);
    role.file?.close();
    // Pictures that are still decoded find no place.
    role.file = null;
    this.#record((host) => host.remove(actor));
  }

  rustOf(actor: number): PlayerHandle {
    return this.#roles.get(actor)!.recorded ?? this.rust;
  }

  async addClips(source: Source, options: AddClipsOptions & { signal: AbortSignal }, actor: number): Promise<Added> {
    const { file } = this.#roles.get(actor)!;
    const clips = await this.#openClips([source], options, options.onProgress);
    try {
      options.signal.throwIfAborted();
      if (this.#next) return await this.#next.addClips(source, options, actor);
      const role = this.#roles.get(actor);
      if (!role || file !== role.file) throw new DOMException("Another model is shown.", "AbortError");
      const added = clips.addTo(role.handle, role.contents!, false);
      role.contents = added.contents;
      this.#record((host) => host.addClips(source, { ...options, signal: new AbortController().signal }, actor));
      return added;
    } finally {
      clips.close();
    }
  }

  async #openClips(
    sources: readonly Source[],
    { ticksPerSecond, matrixKeys, names, retarget, signal }: Omit<AddClipsOptions, "signal"> & { signal: AbortSignal },
    onProgress?: AddClipsOptions["onProgress"],
  ): Promise<ClipFiles> {
    const { openClips } = await fetched(import("../files/added_clips.js"));
    const options = { ticksPerSecond, matrixKeys, names, retarget, signal, onProgress, wasm: this.urls };
    return openClips(this.#engine, sources, options, { ModelListing, SharedFile, unlessAborted, warningsOf });
  }

  /** Ends a load. With `isLater`, sets the pictures as they are decoded first. Resolves to the file's warnings. */
  async #finish(
    role: Role,
    file: SharedFile,
    pictures: Pictures | null,
    isLater: boolean,
    { onProgress }: LoadOptions,
  ): Promise<readonly Warning[]> {
    if (pictures && isLater) {
      file.unfinished++;
      // Aborted when the file has no users any more.
      await Promise.all(
        pictures.each.map((picture, index) => this.#setImage(role, file, pictures, picture, index)),
      ).catch(() => undefined);
      file.unfinished--;
    }
    pictures?.close();
    file.unwatch(onProgress);
    return file.warnings;
  }

  async #setImage(
    role: Role,
    file: SharedFile,
    { warnings }: Pictures,
    decoding: Promise<Picture | undefined>,
    index: number,
  ): Promise<void> {
    const picture = await decoding;
    if (!picture || role.file !== file || this.#engine.panicReport !== null) return;
    try {
      this.#screen.use(() => role.handle.setImage(index, picture));
      this.changed();
    } catch (error) {
      this.#engine.checkTrap(error);
      warnings.push(missingImage(`/images/${index}`, error));
    }
  }

  check(): void {
    this.#screen.check();
  }

  rearrange(change: () => void, actor = 0): void {
    this.listener.collect(actor);
    const layers = this.rustOf(actor).layerNames();
    change();
    this.listener.collect(actor, layers);
    this.changed();
  }

  async extend(part?: Part): Promise<void> {
    await this.#engine.extend(part);
    if (this.#next) return this.#next.extend(part);
    this.#record((host) => host.extend(part));
  }

  async settled(): Promise<void> {
    // Calls on this thread have taken effect when they return.
  }

  stop(): void {
    this.#endRecording();
    this.#frames.stop();
    this.#pace?.stop();
    this.#settle(false);
    this.#screen.stop();
    this.stage.stop();
    this.#stopListening();
  }

  free(): void {
    const trusted = this.#engine.panicReport === null;
    this.#ahead?.end();
    for (const role of this.#roles.values()) {
      role.file?.close(this.#next !== null);
      role.file = null;
    }
    if (trusted) this.#handle.free();
    this.#screen.free(trusted);
  }

  explain(error: Error): Error {
    const report = this.#engine.panicReport;
    return report === null ? error : panicError(report);
  }

  #tick(dtSecs: number): boolean {
    try {
      const flags = this.autoUpdate ? this.#timed(() => this.rust.update(dtSecs)) : 0;
      const isMoving = (flags & 1) !== 0;
      if (this.#refines && !this.#stale && !isMoving) return (this.#refines = this.#screen.refine());
      if (this.#pace) this.#pace.count(dtSecs, this.stage.slack);
      else if (this.#asksForPace && dtSecs > LATE_SECS && this.stage.slack > 1) void this.#fetchPace();
      // The first frame after a rest takes no time, and may have been drawn.
      if (dtSecs > 0 || this.#stale) this.draw(this.autoUpdate);
      else if (this.#deferred) this.#frames.wake();
      // After the draw: a listener of `finished` may rely on the last pose being on the canvas.
      this.listener.drawn((flags & 2) !== 0);
      this.#pace?.settle(isMoving);
      this.#settle(!isMoving && this.autoUpdate && this.stage.refines);
      return isMoving;
    } catch (error) {
      // A panic is reported by `onPanic`.
      this.#engine.checkTrap(error);
      this.listener.failed(asError(error, "RENDER_FAILED"));
      return false;
    }
  }

  async #fetchPace(): Promise<void> {
    this.#asksForPace = false;
    // Without it, pictures keep their pixels.
    const script = await import("./pace.js").catch(() => undefined);
    this.#pace = script && new script.Pace(() => this.changed());
  }

  /** After a picture: refines it if nothing changes for a while. */
  #settle(isStill: boolean): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#refines = false;
    if (!isStill) return;
    const rest = (this.#rest = setTimeout(() => {
      this.#engine.extend("still").then(
        () => {
          if (rest !== this.#rest) return;
          this.#refines = true;
          this.#frames.wake();
        },
        // Pictures stay as they are.
        () => (this.stage.refines = false),
      );
    }, REST_MILLIS));
  }

  #timed<Result>(update: () => Result): Result {
    const before = performance.now();
    const result = update();
    this.timings.updateMillis = performance.now() - before;
    return result;
  }
}

/** Time from which on a picture is late: that of `pace.ts`, which isn't there yet. */
const LATE_SECS = 1 / 40;

/** Time without motion after which a picture is refined. By then, one with fewer pixels has got all of them. */
const REST_MILLIS = 500;

/** What an actor shows. */
interface Role {
  /** Handle whose calls concern the actor. */
  readonly handle: PlayerHandle;
  /** The same, for calls that are recorded. Absent for the player itself. */
  readonly recorded?: PlayerHandle;
  file: SharedFile | null;
  /** Contents of the model, with the clips that were added. */
  contents: Contents | null;
}

/** How a model gets a role. */
interface Entrance {
  show(model: ModelHandle, images: Images): Role;
  /** Does the same on another host. */
  repeat(host: LocalHost, options: LoadOptions & { signal: AbortSignal; opened?: Opened }): Promise<ShownModel>;
}

/** Repeats a change on another host. */
export type Change = (host: LocalHost) => unknown;

/** Number of changes from which on no other host can take over: the page draws nothing for a long time. */
const MOST_CHANGES = 10_000;

type Members = Record<string | symbol, unknown>;

/** Returns a handle that forwards everything and records what changes the player. */
function recorded(handle: PlayerHandle, record: (change: Change) => void): PlayerHandle {
  const members = handle as unknown as Members;
  return new Proxy(handle, {
    get(_, name) {
      if (!(members[name] instanceof Function)) return members[name];
      return (...args: unknown[]): unknown => {
        const call = (rust: PlayerHandle): unknown => (rust as unknown as Record<typeof name, Call>)[name]!(...args);
        const result = call(handle);
        // Other calls that return an object only read.
        if (!(result instanceof Object) || name === "takeTravel") record(({ rust }) => call(rust));
        return result;
      };
    },
    set(_, name, value) {
      members[name] = value;
      record(({ rust }) => ((rust as unknown as Members)[name] = value));
      return true;
    },
  });
}

type Call = (...args: unknown[]) => unknown;
