import { cp } from "node:fs/promises";

import { build, context } from "esbuild";

const options = {
  entryPoints: ["main.js"],
  outdir: "public",
  bundle: true,
  splitting: true,
  format: "esm",
};

// esbuild leaves `new URL("…", import.meta.url)` as it is: such files belong beside what it makes.
for (const name of ["wasm", "worker.js"])
  await cp(`node_modules/gambol/dist/${name}`, `public/${name}`, { recursive: true });

const [, , port] = process.argv;
if (port) await (await context(options)).serve({ servedir: "public", port: Number(port) });
else await build(options);
