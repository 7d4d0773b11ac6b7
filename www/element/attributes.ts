/**
 * The attributes of `<gambol-player>`: one table makes the attribute, the property and its type.
 *
 * A property reads the attribute and nothing else keeps a copy. Present flags are on, whatever their text, as in HTML.
 */
import type { BackendChoice } from "./loader.js";
import type { Loop } from "./run.js";

interface Kind<Value> {
  read(text: string | null): Value;
  /** Null removes the attribute. */
  write(value: Value): string | null;
}

const text: Kind<string> = { read: (text) => text ?? "", write: (value) => value || null };
const flag: Kind<boolean> = { read: (text) => text !== null, write: (value) => (value ? "" : null) };

function number(otherwise: number): Kind<number> {
  return {
    read: (text) => (text?.trim() && Number.isFinite(Number(text)) ? Number(text) : otherwise),
    write: (value) => String(value),
  };
}

function oneOf<Word extends string>(first: Word, ...others: Word[]): Kind<Word> {
  return { read: (text) => others.find((word) => word === text) ?? first, write: (value) => value };
}

const loop: Kind<Loop> = {
  read: (text) => {
    if (text === "once" || text === "pingpong") return text;
    const passes = Number(text);
    return passes >= 1 ? Math.floor(passes) : "repeat";
  },
  write: String,
};

/** By property; the attribute is its kebab-case. */
export const ATTRIBUTES = {
  /** URL of the model. */
  src: text,
  /** Name of the clip to play; default: the first. */
  clip: text,
  /** URL of a controller's JSON, which then decides what plays. */
  controller: text,
  /** Plays as soon as it is loaded, unless the visitor asked for less motion. */
  autoplay: flag,
  /** `once`, `repeat` (the default), `pingpong`, or how many times. */
  loop,
  playbackRate: number(1),
  /** Seconds of crossfade when the clip changes. */
  crossfade: number(0.3),
  /** The bar with the timeline; also lets the visitor move the camera. */
  controls: flag,
  /** Lets the visitor move the camera, without the bar. */
  cameraControls: flag,
  /** Lines from joint to joint. */
  skeleton: flag,
  /** What there is to see, for those who don't. */
  alt: text,
  /** `auto`, `webgpu` or `webgl2`. */
  backend: oneOf<BackendChoice>("auto", "webgpu", "webgl2"),
};

export type AttributeName = keyof typeof ATTRIBUTES;

export type AttributeProperties = {
  -readonly [Name in AttributeName]: ReturnType<(typeof ATTRIBUTES)[Name]["read"]>;
};

export const OBSERVED = (Object.keys(ATTRIBUTES) as AttributeName[]).map(attributeOf);

export function attributeOf(property: AttributeName): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function propertyOf(attribute: string): AttributeName {
  return attribute.replace(/-[a-z]/g, (dash) => dash[1]!.toUpperCase()) as AttributeName;
}

/** Gives a class of elements a property for each row of the table. */
export function defineProperties(prototype: HTMLElement): void {
  for (const name of Object.keys(ATTRIBUTES) as AttributeName[]) {
    const kind = ATTRIBUTES[name] as Kind<unknown>;
    const attribute = attributeOf(name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement) {
        return kind.read(this.getAttribute(attribute));
      },
      set(this: HTMLElement, value: unknown) {
        const text = kind.write(value);
        if (text === null) this.removeAttribute(attribute);
        else this.setAttribute(attribute, text);
      },
    });
  }
}
