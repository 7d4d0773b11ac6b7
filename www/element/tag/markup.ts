/** What `<gambol-player …>` takes in the markup of a framework, made of the table of attributes. */
import type { PlayerEventName, PlayerEvents } from "../player/events.js";
import type { AttributeProperties } from "./attributes.js";

/** As properties, which a framework sets in the browser. */
export type TagProperties = Partial<AttributeProperties>;

/**
 * As attributes, which a server writes too. `Flag` is what a framework takes for a flag: some write `"false"` for false,
 * and a flag that is there is on.
 */
export type TagAttributes<Flag> = {
  [Name in Exclude<keyof AttributeProperties, "autoRotate"> as Kebab<Name>]?: Written<AttributeProperties[Name], Flag> | undefined;
} & { "auto-rotate"?: number | string | Flag | undefined };

/** A listener an event; `Prefix` and the event's name make the name. */
export type TagListeners<Prefix extends string> = {
  [Name in PlayerEventName as `${Prefix}${Name}`]?: TagListener<Name> | undefined;
};

/** What one of them is called with. */
export type TagListener<Name extends PlayerEventName> = (event: CustomEvent<PlayerEvents[Name]>) => void;

type Written<Value, Flag> = [Value] extends [boolean] ? Flag : number extends Value ? Value | `${number}` : Value;

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : "";
