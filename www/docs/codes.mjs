/** Collects all codes of errors and notes, with their descriptions, from the sources that define them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const KINDS = [
  { kind: "calls", title: "Calls", lead: "The call can’t be carried out. It has changed nothing." },
  {
    kind: "machine",
    title: "The browser and the GPU",
    lead: "The GPU, the browser, the network or the page’s policy failed or refused.",
  },
  { kind: "files", title: "Files", lead: "The file can’t be shown. <code>place</code> is the position in the file." },
  {
    kind: "pictures",
    title: "Images",
    lead: "The image can’t be decoded. The model is shown without it, with a warning.",
  },
  {
    kind: "controllers",
    title: "Controllers and motions",
    lead: "The data is invalid. <code>place</code> is a JSON pointer into it. The previous controller stays.",
  },
  {
    kind: "notes",
    title: "Warnings",
    lead: "Problems in a file that did not prevent loading, from <code>player.warnings</code>.",
  },
  {
    kind: "conversion",
    title: "Conversion notes",
    lead: "Changes that a <code>.glb</code> file required, from the <code>notes</code> of <code>toGlb()</code>.",
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
    NO_MODEL: "The call needs a model, and none is loaded, or there is none among the files.",
    NO_CANVAS:
      "The call draws, and the player has no canvas, or its GPU is lost: wait for <code>contextrestored</code>.",
    UNKNOWN_CLIP: "The model has no clip of that name or number. The message lists its clips.",
    UNKNOWN_SKIN: "The model has no skin of that name or number; <code>player.skins</code> lists its skins.",
    UNKNOWN_NODE: "The model has no node of that name or number; <code>player.nodes</code> lists its nodes.",
    UNKNOWN_CHARACTER: "The crowd has no member of that number.",
    UNKNOWN_LAYER: "The layer doesn’t exist, or was removed.",
    UNKNOWN_PARAMETER: "Neither the controller nor a playing blend has a parameter of that name.",
    UNKNOWN_MORPH: "The model has no morph target of that name.",
    CROWD_SIZE: "A crowd has 1 to 16,384 characters. A throng has 1 to 65,536 members, or fewer with many joints.",
    CROWD_LIST: "A list does not have exactly one entry per member.",
    NOT_FINITE: "A number is infinite or not a number.",
    OUT_OF_RANGE: "A number or word isn’t allowed; the message lists the allowed values.",
    WRONG_TYPE:
      "A value has the wrong type, such as a string instead of three numbers. The message names the expected type.",
    NOT_A_COLOR: "The value isn’t a colour. Give a CSS colour, three or four numbers from 0 to 1, or null.",
    UNKNOWN_CONSTRAINT: "The player has no chain, gaze or feet of that name.",
    NO_CHAIN: "The nodes of a chain must be below each other, and a goal or a limit must belong to one of them.",
    NO_LIMB: "<code>reach()</code> needs a node with two nodes above it, such as a hand or a foot.",
    NO_BODIES: "A ragdoll needs a model with a mesh: its bodies are fitted to the vertices of each joint.",
    UNKNOWN_ACTOR: "The player has no actor of that number, or it was removed.",
    ACTOR_LOOP: "An actor can’t be attached to or wear itself, directly or through other actors.",
    NESTED_ACTOR: "Actors are added to the player; an actor has none of its own.",
    NO_FITTING_JOINTS: "No joint of the outfit has the name of a node of its wearer.",
    TOO_MANY_LAYERS: "The character has too many layers; remove one that is no longer needed.",
    NOT_HUMANOID:
      "Motion is borrowed between bodies with hips, two arms and two legs. The message lists the roles without a node.",
    NO_FITTING_CLIPS:
      "The file has no clips, or none that animates a node of the model. <code>addClips()</code> takes clips for the " +
      "same skeleton.",
    ENVIRONMENT_NOT_LOADED:
      "The panorama can’t be decoded. Give a <code>.hdr</code> with rows from top to bottom, or a picture that the " +
      "browser reads.",
    FAILED: "A failure without a code of its own; <code>cause</code> is the original error.",
    PIECE_MISSING:
      "The model needs a file that is missing; <code>place</code> is its path. Choose or drop it together " +
      "with the model.",
    NOT_A_DRIVER:
      "<code>drive()</code> takes a timeline, an element, a media element, a number or a function as second argument.",
    BAD_URL: "The string isn’t a valid URL.",
    SCREENSHOT_SIZE: "A screenshot has up to 16,384 pixels per side and 67,108,864 in all, both sides whole numbers.",
    SCREENSHOT_FAILED: "The screenshot failed, usually because of too little memory; try a smaller one.",
  },
  machine: {
    GPU_ADAPTER_MISSING:
      "The browser provides no adapter: it lacks the API or a driver, blocks the GPU, or has too many contexts.",
    GPU_DEVICE_REFUSED: "The adapter provides no device.",
    GPU_SURFACE_REFUSED: "The device can’t draw to the canvas; use a new canvas.",
    GPU_LOST: "The GPU was lost and did not return.",
    GPU_LIMIT_EXCEEDED: "The model exceeds a limit of the GPU; simplify it.",
    GPU_IMAGE_EMPTY: "The width or height of an image is 0; use another image.",
    GPU_NO_SUCH_PART: "The drawable, primitive or image doesn’t exist.",
    GPU_WRONG_PIXEL_COUNT: "The number of pixels doesn’t match the width and height.",
    GPU_DRIVER_ERROR: "The driver rejected a command, or returned no pixels.",
    NO_GPU: "The browser offers neither WebGPU nor WebGL2, or none for this canvas. Is hardware acceleration off?",
    WASM_NOT_LOADED:
      "The WebAssembly could not be started. Check that it is served next to the scripts, and that the page’s " +
      "policy allows <code>'wasm-unsafe-eval'</code>.",
    HTTP_STATUS: "The server doesn’t have the file, or refuses it. <code>place</code> is the URL.",
    PLAYER_POISONED:
      "The player stopped because of a bug in Gambol. Load again to restart it, and please report the message.",
    FORMATS_POISONED: "A bug in Gambol stopped the import. Other files can still be loaded; please report the message.",
    RENDER_FAILED: "Drawing failed, and the player stopped.",
    LOAD_FAILED: "Loading failed without a code of its own; <code>cause</code> is the original error.",
  },
  files: {
    ARCHIVE_DAMAGED: "The <code>.zip</code> archive is cut or changed. Download or pack it again.",
    ARCHIVE_UNSUPPORTED:
      "A file of the <code>.zip</code> archive is encrypted, or packed by a method other than Deflate. Unpack the " +
      "archive, or pack it again.",
  },
  notes: {
    IMAGE_NOT_LOADED: "An image is missing or can’t be decoded; the model is shown without it.",
    CLIPS_NOT_ADDED: "A file with clips can’t be read, or none of its clips fits; the model is shown without them.",
    IMAGE_GUESSED: "The only image that was given with the model replaces a missing one.",
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
    if (described.has(code) || code === INTERNAL) continue;
    if (!message)
      throw new Error(`www/element/${file} gives ${code} without a sentence; describe it in www/docs/codes.mjs`);
    described.add(code);
    found.push({ kind: MACHINE.has(code) ? "machine" : "calls", code, problem: message });
  }
  for (const code of described)
    if (!given.has(code)) throw new Error(`www/docs/codes.mjs describes ${code}, which nothing gives`);
  return found;
}

/** Code of an error that the package never shows: it loads the file again. */
const INTERNAL = "PART_MISSING";

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
