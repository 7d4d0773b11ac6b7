/** Exchanges bytes with a decoder: the page's side of `decoders/exchange.rs`. */

interface Exports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  output(): number;
  output_length(): number;
}

/** A decoder that was started. Its memory goes with it. */
export interface Exchange<Functions> {
  /** Calls the decoder with an input. */
  call<Answer>(input: readonly Uint8Array[], action: (functions: Functions) => Answer): Answer;
  /** Returns a copy of the output of the last call. */
  read(): Uint8Array<ArrayBuffer>;
}

/** Starts a decoder. */
export async function openExchange<Functions>(module: WebAssembly.Module): Promise<Exchange<Functions>> {
  const instance = await WebAssembly.instantiate(module);
  const exports = instance.exports as unknown as Exports & Functions;
  const { memory, reserve, output, output_length } = exports;
  return {
    call(input, action) {
      let at = reserve(input.reduce((sum, { length }) => sum + length, 0));
      if (at === 0) throw new RangeError("The decoder can't get enough memory.");
      for (const bytes of input) {
        // Addresses beyond 2 GiB are negative numbers.
        new Uint8Array(memory.buffer).set(bytes, at >>> 0);
        at += bytes.length;
      }
      return action(exports);
    },
    read() {
      const start = output() >>> 0;
      return new Uint8Array(memory.buffer.slice(start, start + (output_length() >>> 0)));
    },
  };
}
