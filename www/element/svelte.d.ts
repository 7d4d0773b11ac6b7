/**
 * Types of `<gambol-player>` and `<gambol-actor>` for Svelte 5's markup. Add `import type {} from "gambol/svelte"` once
 * per project.
 */
import type { HTMLAttributes } from "svelte/elements";

import type { ActorAttributes, TagAttributes, TagListeners, TagProperties } from "./tag/markup.js";
import type { GambolActorElement, GambolPlayerElement } from "./element.js";

type Own = TagProperties & TagAttributes<true | ""> & TagListeners<"on">;

/** Props of `<gambol-player>`. */
export type GambolPlayerProps = Own & Omit<HTMLAttributes<GambolPlayerElement>, keyof Own>;

type OfActor = ActorAttributes<true | "">;

/** Props of `<gambol-actor>`. */
export type GambolActorProps = OfActor & Omit<HTMLAttributes<GambolActorElement>, keyof OfActor>;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gambol-actor": GambolActorProps;
    "gambol-player": GambolPlayerProps;
  }
}
