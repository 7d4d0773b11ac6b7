/** `<gambol-player>`: like an `<img>` that moves. Importing this file defines it where there is a DOM. */
import type { Clip } from "./files/contents.js";
import type { LoadOptions, Source } from "./files/source.js";
import type { Listener, PlayerEventName } from "./player/events.js";
import type { Motion, PlayOptions } from "./player/motion.js";
import type { Player } from "./player/player.js";
import type { Run } from "./player/run.js";
import {
  ATTRIBUTES,
  checkAttribute,
  defineProperties,
  OBSERVED,
  propertyOf,
  readAttribute,
  type AttributeName,
  type AttributeProperties,
} from "./tag/attributes.js";
import { Life } from "./tag/life.js";
import { whenNear } from "./tag/near.js";
import { configure } from "./tag/settings.js";
import { checkWords, followWords, wordsFor, type Words } from "./tag/words.js";
import { number } from "./checks.js";

export { setWords, type Words } from "./tag/words.js";
export * from "./index.js";

/** Moving an element takes it out and puts it in again: only after this long is it gone for good. */
const DISPOSE_AFTER_MILLIS = 500;

// Servers have no HTMLElement, and import this file nevertheless.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export interface GambolPlayerElement extends Omit<AttributeProperties, "currentTime"> {
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

/**
 * The tag `<gambol-player>`. Each attribute is a property too, and what a `<video>` has it calls the same.
 *
 * Events are the player's, and don't bubble, as those of media don't. `error` is cancelable: a page that says in its own
 * words what went wrong prevents the notice.
 */
export class GambolPlayerElement extends Base {
  static readonly observedAttributes = OBSERVED;

  readonly #life = new Life(this);
  #disposal: ReturnType<typeof setTimeout> | undefined;
  /** Stops looking whether the element has come near. */
  #unwatch: (() => void) | null = null;
  /** Lets go of what lies outside, and would keep the element alive. */
  #letGo: (() => void) | null = null;
  /** Changed since they were last looked at: several attributes change in one task. */
  readonly #updates = new Set<AttributeName>();
  #ownWords: Partial<Words> = {};
  #words = wordsFor({});
  readonly #rename = (): void => {
    this.#words = wordsFor(this.#ownWords);
    if (this.#letGo) this.#life.view.rename();
  };

  /** The object behind the element; null until it has found a device. */
  get player(): Player | null {
    return this.#life.player;
  }

  /**
   * Shows a model; resolves when it is visible. Setting `src` does this with a URL; without a source it loads the same
   * again. Until it is ready, and for ever if it can't be shown, what was there goes on.
   */
  async load(source: Source = this.#life.wanted, options: LoadOptions = {}): Promise<void> {
    this.#unwatch?.();
    this.#life.autoplays = true;
    return this.#life.load(source, options);
  }

  /**
   * Plays a motion, or goes on; resolves once it does, which may take a model first. As with media, it rejects with an
   * `AbortError` when it is paused, stopped, taken out of the page or given another model before that, and with what went
   * wrong where there is nothing to play.
   */
  async play(motion?: Motion, options: PlayOptions = {}): Promise<Run> {
    this.#applyUpdates();
    return this.#life.play(motion, options);
  }

  /** Holds the pose. What is yet to be loaded won't play by itself either. */
  pause(): void {
    this.#life.pause();
  }

  /** Back to the rest pose. What is yet to be loaded won't play by itself either. */
  stop(): void {
    this.#life.stop();
  }

  /** Whether nothing plays; true before there is a model. */
  get paused(): boolean {
    return this.player?.paused ?? true;
  }

  /** Whether the last pass is over, its last pose held. */
  get ended(): boolean {
    return this.player?.ended ?? false;
  }

  /** 0 before the first model, 4 once one is shown: the two of `HTMLMediaElement`'s numbers that occur. */
  get readyState(): 0 | 4 {
    return this.player?.readyState ?? 0;
  }

  /** Of the model that is shown. */
  get clips(): readonly Clip[] {
    return this.player?.clips ?? [];
  }

  /** In seconds. Setting it seeks, exactly; before there is a model, it says where that will begin. */
  get currentTime(): number {
    if (this.readyState > 0) return this.player!.currentTime;
    return this.#life.startTime ?? readAttribute(this, "currentTime");
  }

  set currentTime(secs: number) {
    if (this.readyState > 0) this.player!.currentTime = secs;
    else this.#life.startTime = number("time", secs);
  }

  /** Of the clip that plays, in seconds; 0 without one. */
  get duration(): number {
    return this.player?.duration ?? 0;
  }

  /** All that it shows and says; set those that are to be others: the rest stays as the page has it. */
  get words(): Words {
    return this.#words;
  }

  set words(words: Partial<Words>) {
    this.#ownWords = checkWords(words);
    this.#rename();
  }

  // ── called by the browser ──

  /** @internal */
  connectedCallback(): void {
    clearTimeout(this.#disposal);
    this.#upgradeProperties();
    this.#followOutside();
    this.#rename();
    if (this.#life.started) return this.#applyUpdates();
    // A parser sets the attributes first: what starts now starts with them.
    this.#updates.clear();
    this.#request();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#letGo?.();
    this.#unwatch?.();
    clearTimeout(this.#disposal);
    this.#disposal = setTimeout(() => this.#life.end(), DISPOSE_AFTER_MILLIS);
  }

  /** @internal */
  adoptedCallback(): void {
    this.#life.view.dress();
  }

  /** @internal */
  attributeChangedCallback(attribute: string, before: string | null, after: string | null): void {
    if (before === after) return;
    const name = propertyOf(attribute);
    if (after) checkAttribute(name, after);
    if (name === "src") this.#life.source = null;
    this.#updates.add(name);
    queueMicrotask(() => this.#applyUpdates());
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

  #followOutside(): void {
    this.#letGo?.();
    const ignore = this.#life.calm.follow(() => this.#life.obeyCalm());
    followWords(this.#rename, true);
    this.#letGo = () => {
      ignore();
      followWords(this.#rename, false);
    };
  }

  /** Loads what the attributes name, at once or when the element comes near. */
  #request(): void {
    this.#unwatch?.();
    this.#unwatch = null;
    if (this.#life.wanted === "") return;
    this.#life.autoplays = true;
    const load = (): void => void this.#life.load(this.#life.wanted, {}).catch(() => undefined);
    if (this.loading === "lazy") this.#unwatch = whenNear(this, load);
    else load();
  }

  /** What was changed while it was in no page counts when it is in one again. */
  #applyUpdates(): void {
    if (!this.isConnected || this.#updates.size === 0) return;
    const changed = new Set(this.#updates);
    this.#updates.clear();
    const { player, started, calm, view } = this.#life;
    // Before it, since gestures go by the canvas's style; after it, since what moves by itself can be stopped.
    view.refresh();
    if (player) {
      configure(player, this, calm.on, changed);
      if (player.readyState > 0 && !changed.has("src")) this.#direct(player, changed);
    }
    view.refresh();
    if ((changed.has("backend") || changed.has("worker")) && started) this.#life.startAgain();
    else if (changed.has("src") || (changed.has("loading") && !started)) this.#request();
  }

  /** What plays, and where, is said anew. */
  #direct(player: Player, changed: ReadonlySet<AttributeName>): void {
    if (changed.has("controller")) void this.#life.control(player);
    else if (changed.has("clip") && this.clip) this.#switchClip(player);
    if (changed.has("currentTime")) player.currentTime = readAttribute(this, "currentTime");
  }

  #switchClip(player: Player): void {
    if (player.clip?.name === this.clip) return;
    const still = this.#life.stands(player);
    this.#life.attempt(() => {
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
