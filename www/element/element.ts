/** `<gambol-player>`: like an `<img>` that moves. Importing this file defines it where there is a DOM. */
import { ATTRIBUTES, defineProperties, OBSERVED, propertyOf, type AttributeProperties } from "./attributes.js";
import { asError, GambolError, isAbort } from "./errors.js";
import { PLAYER_EVENTS, type Listener, type PlayerEventName, type PlayerEvents } from "./events.js";
import type { Motion, PlayOptions } from "./motion.js";
import { Player } from "./player.js";
import type { Run } from "./run.js";
import { open, type LoadOptions, type Source } from "./source.js";
import { View } from "./view.js";
import { followWords, wordsFor, type Words } from "./words.js";

export * from "./index.js";
export { setWords, type Words } from "./words.js";

/** Moving an element takes it out and puts it in again: only after this long is it gone for good. */
const DISPOSE_AFTER_MILLIS = 500;

// Servers have no HTMLElement, and import this file nevertheless.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export interface GambolPlayerElement extends AttributeProperties {
  addEventListener<Name extends PlayerEventName>(
    name: Name,
    listener: Listener<Name>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** The tag `<gambol-player>`. Each attribute is a property too, and what a `<video>` has it calls the same. */
export class GambolPlayerElement extends Base {
  static readonly observedAttributes = OBSERVED;

  #player: Player | null = null;
  /** Resolves to the player that is being made; cleared when it is disposed of. */
  #starting: Promise<Player> | null = null;
  #view: View | null = null;
  #disposal: ReturnType<typeof setTimeout> | undefined;
  /** What is shown, to show it again after a fresh start. */
  #source: Source | null = null;
  /** Settles when the newest load has, however it ended. */
  #loading: Promise<void> = Promise.resolve();
  /** Changed since they were last looked at: several attributes change in one task. */
  #updates = new Set<keyof AttributeProperties>();
  #ownWords: Partial<Words> = {};
  #words = wordsFor({});
  readonly #rename = (): void => {
    this.#words = wordsFor(this.#ownWords);
    this.#view?.rename();
  };

  /** The object behind the element; null until it has found a device. */
  get player(): Player | null {
    return this.#player;
  }

  /** Shows a model; resolves when it is visible. Setting `src` does this with a URL. */
  async load(source: Source, options: LoadOptions = {}): Promise<void> {
    const view = this.#open();
    view.loading(true);
    const loading = this.#show(source, options);
    const settled = loading.catch(() => undefined);
    this.#loading = settled;
    try {
      await loading;
      this.#source = source;
      view.notice.hide();
    } catch (error) {
      // The player tells of its own failures by an event; what fails before there is one is told here.
      if (!this.#player && !isAbort(error)) this.#fail(asError(error) as GambolError);
      throw error;
    } finally {
      // A newer load shows its own progress.
      if (this.#loading === settled) view.loading(false);
    }
  }

  /** Plays a motion, or goes on; resolves when there is a model to play. */
  async play(motion?: Motion, options: PlayOptions = {}): Promise<Run> {
    const player = await this.#start();
    await this.#loading;
    const asked = motion ?? (player.clip || this.controller ? undefined : this.clip || 0);
    return player.play(asked, { fade: this.crossfade, ...options });
  }

  /** Everything stands still. */
  pause(): void {
    this.#player?.pause();
  }

  /** Back to the rest pose. */
  stop(): void {
    this.#player?.stop();
  }

  /** Whether nothing plays; true before there is a model. */
  get paused(): boolean {
    return this.#player?.paused ?? true;
  }

  /** Whether the last pass is over, its last pose held. */
  get ended(): boolean {
    return this.#player?.ended ?? false;
  }

  /** In seconds. Setting it seeks, exactly. */
  get currentTime(): number {
    return this.#player?.currentTime ?? 0;
  }

  set currentTime(secs: number) {
    if (this.#player) this.#player.currentTime = secs;
  }

  /** Of the clip that plays, in seconds; 0 without one. */
  get duration(): number {
    return this.#player?.duration ?? 0;
  }

  /** All that it shows and says; set those that are to be others: the rest stays as the page has it. */
  get words(): Words {
    return this.#words;
  }

  set words(words: Partial<Words>) {
    this.#ownWords = words;
    this.#rename();
  }

  // ── called by the browser ──

  connectedCallback(): void {
    clearTimeout(this.#disposal);
    this.#upgradeProperties();
    followWords(this.#rename, true);
    this.#rename();
    this.#open();
    if (this.#player || this.#starting) return;
    // A parser sets the attributes first: what starts now starts with them.
    this.#updates.clear();
    const source = this.#source ?? this.src;
    if (source) void this.load(source).catch(() => undefined);
  }

  disconnectedCallback(): void {
    followWords(this.#rename, false);
    clearTimeout(this.#disposal);
    this.#disposal = setTimeout(() => this.#dispose(), DISPOSE_AFTER_MILLIS);
  }

  attributeChangedCallback(attribute: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (this.#updates.size === 0) queueMicrotask(() => this.#applyUpdates());
    if (attribute === "src") this.#source = null;
    this.#updates.add(propertyOf(attribute));
  }

  // ── inside ──

  /** A page may have set properties before this class was there; they would hide those of the class. */
  #upgradeProperties(): void {
    for (const name of [...Object.keys(ATTRIBUTES), "words"]) {
      if (!Object.hasOwn(this, name)) continue;
      const own = this as unknown as Record<string, unknown>;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  #open(): View {
    this.#view ??= new View(this, {
      element: this,
      startAgain: () => this.#startAgain(),
      fail: (error) => this.#fail(error),
    });
    this.#view.describe();
    return this.#view;
  }

  #start(): Promise<Player> {
    if (this.#starting) return this.#starting;
    const view = this.#open();
    const starting = Player.create(view.freshCanvas(), { backend: this.backend, cameraControls: false }).then(
      (player) => {
        if (this.#starting !== starting) {
          player.dispose();
          throw new DOMException("The element was taken out of the page.", "AbortError");
        }
        this.#player = player;
        view.adopt(player.canvas);
        this.#forwardEvents(player);
        this.#configure(player);
        return player;
      },
    );
    this.#starting = starting;
    starting.catch(() => {
      // The next attempt begins anew.
      if (this.#starting === starting) this.#starting = null;
    });
    return starting;
  }

  #configure(player: Player): void {
    player.cameraControls = this.controls || this.cameraControls;
    player.skeleton = this.skeleton;
    player.playbackRate = this.playbackRate;
    player.loop = this.loop;
    this.#view?.refresh();
  }

  #applyUpdates(): void {
    const changed = new Set(this.#updates);
    this.#updates.clear();
    if (!this.isConnected || changed.size === 0) return;
    this.#view?.describe();
    const player = this.#player;
    if (player) {
      this.#configure(player);
      if (changed.has("controller") && !changed.has("src")) void this.#control(player, player.clip !== null && player.paused);
      else if (changed.has("clip") && !changed.has("src") && this.clip) this.#switchClip(player);
    }
    if (changed.has("src") && this.src) void this.load(this.src).catch(() => undefined);
    if (changed.has("backend") && player) this.#startAgain();
  }

  /** Loads the controller and hands it over. */
  async #control(player: Player, still: boolean): Promise<void> {
    const url = this.controller;
    try {
      const json = url ? new TextDecoder().decode((await open(url)).bytes) : null;
      // Another one, or another model, may have been asked for meanwhile.
      if (url !== this.controller || player !== this.#player) return;
      player.setController(json);
      if (still) player.pause();
    } catch (error) {
      this.#fail(asError(error) as GambolError);
    }
  }

  #switchClip(player: Player): void {
    if (player.clip?.name === this.clip) return;
    const still = player.paused && player.clip !== null;
    try {
      player.play(this.clip, { fade: still ? 0 : this.crossfade });
      if (still) player.pause();
    } catch (error) {
      this.#fail(asError(error) as GambolError);
    }
  }

  async #show(source: Source, options: LoadOptions): Promise<void> {
    const player = await this.#start();
    await player.load(source, options);
    this.#view?.shown(true);
    const still = !this.autoplay || (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false);
    if (this.controller) {
      await this.#control(player, still);
      // The element may have been taken out of the page meanwhile.
      if (player === this.#player) player.frame();
    } else if (player.clips.length > 0 && (this.autoplay || this.clip)) {
      try {
        player.play(this.clip || 0);
        if (still) player.pause();
        player.frame();
      } catch (error) {
        this.#fail(asError(error) as GambolError);
      }
    }
    this.#view?.refresh();
  }

  #forwardEvents(player: Player): void {
    for (const name of PLAYER_EVENTS) {
      player.addEventListener(name, (event: CustomEvent<PlayerEvents[PlayerEventName]>) => {
        // A player that came to its end makes room for another one.
        if (!player.alive && player === this.#player) this.#dispose();
        this.#view?.follow(name);
        if (name === "progress") this.#view?.progress(event.detail as PlayerEvents["progress"]);
        if (name === "error") this.#fail(event.detail as GambolError);
        else this.dispatchEvent(new CustomEvent(name, { detail: event.detail }));
      });
    }
  }

  /** A page that handles the event itself prevents its default: the notice. */
  #fail(error: GambolError): void {
    const event = new CustomEvent("error", { detail: error, cancelable: true });
    if (this.dispatchEvent(event)) this.#view?.notice.show(error);
  }

  #startAgain(): void {
    this.#dispose();
    this.#view?.notice.hide();
    this.connectedCallback();
  }

  #dispose(): void {
    const player = this.#player;
    this.#player = null;
    this.#starting = null;
    this.#view?.shown(false);
    if (!player) return;
    const webgl = player.backend === "webgl2";
    player.dispose();
    // Browsers allow some sixteen contexts a page; garbage collection would give this one back too late.
    if (webgl) player.canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

if (globalThis.HTMLElement) defineProperties(GambolPlayerElement.prototype);
if (globalThis.customElements && !customElements.get("gambol-player")) {
  customElements.define("gambol-player", GambolPlayerElement);
}

declare global {
  interface HTMLElementTagNameMap {
    "gambol-player": GambolPlayerElement;
  }
}
