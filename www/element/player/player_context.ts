import type { Part } from "../engine/engine.js";
import type { PlayerHandle } from "../engine/wasm.js";
import type { Added } from "../files/added_clips.js";
import type { Contents } from "../files/contents.js";
import type { AddClipsOptions, Source } from "../files/source.js";
import type { ShownModel } from "../host/host.js";
import type { Guides } from "./guides.js";
import type { Runs } from "./run.js";
import type { SurfaceView } from "./view.js";

/**
 * The part of a player, or of one of its actors, that its layers, nodes, materials, morphs, parameters and characters
 * use. `rust`, `contents` and the methods throw the same errors as the player.
 */
export interface PlayerContext {
  /** Number of the actor; 0 for the player itself. */
  readonly actor: number;
  readonly rust: PlayerHandle;
  /** The model that is shown, or null. */
  readonly shown: ShownModel | null;
  /** Contents of the model that is shown. */
  readonly contents: Contents;
  readonly runs: Runs;
  /** What the surfaces show since the last `setView`. */
  view?: SurfaceView;
  /** The guides since the last `setGuides`. */
  guides?: Guides;
  /** Whether the state read from `rust` includes the effects of all calls. */
  readonly upToDate: boolean;
  /** Aborted when another model is shown. */
  readonly replaced: AbortSignal;
  /** Aborted when the player ends. */
  readonly ended: AbortSignal;
  addClips(source: Source, options: AddClipsOptions & { signal: AbortSignal }): Promise<Added>;
  /** Resolves when the functions of `rust` in a part of the WebAssembly can be called. */
  extend(part?: Part): Promise<void>;
  /** Runs a change after which layer indices may refer to other layers. */
  rearrange(change: () => void): void;
  /** Called when the page has set the time. */
  seeking(): void;
  /** Called when a frame must be drawn, and events may be waiting. */
  changed(): void;
}
