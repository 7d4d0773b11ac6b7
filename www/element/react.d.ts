/** Types of `<gambol-player>` for React 19's JSX. Add `import type {} from "gambol/react"` once per project. */
import type { DetailedHTMLProps, HTMLAttributes } from "react";

import type { TagAttributes, TagListeners, TagProperties } from "./tag/markup.js";
import type { GambolPlayerElement } from "./element.js";

/** Props of `<gambol-player>`. */
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
