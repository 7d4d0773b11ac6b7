/**
 * The attributes of `<gambol-player>`: one table makes the attribute, the property and its type.
 *
 * A property reads the attribute and nothing else keeps a copy. Present flags are on, whatever their text, as in HTML. What
 * can't be understood counts as the default, and the console says so, once.
 */
import type { BackendChoice } from "../engine/engine.js";
import { CAMERA_ZOOMS } from "../host/options.js";
import { parsed } from "../player/color.js";
import type { Loop } from "../player/run.js";
import { angleOf, limitsOf, placeOf, turnOf } from "./angles.js";

interface Kind<Value> {
  readonly otherwise: Value;
  /** What it may be, for who wrote something else. */
  readonly expects: string;
  /** Undefined where the text, which isn't empty, makes no sense. */
  read(text: string): Value | undefined;
  /** Of an attribute that is there without a text. */
  readonly bare?: Value;
  /** Null removes the attribute. */
  write(value: Value): string | null;
}

const text: Kind<string> = { otherwise: "", expects: "", read: (text) => text, write: (value) => value || null };
const flag: Kind<boolean> = { otherwise: false, expects: "", read: () => true, write: (value) => (value ? "" : null) };

function number(otherwise: number, least = -1e9): Kind<number> {
  return {
    otherwise,
    expects: least === 0 ? "a number from 0" : "a number",
    read: (text) => (Number(text) >= least && Number(text) <= 1e9 ? Number(text) : undefined),
    write: String,
  };
}

function oneOf<Word extends string>(...words: readonly [Word, ...Word[]]): Kind<Word> {
  return { otherwise: words[0], expects: words.join(" or "), read: (text) => words.find((word) => word === text), write: String };
}

/** A text that `parse` understands. */
function written(otherwise: string, expects: string, parse: (text: string) => unknown): Kind<string> {
  return { otherwise, expects, read: (text) => (parse(text) ? text : undefined), write: (value) => value || null };
}

const loop: Kind<Loop> = {
  otherwise: "repeat",
  expects: "once, repeat, pingpong or a number from 1",
  read: (text) => {
    if (text === "once" || text === "repeat" || text === "pingpong") return text;
    return Number(text) >= 1 && Number(text) <= 1e9 ? Math.floor(Number(text)) : undefined;
  },
  write: String,
};

/** Degrees a second that the camera goes round, to the left; 0 stands still. */
const rotation: Kind<number> = {
  otherwise: 0,
  expects: "nothing, or degrees a second",
  read: (text) => {
    const radians = angleOf(text);
    return radians === undefined ? undefined : (radians * 180) / Math.PI;
  },
  bare: 20,
  // Frameworks give flags as truth values, and as empty texts.
  write: (value: number | boolean | string) => (value === 0 || value === false ? null : value === true ? "" : String(value)),
};

/** By property; the attribute is its kebab-case. */
export const ATTRIBUTES = {
  /** URL of the model. Another one takes the place of what is shown once it is ready to be drawn. */
  src: text,
  /** URL of a picture that is seen until the model is. */
  poster: text,
  /** What there is to see, for those who don't. */
  alt: text,
  /** Name of the clip to play, or to stand in; default: the first. */
  clip: text,
  /** URL of a controller's JSON, which then decides what plays. */
  controller: text,
  /** Plays as soon as it is loaded, unless the visitor asked for less motion. */
  autoplay: flag,
  /** `once`, `repeat`, `pingpong`, or how many times. */
  loop,
  /** Speed; negative runs backwards. */
  playbackRate: number(1),
  /** Seconds at which a model's clip begins; changing it seeks. The property tells the time now, and seeks too. */
  currentTime: number(0),
  /** Seconds of crossfade when the clip changes. */
  crossfade: number(0.3, 0),
  /** The bar with the timeline; also lets the visitor move the camera. */
  controls: flag,
  /** Lets the visitor move the camera, without the bar. */
  cameraControls: flag,
  /**
   * When wheel, pinch and keys zoom: `auto` leaves the wheel to the page until the player has been clicked or has the
   * focus, or while Ctrl is held; `always` takes it from the page; `none` never zooms.
   */
  cameraZoom: oneOf(...CAMERA_ZOOMS),
  /**
   * Where the camera stands: angle round the model, angle above the horizon and distance, such as `30deg 10deg 120%`. Angles
   * are degrees unless they end in `rad`; a distance is metres, or a share of the one from which all is in view. `auto` finds.
   */
  cameraOrbit: written("auto auto auto", "three of an angle, an angle, and metres or a percentage, each or auto", turnOf),
  /** What the camera looks at, such as `0 1 0`: three coordinates in metres. `auto` finds. */
  cameraTarget: written("auto auto auto", "three numbers, each or auto", placeOf),
  /**
   * How far gestures move the camera: the least and the greatest angle round the model, angle above the horizon and distance
   * in metres, such as `-90deg 0deg 1m / 90deg 60deg 4m`. `auto` sets no limit, but for the floor that the camera stays above.
   */
  cameraLimits: written("", "two of an angle, an angle, and metres, each or auto, with a slash between them", limitsOf),
  /** The camera goes round the model by itself: so many degrees a second, 20 where it doesn't say. */
  autoRotate: rotation,
  /** How much light the picture takes up; 1 leaves it as it is. */
  exposure: number(1, 0),
  /** `soft`: a shadow under the feet; or `none`. Default: `soft`, and with `transparent` `none`. */
  shadow: oneOf("soft", "none"),
  /** Lines from joint to joint. */
  skeleton: flag,
  /** What lies behind the model, as CSS writes colours, such as `#336` or `rgb(0 0 0 / 50%)`. Default: the page. */
  background: written("", "a CSS colour", parsed),
  /** Nothing but the model before the page: no ground, unless `shadow` asks for it, and no background. */
  transparent: flag,
  /** `lazy` waits until the element is about to come into view. */
  loading: oneOf<"eager" | "lazy">("eager", "lazy"),
  /** What draws: `auto` takes WebGPU where there is a device, else WebGL2. */
  backend: oneOf<BackendChoice>("auto", "webgpu", "webgl2"),
  /** Plays in a worker, one for all that do, so that a busy page doesn't stop the motion. */
  worker: flag,
};

export type AttributeName = keyof typeof ATTRIBUTES;

export type AttributeProperties = {
  -readonly [Name in keyof typeof ATTRIBUTES]: (typeof ATTRIBUTES)[Name]["otherwise"];
};

export const OBSERVED = (Object.keys(ATTRIBUTES) as AttributeName[]).map(attributeOf);

export function attributeOf(property: AttributeName): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function propertyOf(attribute: string): AttributeName {
  return attribute.replace(/-[a-z]/g, (dash) => dash[1]!.toUpperCase()) as AttributeName;
}

/** What the attribute of that name says. */
export function readAttribute<Name extends AttributeName>(element: Element, name: Name): AttributeProperties[Name] {
  const kind = ATTRIBUTES[name] as Kind<unknown>;
  const text = element.getAttribute(attributeOf(name));
  return (text === null ? kind.otherwise : understood(kind, text)) as AttributeProperties[Name];
}

/** Tells who wrote a value that makes no sense. */
export function checkAttribute(name: AttributeName, text: string): void {
  const kind = ATTRIBUTES[name] as Kind<unknown>;
  if (!text.trim() || kind.read(text) !== undefined) return;
  const otherwise = String(kind.otherwise);
  console.warn(`<gambol-player ${attributeOf(name)}="${text}"> expects ${kind.expects}; it goes by ${otherwise}.`);
}

function understood(kind: Kind<unknown>, text: string): unknown {
  return (text.trim() || kind.expects === "" ? kind.read(text) : kind.bare) ?? kind.otherwise;
}

/** Gives a class of elements a property for each row of the table that it doesn't have by itself. */
export function defineProperties(prototype: HTMLElement): void {
  for (const name of Object.keys(ATTRIBUTES) as AttributeName[]) {
    if (Object.hasOwn(prototype, name)) continue;
    const kind = ATTRIBUTES[name] as Kind<unknown>;
    const attribute = attributeOf(name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement) {
        return readAttribute(this, name);
      },
      set(this: HTMLElement, value: unknown) {
        const text = value == null ? null : kind.write(value);
        if (text === null) this.removeAttribute(attribute);
        else this.setAttribute(attribute, String(text));
      },
    });
  }
}
