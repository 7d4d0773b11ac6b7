/** Types of `<gambol-player>` for Svelte 5's markup. Add `import type {} from "gambol/svelte"` once per project. */
import type { HTMLAttributes } from "svelte/elements";

import type { TagAttributes, TagListeners, TagProperties } from "./tag/markup.js";
import type { GambolPlayerElement } from "./element.js";

type Own = TagProperties & TagAttributes<true | ""> & TagListeners<"on">;

/** Props of `<gambol-player>`. */
export type GambolPlayerProps = Own & Omit<HTMLAttributes<GambolPlayerElement>, keyof Own>;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gambol-player": GambolPlayerProps;
  }
}
