/** Drives Chromium for the suite: each visit has a browser context of its own, and thus empty caches. */

import { arch, cpus, release, type } from "node:os";

import { launch, WITHOUT_FRAME_LIMIT } from "../tests/browser/browser.mjs";
import { serve } from "../www/serve.mjs";
import { pagesFolder } from "./pages.mjs";

/** Longest time of one call of a page. A frame of 3,000 members took a GPU in software 11 seconds. */
const LONGEST_MILLIS = 600_000;

/** Longest time until a page has its functions, and of a start. */
const LONGEST_START_MILLIS = 60_000;

/**
 * Headers of a cross-origin isolated page, whose clock has a resolution of microseconds instead of tenths of
 * milliseconds.
 */
export const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** @param options `latency`: milliseconds added to each request; `hardware`: whether the machine's GPU draws */
export async function openChromium({ latency = 0, hardware = false, say } = {}) {
  const server = await serve({ mounts: { "/": pagesFolder }, headers: ISOLATED });
  const args = ["--js-flags=--expose-gc", ...(hardware ? WITHOUT_FRAME_LIMIT : [])];
  const browser = await launch({ hardware, args });
  return {
    say,
    browser,
    url: server.url,
    visit: (address, options) => visit(browser, `${server.url}${address}`, { latency, ...options }),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function visit(browser, address, { latency, onResponse }) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const session = await page.createCDPSession();
    let broken;
    const breaks = new Promise((_, failed) => {
      broken = failed;
    });
    breaks.catch(() => {});
    page.on("pageerror", broken);
    page.on("error", broken);
    if (onResponse) page.on("response", onResponse);
    if (latency > 0) {
      await session.send("Network.enable");
      const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
      await session.send("Network.emulateNetworkConditions", { offline: false, latency, ...unlimited });
    }
    await page.goto(address);
    const ready = page.waitForFunction("globalThis.lab", { timeout: LONGEST_START_MILLIS, polling: 50 });
    await Promise.race([ready, breaks]);
    return {
      call: (name, ...args) =>
        within(
          name === "started" ? LONGEST_START_MILLIS : LONGEST_MILLIS,
          Promise.race([page.evaluate((name, args) => globalThis.lab[name](...args), name, args), breaks]),
        ),
      heap: () => heapOf(session),
      objects: () => objectsOf(session),
      busy: () => busyOf(session),
      close: () => context.close(),
    };
  } catch (error) {
    await context.close();
    throw error;
  }
}

async function within(millis, promise) {
  let timer;
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error(`no answer within ${millis / 1000} s`)), millis);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the milliseconds for which the page's thread has had tasks, waiting included. */
async function busyOf(session) {
  // Counted from the first call on, which doesn't lengthen starts.
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

/** Returns the bytes of the heap and of the arrays outside it, after two collections of garbage. */
async function heapOf(session) {
  await collectGarbage(session);
  const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

/**
 * The same without machine code, which the browser goes on to make of functions that have run for long, and without its
 * own lists, such as those of tasks.
 */
async function objectsOf(session) {
  await collectGarbage(session);
  let text = "";
  const listen = ({ chunk }) => {
    text += chunk;
  };
  session.on("HeapProfiler.addHeapSnapshotChunk", listen);
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  session.off("HeapProfiler.addHeapSnapshotChunk", listen);
  const { backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  return bytesOfObjects(JSON.parse(text)) + backingStorageSize;
}

/** Returns the bytes in a snapshot of a heap, without machine code and what isn't on the heap of JavaScript. */
export function bytesOfObjects({ snapshot, nodes }) {
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = ["type", "self_size"].map((name) => fields.indexOf(name));
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    const kind = types[type][nodes[node + type]];
    if (kind !== "code" && kind !== "native") bytes += nodes[node + size];
  }
  return bytes;
}

async function collectGarbage(session) {
  for (let time = 0; time < 2; time++) {
    await session.send("HeapProfiler.collectGarbage");
    // What the first collection finalized may have held other objects.
    await session.send("Runtime.evaluate", {
      expression: "new Promise((done) => setTimeout(done, 50))",
      awaitPromise: true,
    });
  }
}

/** Returns what the results are measured on. */
export async function machineOf({ browser, visit }) {
  const page = await visit("machine.html");
  const { webgl, webgpu } = await page.call("machine");
  await page.close();
  return {
    browser: await browser.version(),
    cpu: cpus()[0].model,
    cores: cpus().length,
    system: `${type()} ${release()}, ${arch()}`,
    webgl,
    webgpu,
  };
}
