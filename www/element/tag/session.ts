/**
 * Lifecycle of an element's player: created when there is something to show, disposed of at the end, and created
 * again.
 */
import type { StartProgress } from "../files/prefetch.js";
import { open, type LoadOptions, type Progress, type Source } from "../files/source.js";
import { PLAYER_EVENTS, type PlayerEventName, type PlayerEvents } from "../player/events.js";
import type { Motion, PlayOptions } from "../player/motion.js";
import { loadGestures } from "../player/camera_controls.js";
import { drawWithLoop, Player } from "../player/player.js";
import type { Run } from "../player/run.js";
import type { GambolPlayerElement } from "../element.js";
import { checkOptions } from "../checks.js";
import { asError, GambolError, isAbort, unlessAborted } from "../errors.js";
import { readAttribute, type AttributeName } from "./attributes.js";
import { ReducedMotion } from "./reduced_motion.js";
import { configure, fetchSettings } from "./settings.js";
import { newCanvas, View } from "./view.js";

export class Session {
  player: Player | null = null;
  /** Source of the model that is shown, to load it again after a restart. */
  source: Source | null = null;
  /** Start time of the next model, if it has been set. */
  startTime: number | null = null;
  /** Whether playback has not been paused or stopped since the newest load. */
  autoplays = true;
  readonly reduced = new ReducedMotion();
  readonly #element: GambolPlayerElement;
  #view: View | null = null;
  /** Resolves to the player; null while there is neither a player nor one being created. */
  #starting: Promise<Player> | null = null;
  /** Resolves when light, background and surfaces are as the attributes say. */
  #looking: Promise<unknown> | undefined;
  /** Cancels the creation of a player, and its prefetch. */
  #start = new AbortController();
  /** Source of the prefetch. */
  #prefetched: Source = "";
  /** Progress of the WebAssembly for this player. */
  #wasm: Progress = NOTHING;
  /** Number of the load whose `loadstart` was dispatched before there was a player. */
  #loadStartTurn = 0;
  /** URLs of the clips that were added to the model. */
  #clips: readonly string[] = [];
  /** Number of the newest load. Also counts disposals, so that older loads can detect that they are outdated. */
  #turn = 0;
  /** The newest load while it runs. */
  #loading: Promise<void> | null = null;
  /** Aborts pending `play` calls when something else is requested. */
  #waiting = new AbortController();
  /** Playback is suppressed by reduced motion. */
  #suppressed = false;
  /** The visitor paused it while it played. */
  #resumes = false;

  constructor(element: GambolPlayerElement) {
    this.#element = element;
  }

  get view(): View {
    return (this.#view ??= this.#viewWith(newCanvas()));
  }

  get started(): boolean {
    return this.#starting !== null;
  }

  /** Source to show; empty if there is none. */
  get wanted(): Source {
    return this.source ?? this.#element.src;
  }

  async load(source: Source, options: LoadOptions): Promise<void> {
    if (source === "") throw new GambolError("NO_MODEL", "There is nothing to load; set src, or give load() a source.");
    this.#interrupt("Another model was requested.");
    const turn = ++this.#turn;
    const loading = this.#show(source, options, turn);
    this.#loading = loading;
    this.view.loading(true);
    try {
      await loading;
      this.source = source;
      this.view.hideError();
    } catch (error) {
      if (turn !== this.#turn && (error as GambolError).code === "PLAYER_DISPOSED") throw abortError();
      // The player dispatches its own errors; those before it exists are dispatched here.
      if (!this.player && !isAbort(error)) this.fail(error);
      throw error;
    } finally {
      // A newer load shows its own progress.
      if (turn === this.#turn) {
        this.#loading = null;
        this.view.loading(false);
      }
    }
  }

  async play(motion: Motion | undefined, options: PlayOptions): Promise<Run> {
    if (this.#loading || !this.player) await unlessAborted(this.#settled(), this.#waiting.signal);
    const { player } = this;
    if (!player) throw new GambolError("NO_MODEL", "There is nothing to play; set src, or call load() first.");
    this.#suppressed = false;
    const { clip, controller, crossfade } = this.#element;
    return player.play(motion ?? (player.clip || controller ? undefined : clip || 0), {
      fade: crossfade,
      ...checkOptions(options),
    });
  }

  pause(): void {
    this.#cancelAutoplay("It was paused.");
    this.player?.pause();
  }

  stop(): void {
    this.#cancelAutoplay("It was stopped.");
    this.player?.stop();
  }

  /** Loads the controller and sets it, or removes the previous one. */
  async setController(player: Player): Promise<void> {
    const url = this.#element.controller;
    const still = this.staysPaused(player);
    const json = await this.#fetchController();
    // Another controller or model may have been requested meanwhile.
    if (json === undefined || url !== this.#element.controller || player !== this.player) return;
    this.attempt(() => {
      player.setController(json);
      if (still) player.pause();
    });
  }

  /** Adds the clips of the files that the attribute lists and the model was loaded without. */
  async addClips(player: Player): Promise<void> {
    const known = this.#clips;
    const fresh = clipSources(this.#element).filter((url) => !known.includes(url));
    this.#clips = [...known, ...fresh];
    for (const url of fresh) {
      await this.#report(player, player.addClips(url));
    }
  }

  /** Applies attributes whose code is fetched: those that are set, or the given ones. */
  async applyFetched(player: Player, names?: Iterable<AttributeName>): Promise<void> {
    await Promise.all(fetchSettings(player, this.#element, names).map((call) => this.#report(player, call)));
  }

  setVariant(player: Player): void {
    this.attempt(() => (player.variant = this.#element.variant || null));
  }

  /** Shows the model from the camera that the attribute names. */
  async setCamera(player: Player): Promise<void> {
    await this.#report(player, player.useCamera(this.#element.camera || null));
  }

  /** Whether a new clip or controller must be paused too. */
  staysPaused(player: Player): boolean {
    return player.paused && (player.clip !== null || this.reduced.on);
  }

  /** Applies the reduced-motion state: pauses what moves by itself, or resumes it. */
  applyMotion(): void {
    const { player } = this;
    if (!player) return;
    if (this.reduced.on && this.#element.autoplay && !player.paused) {
      player.pause();
      this.#suppressed = true;
    } else if (!this.reduced.on && this.#suppressed) {
      this.#suppressed = false;
      player.play();
    }
    configure(player, this.#element, this.reduced.on, ["autoRotate"]);
    this.view.refresh();
  }

  /** Runs an action and reports its error. */
  attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Dispatches an `error` event. Unless the page cancels it, shows the notice and writes to the console. */
  fail(error: unknown): void {
    const detail = asError(error) as GambolError;
    const event = new CustomEvent("error", { detail, cancelable: true });
    if (!this.#element.dispatchEvent(event)) return;
    // A warning, since the page works and error monitors need no report.
    console.warn("<gambol-player>", detail.code, detail.place, detail);
    this.view.showError(detail);
  }

  startAgain(): void {
    this.end();
    this.view.hideError();
    this.#element.connectedCallback();
  }

  /** Disposes of the player. */
  end(): void {
    const { player, view } = this;
    this.player = this.#starting = this.#loading = null;
    this.#start.abort(abortError());
    this.#turn++;
    this.#interrupt("The element was taken out of the page.");
    view.loading(false);
    view.shown(false);
    if (!player) return;
    player.dispose();
    // The old canvas would keep what was drawn on it.
    view.adopt(newCanvas());
  }

  // ── inside ──

  #viewWith(canvas: HTMLCanvasElement): View {
    return new View(this.#element, canvas, {
      startAgain: () => this.startAgain(),
      setMoving: (moving, plays) => this.#setMoving(moving, plays),
      fail: (error) => this.fail(error),
    });
  }

  /** Reports the error of a call of the player, unless the player has ended. */
  async #report(player: Player, call: Promise<unknown> | undefined): Promise<void> {
    await call?.catch((error) => {
      if (player === this.player && !isAbort(error)) this.fail(error);
    });
  }

  #startFor(source: Source): Promise<Player> {
    if (this.#starting && (this.player || this.#prefetched === source)) return this.#starting;
    const { backend, worker } = this.#element;
    this.#start.abort(abortError());
    const { signal } = (this.#start = new AbortController());
    this.#prefetched = source;
    this.#wasm = NOTHING;
    const isUrl = typeof source === "string" || source instanceof URL;
    const preload = isUrl ? [source, ...clipSources(this.#element)] : undefined;
    const onProgress = ({ wasm, model }: StartProgress): void => {
      if (signal.aborted) return;
      this.#wasm = wasm;
      this.#progress(model);
    };
    const options = { backend, worker, cameraControls: false, preload, signal, onProgress };
    const { cameraControls, controls } = this.#element;
    // The attributes are applied when there is a player.
    const gestures = (cameraControls || controls) && loadGestures();
    const canvas = newCanvas();
    const starting = Player.create(canvas, options).then(async (player) => {
      await gestures;
      if (this.#starting !== starting) {
        player.dispose();
        throw abortError();
      }
      this.player = player;
      const { view } = this;
      view.adopt(player.canvas);
      this.#forwardEvents(player);
      configure(player, this.#element, this.reduced.on);
      this.#looking = this.applyFetched(player);
      view.refresh();
      return player;
    });
    this.#starting = starting;
    // After the player's requests, since building the view takes time.
    if (this.#view) this.#view.adopt(canvas);
    else this.#view = this.#viewWith(canvas);
    starting.catch(() => {
      // Let the next attempt start again.
      if (this.#starting === starting) this.#starting = null;
    });
    return starting;
  }

  async #show(source: Source, options: LoadOptions, turn: number): Promise<void> {
    const fetching = this.#fetchController();
    const starting = this.#startFor(source);
    if (this.player) this.#wasm = NOTHING;
    else {
      this.#loadStartTurn = turn;
      queueMicrotask(() => this.#dispatch("loadstart", { source }));
    }
    const player = await starting;
    const controller = await fetching;
    if (turn !== this.#turn) throw abortError();
    const clips = clipSources(this.#element);
    // Before the model, so that it is never seen otherwise.
    await this.#looking;
    const { autoplay, clip } = this.#element;
    // A controller plays other ones.
    const first = clip || (autoplay && !controller ? 0 : undefined);
    await player.load(source, { clips, clip: first, ...options });
    this.#clips = clips;
    // The attribute may have changed meanwhile.
    void this.addClips(player);
    // No `await` from here to the draw: the first frame of this model must show its clip and time.
    this.#pose(player, controller);
    // The canvas is hidden until the first model is shown.
    if (this.#element.camera) await this.setCamera(player);
    drawWithLoop(player);
    await player.settled();
    if (player !== this.player) throw abortError();
    this.view.shown(true);
    this.view.refresh();
  }

  #pose(player: Player, controller: string | null | undefined): void {
    const { autoplay, clip } = this.#element;
    if (this.#element.variant) this.setVariant(player);
    const start = this.startTime ?? readAttribute(this.#element, "currentTime");
    this.startTime = null;
    this.#suppressed = this.#resumes = false;
    if (player.clips.length === 0 || !(controller || autoplay || clip || start)) return;
    const plays = autoplay && this.autoplays;
    this.attempt(() => {
      if (controller) player.setController(controller);
      else player.play(clip || 0);
      if (start) player.currentTime = start;
      this.#suppressed = plays && this.reduced.on;
      if (!plays || this.#suppressed) player.pause();
      player.frame();
    });
  }

  /** Fetches the controller. Null if there is none; undefined if it can't be fetched, which has been reported. */
  async #fetchController(): Promise<string | null | undefined> {
    const url = this.#element.controller;
    try {
      return url ? new TextDecoder().decode((await open(url)).bytes) : null;
    } catch (error) {
      if (url === this.#element.controller) this.fail(error);
      return undefined;
    }
  }

  #forwardEvents(player: Player): void {
    for (const name of PLAYER_EVENTS) {
      player.addEventListener(name, ({ detail }: CustomEvent<PlayerEvents[PlayerEventName]>) => {
        // A player that has ended is disposed of, so that another one can start.
        if (!player.alive && player === this.player) this.end();
        if (name === "backendchange") this.view.adopt(player.canvas);
        this.view.follow(name);
        if (name === "progress") this.#progress(detail as Progress);
        else if (name === "error") this.fail(detail);
        else if (name === "loadstart" && this.#loadStartTurn === this.#turn) this.#loadStartTurn = 0;
        else this.#dispatch(name, detail);
      });
    }
  }

  #dispatch(name: PlayerEventName, detail: PlayerEvents[PlayerEventName]): void {
    this.#element.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Reports the progress of the model and, if it was fetched for this player, of the WebAssembly. */
  #progress(model: Progress): void {
    const wasm = this.#wasm;
    // Once there is a player, the WebAssembly is complete.
    const wasmTotal = this.player ? wasm.loaded : wasm.total || estimate(wasm);
    const loaded = wasm.loaded + model.loaded;
    this.view.progress(loaded / (wasmTotal + (model.total || estimate(model))));
    const known = model.total > 0 && (this.player !== null || wasm.total > 0);
    this.#dispatch("progress", { loaded, total: known ? wasmTotal + model.total : 0 });
  }

  /** Handles a button or a key of the visitor. `plays`: whether to play the clip even if it has never moved. */
  #setMoving(moving: boolean, plays: boolean): void {
    const resumes = plays || this.#resumes || this.#suppressed;
    this.reduced.choose(!moving);
    this.#resumes = !moving && !this.#element.paused;
    if (!moving) this.pause();
    else if (resumes) void this.#element.play().catch(() => undefined);
    this.applyMotion();
  }

  #cancelAutoplay(why: string): void {
    this.#interrupt(why);
    this.autoplays = this.#suppressed = false;
  }

  #interrupt(why: string): void {
    this.#waiting.abort(new DOMException(why, "AbortError"));
    this.#waiting = new AbortController();
  }

  /** Waits until loading has ended. Rejects if there is no model then. */
  async #settled(): Promise<void> {
    if (!this.#loading && this.wanted !== "") void this.#element.load().catch(() => undefined);
    try {
      await this.#loading;
    } catch (error) {
      if (!this.player?.readyState) throw error;
    }
  }
}

const NOTHING: Progress = { loaded: 0, total: 0 };

/** Returns the URLs in the attribute `clips-src`. */
function clipSources({ clipsSrc }: GambolPlayerElement): string[] {
  return clipsSrc.match(/\S+/g) ?? [];
}

/** Estimates the size of a file of unknown length: a megabyte, or twice what has arrived. */
function estimate({ loaded }: Progress): number {
  return Math.max(1e6, 2 * loaded);
}

function abortError(): DOMException {
  return new DOMException("The element was paused, stopped, removed, or given another model.", "AbortError");
}
