import type { PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { Runs } from "./run.js";

/** What a player lends to its parts: its layers, nodes, morphs and parameters. Fails as the player itself would. */
export interface Link {
  readonly rust: PlayerHandle;
  /** Of the model that is shown. */
  readonly contents: Contents;
  readonly runs: Runs;
  /** Makes a change after which numbers may stand for other layers. */
  rearrange(change: () => void): void;
  /** The time was set by hand. */
  sought(): void;
  /** There is reason to draw, and perhaps something to tell. */
  changed(): void;
}
