/** Starts Chromium with both backends in software, or as a browser that has no WebGPU. */

import puppeteer from "puppeteer-core";

import { ensureBrowser } from "../../www/toolchain.mjs";

const QUIET = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages that no one looks at would be put to sleep.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  // Where many share a machine, drawing in software takes so long now and then that it looks like a hang.
  "--disable-gpu-watchdog",
];

const SOFTWARE_GPU = [
  "--use-angle=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--disable-vulkan-surface",
];

/** Without these `navigator.gpu` is there and yields no adapter. */
const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

export async function launch({ webgpu = true, args = [] } = {}) {
  return puppeteer.launch({
    executablePath: ensureBrowser(),
    headless: true,
    args: [...QUIET, ...SOFTWARE_GPU, ...(webgpu ? WEBGPU : ["--enable-unsafe-swiftshader"]), ...args],
    protocolTimeout: 600_000,
  });
}
