/** `npm run bench`: what posing costs natively, then in the wasm that ships. Nothing here can fail a build. */

import { build } from "../www/build.mjs";
import { run } from "../www/toolchain.mjs";
import { benchWasm } from "./wasm.mjs";

try {
  await build();
  console.log("\n── native: cargo bench --bench pose");
  run("cargo", ["bench", "--bench", "pose"]);
  console.log("\n── wasm, in Chromium");
  await benchWasm();
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
