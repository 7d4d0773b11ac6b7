/** Finds the pictures that old files name: by paths of another machine, in another case, with another extension or none. */
import type { Warning } from "../errors.js";
import type { Core } from "./formats.js";
import type { Opened } from "./source.js";

/** Where several files have the stem, the better picture comes first. */
const EXTENSIONS = ["", ".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".tga", ".bmp", ".dds"];

/**
 * Reads what the file of `opened` names, wherever it may be beside it, and nowhere else. A guess is written down among
 * the warnings.
 */
export function beside(opened: Opened, { GambolError, isAbort }: Core, warnings: Warning[]): Opened["piece"] {
  const guessed = new Set<string>();
  return async (uri) => {
    const [, inside] = /^data:[^,]*;base64,(.*)$/is.exec(uri) ?? [];
    if (inside !== undefined) return Uint8Array.from(atob(inside), (letter) => letter.charCodeAt(0));
    let first: unknown;
    const { paths } = opened;
    for (const spelling of paths ? distinct([uri, ...spellings(uri), ...alike(uri, paths)]) : addresses(uri)) {
      try {
        return await opened.piece(spelling);
      } catch (error) {
        if (isAbort(error)) throw error;
        first ??= error;
      }
    }
    const only = onlyPicture(opened);
    if (only !== undefined) {
      const message = `It isn't among the files. “${only}” was taken, the only picture there.`;
      if (!guessed.has(uri)) warnings.push({ code: "IMAGE_GUESSED", place: uri, message, count: 1 });
      guessed.add(uri);
      return opened.piece(encoded(only));
    }
    throw first ?? new GambolError("PIECE_MISSING", `This names no file: “${uri}”.`, { place: uri });
  };
}

/** Of the files that were dropped, where no other is a picture. */
export function onlyPicture({ paths = [] }: Opened): string | undefined {
  const [only, ...others] = paths.filter((path) => rank(path) > 0);
  return others.length === 0 ? only : undefined;
}

/** The path as written, unless it leads elsewhere, then the name alone. */
function spellings(uri: string): string[] {
  const { path, name, elsewhere } = read(uri);
  return distinct([...(elsewhere ? [] : [path]), name]);
}

/** In lower case too: servers tell letters apart that the modeller's machine didn't. */
function addresses(uri: string): string[] {
  if (/^https?:/i.test(uri)) return distinct([uri, ...spellings(uri)]);
  const spelled = spellings(uri);
  return distinct([...spelled, ...spelled.map((path) => path.toLowerCase())]);
}

/** Of the files that were dropped those with the same stem and an extension of pictures. */
function alike(uri: string, paths: readonly string[]): string[] {
  const stem = (path: string) => path.split("/").pop()!.replace(/\.[^.]*$/, "").toLowerCase();
  const wanted = stem(decoded(read(uri).name));
  return paths
    .filter((path) => stem(path) === wanted && rank(path) > 0)
    .sort((a, b) => rank(a) - rank(b))
    .map(encoded);
}

/** How good a picture it is by its extension; −1 for none, 0 for what has no extension. */
function rank(path: string): number {
  return EXTENSIONS.indexOf(/\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? "");
}

/** A path relative to the model, its last part, and whether it leads away from here: to a drive, a share, another machine. */
function read(uri: string): { path: string; name: string; elsewhere: boolean } {
  const written = decoded(uri.replace(/^file:\/*/i, "C:/")).replaceAll("\\", "/");
  const path = encoded(written);
  return { path, name: path.split("/").filter(Boolean).pop() ?? "", elsewhere: /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(written) };
}

/** Letter by letter, so that nothing in a file name means more than itself. */
export function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone “%” is a character of the name.
    return text;
  }
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)].filter(Boolean);
}
