/** Guides for people who make characters. Imported with the first call that shows one. */
import type * as checks from "../checks.js";
import { lettersOf } from "./letters.js";
import type { PlayerContext } from "./player_context.js";

/** The guides, in the order of the bits of `src/player/guides`. */
export const GUIDES = ["grid", "bounds", "octahedra", "axes", "names", "bindPose", "trails", "onionSkins"] as const;

/** The bit of `trails`. */
const TRAILS = 1 << GUIDES.indexOf("trails");

/** The letters of measures: `GUIDE_LETTERS` of `src/player/guides`. */
export const GUIDE_LETTERS = "0123456789.−kmcµn ";

/**
 * What is drawn below and over the first character of the player's own model, to measure and to check it. Each guide is
 * off unless it is set. Guides are part of the picture, and therefore also of screenshots.
 */
export interface Guides {
  /**
   * Lines on the ground, in powers of ten of a metre that suit the size of the model. Each tenth line is heavier, and
   * the axes x (red) and z (blue) of the world have labels with their units.
   */
  readonly grid?: boolean | undefined;
  /** The box around the model in its present pose, with its width, height and depth. */
  readonly bounds?: boolean | undefined;
  /** An octahedron from each joint to each joint below it, in front of the surfaces. */
  readonly octahedra?: boolean | undefined;
  /** The axes of each joint: x red, y green, z blue. */
  readonly axes?: boolean | undefined;
  /**
   * The names of joints. The name of a joint is shown where its octahedron looks large enough and the name doesn't
   * overlap another, so that a closer view shows more. A list shows only the names in it, which may also be those of
   * other nodes.
   */
  readonly names?: boolean | readonly string[] | undefined;
  /**
   * Shows all characters of the model in the pose in which its meshes were skinned, in place of what plays. Playback
   * continues meanwhile. The first joint of each skin stays where it rests. Where skins contradict each other, a joint
   * has the place that it has in the largest of them, so that the meshes of the others are deformed. Without skins, it
   * is the rest pose.
   */
  readonly bindPose?: boolean | undefined;
  /**
   * The paths of joints over the clip that plays, bright near the present: a dot for each thirtieth of a second, or 300
   * dots for a clip of more than ten seconds. A list names the nodes. True stands for the hands, the feet and the head
   * of a humanoid, and otherwise for the six leaf joints that move farthest. The paths are those of the clip as it
   * plays, without springs and without what the page sets by hand.
   */
  readonly trails?: boolean | readonly string[] | undefined;
  /**
   * The surfaces before (red) and after (blue) the present time of the clip that plays, behind everything else. By
   * default, three poses before and three after, 0.1 seconds apart. A clip continues at its other end. As with trails,
   * springs and what the page sets by hand don't matter.
   */
  readonly onionSkins?: boolean | OnionSkins | undefined;
}

/** Poses before and after the present one. */
export interface OnionSkins {
  /** Number of poses before the present one, up to 16. Default: 3. */
  readonly before?: number | undefined;
  /** Number of poses after the present one, up to 16. Default: 3. */
  readonly after?: number | undefined;
  /** Time between poses in seconds, up to 10. Default: 0.1. */
  readonly step?: number | undefined;
}

/** Most poses of onion skins before the present one, and after it, and the longest time between them in seconds. */
const MOST_SKINS = 16;
const LONGEST_STEP = 10;

/** Longest part of a name that is shown. */
const LONGEST_NAME = 40;

/** The last call of each player. */
const calls = new WeakMap<PlayerContext, object>();

/**
 * Shows the guides of a player in place of those before, unless another call has followed meanwhile.
 *
 * @param wrongValue function of the main script: importing it would make the bundler split that script
 */
export async function setGuides(
  guides: Guides | string | null,
  context: PlayerContext,
  wrongValue: WrongValue,
): Promise<void> {
  const checked = checkedGuides(guides, wrongValue);
  const call = {};
  calls.set(context, call);
  await context.extend();
  // Nodes and the bind pose belong to a model.
  const show = (): void => {
    if (calls.get(context) !== call || context.replaced.aborted) return;
    send(checked, context);
    if (checked.names || checked.bindPose || checked.trails) {
      context.replaced.addEventListener("abort", () => queueMicrotask(show), { once: true });
    }
  };
  show();
}

type WrongValue = typeof checks.wrongValue;

function checkedGuides(guides: Guides | string | null, wrongValue: WrongValue): Guides {
  const isText = typeof guides === "string";
  if (guides != null && !isText && typeof guides !== "object") throw wrongValue("guides", guides, "an object");
  const words = isText ? guides.split(/\s+/).filter(Boolean).map(inCamelCase) : [];
  const entries: [string, unknown][] = isText ? words.map((word) => [word, true]) : Object.entries(guides ?? {});
  const checked: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    if (!GUIDES.includes(name as never)) throw wrongValue("guides", name, GUIDES.join(" or "), "OUT_OF_RANGE");
    const shown = checkedGuide(name, value, wrongValue);
    if (shown) checked[name] = shown;
  }
  return checked;
}

/** Returns what a guide shows. */
function checkedGuide(name: string, value: unknown, wrongValue: WrongValue): unknown {
  if (value == null || typeof value === "boolean") return value;
  if (name === "names" || name === "trails") {
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return [...value];
    throw wrongValue(name, value, "true or a list of names");
  }
  if (name !== "onionSkins" || typeof value !== "object") throw wrongValue(name, value, "true or false");
  const { before, after, step } = value as OnionSkins;
  const isWrong = (number: unknown, most: number): boolean =>
    number !== undefined && !(typeof number === "number" && number >= 0 && number <= most);
  for (const [part, number] of Object.entries({ before, after })) {
    if (isWrong(number, MOST_SKINS) || (number ?? 0) % 1 !== 0)
      throw wrongValue(part, number, `a whole number from 0 to ${MOST_SKINS}`, "OUT_OF_RANGE");
  }
  if (isWrong(step, LONGEST_STEP)) throw wrongValue("step", step, `a number from 0 to ${LONGEST_STEP}`, "OUT_OF_RANGE");
  return { before, after, step };
}

function inCamelCase(word: string): string {
  return word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function send(guides: Guides, context: PlayerContext): void {
  const shown = GUIDES.reduce((bits, name, bit) => bits | (guides[name] ? 1 << bit : 0), 0);
  const named = guides.names ? namedNodes(guides.names, context) : [];
  const trailed = Array.isArray(guides.trails) ? namedNodes(guides.trails, context) : [];
  const { before = 3, after = 3, step = 0.1 } = typeof guides.onionSkins === "object" ? guides.onionSkins : {};
  const isWritten = guides.grid || guides.bounds || named.length > 0;
  const texts = isWritten ? [...GUIDE_LETTERS, ...named.map(({ name }) => shortened(name))] : [];
  const { numbers, pixels, count } = lettersOf(texts);
  const written = named.slice(0, Math.max(count - GUIDE_LETTERS.length, 0));
  const indices = [written, trailed].map((nodes) => Uint32Array.from(nodes, ({ index }) => index)) as [
    Uint32Array,
    Uint32Array,
  ];
  // A list without any of the model's nodes shows no trails.
  const hasTrails = trailed.length > 0 || guides.trails === true;
  const bits = hasTrails ? shown : shown & ~TRAILS;
  context.rust.setGuides(bits, numbers, pixels, ...indices, Float32Array.of(before, after, step));
  context.guides = guides;
  context.changed();
}

/** Returns the nodes whose names are shown. */
function namedNodes(names: true | readonly string[], context: PlayerContext): { name: string; index: number }[] {
  const { nodes, skins } = context.shown?.contents ?? { nodes: [], skins: [] };
  const joints = new Set(skins.flatMap((skin) => skin.joints.map(({ index }) => index)));
  return nodes.filter(({ name, index }) =>
    names === true ? name !== "" && (joints.size === 0 || joints.has(index)) : names.includes(name),
  );
}

function shortened(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join("")}…` : name;
}
