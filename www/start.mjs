/** `npm start`: builds, serves the viewer and prints its address. Takes `--dev` and `--port N`. */

import { join } from "node:path";

import { build } from "./build.mjs";
import { serve } from "./serve.mjs";
import { root } from "./toolchain.mjs";

try {
  const portAt = process.argv.indexOf("--port");
  await build({ dev: process.argv.includes("--dev") });
  const { url } = await serve({
    mounts: { "/": join(root, "dist") },
    port: portAt >= 0 ? Number(process.argv[portAt + 1]) : 8080,
  });
  console.log(`\nGambol is at ${url}viewer/  (Ctrl+C ends it)`);
} catch (error) {
  console.error(`start: ${error.message}`);
  process.exitCode = 1;
}
