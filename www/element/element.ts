/** The `<gambol-player>` element. Importing this file defines it where there is a DOM. */
import type { Clip } from "./files/contents.js";
import type { LoadOptions, Source } from "./files/source.js";
import { PLAYER_EVENTS, type Listener, type PlayerEventName } from "./player/events.js";
import type { Motion, PlayOptions } from "./player/motion.js";
import { followFrames, type Player } from "./player/player.js";
import type { Run } from "./player/run.js";
import {
  ATTRIBUTES,
  attributeOf,
  checkAttribute,
  defineProperties,
  OBSERVED,
  propertyOf,
  readAttribute,
  upgradeProperty,
  type AttributeName,
  type AttributeProperties,
} from "./tag/attributes.js";
import { make } from "./tag/dom.js";
import { Session } from "./tag/session.js";
import { whenNearViewport } from "./tag/near_viewport.js";
import { configure } from "./tag/settings.js";
import { checkWords, followWords, wordsFor, type Words } from "./tag/words.js";
import { number, wrongValue } from "./checks.js";
import { notLoaded } from "./engine/engine.js";
import { asError } from "./errors.js";

export type { GambolActorElement } from "./tag/actor_element.js";
export { setWords, type Words } from "./tag/words.js";
export * from "./index.js";

/** Delay before the player of a removed element is disposed of: moving an element removes and reinserts it. */
const DISPOSE_AFTER_MILLIS = 500;

// Servers import this file too, and have no HTMLElement.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export interface GambolPlayerElement extends Omit<AttributeProperties, "currentTime"> {
  addEventListener<Name extends PlayerEventName>(
    name: Name,
    listener: Listener<Name>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends Exclude<keyof HTMLElementEventMap, PlayerEventName>>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/**
 * The element `<gambol-player>`. Every attribute is a property too, and names follow those of `<video>`.
 *
 * Events are those of the player and, like media events, don't bubble. `error` is cancelable: cancelling it prevents
 * the element's own error notice.
 */
export class GambolPlayerElement extends Base {
  static readonly observedAttributes = OBSERVED;

  readonly #session = new Session(this);
  #disposal: ReturnType<typeof setTimeout> | undefined;
  /** Stops waiting for the element to come near the view. */
  #cancelLazyLoad: (() => void) | null = null;
  /**
   * Removes global listeners, which would keep the element from being garbage collected. Null before the first
   * connection.
   */
  #removeListeners: (() => void) | null = null;
  /** Attributes that changed since they were last applied. Several attributes can change in one task. */
  readonly #updates = new Set<AttributeName>();
  #ownWords: Partial<Words> = {};
  #words = wordsFor({});
  /** Watches for the first child that needs more code. */
  readonly #children = new MutationObserver(() => this.#fetchParts());
  #hasActors = false;
  #hasPins = false;
  readonly #updateWords = (): void => {
    this.#words = wordsFor(this.#ownWords);
    if (this.#removeListeners) this.#session.view.updateWords();
  };

  /** The player behind the element; null until a GPU device has been found. */
  get player(): Player | null {
    return this.#session.player;
  }

  /**
   * Loads a model and resolves when it is visible. Setting `src` does this with a URL. Without a source, loads the
   * current model again. The model shown before stays until the new one is ready, and if loading fails.
   */
  async load(source: Source = this.#session.wanted, options: LoadOptions = {}): Promise<void> {
    this.#cancelLazyLoad?.();
    this.#session.autoplays = true;
    return this.#session.load(source, options);
  }

  /**
   * Plays a motion, or resumes playback. Resolves once it plays, after a model has been loaded if necessary.
   *
   * Rejects with an `AbortError` when the element is paused, stopped, removed from the page or given another model
   * before that, as media elements do, and with the cause when there is nothing to play.
   */
  async play(motion?: Motion, options: PlayOptions = {}): Promise<Run> {
    this.#applyUpdates();
    return this.#session.play(motion, options);
  }

  /** Pauses playback. A model that is still loading won't play by itself either. */
  pause(): void {
    this.#session.pause();
  }

  /** Stops playback and shows the rest pose. A model that is still loading won't play by itself either. */
  stop(): void {
    this.#session.stop();
  }

  /** Whether playback is paused, ended or stopped; true before the first model. */
  get paused(): boolean {
    return this.player?.paused ?? true;
  }

  /** Whether the motion has ended and its last pose is held. */
  get ended(): boolean {
    return this.player?.ended ?? false;
  }

  /**
   * The load state: 0 before the first model, 4 once one is shown. The values are those of
   * `HTMLMediaElement.readyState`; 1 to 3 don't occur.
   */
  get readyState(): 0 | 4 {
    return this.player?.readyState ?? 0;
  }

  /** The clips of the model, in the file's order. Empty before the first model. */
  get clips(): readonly Clip[] {
    return this.player?.clips ?? [];
  }

  /**
   * The time in the current clip, in seconds. Setting it seeks to exactly that time. Before the first model, it is
   * the time at which that one starts.
   */
  get currentTime(): number {
    if (this.readyState > 0) return this.player!.currentTime;
    return this.#session.startTime ?? readAttribute(this, "currentTime");
  }

  set currentTime(secs: number) {
    if (this.readyState > 0) this.player!.currentTime = secs;
    else this.#session.startTime = number("time", secs);
  }

  /** Duration of the current clip, in seconds; 0 when there is none. */
  get duration(): number {
    return this.player?.duration ?? 0;
  }

  /**
   * The texts that the element shows and announces. Setting takes any subset; the other texts are those of
   * {@link setWords}, or English.
   */
  get words(): Words {
    return this.#words;
  }

  set words(words: Partial<Words>) {
    this.#ownWords = checkWords(words);
    this.#updateWords();
  }

  // ── called by the browser ──

  /** @internal */
  connectedCallback(): void {
    clearTimeout(this.#disposal);
    for (const name of [...Object.keys(ATTRIBUTES), "words"]) upgradeProperty(this, name);
    this.#children.observe(this, { childList: true, subtree: true, attributeFilter: ["slot"] });
    const { started } = this.#session;
    if (!started) {
      // A parser sets the attributes before connecting the element: all of them are applied from the start.
      this.#updates.clear();
      // First, since what it fetches takes longest.
      this.#request();
    }
    this.#fetchParts();
    this.#listenGlobally();
    this.#updateWords();
    if (started) this.#applyUpdates();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#removeListeners?.();
    this.#children.disconnect();
    this.#cancelLazyLoad?.();
    clearTimeout(this.#disposal);
    this.#disposal = setTimeout(() => this.#session.end(), DISPOSE_AFTER_MILLIS);
  }

  /** @internal */
  adoptedCallback(): void {
    this.#session.view.restyle();
  }

  /** @internal */
  attributeChangedCallback(attribute: string, before: string | null, after: string | null): void {
    if (before === after) return;
    const name = propertyOf(attribute);
    if (after) checkAttribute(name, after);
    if (name === "src") this.#session.source = null;
    this.#updates.add(name);
    queueMicrotask(() => this.#applyUpdates());
  }

  // ── inside ──

  /** Fetches the code of `<gambol-actor>` and of pins, once there are any. */
  #fetchParts(): void {
    const fail = (error: unknown): void => this.#session.fail(notLoaded(error));
    if (!this.#hasActors && this.querySelector("gambol-actor")) {
      this.#hasActors = true;
      import("./tag/actor_element.js").then(
        ({ defineActorElement }) => defineActorElement({ asError, attributeOf, PLAYER_EVENTS, upgradeProperty }),
        fail,
      );
    }
    if (!this.#hasPins && this.querySelector(':scope > [slot="pin"]')) {
      this.#hasPins = true;
      import("./tag/pins.js").then(({ Pins, PINS }) => {
        this.#session.view.addPart(new Pins(this, { asError, followFrames, make, wrongValue }).root, PINS);
      }, fail);
    }
    if (this.#hasActors && this.#hasPins) this.#children.disconnect();
  }

  #listenGlobally(): void {
    this.#removeListeners?.();
    const unlisten = this.#session.reduced.listen(() => this.#session.applyMotion());
    followWords(this.#updateWords, true);
    this.#removeListeners = () => {
      unlisten();
      followWords(this.#updateWords, false);
    };
  }

  /** Loads what the attributes specify, at once or when the element comes near the view. */
  #request(): void {
    this.#cancelLazyLoad?.();
    this.#cancelLazyLoad = null;
    if (this.#session.wanted === "") return;
    this.#session.autoplays = true;
    const load = (): void => void this.#session.load(this.#session.wanted, {}).catch(() => undefined);
    if (this.loading === "lazy") this.#cancelLazyLoad = whenNearViewport(this, load);
    else load();
  }

  /**
   * Applies changed attributes. Changes made while the element is in no page are applied when it is connected again.
   */
  #applyUpdates(): void {
    if (!this.isConnected || this.#updates.size === 0) return;
    const changed = new Set(this.#updates);
    this.#updates.clear();
    const { player, started, reduced, view } = this.#session;
    // First, since gestures read the canvas's style; again below, since what moves by itself needs a button to stop
    // it.
    view.refresh();
    if (player) {
      configure(player, this, reduced.on, changed);
      void this.#session.applyFetched(player, changed);
      if (player.readyState > 0 && !changed.has("src")) this.#direct(player, changed);
    }
    view.refresh();
    if ((changed.has("backend") || changed.has("worker")) && started) this.#session.startAgain();
    else if (changed.has("src") || (changed.has("loading") && !started)) this.#request();
  }

  /** Applies changes of the controller, the clip, the variant, the camera and the time. */
  #direct(player: Player, changed: ReadonlySet<AttributeName>): void {
    if (changed.has("controller")) void this.#session.setController(player);
    else if (changed.has("clipsSrc")) void this.#session.addClips(player).then(() => this.#switchClip(player));
    else if (changed.has("clip")) this.#switchClip(player);
    if (changed.has("variant")) this.#session.setVariant(player);
    if (changed.has("camera")) void this.#session.setCamera(player);
    if (changed.has("currentTime")) player.currentTime = readAttribute(this, "currentTime");
  }

  #switchClip(player: Player): void {
    if (!this.clip || player.clip?.name === this.clip || !player.alive) return;
    const still = this.#session.staysPaused(player);
    this.#session.attempt(() => {
      player.play(this.clip, { fade: still ? 0 : this.crossfade });
      if (still) player.pause();
    });
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
