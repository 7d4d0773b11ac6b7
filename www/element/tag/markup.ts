/** Types of `<gambol-player>` in the markup of frameworks, derived from the table of attributes. */
import type { PlayerEventName, PlayerEvents } from "../player/events.js";
import type { AttributeProperties } from "./attributes.js";

/** The element's properties, which frameworks set in the browser. */
export type TagProperties = Partial<AttributeProperties>;

/**
 * The element's attributes, which servers render too. `Flag` is the type that a framework writes for flags: some
 * write `"false"` for false, but a flag that is present is on.
 */
export type TagAttributes<Flag> = {
  [Name in Exclude<keyof AttributeProperties, "autoRotate"> as KebabCase<Name>]?:
    | AttributeValue<AttributeProperties[Name], Flag>
    | undefined;
} & { "auto-rotate"?: number | string | Flag | undefined };

/** The attributes of `<gambol-actor>`, and `attachTo`, whose property has another name. */
export type ActorAttributes<Flag> = {
  [Name in "src" | "attach-to" | "attachTo" | "of" | "clip" | "position" | "rotation" | "scale"]?: string | undefined;
} & { [Name in "wear" | "autoplay"]?: Flag | undefined };

/** One listener per event, named `Prefix` followed by the event's name. */
export type TagListeners<Prefix extends string> = {
  [Name in PlayerEventName as `${Prefix}${Name}`]?: TagListener<Name> | undefined;
};

/** A listener for an event. */
export type TagListener<Name extends PlayerEventName> = (event: CustomEvent<PlayerEvents[Name]>) => void;

type AttributeValue<Value, Flag> = [Value] extends [boolean]
  ? Flag
  : number extends Value
    ? Value | `${number}`
    : Value;

type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : "";
