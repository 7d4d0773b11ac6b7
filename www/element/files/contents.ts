/** The contents of a model file, by name and index. */
import type { ModelHandle } from "../engine/wasm.js";
import { GambolError } from "../errors.js";
import { quote } from "../checks.js";

/** A named item of the file. */
export interface Named {
  /** Index in the file's order, from 0. */
  readonly index: number;
  /** Name, as written in the file. Names may repeat. */
  readonly name: string;
}

/** A clip: an animation of the file. */
export interface Clip extends Named {
  /** Duration, in seconds. */
  readonly duration: number;
  /** Memory taken by its keys, in bytes. */
  readonly bytes: number;
}

/** A node of the hierarchy, which may be a joint. */
export interface ModelNode extends Named {
  /** Index of the parent node; −1 for a root. */
  readonly parent: number;
  /** Whether the node has a mesh. */
  readonly hasMesh: boolean;
  /** Rest transform relative to the parent: 16 numbers, column-major. */
  readonly restMatrix: Float32Array;
}

/** A skin: the joints that move the vertices of a mesh. */
export interface Skin extends Named {
  /** The joints, in the order of `skinMatrices()`. */
  readonly joints: readonly Named[];
}

/** A camera of the file, on a node. */
export interface FileCamera extends Named {
  /** Name of the camera or, if it has none, of its node. Names may repeat. */
  readonly name: string;
  /** Index of the node. */
  readonly node: number;
}

/** The contents of a file, in the file's order. */
export interface Listing {
  readonly materials: readonly Named[];
  readonly variants: readonly Named[];
  readonly cameras: readonly FileCamera[];
  readonly clips: readonly Clip[];
  readonly nodes: readonly ModelNode[];
  readonly skins: readonly Skin[];
}

/** The lists of `ModelHandle.names`. */
const CLIPS = 0;
const NODES = 1;
const SKINS = 2;
const MATERIALS = 3;
const VARIANTS = 4;
const CAMERAS = 5;

/** The contents of a model on this thread. Nodes and skins are listed on first use. */
export class ModelListing implements Listing {
  readonly clips: readonly Clip[];
  readonly materials: readonly Named[];
  readonly variants: readonly Named[];
  readonly cameras: readonly FileCamera[];
  readonly #model: ModelHandle;
  #nodes: readonly ModelNode[] | null = null;
  #skins: readonly Skin[] | null = null;

  constructor(model: ModelHandle) {
    this.#model = model;
    const durations = model.clipDurations();
    const bytes = model.clipBytes();
    this.clips = model
      .names(CLIPS)
      .map((name, index) => ({ index, name, duration: durations[index]!, bytes: bytes[index]! }));
    const named = (name: string, index: number): Named => ({ index, name });
    this.materials = model.names(MATERIALS).map(named);
    this.variants = model.names(VARIANTS).map(named);
    const flags = model.nodeFlags();
    const nodes = [...flags.keys()].filter((node) => flags[node]! & 2);
    this.cameras = model.names(CAMERAS).map((name, index) => ({ index, name, node: nodes[index]! }));
  }

  get nodes(): readonly ModelNode[] {
    if (this.#nodes) return this.#nodes;
    const parents = this.#model.nodeParents();
    const flags = this.#model.nodeFlags();
    const matrices = this.#model.restMatrices();
    return (this.#nodes = this.#model.names(NODES).map((name, index) => ({
      index,
      name,
      parent: parents[index]!,
      hasMesh: (flags[index]! & 1) === 1,
      restMatrix: matrices.subarray(index * 16, index * 16 + 16),
    })));
  }

  get skins(): readonly Skin[] {
    return (this.#skins ??= this.#model.names(SKINS).map((name, index) => ({
      index,
      name,
      joints: Array.from(this.#model.skinJoints(index), (node) => ({ index: node, name: this.nodes[node]!.name })),
    })));
  }
}

export class Contents implements Listing {
  readonly clips: readonly Clip[];
  readonly #listing: Listing;

  constructor(listing: Listing, clips = listing.clips) {
    this.#listing = listing;
    this.clips = clips;
  }

  /** Returns the contents with more clips. */
  with(clips: readonly Clip[]): Contents {
    return new Contents(this.#listing, [...this.clips, ...clips]);
  }

  get nodes(): readonly ModelNode[] {
    return this.#listing.nodes;
  }

  get skins(): readonly Skin[] {
    return this.#listing.skins;
  }

  get materials(): readonly Named[] {
    return this.#listing.materials;
  }

  get variants(): readonly Named[] {
    return this.#listing.variants;
  }

  get cameras(): readonly FileCamera[] {
    return this.#listing.cameras;
  }

  /** Reads the lists that are read on first use, before the model is freed. */
  list(): unknown {
    return [this.nodes, this.skins];
  }

  clip(nameOrIndex: string | number): Clip {
    return find(this.clips, nameOrIndex, "CLIP");
  }

  node(nameOrIndex: string | number): ModelNode {
    return find(this.nodes, nameOrIndex, "NODE");
  }

  material(nameOrIndex: string | number): Named {
    return find(this.materials, nameOrIndex, "MATERIAL");
  }

  skin(nameOrIndex: string | number): Skin {
    return find(this.skins, nameOrIndex, "SKIN");
  }

  variant(nameOrIndex: string | number): Named {
    return find(this.variants, nameOrIndex, "VARIANT");
  }

  camera(nameOrIndex: string | number): FileCamera {
    return find(this.cameras, nameOrIndex, "CAMERA");
  }
}

/** Finds an item by index, or the first of that name. */
function find<Kind extends Named>(
  list: readonly Kind[],
  nameOrIndex: string | number,
  noun: "CLIP" | "NODE" | "MATERIAL" | "SKIN" | "VARIANT" | "CAMERA",
): Kind {
  const found = typeof nameOrIndex === "number" ? list[nameOrIndex] : list.find(({ name }) => name === nameOrIndex);
  if (found) return found;
  const names = list.map(({ name }) => name).join(", ") || "none at all";
  throw new GambolError(
    `UNKNOWN_${noun}`,
    `The model has no ${noun.toLowerCase()} ${quote(nameOrIndex)}. It has ${names}.`,
  );
}
