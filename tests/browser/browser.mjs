/** Starts Chromium with both backends in software, or without WebGPU. */

import puppeteer from "puppeteer-core";

import { ensureBrowser } from "../../www/toolchain.mjs";

const QUIET = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
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

/** Without these flags `navigator.gpu` exists but returns no adapter. */
const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

export async function launch({ webgpu = true, args = [] } = {}) {
  return puppeteer.launch({
    executablePath: ensureBrowser(),
    headless: true,
    args: [...QUIET, ...SOFTWARE_GPU, ...(webgpu ? WEBGPU : ["--enable-unsafe-swiftshader"]), ...args],
    protocolTimeout: 600_000,
  });
}
