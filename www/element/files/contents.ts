/** What a file holds, named and numbered. */
import type { ModelHandle } from "../engine/wasm.js";
import { GambolError } from "../errors.js";
import { said } from "../checks.js";

/** A named thing of the file, by its number. */
export interface Named {
  /** Its number in the file's order, from 0. */
  readonly index: number;
  /** As the file has it; names may repeat. */
  readonly name: string;
}

/** An animation of the file. */
export interface Clip extends Named {
  /** In seconds. */
  readonly duration: number;
  /** What its keys take in memory. */
  readonly bytes: number;
}

/** A node of the hierarchy, joint or not. */
export interface ModelNode extends Named {
  /** The number of the node it hangs on; −1 for a root. */
  readonly parent: number;
  /** Whether a mesh hangs on it. */
  readonly hasMesh: boolean;
  /** To its parent, where no clip moves it: 16 numbers, column-major. */
  readonly restMatrix: Float32Array;
}

/** The joints that vertices hang on. */
export interface Skin extends Named {
  /** In the order of `skinMatrices()`. */
  readonly joints: readonly Named[];
}

/** What a file holds, in the file's order. */
export interface Listing {
  readonly materials: readonly Named[];
  readonly clips: readonly Clip[];
  readonly nodes: readonly ModelNode[];
  readonly skins: readonly Skin[];
}

/** Of a model on this thread; nodes and skins are listed when first asked for. */
export class ModelListing implements Listing {
  readonly clips: readonly Clip[];
  readonly materials: readonly Named[];
  readonly #model: ModelHandle;
  #nodes: readonly ModelNode[] | null = null;
  #skins: readonly Skin[] | null = null;

  constructor(model: ModelHandle) {
    this.#model = model;
    const durations = model.clipDurations();
    const bytes = model.clipBytes();
    this.clips = model
      .clipNames()
      .map((name, index) => ({ index, name, duration: durations[index]!, bytes: bytes[index]! }));
    this.materials = model.materialNames().map((name, index) => ({ index, name }));
  }

  get nodes(): readonly ModelNode[] {
    if (this.#nodes) return this.#nodes;
    const parents = this.#model.nodeParents();
    const meshes = this.#model.nodeMeshes();
    const matrices = this.#model.restMatrices();
    return (this.#nodes = this.#model.nodeNames().map((name, index) => ({
      index,
      name,
      parent: parents[index]!,
      hasMesh: meshes[index] === 1,
      restMatrix: matrices.subarray(index * 16, index * 16 + 16),
    })));
  }

  get skins(): readonly Skin[] {
    return (this.#skins ??= this.#model.skinNames().map((name, index) => ({
      index,
      name,
      joints: Array.from(this.#model.skinJoints(index), (node) => ({ index: node, name: this.nodes[node]!.name })),
    })));
  }
}

export class Contents implements Listing {
  readonly #listing: Listing;

  constructor(listing: Listing) {
    this.#listing = listing;
  }

  get clips(): readonly Clip[] {
    return this.#listing.clips;
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

  clip(asked: string | number): Clip {
    return find(this.clips, asked, "CLIP");
  }

  node(asked: string | number): ModelNode {
    return find(this.nodes, asked, "NODE");
  }

  material(asked: string | number): Named {
    return find(this.materials, asked, "MATERIAL");
  }
}

/** The first of that name: names may repeat, numbers don't. */
function find<Kind extends Named>(list: readonly Kind[], asked: string | number, noun: "CLIP" | "NODE" | "MATERIAL"): Kind {
  const found = typeof asked === "number" ? list[asked] : list.find(({ name }) => name === asked);
  if (found) return found;
  const names = list.map(({ name }) => name).join(", ") || "none at all";
  throw new GambolError(`UNKNOWN_${noun}`, `The model has no ${noun.toLowerCase()} ${said(asked)}. It has ${names}.`);
}
