/** The class between `Performer` and `Player`: what is where in the picture. */
import { notLoaded } from "../engine/engine.js";
import { number } from "../checks.js";
import type { Actor } from "./actor.js";
import { Performer } from "./performer.js";
import type { Picked } from "./pick.js";
import type { Player } from "./player.js";

/** The members of {@link Player} that find places in the picture. */
export abstract class PicturePerformer extends Performer {
  /** @internal */
  abstract get canvas(): HTMLCanvasElement;

  /** @internal */
  abstract performerOf(actor: number): Player | Actor | undefined;

  /**
   * Returns what is visible at a place of the canvas: the nearest point of the posed surface, or null if nothing is
   * there. x and y are CSS pixels from the left and the top of the canvas, as `offsetX` and `offsetY` of its pointer
   * events. The first pick of a page fetches the code for it.
   *
   * Faces count as they are drawn: the back of a face counts if its material is double-sided. Transparent parts count
   * as solid. Points and lines don't count.
   */
  async pick(x: number, y: number): Promise<Picked | null> {
    const { clientWidth, clientHeight } = this.canvas;
    const place = [number("place", x) / clientWidth, number("place", y) / clientHeight] as const;
    const { pickAt } = await import("./pick.js").catch((error) => {
      throw notLoaded(error);
    });
    return pickAt(...place, this);
  }
}
