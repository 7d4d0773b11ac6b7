/** Calls the decoder of meshopt streams, on a page's thread or in a worker. */

/** A meshopt stream. */
export interface Stream {
  /** Number of the mode. */
  readonly mode: number;
  /** Number of the filter. */
  readonly filter: number;
  /** Number of elements. */
  readonly count: number;
  /** Bytes of an element. */
  readonly stride: number;
  readonly bytes: Uint8Array;
}

/** Exports of the module. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  /** First address that belongs to nothing. */
  readonly __heap_base: WebAssembly.Global<"i32">;
  decode_stream(
    mode: number,
    filter: number,
    stride: number,
    stream: number,
    streamLength: number,
    target: number,
    targetLength: number,
  ): number;
}

/** Decodes streams. For a stream that is damaged, returns the number of the problem. */
export async function decodeStreams(
  module: WebAssembly.Module,
  streams: readonly Stream[],
): Promise<(Uint8Array<ArrayBuffer> | number)[]> {
  // An instance of its own, so that its memory goes with it.
  const { exports } = await WebAssembly.instantiate(module);
  const { memory, __heap_base, decode_stream } = exports as unknown as Exports;
  const source = __heap_base.value;
  return streams.map(({ mode, filter, count, stride, bytes }) => {
    const target = source + Math.ceil(bytes.length / 16) * 16;
    const length = count * stride;
    const missing = target + length - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 2 ** 16));
    new Uint8Array(memory.buffer).set(bytes, source);
    const problem = decode_stream(mode, filter, stride, source, bytes.length, target, length);
    return problem || new Uint8Array(memory.buffer.slice(target, target + length));
  });
}
