/** Calls the decoder of Draco meshes, on a page's thread or in a worker. */
import { openExchange } from "./exchange.js";

/** A Draco mesh, and what the file's accessors say of it. Types are numbers of OpenGL. */
export interface DracoMesh {
  readonly bytes: Uint8Array;
  readonly indexCount: number;
  readonly vertexCount: number;
  readonly indexType: number;
  readonly attributes: readonly {
    /** The number by which the file refers to the attribute. */
    readonly id: number;
    readonly components: number;
    readonly componentType: number;
  }[];
}

/** The number of a problem, and what was found. */
export interface DracoFault {
  readonly problem: number;
  readonly found: string;
}

/** Decodes meshes. Returns the bytes of the indices and of each attribute. */
export async function decodeMeshes(
  module: WebAssembly.Module,
  meshes: readonly DracoMesh[],
): Promise<(Uint8Array<ArrayBuffer>[] | DracoFault)[]> {
  const { call, read } = await openExchange<{ decode_mesh(): number }>(module);
  return meshes.map(({ bytes, indexCount, vertexCount, indexType, attributes }) => {
    const wanted = attributes.flatMap(({ id, components, componentType }) => [id, components, componentType]);
    const request = Uint32Array.of(indexCount, vertexCount, indexType, attributes.length, ...wanted);
    const problem = call([new Uint8Array(request.buffer), bytes], ({ decode_mesh }) => decode_mesh());
    const output = read();
    if (problem) return { problem, found: new TextDecoder().decode(output) };
    const accessors: Uint8Array<ArrayBuffer>[] = [];
    const view = new DataView(output.buffer);
    for (let at = 0; at < output.length; at += 4 + accessors.at(-1)!.length) {
      accessors.push(output.slice(at + 4, at + 4 + view.getUint32(at, true)));
    }
    return accessors;
  });
}
