/** Picking: what is at a place of the canvas. Imported with the first pick. */
import type { ModelNode, Named } from "../files/contents.js";
import type { Actor } from "./actor.js";
import type { Vec3 } from "./camera.js";
import type { Player } from "./player.js";
import type { PlayerContext } from "./player_context.js";

/** What {@link Player.pick} has found: a point of a surface, as the last frame has posed it. */
export interface Picked {
  /** Whose model it is: the player, or one of its actors. */
  readonly actor: Player | Actor;
  /** Index of the character. */
  readonly character: number;
  /** Node whose mesh was hit. */
  readonly node: ModelNode;
  /** Joint that moves the point most. Null for a mesh without joints. */
  readonly joint: ModelNode | null;
  /** Material, of the variant that is shown. Null for one that the file leaves to the player. */
  readonly material: Named | null;
  /** The point, in world space. */
  readonly point: Vec3;
  /** Normal of the side that is seen, of unit length, in world space. It is interpolated, as for the light. */
  readonly normal: Vec3;
  /** Distance from the camera; with an orthographic camera, from the plane of its position. */
  readonly distance: number;
  /** The point of the surface, as text. It stays valid for this file and this version of the package. */
  readonly surface: string;
}

/** Picks at a place in fractions of the canvas's size, for {@link Player.pick}. */
export async function pickAt(
  x: number,
  y: number,
  context: PlayerContext,
  actorOf: (number: number) => Player | Actor | undefined,
): Promise<Picked | null> {
  await context.extend();
  const numbers = Array.from(await context.rust.pick(x, y));
  const actor = numbers.length > 0 ? actorOf(numbers[0]!) : undefined;
  // Null too if the actor was removed while a worker looked.
  return actor ? pickedOf(numbers, actor) : null;
}

/** Names what the numbers of `PlayerHandle.pick` refer to. */
function pickedOf(numbers: number[], performer: Player | Actor): Picked {
  const { contents } = performer.context;
  const [actor, character, node, primitive, triangle, second, third, joint, material] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const vector = (at: number): Vec3 => numbers.slice(at, at + 3) as unknown as Vec3;
  return {
    actor: performer,
    character,
    node: contents.nodes[node]!,
    joint: contents.nodes[joint] ?? null,
    material: contents.materials[material] ?? null,
    point: vector(9),
    normal: vector(12),
    distance: numbers[15]!,
    surface: surfaceOf([character, node, primitive, triangle, second, third], actor),
  };
}

/** Writes a point of a surface as text: numbers with blanks between them. The player itself needs no number. */
function surfaceOf(numbers: readonly number[], actor: number): string {
  // A millionth of a triangle's side isn't visible.
  const rounded = numbers.map((number) => Math.round(number * 1e6) / 1e6);
  return (actor > 0 ? [...rounded, actor] : rounded).join(" ");
}
