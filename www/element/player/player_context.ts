import type { PlayerHandle } from "../engine/wasm.js";
import type { Contents } from "../files/contents.js";
import type { Runs } from "./run.js";

/**
 * The part of a player that its layers, nodes, materials, morphs, parameters and characters use. The getters throw
 * the same errors as the player.
 */
export interface PlayerContext {
  readonly rust: PlayerHandle;
  /** Contents of the model that is shown. */
  readonly contents: Contents;
  readonly runs: Runs;
  /** Resolves when the functions of `rust` that pages seldom need can be called. */
  extend(): Promise<void>;
  /** Runs a change after which layer indices may refer to other layers. */
  rearrange(change: () => void): void;
  /** Called when the page has set the time. */
  seeking(): void;
  /** Called when a frame must be drawn, and events may be waiting. */
  changed(): void;
}
