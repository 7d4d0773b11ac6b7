/** A material of the model, to draw it otherwise than the file says. */
import { number } from "../checks.js";
import { MATERIAL } from "../engine/wasm.js";
import type { Named } from "../files/contents.js";
import { pictureOf, type PictureSource } from "../files/images.js";
import { colorOf, lightOf } from "./light.js";
import type { Link } from "./link.js";
import type { Color, Rgba } from "./options.js";

/** Of each player, by its materials: the last call of `setTexture`. */
const newest = new WeakMap<Link, object[]>();

/**
 * What is set holds until another model is loaded, on every character. Null gives back what the file says. The model itself
 * stays as it is: other players that show it, and what is exported, don't change.
 */
export class PlayerMaterial {
  /** Its number in the file's order. */
  readonly index: number;
  /** As the file has it. */
  readonly name: string;
  readonly #link: Link;

  /** Made by `Player.material`. */
  constructor({ index, name }: Named, link: Link) {
    this.index = index;
    this.name = name;
    this.#link = link;
  }

  /** Base colour, which multiplies its texture. An alpha below 1 lets what lies behind shine through. */
  get color(): Rgba {
    return colorOf(this.#numbers().subarray(0, 4));
  }

  set color(color: Color | null) {
    this.#set("color", color === null ? null : lightOf("color", color));
  }

  /** The light that it gives off, which multiplies its texture. Its alpha is 1. */
  get emissive(): Rgba {
    return colorOf(this.#numbers().subarray(4, 7));
  }

  set emissive(color: Color | null) {
    this.#set("emissive", color === null ? null : lightOf("color", color).slice(0, 3));
  }

  /** From 0 to 1, which multiplies its texture. */
  get metallic(): number {
    return this.#numbers()[7]!;
  }

  set metallic(metallic: number | null) {
    this.#set("metallic", metallic === null ? null : number("metallic", metallic));
  }

  /** From 0, a mirror, to 1, which multiplies its texture. */
  get roughness(): number {
    return this.#numbers()[8]!;
  }

  set roughness(roughness: number | null) {
    this.#set("roughness", roughness === null ? null : number("roughness", roughness));
  }

  /** Whether what has this material is drawn, and casts shadows. */
  get visible(): boolean {
    return this.#numbers()[9] !== 0;
  }

  set visible(visible: boolean) {
    this.#set("visible", +!!visible);
  }

  /**
   * Puts a picture in the place of the texture of the base colour: what is at an address, or what an image, a video or a
   * canvas shows now. Null gives the file's texture back. Longer sides than 4096 pixels are scaled down.
   *
   * Resolves when the next frame will show it. When the picture can't be had, the one before stays. Of several calls the
   * last one counts.
   */
  async setTexture(source: PictureSource | null): Promise<void> {
    const calls = newest.get(this.#link) ?? [];
    newest.set(this.#link, calls);
    const { contents } = this.#link;
    const call = (calls[this.index] = {});
    const picture = source === null ? undefined : await pictureOf(source);
    if (calls[this.index] !== call || this.#link.contents !== contents) return;
    this.#link.rust.setPicture(this.index, picture);
    this.#link.changed();
  }

  #numbers(): Float32Array {
    return this.#link.rust.material(this.index);
  }

  #set(part: (typeof MATERIAL)[number], value: number[] | number | null): void {
    this.#link.rust.setMaterial(this.index, MATERIAL.indexOf(part), Float32Array.from([value ?? []].flat()));
    this.#link.changed();
  }
}
