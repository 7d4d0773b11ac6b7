/**
 * Tests a second engine: Firefox shows the sample character, and the character moves. Reports as TAP.
 *
 * Firefox has no WebGL without a screen. If there is none, the script restarts itself on a virtual one.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import puppeteer from "puppeteer-core";

import { serve } from "../../www/serve.mjs";
import { ensureFirefox, ensureVirtualScreen, root } from "../../www/toolchain.mjs";
import { checkMotion } from "./motion.mjs";

const hasScreen = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
if (hasScreen) await playInFirefox();
else playOnVirtualScreen();

function playOnVirtualScreen() {
  const args = ["-a", process.execPath, fileURLToPath(import.meta.url)];
  const { status, error } = spawnSync(ensureVirtualScreen(), args, { stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

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
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: ensureFirefox(),
    headless: false,
    extraPrefsFirefox: {
      // Firefox blocks WebGL on software renderers by default.
      "webgl.force-enabled": true,
    },
  });
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
