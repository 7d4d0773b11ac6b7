/** `<gambol-player>` in React 19's JSX: `import type {} from "gambol/react"`, once a project. */
import type { DetailedHTMLProps, HTMLAttributes } from "react";

import type { TagAttributes, TagListeners, TagProperties } from "./tag/markup.js";
import type { GambolPlayerElement } from "./element.js";

/** All that the tag takes. */
export type GambolPlayerProps = DetailedHTMLProps<HTMLAttributes<GambolPlayerElement>, GambolPlayerElement> &
  TagProperties &
  TagAttributes<boolean | ""> &
  TagListeners<"on">;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gambol-player": GambolPlayerProps;
    }
  }
}
