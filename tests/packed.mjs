/** Reads wasm files of the package as the page does. */

import { readFileSync } from "node:fs";

/** Returns the bytes of a wasm file, and of the module in one that is packed. */
export function readWasm(path) {
  const bytes = readFileSync(path);
  const module = new WebAssembly.Module(bytes);
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === "unpack")) return bytes;
  const { memory, unpack } = new WebAssembly.Instance(module).exports;
  return Buffer.from(memory.buffer, unpack());
}
