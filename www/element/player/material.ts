/** A material of the model, to override what the file specifies. */
import { number } from "../checks.js";
import { MATERIAL } from "../engine/wasm.js";
import type { Named } from "../files/contents.js";
import { pictureOf, type PictureSource } from "../files/images.js";
import { colorOf, lightOf } from "./light.js";
import type { PlayerContext } from "./player_context.js";
import type { Color, Rgba } from "./options.js";

/** The last call of `setTexture`, per player and material. */
const newest = new WeakMap<PlayerContext, object[]>();

/**
 * A material of the model.
 *
 * Changes apply to every character until another model is loaded. Null restores the file's value. The model itself
 * isn't changed: other players that show it and exports keep the file's materials.
 */
export class PlayerMaterial {
  /** Index in the file's order. */
  readonly index: number;
  /** Name, as written in the file. */
  readonly name: string;
  readonly #context: PlayerContext;

  /** Made by `Player.material`. */
  constructor({ index, name }: Named, context: PlayerContext) {
    this.index = index;
    this.name = name;
    this.#context = context;
  }

  /** Base colour; it multiplies the base colour texture. An alpha below 1 makes the material translucent. */
  get color(): Rgba {
    return colorOf(this.#numbers().subarray(0, 4));
  }

  set color(color: Color | null) {
    this.#set("color", color === null ? null : lightOf("color", color));
  }

  /** Emissive colour; it multiplies the emissive texture. Its alpha is 1. */
  get emissive(): Rgba {
    return colorOf(this.#numbers().subarray(4, 7));
  }

  set emissive(color: Color | null) {
    this.#set("emissive", color === null ? null : lightOf("color", color).slice(0, 3));
  }

  /** Metalness from 0 to 1; it multiplies the texture. */
  get metallic(): number {
    return this.#numbers()[7]!;
  }

  set metallic(metallic: number | null) {
    this.#set("metallic", metallic === null ? null : number("metallic", metallic));
  }

  /** Roughness from 0, a mirror, to 1; it multiplies the texture. */
  get roughness(): number {
    return this.#numbers()[8]!;
  }

  set roughness(roughness: number | null) {
    this.#set("roughness", roughness === null ? null : number("roughness", roughness));
  }

  /** Whether surfaces with this material are drawn and cast shadows. */
  get visible(): boolean {
    return this.#numbers()[9] !== 0;
  }

  set visible(visible: boolean) {
    this.#set("visible", +!!visible);
  }

  /**
   * Replaces the base colour texture by the picture at a URL, or by the current content of an image, a video or a
   * canvas. Null restores the file's texture. Pictures are scaled down to at most 4096 pixels a side.
   *
   * Resolves when the next frame will show it. If the picture can't be loaded, it rejects and the texture stays as it
   * was. Of several calls, the last one wins.
   */
  async setTexture(source: PictureSource | null): Promise<void> {
    const calls = newest.get(this.#context) ?? [];
    newest.set(this.#context, calls);
    const { contents } = this.#context;
    const call = (calls[this.index] = {});
    const picture = source === null ? undefined : await pictureOf(source);
    if (calls[this.index] !== call || this.#context.contents !== contents) return;
    this.#context.rust.setPicture(this.index, picture);
    this.#context.changed();
  }

  #numbers(): Float32Array {
    return this.#context.rust.material(this.index);
  }

  #set(part: (typeof MATERIAL)[number], value: number[] | number | null): void {
    this.#context.rust.setMaterial(this.index, MATERIAL.indexOf(part), Float32Array.from([value ?? []].flat()));
    this.#context.changed();
  }
}
