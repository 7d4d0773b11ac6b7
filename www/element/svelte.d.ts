/** `<gambol-player>` in Svelte 5's markup: `import type {} from "gambol/svelte"`, once a project. */
import type { HTMLAttributes } from "svelte/elements";

import type { TagAttributes, TagListeners, TagProperties } from "./tag/markup.js";
import type { GambolPlayerElement } from "./element.js";

type Own = TagProperties & TagAttributes<true | ""> & TagListeners<"on">;

/** All that the tag takes. */
export type GambolPlayerProps = Own & Omit<HTMLAttributes<GambolPlayerElement>, keyof Own>;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gambol-player": GambolPlayerProps;
  }
}
