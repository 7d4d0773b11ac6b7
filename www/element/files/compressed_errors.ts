/** Errors about compressed data. */
import type { GambolError } from "../errors.js";

type Failure = typeof GambolError;

/** Returns the error for data that is damaged. */
export function damaged(Failure: Failure, problem: string, place: string): GambolError {
  const message = `The file's compressed data is damaged: ${problem}. Download or export it again.`;
  return new Failure("COMPRESSED_DATA_INVALID", message, { place });
}

/** Returns the error for data that no decoder of this package reads. */
export function unsupported(Failure: Failure, problem: string, place: string): GambolError {
  const message = `The file is compressed in a way that isn't supported: ${problem}.`;
  return new Failure("COMPRESSED_DATA_UNSUPPORTED", message, { place });
}

/** Returns the error for data that isn't in the file. */
export function lacking(Failure: Failure, place: string): GambolError {
  const message = "The file is cut: compressed data is missing, or lies beyond the end of its buffer.";
  return new Failure("COMPRESSED_DATA_MISSING", message, { place });
}
