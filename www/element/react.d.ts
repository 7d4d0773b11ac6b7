/**
 * Types of `<gambol-player>` and `<gambol-actor>` for React 19's JSX. Add `import type {} from "gambol/react"` once per
 * project.
 */
import type { DetailedHTMLProps, HTMLAttributes } from "react";

import type { ActorAttributes, TagAttributes, TagListeners, TagProperties } from "./tag/markup.js";
import type { GambolActorElement, GambolPlayerElement } from "./element.js";

/** Props of `<gambol-player>`. */
export type GambolPlayerProps = DetailedHTMLProps<HTMLAttributes<GambolPlayerElement>, GambolPlayerElement> &
  TagProperties &
  TagAttributes<boolean | ""> &
  TagListeners<"on">;

/** Props of `<gambol-actor>`. */
export type GambolActorProps = DetailedHTMLProps<HTMLAttributes<GambolActorElement>, GambolActorElement> &
  ActorAttributes<boolean | "">;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gambol-actor": GambolActorProps;
      "gambol-player": GambolPlayerProps;
    }
  }
}
