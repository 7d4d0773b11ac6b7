/** Tests a second engine: Firefox shows the sample character, and the character moves. Reports as TAP. */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { serve } from "../../www/serve.mjs";
import { root } from "../../www/toolchain.mjs";
import { launchFirefox, onScreen } from "./browser.mjs";
import { checkMotion } from "./motion.mjs";

if (onScreen(import.meta.url)) await playInFirefox();

async function playInFirefox() {
  const started = performance.now();
  const out = join(root, "tests/browser/out/firefox");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const server = await serve({
    mounts: {
      "/": join(root, "tests/browser/page"),
      "/gambol/": join(root, "dist"),
      "/formats/": join(root, "tests/fixtures/formats"),
      "/character/": join(root, "dist/viewer"),
    },
  });
  const browser = await launchFirefox();
  let trouble;
  try {
    await checkMotion(browser, `${server.url}character.html`, {
      picture: join(out, "character.png"),
      backends: ["webgl2"],
      other: "/formats/flag.x",
    });
  } catch (error) {
    trouble = error;
  } finally {
    await browser.close();
    await server.close();
  }
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${trouble ? "not ok" : "ok"} 1 - firefox: the character moves # ${took}`);
  if (trouble) console.log(String(trouble.stack ?? trouble).replace(/^/gm, "    "));
  console.log(`1..1\n# tests 1\n# pass ${trouble ? 0 : 1}\n# fail ${trouble ? 1 : 0}`);
  if (trouble) process.exitCode = 1;
}
