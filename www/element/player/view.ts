/** Views of surfaces by their data. Imported with the first view that a page sets. */
import type * as checks from "../checks.js";
import type { PlayerContext } from "./player_context.js";

/** The views, by their numbers in `src/render/views`. */
export const VIEWS = [
  "shaded",
  "normals",
  "view-normals",
  "tangents",
  "uv",
  "weights",
  "wireframe",
  "matcap",
  "toon",
  "color",
  "alpha",
  "metallic",
  "roughness",
  "occlusion",
  "emissive",
  "vertex-color",
] as const;

/**
 * What the surfaces of a picture show:
 *
 * - `"shaded"`: the model in its light, the default.
 * - `"normals"`: normals in world space as colours, `0.5 + 0.5 n`, with normal maps. Red is x, green y and blue z.
 * - `"view-normals"`: the same, as the camera sees them: red to the right, green up, blue towards the camera.
 * - `"tangents"`: tangents in world space, encoded likewise. Grey where there are none: files without tangents get
 *   them only for materials with a normal map.
 * - `"uv"`: a grid of labelled cells in place of the base colour's texture, 8 by 8, A1 at its upper left. Cells are red
 *   where the texture is mirrored.
 * - `"weights"`: a colour for each joint, blended by the weights of the vertices. With the option `joint`, the weights
 *   of that joint: blue for 0, green for 0.5, red for 1.
 * - `"wireframe"`: edges of triangles over a plain surface.
 * - `"matcap"`: clay.
 * - `"toon"`: base colours in three steps of light, with an outline.
 * - `"color"`: the base colour with its texture, vertex colours and tint, sRGB-encoded.
 * - `"alpha"`, `"metallic"`, `"roughness"`, `"occlusion"`: these numbers as grey, from 0 to 1, not sRGB-encoded.
 * - `"emissive"`: the emissive colour up to 1, sRGB-encoded.
 * - `"vertex-color"`: vertex colours, sRGB-encoded. White where there are none.
 *
 * `"uv"`, `"weights"` and `"wireframe"` darken where the surface turns away. The others are exact.
 */
export type SurfaceView = (typeof VIEWS)[number];

/** Options of {@link Player.setView}. */
export interface ViewOptions {
  /** Name of the joint whose weights `"weights"` shows. Where no joint has the name, all weights are 0. */
  readonly joint?: string | null | undefined;
}

/** The last call of each player. */
const calls = new WeakMap<PlayerContext, object>();

/**
 * Sets the view of a player, unless another call has followed meanwhile.
 *
 * @param wrongValue function of the main script: importing it would make the bundler split that script
 */
export async function setView(
  view: SurfaceView | null,
  options: ViewOptions | null | undefined,
  context: PlayerContext,
  wrongValue: typeof checks.wrongValue,
): Promise<void> {
  const index = VIEWS.indexOf(view ?? "shaded");
  if (index < 0) throw wrongValue("view", view, VIEWS.join(" or "), "OUT_OF_RANGE");
  if (options != null && typeof options !== "object") throw wrongValue("options", options, "an object");
  const joint = options?.joint ?? "";
  if (typeof joint !== "string") throw wrongValue("joint", joint, "a name");
  const call = {};
  calls.set(context, call);
  await context.extend();
  if (calls.get(context) !== call) return;
  context.rust.setView(index, joint);
  context.view = VIEWS[index]!;
  context.changed();
}
