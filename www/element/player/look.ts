/** The settings of a player's picture other than its model and its camera. */
import { number, wordIndex, wrongValue } from "../checks.js";
import { notLoaded } from "../engine/engine.js";
import { TONES } from "../engine/wasm.js";
import { asError } from "../errors.js";
import { decodeImage } from "../files/images.js";
import { open } from "../files/source.js";
import { rgbaOf } from "./color.js";
import type { EnvironmentSource } from "./environment.js";
import type { Color, Rgba, ToneMapping } from "./options.js";
import { Performer } from "./performer.js";

/** The members of a {@link Player} that concern the look of its picture. */
export abstract class Look extends Performer {
  /** The last call of `setEnvironment`. */
  #lighting: object | null = null;

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
    return TONES[this.context.rust.toneMapping]!;
  }

  set toneMapping(tone: ToneMapping) {
    this.context.rust.toneMapping = wordIndex("toneMapping", tone, TONES);
    this.context.changed();
  }

  /** Exposure: a factor on the light of the picture. 1 leaves it unchanged. */
  get exposure(): number {
    return this.context.rust.exposure;
  }

  set exposure(exposure: number) {
    this.context.rust.exposure = number("exposure", exposure);
    this.context.changed();
  }

  /**
   * Lights the model by an environment: a room by its name, or a panorama at a URL or in a file, `.hdr` or any picture
   * that the browser can decode. Null and `"studio"` restore the default. The first call fetches the code for it.
   *
   * Resolves when the next frame will show it. If the panorama can't be loaded, it rejects and nothing changes. Of
   * several calls, the last one wins.
   */
  async setEnvironment(source: EnvironmentSource | null): Promise<void> {
    const call = (this.#lighting = {});
    const { setEnvironment } = await import("./environment.js").catch((error) => {
      throw notLoaded(error);
    });
    if (this.#lighting !== call) return;
    await setEnvironment(source, this.context, () => this.#lighting === call, {
      asError,
      decodeImage,
      open,
      wrongValue,
    });
  }

  /** Angle by which the environment is turned about the vertical axis, in radians, counter-clockwise from above. */
  get environmentRotation(): number {
    return this.context.rust.environmentRotation;
  }

  set environmentRotation(radians: number) {
    this.context.rust.environmentRotation = number("environmentRotation", radians);
    this.context.changed();
  }

  /** A factor on the light of the environment. Unlike {@link exposure}, it leaves emissive surfaces as they are. */
  get environmentIntensity(): number {
    return this.context.rust.environmentIntensity;
  }

  set environmentIntensity(factor: number) {
    this.context.rust.environmentIntensity = number("environmentIntensity", factor);
    this.context.changed();
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

  /** Whether the skeleton is drawn over the mesh, as lines from joint to joint. */
  get skeleton(): boolean {
    return this.context.rust.skeleton;
  }

  set skeleton(on: boolean) {
    this.context.rust.skeleton = !!on;
    this.context.changed();
  }

  /** Whether the model casts a soft shadow on the ground. */
  get ground(): boolean {
    return this.context.rust.ground;
  }

  set ground(on: boolean) {
    this.context.rust.ground = !!on;
    this.context.changed();
  }
}
