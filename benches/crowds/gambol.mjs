/** Gambol's side of the page of crowds: a throng, posed by the GPU, or a crowd, whose characters have controllers. */

import { Player } from "gambol";

import { manage } from "../players/gambol.mjs";
import { FIELD_OF_VIEW, phaseOf } from "../players/view.mjs";
import { cameraOn, placeIn } from "./view.mjs";

export class GambolSide {
  #player;
  #throng;
  /** What is shown; see `list.mjs`. */
  #shown;

  static async open(canvas, { backend, background, pixelRatio }) {
    // Both sides have the same camera, and a finger on the picture scrolls the page.
    const player = await Player.create(canvas, { backend, cameraControls: false });
    manage(player);
    player.ground = true;
    Object.assign(player, { background, pixelRatio });
    return new GambolSide(player);
  }

  constructor(player) {
    this.#player = player;
  }

  async load(url) {
    await this.#player.load(url);
    this.#throng = undefined;
  }

  async fill(shown) {
    const player = this.#player;
    this.#shown = shown;
    const { box, count, total, clips, share, form } = shown;
    const place = (member) => placeIn(box, total, member);
    const [clip, second] = clips;
    if (form === "throng") {
      player.crowd(1);
      player.characters[0].visible = false;
      this.#throng = await player.throng(count, { clip, blend: blendOf(second, share), place, phases: phaseOf });
    } else {
      await this.#throng?.remove();
      this.#throng = undefined;
      player.play(motionOf(clips, share));
      player.crowd(count, { place, phases: phaseOf });
      player.characters[0].visible = true;
    }
    // Near and far planes follow from what was framed last.
    player.frame();
    const { target, eye } = cameraOn(box, total);
    Object.assign(player.camera, { target, eye, fov: FIELD_OF_VIEW });
  }

  async blend(share) {
    if (!this.#throng) return this.fill({ ...this.#shown, share });
    this.#shown.share = share;
    const blend = blendOf(this.#shown.clips[1], share);
    for (let member = 0; member < this.#throng.count; member++) this.#throng.at(member).blend = blend;
  }

  step(dtSecs) {
    this.#player.advance(dtSecs);
    this.#player.render();
  }

  get costs() {
    const { draws, gpuBytes } = this.#player.stats;
    return { draws, gpuBytes };
  }

  close() {
    this.#player.dispose();
  }
}

function blendOf(clip, weight) {
  return weight > 0 ? { clip, weight } : null;
}

function motionOf([clip, second], share) {
  if (share === 0) return clip;
  const mix = [
    { clip, weight: 1 - share },
    { clip: second, weight: share },
  ];
  return { mix, inPhase: true };
}
