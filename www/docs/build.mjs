/** The documentation's pages, made from `www/docs`. The code that a page shows is the code that it runs. */

import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { examplesOf, moduleOf } from "../examples.mjs";
import { root } from "../toolchain.mjs";

const docs = join(root, "www/docs");

export async function buildDocs(out, common) {
  const { build } = await import("esbuild");
  const examples = moduleOf(examplesOf(readFileSync(join(docs, "motion.html"), "utf8")));
  const setup = (bundle) => {
    keepPackageOutside(bundle);
    bundle.onResolve({ filter: /^examples$/ }, ({ path }) => ({ path, namespace: "page" }));
    bundle.onLoad({ filter: /^examples$/, namespace: "page" }, () => ({ contents: examples, loader: "js" }));
  };
  await build({
    ...common,
    entryPoints: [join(docs, "motion.ts")],
    outdir: out,
    plugins: [{ name: "the page's own examples", setup }],
  });
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(docs)) if (/\.(html|css)$/.test(name)) cpSync(join(docs, name), join(out, name));
}

/** Pages use the files that npm ships, as any page would. */
function keepPackageOutside({ onResolve }) {
  onResolve({ filter: /^gambol(\/\w+)?$/ }, ({ path }) => ({
    path: `../${path === "gambol" ? "index" : path.slice("gambol/".length)}.js`,
    external: true,
    sideEffects: true,
  }));
}
