/** How surfaces are shaded, and how much of their light is shown. Imported with the first call. */
import type * as checks from "../checks.js";
import type { PlayerContext } from "./player_context.js";

/** The brightness that pictures can have: up to white, or beyond. */
export type DynamicRange = (typeof RANGES)[number];

const RANGES = ["standard", "high"] as const;

/** Values of the main script, passed as an argument: importing them would make the bundler split that script. */
type MainExports = Pick<typeof checks, "number" | "wordIndex" | "wrongValue">;

/** The last strength of each player. */
const strengths = new WeakMap<PlayerContext, number>();

/** Sets how much limbs darken surfaces behind them, unless another call has followed meanwhile. */
export async function setOcclusion(strength: number, context: PlayerContext, main: MainExports): Promise<void> {
  const checked = main.number("occlusion", strength);
  if (checked < 0 || checked > 1) throw main.wrongValue("occlusion", strength, "a number from 0 to 1", "OUT_OF_RANGE");
  strengths.set(context, checked);
  await context.extend("import");
  if (strengths.get(context) !== checked) return;
  context.rust.setOcclusion(checked);
  context.changed();
}

/** What ends the watch of the screen, for each player. */
const watches = new WeakMap<PlayerContext, AbortController>();

/**
 * Sets the range of a player, unless another call has followed meanwhile. It depends on the screen, which can change.
 */
export async function setDynamicRange(range: DynamicRange, context: PlayerContext, main: MainExports): Promise<void> {
  const isHigh = main.wordIndex("dynamicRange", range, RANGES) === 1;
  watches.get(context)?.abort();
  const watch = new AbortController();
  const { signal } = watch;
  watches.set(context, watch);
  await context.extend("import");
  if (signal.aborted) return;
  const screen = matchMedia("(dynamic-range: high)");
  const apply = (): void => {
    context.rust.setHighRange(isHigh && screen.matches);
    context.changed();
  };
  apply();
  if (!isHigh) return;
  screen.addEventListener("change", apply, { signal });
  // The browser would keep the listener, and with it the player.
  context.ended.addEventListener("abort", () => watch.abort(), { signal });
}
