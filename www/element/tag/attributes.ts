/**
 * The attributes of `<gambol-player>`. One table defines attribute, property and type.
 *
 * A property reads its attribute; nothing else keeps a copy. As in HTML, a flag is on if its attribute is present,
 * whatever the value. An invalid value counts as the default, with a warning on the console whenever it is set.
 */
import type { BackendChoice } from "../engine/engine.js";
import { TONES } from "../engine/wasm.js";
import { CAMERA_ZOOMS } from "../host/options.js";
import { parsed } from "../player/color.js";
import type { Loop } from "../player/run.js";
import { angleOf, limitsOf, placeOf, turnOf } from "./angles.js";

interface AttributeKind<Value> {
  readonly otherwise: Value;
  /** Description of valid values, for the warning. */
  readonly expects: string;
  /** Parses a non-empty text. Returns undefined if it is invalid. */
  read(text: string): Value | undefined;
  /** Value of an attribute that is present and empty. */
  readonly bare?: Value;
  /** Returns the attribute's text for a value; null removes the attribute. */
  write(value: Value): string | null;
}

const text: AttributeKind<string> = {
  otherwise: "",
  expects: "",
  read: (text) => text,
  write: (value) => value || null,
};
const flag: AttributeKind<boolean> = {
  otherwise: false,
  expects: "",
  read: () => true,
  write: (value) => (value ? "" : null),
};

function number(otherwise: number, least = -1e9, most = 1e9): AttributeKind<number> {
  return {
    otherwise,
    expects: least < 0 ? "a number" : `a number from ${least}${most < 1e9 ? ` to ${most}` : ""}`,
    read: (text) => (Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
    write: String,
  };
}

function oneOf<Word extends string>(...words: readonly [Word, ...Word[]]): AttributeKind<Word> {
  return {
    otherwise: words[0],
    expects: words.join(" or "),
    read: (text) => words.find((word) => word === text),
    write: String,
  };
}

/** Returns a kind of text that `parse` accepts. */
function checkedText(otherwise: string, expects: string, parse: (text: string) => unknown): AttributeKind<string> {
  return { otherwise, expects, read: (text) => (parse(text) ? text : undefined), write: (value) => value || null };
}

const loop: AttributeKind<Loop> = {
  otherwise: "repeat",
  expects: "once, repeat, pingpong or a number from 1",
  read: (text) => {
    if (text === "once" || text === "repeat" || text === "pingpong") return text;
    return Number(text) >= 1 && Number(text) <= 1e9 ? Math.floor(Number(text)) : undefined;
  },
  write: String,
};

/** Speed of the camera's rotation, in degrees per second, counter-clockwise seen from above; 0 turns it off. */
const rotation: AttributeKind<number> = {
  otherwise: 0,
  expects: "nothing, or degrees a second",
  read: (text) => {
    const radians = angleOf(text);
    return radians === undefined ? undefined : (radians * 180) / Math.PI;
  },
  bare: 20,
  // Frameworks pass flags as booleans or as empty strings.
  write: (value: number | boolean | string) =>
    value === 0 || value === false ? null : value === true ? "" : String(value),
};

/**
 * Vertical field of view, in degrees. The default and the range are those of `OrbitCamera`: 0.6 radians, and 0.02 to
 * 2.6 radians. The scenario `element_attributes` compares the default.
 */
const fieldOfView = number((0.6 * 180) / Math.PI, 2, 148);

/** The attributes, by property name. The attribute's name is the kebab-case form. */
export const ATTRIBUTES = {
  /** URL of the model. A new model replaces the one shown once it is ready to be drawn. */
  src: text,
  /** URLs of files whose clips are added to the model's, separated by spaces: see {@link Player.addClips}. */
  clipsSrc: text,
  /** URL of a picture that is shown until the model is. */
  poster: text,
  /** Text alternative that describes the model. */
  alt: text,
  /** Name of the clip to play or to pose the model in. Default: the first. */
  clip: text,
  /** URL of a controller's JSON. The controller then decides what plays. */
  controller: text,
  /** Name of the variant of the model's materials. Default: the file's own materials. */
  variant: text,
  /** Name of the camera of the model that it is seen from: see {@link Player.useCamera}. Default: the orbit camera. */
  camera: text,
  /** Whether to play as soon as the model is loaded, unless the visitor prefers reduced motion. */
  autoplay: flag,
  /** How often clips play: `once`, `repeat`, `pingpong`, or a number of passes. */
  loop,
  /** Playback speed. Negative plays backwards. */
  playbackRate: number(1),
  /**
   * Time at which a model's clip begins, in seconds; changing it seeks. The property returns the current time, and
   * setting it seeks too.
   */
  currentTime: number(0),
  /** Duration of the crossfade when the clip changes, in seconds. */
  crossfade: number(0.3, 0),
  /** Whether to show the control bar. It also lets the visitor move the camera. */
  controls: flag,
  /** Whether the visitor can move the camera, without a bar. */
  cameraControls: flag,
  /**
   * When wheel, pinch and keys zoom. `auto` leaves the wheel to the page unless the player has the focus or Ctrl is
   * held; `always` takes the wheel from the page; `none` never zooms.
   */
  cameraZoom: oneOf(...CAMERA_ZOOMS),
  /**
   * Position of the camera: angle about the vertical axis, angle above the horizon, and distance, such as `30deg
   * 10deg 120%`. Angles are in degrees unless they end in `rad`. A distance is in metres, or a percentage of the
   * distance from which the whole model is in view. `auto` leaves a value to framing.
   */
  cameraOrbit: checkedText(
    "auto auto auto",
    "three of an angle, an angle, and metres or a percentage, each or auto",
    turnOf,
  ),
  /** Point that the camera looks at: three coordinates in metres, such as `0 1 0`. `auto` leaves a value to framing. */
  cameraTarget: checkedText("auto auto auto", "three numbers, each or auto", placeOf),
  /**
   * Limits on camera movement: least and greatest angle about the vertical axis, angle above the horizon and distance
   * in metres, such as `-90deg 0deg 1m / 90deg 60deg 4m`. `auto` sets no limit, except that the camera stays above
   * the floor.
   */
  cameraLimits: checkedText(
    "",
    "two of an angle, an angle, and metres, each or auto, with a slash between them",
    limitsOf,
  ),
  /**
   * Vertical field of view of the camera, in degrees from 2 to 148. A change frames the model again, at the distance
   * that fits.
   */
  fieldOfView,
  /** Speed at which the camera orbits the model by itself, in degrees per second. Without a value, 20. */
  autoRotate: rotation,
  /**
   * Number of pixels per CSS pixel, from 0 to 8. 0, the default, leaves it to the player, which lowers the screen's
   * ratio while frames are late.
   */
  pixelRatio: number(0, 0, 8),
  /**
   * What becomes of a picture when nothing moves any more: `refined`, the default, which is smoother at edges and
   * highlights, or `plain`: see {@link Player.still}.
   */
  still: oneOf("refined", "plain"),
  /** Exposure: a factor on the light of the picture. 1 leaves it unchanged. */
  exposure: number(1, 0),
  /** Tone mapper: `neutral` (Khronos PBR Neutral), `aces`, `agx` or `linear`. */
  toneMapping: oneOf(...TONES),
  /**
   * Environment that lights the model: `studio`, `soft`, `rim`, `sunset`, `night` or `flat`, or the URL of a panorama.
   * Default: `studio`.
   */
  environment: text,
  /** How the environment is shown in place of the background: `none`, `blurred` or `sharp`. Default: `none`. */
  environmentBackground: text,
  /** Angle by which the environment is turned, in degrees, counter-clockwise seen from above. */
  environmentRotation: number(0),
  /** A factor on the light of the environment. */
  environmentIntensity: number(1, 0),
  /**
   * Range of brightness: `standard`, the default, or `high`, which shows highlights brighter than white on screens that
   * can: see {@link Player.setDynamicRange}.
   */
  dynamicRange: oneOf("standard", "high"),
  /**
   * How much limbs and clothes darken surfaces that are close to them, from 0, the default, to 1: see
   * {@link Player.setOcclusion}.
   */
  occlusion: number(0, 0, 1),
  /** A factor on the light of the model's own lights. 0 turns them off. */
  lightsIntensity: number(1, 0),
  /**
   * What the surfaces show: `shaded`, `normals`, `view-normals`, `tangents`, `uv`, `weights`, `wireframe`, `matcap`,
   * `toon`, `color`, `alpha`, `metallic`, `roughness`, `occlusion`, `emissive` or `vertex-color`. Default: `shaded`.
   */
  view: text,
  /** Name of the joint whose weights the view `weights` shows. Default: all joints, each in a colour of its own. */
  viewJoint: text,
  /**
   * Guides that are drawn below and over the model, with spaces between them: `grid`, `bounds`, `octahedra`, `axes`,
   * `names`, `bind-pose`, `trails` and `onion-skins`. Default: none.
   */
  guides: text,
  /** Shadow on the ground: `soft` or `none`. Default: `soft`; with `transparent`, `none`. */
  shadow: oneOf("soft", "none"),
  /** Whether to draw the skeleton, as lines from joint to joint. */
  skeleton: flag,
  /** Background colour in CSS syntax, such as `#336` or `rgb(0 0 0 / 50%)`. Default: the page shows through. */
  background: checkedText("", "a CSS colour", parsed),
  /** Whether to draw only the model: no background, and no ground shadow unless `shadow` is set. */
  transparent: flag,
  /** When to load: `eager` at once, `lazy` when the element is about to come into view. */
  loading: oneOf<"eager" | "lazy">("eager", "lazy"),
  /** Graphics API. `auto` uses WebGPU if a device is available, and otherwise WebGL2. */
  backend: oneOf<BackendChoice>("auto", "webgpu", "webgl2"),
  /** Whether to run in a worker, shared by all such players, so that a busy page doesn't stop the animation. */
  worker: flag,
};

export type AttributeName = keyof typeof ATTRIBUTES;

export type AttributeProperties = {
  -readonly [Name in keyof typeof ATTRIBUTES]: (typeof ATTRIBUTES)[Name]["otherwise"];
};

export const OBSERVED = (Object.keys(ATTRIBUTES) as AttributeName[]).map(attributeOf);

export function attributeOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function propertyOf(attribute: string): AttributeName {
  return attribute.replace(/-[a-z]/g, (dash) => dash[1]!.toUpperCase()) as AttributeName;
}

/** Returns the value of an attribute, or its default. */
export function readAttribute<Name extends AttributeName>(element: Element, name: Name): AttributeProperties[Name] {
  const kind = ATTRIBUTES[name] as AttributeKind<unknown>;
  const text = element.getAttribute(attributeOf(name));
  return (text === null ? kind.otherwise : parsedOrDefault(kind, text)) as AttributeProperties[Name];
}

/** Warns on the console about an invalid value. */
export function checkAttribute(name: AttributeName, text: string): void {
  const kind = ATTRIBUTES[name] as AttributeKind<unknown>;
  if (!text.trim() || kind.read(text) !== undefined) return;
  const otherwise = String(kind.otherwise);
  console.warn(`<gambol-player ${attributeOf(name)}="${text}"> expects ${kind.expects}; it uses ${otherwise}.`);
}

function parsedOrDefault(kind: AttributeKind<unknown>, text: string): unknown {
  return (text.trim() || kind.expects === "" ? kind.read(text) : kind.bare) ?? kind.otherwise;
}

/** Reapplies a property that the page set before the class was defined: it would hide the class's accessor. */
export function upgradeProperty(element: HTMLElement, name: string): void {
  if (!Object.hasOwn(element, name)) return;
  const own = element as unknown as Record<string, unknown>;
  const value = own[name];
  delete own[name];
  own[name] = value;
}

/** Defines a property on an element class for each row of the table, unless the class has one itself. */
export function defineProperties(prototype: HTMLElement): void {
  for (const name of Object.keys(ATTRIBUTES) as AttributeName[]) {
    if (Object.hasOwn(prototype, name)) continue;
    const kind = ATTRIBUTES[name] as AttributeKind<unknown>;
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
