/**
 * Finds pictures referenced by older formats, which write paths of another machine, in another case, or with a wrong
 * or missing extension.
 */
import type { Warning } from "../errors.js";
import type { MainExports } from "./decoders.js";
import type { Opened } from "./source.js";

/** Extensions of pictures. Among files with one stem, the earliest wins. */
const EXTENSIONS = ["", ".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".tga", ".bmp", ".dds"];

/** Returns a reader for files referenced by `opened`. It looks beside the model only. A guess adds a warning. */
export function resolveImages(
  opened: Opened,
  { GambolError, isAbort }: MainExports,
  warnings: Warning[],
): Opened["piece"] {
  const guessed = new Set<string>();
  return async (uri) => {
    const [, inside] = /^data:[^,]*;base64,(.*)$/is.exec(uri) ?? [];
    if (inside !== undefined) return Uint8Array.from(atob(inside), (letter) => letter.charCodeAt(0));
    let first: unknown;
    const { paths } = opened;
    for (const spelling of paths ? unique([uri, ...pathSpellings(uri), ...sameStem(uri, paths)]) : urlSpellings(uri)) {
      try {
        return await opened.piece(spelling);
      } catch (error) {
        if (isAbort(error)) throw error;
        first ??= error;
      }
    }
    const only = onlyPicture(opened);
    if (only !== undefined) {
      const message = `The picture is missing. “${only}”, the only picture given, was used instead.`;
      if (!guessed.has(uri)) warnings.push({ code: "IMAGE_GUESSED", place: uri, message, count: 1 });
      guessed.add(uri);
      return opened.piece(encodePath(only));
    }
    throw first ?? new GambolError("PIECE_MISSING", `“${uri}” is not the path of a file.`, { place: uri });
  };
}

/** Returns the only picture among the given files, or undefined if there is none or more than one. */
export function onlyPicture({ paths = [] }: Opened): string | undefined {
  const [only, ...others] = paths.filter((path) => extensionRank(path) > 0);
  return others.length === 0 ? only : undefined;
}

/** Returns the path as written, unless it leads to another drive or machine, and then the file name alone. */
function pathSpellings(uri: string): string[] {
  const { path, name, absolute } = parseReference(uri);
  return unique([...(absolute ? [] : [path]), name]);
}

/**
 * Returns the URLs to try. They include lower case, since servers are case-sensitive and the modeller's system may
 * not be.
 */
function urlSpellings(uri: string): string[] {
  if (/^https?:/i.test(uri)) return unique([uri, ...pathSpellings(uri)]);
  const spelled = pathSpellings(uri);
  return unique([...spelled, ...spelled.map((path) => path.toLowerCase())]);
}

/** Returns the given pictures with the same stem. */
function sameStem(uri: string, paths: readonly string[]): string[] {
  const stem = (path: string) =>
    path
      .split("/")
      .pop()!
      .replace(/\.[^.]*$/, "")
      .toLowerCase();
  const wanted = stem(decodeText(parseReference(uri).name));
  return paths
    .filter((path) => stem(path) === wanted && extensionRank(path) > 0)
    .sort((a, b) => extensionRank(a) - extensionRank(b))
    .map(encodePath);
}

/** Rank of a path's extension: −1 for other files than pictures, 0 without an extension, and then by preference. */
function extensionRank(path: string): number {
  return EXTENSIONS.indexOf(/\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? "");
}

/** Parses a reference: its path, its file name, and whether it leads to a drive, a network share or another machine. */
function parseReference(uri: string): { path: string; name: string; absolute: boolean } {
  const written = decodeText(uri.replace(/^file:\/*/i, "C:/")).replaceAll("\\", "/");
  const path = encodePath(written);
  return {
    path,
    name: path.split("/").filter(Boolean).pop() ?? "",
    absolute: /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(written),
  };
}

/** Encodes every path segment, so that characters such as “?” and “#” are literal. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone “%” is a literal character.
    return text;
  }
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)].filter(Boolean);
}
