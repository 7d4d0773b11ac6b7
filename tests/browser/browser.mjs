/** Starts Chromium with both backends, in software or on the machine's GPU; and Firefox, which needs a screen. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import puppeteer from "puppeteer-core";

import { ensureBrowser, ensureFirefox, ensureVirtualScreen } from "../../www/toolchain.mjs";

const QUIET = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // With each context, Chromium 156 loads pages of its address bar. Beside them, models start 1.4 times as late.
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
  // Chromium throttles pages in the background.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  // On a busy machine, software rendering can take long enough to look like a hang.
  "--disable-gpu-watchdog",
];

const SOFTWARE_GPU = [
  "--use-angle=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--disable-vulkan-surface",
];

/** Without this flag `navigator.gpu` exists but returns no adapter. */
const WEBGPU = "--enable-unsafe-webgpu";

/** The machine's own GPU, without a screen. */
const HARDWARE_GPU = [
  "--use-angle=vulkan",
  "--enable-features=Vulkan",
  "--disable-vulkan-surface",
  "--ignore-gpu-blocklist",
];

/** Frames aren't held back to the rate of a screen. */
export const WITHOUT_FRAME_LIMIT = ["--disable-gpu-vsync", "--disable-frame-rate-limit"];

/** @param options `webgpu`: whether there is WebGPU; `hardware`: whether the machine's GPU draws */
export async function launch({ webgpu = true, hardware = false, args = [] } = {}) {
  const software = [...SOFTWARE_GPU, webgpu ? "--use-webgpu-adapter=swiftshader" : "--enable-unsafe-swiftshader"];
  const browser = await puppeteer.launch({
    executablePath: ensureBrowser(),
    headless: true,
    args: [...QUIET, ...(hardware ? HARDWARE_GPU : software), ...(webgpu ? [WEBGPU] : []), ...args],
    protocolTimeout: 600_000,
  });
  if (hardware) await untilGpuLasts(browser);
  return browser;
}

/** On an NVIDIA H200, the browser's GPU process crashed when the first page needed it. Waits until it is back. */
async function untilGpuLasts(browser) {
  const page = await browser.newPage();
  const lasts = async () => {
    const gl = document.createElement("canvas").getContext("webgl2");
    await new Promise((later) => setTimeout(later, 500));
    return Boolean(gl && !gl.isContextLost());
  };
  for (let left = 10; left > 0 && !(await page.evaluate(lasts)); left--);
  await page.close();
}

export async function launchFirefox() {
  return puppeteer.launch({
    browser: "firefox",
    executablePath: ensureFirefox(),
    headless: false,
    extraPrefsFirefox: {
      // Firefox blocks WebGL on software renderers by default.
      "webgl.force-enabled": true,
    },
  });
}

/**
 * Returns whether there is a screen, without which Firefox has no WebGL. If there is none, runs the script to its end
 * on a virtual one.
 */
export function onScreen(script) {
  if (process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return true;
  const args = ["-a", process.execPath, fileURLToPath(script), ...process.argv.slice(2)];
  const { status, error } = spawnSync(ensureVirtualScreen(), args, { stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? 1;
  return false;
}
