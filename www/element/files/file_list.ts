/**
 * Opens files that are chosen or dropped together, and archives: finds the model among the files, and those that it
 * references.
 */
import type { GambolError } from "../errors.js";
import type { Opened } from "./source.js";
import { type Reader, readArchive } from "./zip.js";

/** Files, or a map from path to file. */
export type SourceFiles = readonly File[] | ReadonlyMap<string, Blob>;
type Files = ReadonlyMap<string, Reader>;

export type ReadBlob = (blob: Blob) => Promise<Uint8Array<ArrayBuffer>>;

/** Opens files. An archive among them stands for a folder of its name. */
export async function openFiles(
  list: SourceFiles,
  read: ReadBlob,
  signal: AbortSignal | undefined,
  Failure: typeof GambolError,
): Promise<Opened> {
  const blobs = list instanceof Map ? [...(list as ReadonlyMap<string, Blob>)] : byPath(list as readonly File[]);
  const files = new Map<string, Reader>();
  for (const [path, blob] of blobs) {
    const isNamed = /\.zip$/i.test(path);
    const bytes = isNamed || blobs.length === 1 ? await read(blob) : null;
    const archive = bytes && readArchive(bytes, isNamed, signal, Failure);
    for (const [inside, reader] of archive ?? []) files.set(`${path}/${inside}`, reader);
    if (!archive) files.set(path, async () => bytes ?? read(blob));
    // A file that was given alone is the model, whatever its name.
    if (bytes && !archive && blobs.length === 1) return opened(files, path, signal, Failure);
  }
  return opened(files, mainPath(files, Failure), signal, Failure);
}

/** Opens an archive. */
export async function openArchive({ bytes, signal }: Opened, Failure: typeof GambolError): Promise<Opened> {
  // Null only for bytes that the caller doesn't take for an archive.
  const files = readArchive(bytes, false, signal, Failure)!;
  return opened(files, mainPath(files, Failure), signal, Failure);
}

async function opened(
  files: Files,
  path: string,
  signal: AbortSignal | undefined,
  Failure: typeof GambolError,
): Promise<Opened> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const candidates = [...files].map(([path, reader]) => ({ parts: partsOf(path), reader }));
  return {
    name: path.slice(folder.length),
    bytes: await files.get(path)!(),
    signal,
    paths: [...files.keys()],
    piece: async (uri) => {
      const read = findPiece(candidates, folder, uri);
      if (read) return read();
      throw new Failure("PIECE_MISSING", `The model needs “${uri}”; choose or drop it together with the model.`, {
        place: uri,
      });
    },
  };
}

function byPath(files: readonly File[]): [string, Blob][] {
  return files.map((file) => [file.webkitRelativePath || file.name, file]);
}

/** File extensions of models, in order of preference. */
const MODEL_EXTENSIONS = [".glb", ".gltf", ".vrm", ".x", ".dae", ".iqm"];

function mainPath(files: Files, Failure: typeof GambolError): string {
  const paths = [...files.keys()];
  for (const extension of MODEL_EXTENSIONS) {
    const found = paths.filter((path) => path.toLowerCase().endsWith(extension));
    // The least nested file, so that a folder's own model wins over its samples.
    const nearest = found.sort((a, b) => a.split("/").length - b.split("/").length || a.localeCompare(b))[0];
    if (nearest !== undefined) return nearest;
  }
  const listed = paths.slice(0, 5).join(", ");
  throw new Failure(
    "NO_MODEL",
    `There is no ${MODEL_EXTENSIONS.join(", ")} among these files: ${listed || "nothing was given"}.`,
  );
}

/** A file, with the parts of its path. */
interface Candidate {
  readonly parts: readonly string[];
  readonly reader: Reader;
}

/**
 * Finds a referenced file by path, then ignoring case, then by file name: exporters write paths of other machines. Of
 * several files of that name, the one whose folders agree most is taken.
 */
function findPiece(candidates: readonly Candidate[], folder: string, uri: string): Reader | undefined {
  // Some exporters write names as they are, with “#”, “?” and “%”.
  const spellings = [decode(uri.split(/[?#]/)[0]!), uri, decode(uri)];
  const paths = spellings.map((spelling) => partsOf(folder + spelling));
  for (const path of paths) {
    const found = candidates.find(({ parts }) => parts.join("/") === path.join("/"));
    if (found) return found.reader;
  }
  for (const path of paths) {
    let [most, best]: [number, Candidate | undefined] = [0, undefined];
    for (const candidate of candidates) {
      const count = commonEnd(candidate.parts, path);
      if (count > most) [most, best] = [count, candidate];
    }
    if (best) return best.reader;
  }
  return undefined;
}

/** Counts the last parts that two paths share, ignoring case. Equal paths share one more than they have. */
function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && a.at(-1 - count)!.toLowerCase() === b.at(-1 - count)?.toLowerCase()) count++;
  return count + (count > 0 && count === a.length && count === b.length ? 1 : 0);
}

/** Decodes what is percent-encoded. A lone “%” is a literal character. */
function decode(uri: string): string {
  return uri.replace(/(%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

function partsOf(path: string): string[] {
  const parts: string[] = [];
  // macOS writes accents as separate characters.
  for (const part of path.normalize().split(/[/\\]/)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts;
}
