/**
 * The element `<gambol-actor>`: a further model of the `<gambol-player>` that it is a child of. Imported when a player
 * has such a child.
 */
import type { Actor, Placement } from "../player/actor.js";
import type { Vec3 } from "../player/camera.js";
import type { Quat } from "../player/node.js";
import type { Performer } from "../player/performer.js";
import type { GambolPlayerElement } from "../element.js";
import type { asError, GambolError } from "../errors.js";
import type { PLAYER_EVENTS } from "../player/events.js";
import type { attributeOf, upgradeProperty } from "./attributes.js";

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
export interface MainExports {
  readonly asError: typeof asError;
  readonly attributeOf: typeof attributeOf;
  readonly PLAYER_EVENTS: typeof PLAYER_EVENTS;
  readonly upgradeProperty: typeof upgradeProperty;
}

const TEXTS = ["src", "attachTo", "of", "clip", "position", "rotation", "scale"] as const;
const FLAGS = ["wear", "autoplay"] as const;
const ATTRIBUTES = [...TEXTS, ...FLAGS];

/**
 * The element `<gambol-actor>`. Every attribute is a property too.
 *
 * Its events are those of its {@link Actor}, and `load` when it is shown. `error` is cancelable: cancelling it prevents
 * the warning on the console.
 */
export interface GambolActorElement extends HTMLElement {
  /** URL of the model. */
  src: string;
  /** Name of the node that the model is attached to. The attributes for its place are relative to the node then. */
  attachTo: string;
  /** Id of the `<gambol-actor>` whose node it is attached to, or that wears it. Default: the player's own model. */
  of: string;
  /** Whether it is an outfit: it has the pose of what `of` names. */
  wear: boolean;
  /** Name of the clip to play or to pose the model in. Default: the first. */
  clip: string;
  /** Whether it plays while the player plays. If the player's own model has no clips, unless motion is reduced. */
  autoplay: boolean;
  /** Three coordinates in metres, such as `0 1 0`. */
  position: string;
  /** Angles in degrees about the axes x, y and z. The turn about z is applied first, then x, then y. */
  rotation: string;
  /** One factor, or three for the axes. */
  scale: string;
  /** The actor of the player; null until it is shown. */
  readonly actor: Actor | null;
}

/** Defines the element, unless the page has it. */
export function defineActorElement({ asError, attributeOf, PLAYER_EVENTS, upgradeProperty }: MainExports): void {
  if (customElements.get(NAME)) return;

  class ActorElement extends HTMLElement implements GambolActorElement {
    static readonly observedAttributes = [...ATTRIBUTES.map(attributeOf), "hidden"];

    declare src: string;
    declare attachTo: string;
    declare of: string;
    declare wear: boolean;
    declare clip: string;
    declare autoplay: boolean;
    declare position: string;
    declare rotation: string;
    declare scale: string;

    #actor: Actor | null = null;
    #owner: GambolPlayerElement | null = null;
    /** Ends what the element listens to and loads. */
    #stop = new AbortController();
    /** Cancels a load when another one begins. */
    #loading = new AbortController();
    /** Source of the model that is shown or loaded. */
    #source = "";
    readonly #changes = new Set<string>();

    get actor(): Actor | null {
      return this.#actor?.alive ? this.#actor : null;
    }

    connectedCallback(): void {
      for (const name of ATTRIBUTES) upgradeProperty(this, name);
      const owner = this.closest<GambolPlayerElement>("gambol-player");
      if (owner === this.#owner) return;
      this.#leave();
      this.#owner = owner;
      if (!owner) return;
      const { signal } = (this.#stop = new AbortController());
      owner.addEventListener("load", () => this.#ownerLoaded(), { signal });
      for (const name of ["play", "pause"] as const) owner.addEventListener(name, () => this.#move(), { signal });
      if (owner.readyState > 0) void this.#load();
    }

    disconnectedCallback(): void {
      // Moving an element removes and reinserts it.
      queueMicrotask(() => {
        if (!this.isConnected) this.#leave();
      });
    }

    attributeChangedCallback(name: string, before: string | null, after: string | null): void {
      if (before === after || this.#changes.add(name).size > 1) return;
      queueMicrotask(() => this.#apply());
    }

    #leave(): void {
      this.#stop.abort();
      this.#loading.abort();
      this.#owner = null;
      this.#source = "";
      this.#actor?.remove();
      this.#actor = null;
    }

    /** Called when the player shows another model, or is another player. */
    #ownerLoaded(): void {
      if (this.actor) this.#follow();
      else void this.#load();
    }

    async #load(): Promise<void> {
      const { src } = this;
      const player = this.#owner?.player;
      if (!player || (src === this.#source && this.actor)) return;
      this.#loading.abort();
      const { signal } = (this.#loading = new AbortController());
      this.#source = src;
      try {
        const actor = src ? await player.add(src, { signal }) : null;
        if (signal.aborted) return actor?.remove();
        this.#actor?.remove();
        this.#actor = actor;
        if (!actor) return;
        for (const name of PLAYER_EVENTS) {
          actor.addEventListener(name, ({ detail }: CustomEvent) =>
            this.dispatchEvent(new CustomEvent(name, { detail })),
          );
        }
        this.#pose();
        this.#follow();
        const { name, clips, warnings } = actor;
        this.dispatchEvent(new CustomEvent("load", { detail: { name, clips, warnings } }));
        // Others may have waited for this one.
        for (const other of this.#owner!.querySelectorAll<ActorElement>(NAME)) if (other.of) other.#follow();
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    }

    #apply(): void {
      const changes = new Set(this.#changes);
      this.#changes.clear();
      if (changes.has("src")) return void this.#load();
      if (!this.actor) return;
      if (changes.has("clip")) this.#pose();
      else if (changes.has("autoplay")) this.#move();
      this.#follow();
    }

    /** Starts the clip. */
    #pose(): void {
      const { actor, clip } = this;
      if (!actor || actor.clips.length === 0 || !(clip || this.autoplay)) return;
      this.#attempt(() => {
        actor.play(clip || 0);
        if (!this.#moves) actor.pause();
      });
    }

    /** Plays or pauses as the player does. */
    #move(): void {
      const { actor } = this;
      if (!actor?.clip || !this.autoplay) return;
      if (this.#moves && actor.state === "paused") actor.play();
      else if (!this.#moves) actor.pause();
    }

    get #moves(): boolean {
      const owner = this.#owner!;
      if (!this.autoplay) return false;
      return owner.clips.length > 0 ? !owner.paused : !matchMedia("(prefers-reduced-motion: reduce)").matches;
    }

    /** Places the actor as the attributes say. */
    #follow(): void {
      const { actor } = this;
      if (!actor) return;
      this.#attempt(() => {
        actor.visible = !this.hidden;
        const placement = this.#placement;
        const leader = this.#leader;
        if (this.attachTo && leader) actor.attachTo(leader.node(this.attachTo), { offset: placement });
        else if (this.wear && leader) actor.wear(leader);
        else {
          actor.attachTo(null);
          Object.assign(actor, placement);
        }
      });
    }

    get #leader(): Performer | null {
      if (!this.of) return this.#owner?.player ?? null;
      const other = (this.getRootNode() as Document | ShadowRoot).getElementById(this.of);
      return (other as GambolActorElement | null)?.actor ?? null;
    }

    get #placement(): Exclude<Placement, Vec3 | Float32Array> {
      const [x, y, z] = this.#numbers("rotation", [3], [0, 0, 0]) as unknown as Vec3;
      const scale = this.#numbers("scale", [1, 3], [1]);
      return {
        position: this.#numbers("position", [3], [0, 0, 0]) as unknown as Vec3,
        rotation: turn(x, y, z),
        scale: scale.length === 1 ? scale[0]! : (scale as unknown as Vec3),
      };
    }

    /** Parses an attribute of so many numbers. Warns about anything else, and returns `otherwise`. */
    #numbers(name: "position" | "rotation" | "scale", counts: readonly number[], otherwise: number[]): number[] {
      const text = this[name].trim();
      const parts = text.split(/\s+/).map(Number);
      if (text && counts.includes(parts.length) && parts.every(Number.isFinite)) return parts;
      if (text) console.warn(`<${NAME} ${name}="${text}"> expects ${counts.join(" or ")} numbers.`);
      return otherwise;
    }

    #attempt(action: () => void): void {
      try {
        action();
      } catch (error) {
        this.#fail(error);
      }
    }

    #fail(error: unknown): void {
      const detail = asError(error) as GambolError;
      if (!this.dispatchEvent(new CustomEvent("error", { detail, cancelable: true }))) return;
      console.warn(`<${NAME}>`, detail.code, detail.place, detail);
    }
  }

  for (const name of ATTRIBUTES) {
    const attribute = attributeOf(name);
    const isFlag = (FLAGS as readonly string[]).includes(name);
    Object.defineProperty(ActorElement.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement) {
        return isFlag ? this.hasAttribute(attribute) : (this.getAttribute(attribute) ?? "");
      },
      set(this: HTMLElement, value: unknown) {
        if (isFlag) this.toggleAttribute(attribute, !!value);
        else if (value == null || value === "") this.removeAttribute(attribute);
        else this.setAttribute(attribute, String(value));
      },
    });
  }
  customElements.define(NAME, ActorElement);
}

const NAME = "gambol-actor";

/** Returns a rotation by angles in degrees about the axes: z first, then x, then y. */
function turn(x: number, y: number, z: number): Quat {
  const [sx, sy, sz] = [x, y, z].map((angle) => Math.sin((angle * Math.PI) / 360)) as [number, number, number];
  const [cx, cy, cz] = [x, y, z].map((angle) => Math.cos((angle * Math.PI) / 360)) as [number, number, number];
  return [
    sx * cy * cz + cx * sy * sz,
    cx * sy * cz - sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ];
}

declare global {
  interface HTMLElementTagNameMap {
    "gambol-actor": GambolActorElement;
  }
}
