/** Decodes the meshes that Draco compresses: the page's side of the package `decoders/draco`. */
import type { WasmUrls } from "../engine/engine.js";
import type { CompressedFile, GltfDocument, Part } from "./compressed.js";
import { damaged, lacking, unsupported } from "./compressed_errors.js";
import { runDecoder } from "./decode_pool.js";
import type { Codec, MainExports } from "./decoders.js";
import type { DracoMesh } from "./draco_meshes.js";
import { WasmFile } from "./wasm_file.js";

/** Numbers of the problems of another version and of an unknown encoding, in `src/decode/draco/error.rs`. */
const UNSUPPORTED = [2, 3];

/** Number of components by the type of an accessor. */
const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
/** Bytes of a component by its type. */
const BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const UNSIGNED_INT = 5125;

const file = new WasmFile("draco", () => new URL("./wasm/decoders/draco.wasm", import.meta.url));

export class Draco implements Codec {
  readonly #main: MainExports;

  constructor(main: MainExports) {
    this.#main = main;
  }

  prepare(wasm?: WasmUrls): void {
    file.fetch(this.#main, wasm).catch(() => undefined);
  }

  async data(compressed: CompressedFile): Promise<Map<string, Uint8Array>> {
    const { document, wasm, signal } = compressed;
    const fetching = file.fetch(this.#main, wasm);
    // Awaited only if the document is valid.
    fetching.catch(() => undefined);
    const found = (document.meshes ?? []).flatMap(({ primitives }, mesh) =>
      (primitives ?? []).flatMap((primitive, index) => {
        const extension = primitive.extensions?.KHR_draco_mesh_compression;
        const place = `/meshes/${mesh}/primitives/${index}`;
        return extension ? [{ place, ...this.#meshOf(primitive, extension, place, compressed) }] : [];
      }),
    );
    const module = await fetching;
    signal?.throwIfAborted();
    const meshes = found.map(({ mesh }) => mesh);
    const decoded = await runDecoder("draco", module, meshes, { signal });
    const pieces = new Map<string, Uint8Array>();
    for (const [at, { place, accessors }] of found.entries()) {
      const parts = decoded[at]!;
      if (!Array.isArray(parts)) {
        const refused = UNSUPPORTED.includes(parts.problem) ? unsupported : damaged;
        throw refused(this.#main.GambolError, parts.found, place);
      }
      for (const [part, accessor] of accessors.entries()) {
        if (accessor !== undefined) pieces.set(`#/accessors/${accessor}`, parts[part]!);
      }
    }
    return pieces;
  }

  /** Returns what the decoder needs of a primitive, and the accessors of what it returns. */
  #meshOf(
    primitive: Part,
    extension: NonNullable<Part["extensions"]>[string] & object,
    place: string,
    file: CompressedFile,
  ) {
    const { document, bytes, charge } = file;
    const { GambolError } = this.#main;
    const accessor = (index: unknown) => {
      const { count, componentType, type } = element(document.accessors, index) ?? {};
      const components = COMPONENTS[type as string];
      const size = BYTES[componentType as number];
      if (!Number.isSafeInteger(count) || !components || !size)
        throw damaged(GambolError, "an accessor is missing", place);
      charge((count as number) * components * size);
      return { count: count as number, components, componentType: componentType as number };
    };
    const { attributes = {}, indices } = primitive as { attributes?: Record<string, unknown>; indices?: unknown };
    const names = Object.entries(extension.attributes ?? {}).filter(([name]) => name in attributes);
    const wanted = names.map(([name, id]) => ({ id: id as number, ...accessor(attributes[name]) }));
    const index = indices === undefined ? { count: 0, componentType: UNSIGNED_INT } : accessor(indices);
    const view = element(document.bufferViews, extension.bufferView);
    if (!view || wanted.length === 0) throw lacking(GambolError, place);
    const { buffer, byteOffset = 0, byteLength } = view as Record<string, unknown>;
    const mesh: DracoMesh = {
      bytes: bytes(buffer as number, byteOffset as number, byteLength as number, place),
      indexCount: index.count,
      vertexCount: wanted[0]!.count,
      indexType: index.componentType,
      attributes: wanted.map(({ id, components, componentType }) => ({ id, components, componentType })),
    };
    const accessors = [indices, ...names.map(([name]) => attributes[name])] as (number | undefined)[];
    return { mesh, accessors };
  }
}

function element(list: GltfDocument["accessors"], index: unknown): Part | undefined {
  return list?.[index as number];
}
