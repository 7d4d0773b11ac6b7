/** Opens files that are chosen or dropped together: finds the model among them, and the files that it references. */
import type { GambolError } from "../errors.js";
import type { Opened } from "./source.js";

/** Files, or a map from path to file. */
export type SourceFiles = readonly File[] | Files;
type Files = ReadonlyMap<string, Blob>;

export type ReadBlob = (blob: Blob) => Promise<Uint8Array<ArrayBuffer>>;

/** Values passed in from the main script. Importing them would make bundlers split that script. */
interface MainExports {
  decodeURIComponentSafely(text: string): string;
  readonly GambolError: typeof GambolError;
}

export async function openFiles(
  list: SourceFiles,
  read: ReadBlob,
  signal: AbortSignal | undefined,
  main: MainExports,
): Promise<Opened> {
  const files = list instanceof Map ? list : byPath(list as readonly File[]);
  const path = mainPath(files, main);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return {
    name: path.slice(folder.length),
    bytes: await read(files.get(path)!),
    signal,
    paths: [...files.keys()],
    piece: async (uri) => {
      const file = findPiece(files, folder + main.decodeURIComponentSafely(uri.split(/[?#]/)[0]!));
      if (file) return read(file);
      throw new main.GambolError(
        "PIECE_MISSING",
        `The model needs “${uri}”; choose or drop it together with the model.`,
        { place: uri },
      );
    },
  };
}

function byPath(files: readonly File[]): Files {
  return new Map(files.map((file) => [file.webkitRelativePath || file.name, file]));
}

/** File extensions of models, in order of preference. */
const MODEL_EXTENSIONS = [".glb", ".gltf", ".vrm", ".x", ".dae", ".iqm"];

function mainPath(files: Files, { GambolError }: MainExports): string {
  const paths = [...files.keys()];
  if (paths.length === 1) return paths[0]!;
  for (const extension of MODEL_EXTENSIONS) {
    const found = paths.filter((path) => path.toLowerCase().endsWith(extension));
    // The least nested file, so that a folder's own model wins over its samples.
    const nearest = found.sort((a, b) => a.split("/").length - b.split("/").length || a.localeCompare(b))[0];
    if (nearest !== undefined) return nearest;
  }
  const listed = paths.slice(0, 5).join(", ");
  throw new GambolError(
    "NO_MODEL",
    `There is no ${MODEL_EXTENSIONS.join(", ")} among these files: ${listed || "nothing was given"}.`,
  );
}

/**
 * Finds a referenced file by path, then ignoring case, then by file name alone: exporters write paths of other
 * machines.
 */
function findPiece(files: Files, path: string): Blob | undefined {
  const wanted = normalize(path);
  const candidates = [...files].map(([path, file]) => ({ path: normalize(path), file }));
  const lower = wanted.toLowerCase();
  const name = lower.split("/").pop()!;
  return (
    candidates.find(({ path }) => path === wanted) ??
    candidates.find(({ path }) => path.toLowerCase() === lower) ??
    candidates.find(({ path }) => path.toLowerCase().split("/").pop() === name)
  )?.file;
}

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
