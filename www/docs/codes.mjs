/** Collects all codes of errors and notes, with their descriptions, from the sources that define them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const KINDS = [
  { kind: "calls", title: "What was asked", lead: "A call that can’t be met. Nothing has changed." },
  {
    kind: "machine",
    title: "The browser and the GPU",
    lead: "What the machine, the network or the page’s policy refuses.",
  },
  { kind: "files", title: "Files", lead: "Why a file can’t be shown. <code>place</code> says where in it." },
  {
    kind: "pictures",
    title: "Pictures",
    lead: "Why a picture can’t be decoded. The model is shown without it, and a note tells so.",
  },
  {
    kind: "controllers",
    title: "Controllers and motions",
    lead: "<code>place</code> is a JSON pointer into what was given. The controller before goes on.",
  },
  {
    kind: "notes",
    title: "Notes on files",
    lead: "What was odd about a file that loaded all the same: <code>player.warnings</code>.",
  },
  {
    kind: "conversion",
    title: "Notes on conversion",
    lead: "What a <code>.glb</code> can’t hold as the file had it: the <code>notes</code> of <code>toGlb()</code>.",
  },
];

/** Tables in the crate, each with code, problem and, for errors, advice. */
const TABLES = [
  ["files", "import/error.rs"],
  ["pictures", "picture/error.rs"],
  ["controllers", "playback/script_json/error.rs"],
  ["notes", "import/report.rs"],
  ["conversion", "export/notes.rs"],
];

/** Descriptions of codes for which the sources have no single complete sentence. */
const WORDS = {
  calls: {
    NO_MODEL: "Something that needs a model was asked before one was loaded, or there is none among the files.",
    NO_CANVAS:
      "Something that draws was asked of a player without a canvas, or between <code>contextlost</code> and " +
      "<code>contextrestored</code>.",
    UNKNOWN_CLIP: "The model has no such clip. The message lists those it has.",
    UNKNOWN_SKIN: "The model has no skin of that number.",
    UNKNOWN_NODE: "The model has no such node; <code>player.nodes</code> lists them.",
    UNKNOWN_CHARACTER: "The crowd has no member of that number.",
    UNKNOWN_LAYER: "There is no such layer, or it was removed.",
    UNKNOWN_PARAMETER: "Neither the controller nor a blend that plays has such a parameter.",
    UNKNOWN_MORPH: "The model has no morph target of that name.",
    CROWD_SIZE: "A crowd has from 1 to 16,384 members.",
    CROWD_LIST: "A list that must have one entry per member has more or fewer.",
    NOT_FINITE: "A number is infinite or not a number.",
    OUT_OF_RANGE: "A number is beyond what it may be; the message says what that is.",
    WRONG_TYPE: "A value is of the wrong kind: a text instead of three numbers, say. The message says what is taken.",
    NOT_A_COLOR: "A background is any colour of CSS, red, green and blue from 0 to 1 with or without alpha, or null.",
    NO_LIMB: "A reach needs two nodes above the one that shall get somewhere.",
    TOO_MANY_LAYERS: "A character can’t have that many layers; remove one that is no longer needed.",
    FAILED: "Something failed in a way that has no code of its own; <code>cause</code> is what was thrown.",
    PIECE_MISSING:
      "The model names a file that isn’t there; <code>place</code> says which. " +
      "Choose or drop it together with the model.",
    NOT_A_DRIVER: "Only a timeline, an element, a medium, a number or a function can drive a clip.",
    BAD_URL: "What was given as an address isn’t one.",
    SCREENSHOT_SIZE: "A screenshot has whole numbers of pixels, up to 16,384 a side and 67,108,864 in all.",
    SCREENSHOT_FAILED: "The picture could not be taken, mostly for a lack of memory; try a smaller one.",
  },
  machine: {
    GPU_ADAPTER_MISSING: "The browser has no such API, or refuses it: no driver, blocked, or too many contexts.",
    GPU_DEVICE_REFUSED: "There is an adapter and it gives no device.",
    GPU_SURFACE_REFUSED: "This device can’t draw to the canvas; use a fresh one.",
    GPU_LOST: "The GPU went away and could not be had again.",
    GPU_LIMIT_EXCEEDED: "More than this GPU can hold in one piece; simplify the model.",
    GPU_NO_SUCH_PART: "No such drawable, primitive or image.",
    GPU_WRONG_PIXEL_COUNT: "Pixels whose number doesn’t match their width and height.",
    GPU_DRIVER_ERROR: "The driver refused a command, or gave no pixels back.",
    NO_GPU: "The browser offers neither WebGPU nor WebGL2, or none for this canvas. Is hardware acceleration off?",
    WASM_NOT_LOADED:
      "The player’s WebAssembly could not be started. Is it served beside the JavaScript, " +
      "and does the page’s policy allow <code>'wasm-unsafe-eval'</code>?",
    HTTP_STATUS: "The server has no such file, or refuses it. <code>place</code> is its address.",
    PLAYER_POISONED:
      "The player hit a bug of its own and stopped; loading again makes a fresh one. " +
      "The message is a report worth sending.",
    FORMATS_POISONED:
      "Reading this file hit a bug of the player’s own; others can still be loaded. " +
      "The message is a report worth sending.",
    RENDER_FAILED: "Drawing failed, and the player stopped.",
    LOAD_FAILED: "Loading failed in a way that has no code of its own; <code>cause</code> is what was thrown.",
  },
  notes: {
    IMAGE_NOT_LOADED: "A picture isn’t there or can’t be decoded; the model is shown without it.",
    IMAGE_GUESSED: "One picture came along that the model doesn’t name; it was taken in place of what it does.",
  },
};

/** Codes of `www/element` that belong to the kind `machine` instead of `calls`. */
const MACHINE = new Set(["NO_WEBGPU", "FETCH_FAILED", "WORKER_NOT_LOADED", "WORKER_BROKEN"]);

/** Returns `{ kind, code, problem, advice }` for each code, in the order of the sources. */
export function codes(crate, element) {
  const found = [];
  for (const [kind, file] of TABLES) {
    // In Rust, a backslash at a line's end joins it with the next.
    const text = readFileSync(join(crate, file), "utf8").replace(/\\\n\s*/g, "");
    for (const [, code, problem, advice] of text.matchAll(/\w+ "([A-Z][A-Z0-9_]+)"\s+"([^"]+)"(?:,\s*"([^"]+)")?;/g))
      found.push({ kind, code, problem, advice });
  }
  const tables = new Set(found.map(({ code }) => code));
  for (const [kind, words] of Object.entries(WORDS)) {
    for (const [code, problem] of Object.entries(words))
      if (!(kind === "notes" && tables.has(code))) found.push({ kind, code, problem, html: true });
  }
  const described = new Set(found.map(({ code }) => code));
  const given = new Set([...tables]);
  for (const file of ["player/error.rs", "render/error.rs"]) {
    for (const [, code] of readFileSync(join(crate, file), "utf8").matchAll(/=> "([A-Z][A-Z0-9_]+)"/g)) {
      if (!described.has(code)) throw new Error(`src/${file} gives ${code}, which www/docs/codes.mjs doesn't describe`);
      given.add(code);
    }
  }
  for (const { code, message, file } of ofElement(element)) {
    given.add(code);
    if (described.has(code)) continue;
    if (!message)
      throw new Error(`www/element/${file} gives ${code} without a sentence; describe it in www/docs/codes.mjs`);
    described.add(code);
    found.push({ kind: MACHINE.has(code) ? "machine" : "calls", code, problem: message });
  }
  for (const code of described)
    if (!given.has(code)) throw new Error(`www/docs/codes.mjs describes ${code}, which nothing gives`);
  return found;
}

/** Returns the codes in the scripts, each with the first message that follows it in the source. */
function ofElement(folder) {
  const found = new Map();
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".ts"))) {
    const text = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    for (const [, code, literal] of text.matchAll(/"([A-Z][A-Z0-9]*_[A-Z0-9_]+|FAILED)"(?:,\s*(`[^`]*`|"[^"]*"))?/g)) {
      const message =
        literal && !/^"[A-Z_]+"$/.test(literal)
          ? literal
              .slice(1, -1)
              .replace(/\s*\(?\$\{[^}]*\}\)?$/, "")
              .replace(/\$\{[^}]*\}/g, "…")
          : undefined;
      if (!found.get(code)?.message) found.set(code, { code, file, message });
    }
  }
  return [...found.values()];
}
