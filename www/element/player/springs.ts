import type { Vec3 } from "./camera.js";

/**
 * Chains of joints that swing: tails, hair, cloth. Nodes are named as in the file, and lengths are in the model's
 * units.
 */
export interface Springs {
  /** The chains. Empty means that nothing swings. */
  springs: readonly Spring[];
  /** Shapes that the chains don't enter, by name. */
  colliders?: Readonly<Record<string, Collider>>;
}

/** A chain of joints. */
export interface Spring {
  /** First joint: all joints below it swing. Either this or `nodes` is given. */
  root?: string;
  /** The joints, each below the one before it. */
  nodes?: readonly string[];
  /** Strength with which a joint returns to its pose. Default: 1. */
  stiffness?: number;
  /** Share of the speed that is lost, from 0 to 1. Default: 0.5. */
  drag?: number;
  /** Force in world space. Default: none. */
  gravity?: Vec3;
  /** Radius of the joints, for collisions. Default: 0. */
  radius?: number;
  /** Names of the colliders that the chain doesn't enter. Default: all. */
  colliders?: readonly string[];
  /** Node relative to which the chain swings: its movement has no effect. Default: the world. */
  center?: string;
}

/** A sphere or a capsule with a `radius`, or a plane with a `normal`. */
export interface Collider {
  /** Node to which the shape is attached. */
  node: string;
  /** Centre, first end, or a point of the plane, in the node's space. Default: the node's origin. */
  offset?: Vec3;
  /** Second end of a capsule. */
  tail?: Vec3;
  /** Radius of a sphere or a capsule. */
  radius?: number;
  /** Whether chains are kept inside instead of outside. */
  inside?: boolean;
  /** Direction in the node's space to which a plane keeps chains. */
  normal?: Vec3;
}
