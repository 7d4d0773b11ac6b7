/**
 * Pins: children of the element in the slot `pin`, which follow a node or a point of a surface. Imported when an
 * element has one.
 */
import type { wrongValue } from "../checks.js";
import type { GambolPlayerElement } from "../element.js";
import type { asError, GambolError } from "../errors.js";
import type { followFrames, Player } from "../player/player.js";
import type { GambolActorElement } from "./actor_element.js";
import type { make } from "./dom.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export interface MainExports {
  readonly asError: typeof asError;
  readonly followFrames: typeof followFrames;
  readonly make: typeof make;
  readonly wrongValue: typeof wrongValue;
}

/** What the attribute `data-pin` says of a pin, by the numbers of `PlayerHandle.placePins`. */
const PIN_STATES = ["nowhere", null, "visible", "covered"] as const;

/** How many pins are tested in each frame for what covers them. A test takes as long as a pick. */
const TESTS_PER_FRAME = 2;

/** Delay after which the next pins are tested if there is no other frame. Frames that follow each other come before. */
const REST_MILLIS = 40;

const ATTRIBUTES = ["data-node", "data-offset", "data-surface", "data-of", "data-character"];

/** A pin, what it follows, and what was written to it. */
interface Pin {
  readonly element: HTMLElement;
  /** The numbers of `PlayerHandle.placePins`. Null while what it follows isn't there. */
  anchor: readonly number[] | null;
  translate: string;
  state: (typeof PIN_STATES)[number];
}

export class Pins {
  readonly #owner: GambolPlayerElement;
  readonly #main: MainExports;
  readonly #slot: HTMLSlotElement;
  readonly root: HTMLElement;
  #pins: Pin[] = [];
  /** The player whose frames are followed. Its second wasm file has been loaded. Null until then. */
  #player: Player | null = null;
  /** Number of the newest preparation. */
  #turn = 0;
  #size = { width: 0, height: 0 };
  /** Index of the pin that is tested next, and how many are to be tested until the state of all is known. */
  #next = 0;
  #untested = 0;
  /** Whether a worker places the pins at present, and whether there was a frame since. */
  #isPlacing = false;
  #isOutdated = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  readonly #changes = new MutationObserver((records) => {
    const changed = new Set(records.map(({ target }) => target));
    this.#resolve((element) => changed.has(element));
  });
  readonly #sizes = new ResizeObserver(([entry]) => {
    this.#size = entry!.contentRect;
    this.#follow();
  });

  constructor(owner: GambolPlayerElement, main: MainExports) {
    this.#owner = owner;
    this.#main = main;
    this.#slot = main.make("slot", { name: "pin" });
    this.root = main.make("div", { class: "pins" }, this.#slot);
    this.#slot.addEventListener("slotchange", () => this.#collect());
    // With `capture`, since events of actors don't bubble.
    const loaded = ({ target }: Event): void => {
      if (target !== owner) this.#resolve(({ dataset }) => dataset.of === (target as HTMLElement).id);
      else if (owner.player === this.#player) this.#resolve();
      else void this.#prepare();
    };
    owner.addEventListener("load", loaded, { capture: true });
    // The other backend has another canvas, and a second wasm file of its own.
    owner.addEventListener("backendchange", () => void this.#prepare());
    // Without its player, the element shows the poster.
    const ended = (): void => {
      if (owner.player !== this.#player) this.#resolve();
    };
    for (const name of ["loadstart", "error"] as const) owner.addEventListener(name, ended);
    void this.#prepare();
  }

  /** Follows the element's player once the code for it is there. */
  async #prepare(): Promise<void> {
    const turn = ++this.#turn;
    const { player } = this.#owner;
    this.#player = null;
    if (!player?.readyState) return;
    try {
      await player.context.extend();
    } catch (error) {
      if (turn === this.#turn && player === this.#owner.player) this.#fail(this.#owner, error);
      return;
    }
    if (turn !== this.#turn || player !== this.#owner.player) return;
    this.#player = player;
    this.#main.followFrames(player, () => this.#follow());
    this.#sizes.disconnect();
    this.#sizes.observe(player.canvas);
    this.#resolve();
  }

  /** Lists the elements of the slot. */
  #collect(): void {
    const known = new Map(this.#pins.map((pin) => [pin.element, pin]));
    const elements = this.#slot.assignedElements() as HTMLElement[];
    for (const { element } of this.#pins) {
      if (elements.includes(element)) continue;
      element.style.translate = "";
      delete element.dataset.pin;
    }
    this.#pins = elements.map(
      (element) => known.get(element) ?? { element, anchor: null, translate: "", state: "nowhere" },
    );
    this.#changes.disconnect();
    for (const element of elements) this.#changes.observe(element, { attributeFilter: ATTRIBUTES });
    this.#resolve((element) => !known.has(element));
  }

  /** Finds what the pins follow, or some of them. */
  #resolve(isWanted = (_: HTMLElement): boolean => true): void {
    const player = this.#owner.player === this.#player && this.#player?.alive ? this.#player : null;
    for (const pin of this.#pins) {
      if (!isWanted(pin.element)) continue;
      try {
        pin.anchor = player && this.#anchorOf(pin.element, player);
      } catch (error) {
        pin.anchor = null;
        this.#fail(pin.element, error);
      }
      if (!pin.anchor) setState(pin, "nowhere");
    }
    this.#follow();
  }

  /** Returns what a pin follows; null if it isn't there yet. Throws if it doesn't exist. */
  #anchorOf({ dataset }: HTMLElement, player: Player): readonly number[] | null {
    const other = dataset.of && (this.#owner.getRootNode() as Document | ShadowRoot).getElementById(dataset.of);
    const performer = dataset.of ? ((other as GambolActorElement | null)?.actor ?? null) : player;
    if (!performer) return null;
    const { surface, node, offset = "0 0 0", character = "0" } = dataset;
    if (surface !== undefined) {
      const place = this.#numbers("data-surface", surface, [6, 7]);
      const [actor = 0] = dataset.of ? [performer.context.actor] : place.slice(6);
      return [actor, ...place.slice(0, 6)];
    }
    if (node === undefined) return null;
    const [nth] = this.#numbers("data-character", character, [1]);
    const { index } = performer.node(node);
    return [performer.context.actor, nth!, index, -1, ...this.#numbers("data-offset", offset, [3])];
  }

  /** Parses an attribute of so many numbers. */
  #numbers(name: string, text: string, counts: readonly number[]): readonly number[] {
    const numbers = text.trim().split(/\s+/).map(Number);
    if (counts.includes(numbers.length) && numbers.every(Number.isFinite)) return numbers;
    throw this.#main.wrongValue(name, text, `${counts.join(" or ")} numbers`);
  }

  /** Places the pins for the frame that was drawn, and tests the next of them. */
  #follow(): void {
    this.#untested = this.#pins.filter(({ anchor }) => anchor).length;
    this.#place();
  }

  #place(): void {
    clearTimeout(this.#rest);
    const player = this.#player;
    if (!player?.alive || this.#owner.player !== player || this.#size.width === 0) return;
    if (this.#isPlacing) {
      this.#isOutdated = true;
      return;
    }
    const pins = this.#pins.filter(({ anchor }) => anchor);
    if (pins.length === 0) return;
    this.#next %= pins.length;
    const first = this.#next;
    const count = Math.min(TESTS_PER_FRAME, this.#untested, pins.length - first);
    this.#next += count;
    this.#untested -= count;
    const anchors = Float64Array.from(pins.flatMap(({ anchor }) => anchor!));
    const placed = player.context.rust.placePins(anchors, first, count);
    if (!(placed instanceof Promise)) return this.#show(pins, placed);
    this.#isPlacing = true;
    this.#isOutdated = false;
    // A worker that has ended, or shows another model, gives no answer.
    void placed
      .catch(() => null)
      .then((numbers) => {
        this.#isPlacing = false;
        if (numbers && player === this.#player) this.#show(pins, numbers);
        if (this.#isOutdated) this.#place();
      });
  }

  /** Writes what changed. Nothing is read from the page, so that it needs no layout. */
  #show(pins: readonly Pin[], numbers: Float64Array): void {
    const { width, height } = this.#size;
    pins.forEach((pin, nth) => {
      // It may have changed while a worker placed it.
      if (!pin.anchor) return;
      const [x, y, state] = numbers.subarray(nth * 3) as unknown as [number, number, number];
      const known = PIN_STATES[state];
      // Until it has been tested, a pin that was nowhere isn't shown.
      if (known) setState(pin, known);
      if (known === "nowhere") return;
      const translate = `calc(${(x * width).toFixed(2)}px - 50%) calc(${(y * height).toFixed(2)}px - 50%)`;
      if (translate === pin.translate) return;
      pin.translate = translate;
      pin.element.style.translate = translate;
    });
    if (this.#untested > 0) this.#rest = setTimeout(() => this.#place(), REST_MILLIS);
  }

  /** Dispatches `error` on an element, or writes to the console unless the page cancels it. */
  #fail(element: HTMLElement, error: unknown): void {
    const detail = this.#main.asError(error) as GambolError;
    if (!element.dispatchEvent(new CustomEvent("error", { detail, cancelable: true }))) return;
    console.warn("<gambol-player> pin", detail.code, detail.place, detail);
  }
}

function setState(pin: Pin, state: Pin["state"]): void {
  if (pin.state === state && pin.element.dataset.pin !== undefined) return;
  pin.state = state;
  pin.element.dataset.pin = state!;
}

/** A pin keeps the focus while it is covered. */
export const PINS = /* css */ `
.pins { position: absolute; inset: 0; overflow: clip; pointer-events: none; }
.pins > ::slotted(*) { position: absolute; inset: 0 auto auto 0; inline-size: max-content; pointer-events: auto; }
.pins > ::slotted(:not([data-pin="visible"], :focus, :focus-within)) { visibility: hidden; }
`;
