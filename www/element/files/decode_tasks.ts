/** What workers decode, by name. */
import { decodeMeshes } from "./draco_meshes.js";
import { transcodeTexture } from "./ktx2_pictures.js";
import { decodeStreams } from "./meshopt_streams.js";

export const TASKS = { draco: decodeMeshes, ktx2: transcodeTexture, meshopt: decodeStreams };

export type DecodeTasks = typeof TASKS;

/** Data and result of a task. */
export interface Decoding<Name extends keyof DecodeTasks> {
  readonly data: Parameters<DecodeTasks[Name]>[1];
  readonly result: Awaited<ReturnType<DecodeTasks[Name]>>;
}
