/** The settings of a player's picture other than its model and its camera. */
import { number, wordIndex, wrongValue } from "../checks.js";
import { fetched } from "../engine/engine.js";
import { LOOK, TONES } from "../engine/wasm.js";
import { asError } from "../errors.js";
import { decodeImage } from "../files/images.js";
import { open } from "../files/source.js";
import { rgbaOf } from "./color.js";
import type { Backdrop, EnvironmentSource } from "./environment.js";
import type { Guides } from "./guides.js";
import type { Color, Rgba, ToneMapping } from "./options.js";
import { Performer } from "./performer.js";
import type { DynamicRange } from "./shading.js";
import type { SurfaceView, ViewOptions } from "./view.js";

/** What `shading.ts` checks its arguments with. */
const CHECKS = { number, wordIndex, wrongValue };

/** The members of a {@link Player} that concern the look of its picture. */
export abstract class Look extends Performer {
  /**
   * Speed at which the camera orbits the model by itself, in radians per second, counter-clockwise seen from above; 0
   * turns it off.
   */
  get autoRotate(): number {
    return this.context.rust.spin;
  }

  set autoRotate(radians: number) {
    this.context.rust.spin = number("autoRotate", radians);
    this.context.changed();
  }

  /**
   * How the light of the scene is fitted into what a screen shows: `"neutral"` (Khronos PBR Neutral, the default),
   * `"aces"`, `"agx"`, or `"linear"`, which cuts what is too bright. Unlit materials and the background stay as they
   * are.
   */
  get toneMapping(): ToneMapping {
    return TONES[this.#look("toneMapping")]!;
  }

  set toneMapping(tone: ToneMapping) {
    this.#setLook("toneMapping", wordIndex("toneMapping", tone, TONES));
  }

  /** Exposure: a factor on the light of the picture. 1 leaves it unchanged. */
  get exposure(): number {
    return this.#look("exposure");
  }

  set exposure(exposure: number) {
    this.#setLook("exposure", number("exposure", exposure));
  }

  /**
   * Lights the model by an environment: a room by its name, or a panorama at a URL or in a file, `.hdr` or any picture
   * that the browser can decode. Null and `"studio"` restore the default. The first call fetches the code for it.
   *
   * Resolves when the next frame will show it. If the panorama can't be loaded, it rejects and nothing changes. Of
   * several calls, the last one wins.
   */
  async setEnvironment(source: EnvironmentSource | null): Promise<void> {
    const { setEnvironment } = await fetched(import("./environment.js"));
    await setEnvironment(source, this.context, { asError, decodeImage, open, wrongValue });
  }

  /**
   * Shows the environment in place of the background: `"sharp"`, `"blurred"`, or `"none"`, the default. The first call
   * fetches the code for it.
   *
   * Resolves when the next frame will show it. Of several calls, the last one wins.
   */
  async showEnvironment(how: Backdrop): Promise<void> {
    const { showEnvironment } = await fetched(import("./environment.js"));
    await showEnvironment(how, this.context, wrongValue);
  }

  /**
   * Sets how much limbs and clothes darken surfaces that are close to them, such as under arms and between fingers,
   * where less light arrives from around: from 0, the default, to 1, which is right. Blended and transmissive
   * materials don't take part. It costs the GPU another pass over the model and three over a quarter of the pixels. The
   * first call fetches the code for it.
   *
   * Resolves when the next frame will show it. Of several calls, the last one wins.
   */
  async setOcclusion(strength: number): Promise<void> {
    const { setOcclusion } = await fetched(import("./shading.js"));
    await setOcclusion(strength, this.context, CHECKS);
  }

  /**
   * Sets the range of brightness: `"standard"`, the default, or `"high"`, in which lit surfaces shine up to four times
   * as bright as white. It has an effect with WebGPU, on screens with a high dynamic range; light below three
   * quarters of white looks the same on all. Screenshots have the standard range, and pictures of a high range
   * aren't refined. The first call fetches the code for it.
   *
   * Resolves when the next frame will show it. Of several calls, the last one wins.
   */
  async setDynamicRange(range: DynamicRange): Promise<void> {
    const { setDynamicRange } = await fetched(import("./shading.js"));
    await setDynamicRange(range, this.context, CHECKS);
  }

  /** Angle by which the environment is turned about the vertical axis, in radians, counter-clockwise from above. */
  get environmentRotation(): number {
    return this.#look("environmentRotation");
  }

  set environmentRotation(radians: number) {
    this.#setLook("environmentRotation", number("environmentRotation", radians));
  }

  /** A factor on the light of the environment. Unlike {@link exposure}, it leaves emissive surfaces as they are. */
  get environmentIntensity(): number {
    return this.#look("environmentIntensity");
  }

  set environmentIntensity(factor: number) {
    this.#setLook("environmentIntensity", number("environmentIntensity", factor));
  }

  /**
   * A factor on the light of the models' own lights, by `KHR_lights_punctual`. 0 turns them off. The eight that light
   * the model most are drawn, and the brightest one above it casts its shadow. Lights that together are far brighter
   * than a screen can show are dimmed.
   */
  get lightsIntensity(): number {
    return this.#look("lightsIntensity");
  }

  set lightsIntensity(factor: number) {
    this.#setLook("lightsIntensity", number("lightsIntensity", factor));
  }

  /**
   * Background colour; null shows the page behind the canvas. Reading returns red, green, blue and alpha from 0 to 1.
   * Setting also accepts three numbers without alpha, and any CSS colour.
   */
  get background(): Rgba | null {
    const [red, green, blue, alpha] = this.context.rust.background;
    return red === undefined ? null : [red, green!, blue!, alpha!];
  }

  set background(color: Color | null) {
    this.context.rust.background = rgbaOf("background", color);
    this.context.changed();
  }

  /** What the surfaces show: see {@link SurfaceView}. {@link setView} sets it. */
  get view(): SurfaceView {
    return this.context.view ?? "shaded";
  }

  /**
   * Shows data of the surfaces in place of their light, such as their normals or the weights of joints. Null and
   * `"shaded"` restore the light. The first call fetches the code for it.
   *
   * Resolves when the next frame will show it. Of several calls, the last one wins.
   */
  async setView(view: SurfaceView | null, options?: ViewOptions): Promise<void> {
    const { setView } = await fetched(import("./view.js"));
    await setView(view, options, this.context, wrongValue);
  }

  /** Guides that are drawn below and over the model: see {@link Guides}. {@link setGuides} sets them. */
  get guides(): Guides {
    return this.context.guides ?? {};
  }

  /**
   * Draws guides below and over the model, such as a grid and the names of joints, in place of those before: an object,
   * or their names in a text with spaces between them. Null draws none. The first call fetches the code for it.
   *
   * Resolves when the next frame will show them. Of several calls, the last one wins.
   */
  async setGuides(guides: Guides | string | null): Promise<void> {
    const { setGuides } = await fetched(import("./guides.js"));
    await setGuides(guides, this.context, wrongValue);
  }

  /** Whether the skeleton is drawn over the mesh, as lines from joint to joint. */
  get skeleton(): boolean {
    return !!this.#look("skeleton");
  }

  set skeleton(on: boolean) {
    this.#setLook("skeleton", +!!on);
  }

  /** Whether the model casts a soft shadow on the ground. */
  get ground(): boolean {
    return !!this.#look("ground");
  }

  set ground(on: boolean) {
    this.#setLook("ground", +!!on);
  }

  #look(item: (typeof LOOK)[number]): number {
    return this.context.rust.look[LOOK.indexOf(item)]!;
  }

  #setLook(item: (typeof LOOK)[number], value: number): void {
    const look = this.context.rust.look.slice();
    look[LOOK.indexOf(item)] = value;
    this.context.rust.look = look;
    this.context.changed();
  }
}
