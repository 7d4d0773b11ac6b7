/**
 * Types of `<gambol-player>` and `<gambol-actor>` for Vue's templates and JSX. Add `import type {} from "gambol/vue"`
 * once per project.
 */
import type { DefineComponent, HTMLAttributes, ReservedProps } from "vue";

import type { PlayerEventName } from "./player/events.js";
import type { ActorAttributes, TagAttributes, TagListener, TagProperties } from "./tag/markup.js";

/** The listeners as JSX props: `@finished` in a template is `onFinished` here. */
type Listeners = { [Name in PlayerEventName as `on${Capitalize<Name>}`]?: TagListener<Name> | undefined };
type Own = TagProperties & TagAttributes<true | ""> & Listeners;

/** Props of `<gambol-player>`. */
export type GambolPlayerProps = Own & Omit<HTMLAttributes, keyof Own> & ReservedProps;

type OfActor = ActorAttributes<true | "">;

/** Props of `<gambol-actor>`. */
export type GambolActorProps = OfActor & Omit<HTMLAttributes, keyof OfActor> & ReservedProps;

declare module "vue" {
  interface GlobalComponents {
    "gambol-actor": DefineComponent<GambolActorProps>;
    "gambol-player": DefineComponent<GambolPlayerProps>;
  }
}

declare module "vue/jsx-runtime" {
  namespace JSX {
    interface IntrinsicElements {
      "gambol-actor": GambolActorProps;
      "gambol-player": GambolPlayerProps;
    }
  }
}
