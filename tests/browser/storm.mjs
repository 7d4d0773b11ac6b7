/**
 * A stress test: random calls, attribute changes and frames, valid and invalid, on a player and an element:
 *
 *     npm run storm -- [--minutes 3] [--seed 1] [--backend webgpu|webgl2] [--where page|worker]
 *
 * The console, the GPU and `error` events may only report refusals; the player must not panic; every number must
 * stay finite; and memory must not grow. A failure prints the seed, and the fewest last steps that fail again from
 * the start.
 */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

import { teachPatience } from "./patience.mjs";

/** Number of memory measurements. The comparison starts late enough to exclude what is first allocated late. */
const CHECKPOINTS = 4;
const ALLOWED_GROWTH = 0.1;
// The wasm memory never shrinks: one call with a long list may need more at a time than all calls before.
const ALLOWED_BYTES = { javaScript: 2e6, wasm: 24e6 };
/** Allowed growth of the counts of GPU objects, which vary with the canvas's size and what is shown. */
const ALLOWED_OBJECTS = 12;
/** The same for programs: one for each combination of a material and of settings such as views, which are kept. */
const ALLOWED_PROGRAMS = 200;

/** @returns the number of steps taken, and the measurements at each checkpoint */
export async function storm({ page, url, backend, worker, seed, steps, millis }) {
  await page.evaluateOnNewDocument(() => {
    // Empty the browser's own list of fetched resources, which would grow.
    performance.setResourceTimingBufferSize(0);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
  const session = await page.createCDPSession();
  await page.evaluate(
    async (backend, worker, seed) => {
      await import("/gpu_watch.js");
      const { Storm } = await import("/storm.js");
      if (worker) {
        const channel = new BroadcastChannel("storm");
        let asked = 0;
        window.askWorker = () =>
          new Promise((resolve) => {
            const number = ++asked;
            const hear = ({ data }) => {
              if (data.answer !== number) return;
              channel.removeEventListener("message", hear);
              resolve(data);
            };
            channel.addEventListener("message", hear);
            channel.postMessage({ ask: number });
          });
      }
      window.storm = new Storm(backend, worker && "/storm_worker.js", seed);
      await window.storm.open();
    },
    backend,
    worker,
    seed,
  );

  const held = [];
  let step = 0;
  const begun = Date.now();
  for (let part = 1; part <= CHECKPOINTS; part++) {
    const found = await page.evaluate(
      async (from, to, millis) => {
        const end = performance.now() + millis;
        let at = from;
        while (at < to && performance.now() < end) if (!(await storm.step(at++))) break;
        return { at, wrong: storm.wrong };
      },
      step,
      steps ? Math.round((steps * part) / CHECKPOINTS) : Infinity,
      millis ? millis / CHECKPOINTS : 1e9,
    );
    step = found.at;
    if (found.wrong.length > 0) throw await explained(page, { backend, worker, seed, step, wrong: found.wrong });
    held.push(await measure(page, session, worker));
    const { wrong } = held.at(-1);
    if (wrong.length > 0) throw await explained(page, { backend, worker, seed, step, wrong });
  }
  const { calls, refusals, loads, frames } = await page.evaluate(() => ({
    ...storm,
    player: null,
    element: null,
    said: null,
  }));
  await page.evaluate(() => storm.close());
  await session.detach();
  assertNoGrowth(held, seed);
  return {
    steps: step,
    secs: (Date.now() - begun) / 1000,
    calls,
    refusals,
    loads,
    frames,
    held: held.map(({ numbers }) => numbers),
  };
}

async function measure(page, session, worker) {
  const wrong = await page.evaluate(async () => [...(await storm.rest())]);
  for (let round = 0; round < 2; round++) {
    await session.send("HeapProfiler.collectGarbage");
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const there = await page.evaluate(async (worker) => {
    const told = worker ? await askWorker() : { errors: [], held: gpuHeld() };
    const held = { gpuBytes: storm.player.stats.gpuBytes, ...told.held };
    // Chromium gives no other GPU for minutes after it has taken away two.
    return { held: storm.isLost ? {} : held, errors: [...told.errors, ...gpuErrors.splice(0)] };
  }, worker);
  return { wrong: [...wrong, ...there.errors], numbers: { javaScript: usedSize, ...there.held } };
}

function assertNoGrowth(held, seed) {
  // By the second checkpoint, everything that is allocated once has been allocated. The first one may hold more: what
  // canvases share is divided among those that use it at the moment.
  const early = held.slice(0, 2).map(({ numbers }) => numbers);
  for (const [what, now] of Object.entries(held.at(-1).numbers)) {
    // Nothing to compare with: the GPU was gone.
    if (what !== "javaScript" && !early.some((numbers) => "gpuBytes" in numbers)) continue;
    const then = Math.max(...early.map((numbers) => numbers[what] ?? 0));
    const most =
      then * (1 + ALLOWED_GROWTH) + (ALLOWED_BYTES[what] ?? (what === "Program" ? ALLOWED_PROGRAMS : ALLOWED_OBJECTS));
    assert.ok(
      now <= most,
      `seed ${seed}: ${what} grew from ${then} to ${now}: ${JSON.stringify(held.map(({ numbers }) => numbers))}`,
    );
  }
}

/** Finds the fewest last steps that fail again with a fresh player, and returns an error that lists them. */
async function explained(page, { backend, worker, seed, step, wrong }) {
  const where = `--seed ${seed} --backend ${backend} --where ${worker ? "worker" : "page"}`;
  const said = await page.evaluate((step) => storm.lastSaid(step), step);
  let tail = said;
  for (let length = 1; length <= 64 && length <= step; length *= 2) {
    const again = await page
      .evaluate(
        async (backend, worker, seed, from, to) => {
          const { Storm } = await import("/storm.js");
          const again = new Storm(backend, worker && `/storm_worker.js?${from}`, seed);
          await again.open();
          for (let at = from; at < to && (await again.step(at)); ) at++;
          await again.rest().catch((error) => again.wrong.push(String(error)));
          again.close();
          return again.wrong.length;
        },
        backend,
        worker,
        seed,
        step - length,
        step,
      )
      .catch(() => 1);
    if (again === 0) continue;
    tail = said.slice(-length);
    break;
  }
  return new Error(
    `a storm of ${where} failed at step ${step}:\n  ${wrong.join("\n  ")}\nlast steps:\n  ${tail.join("\n  ")}`,
  );
}

async function command() {
  const [{ mkdirSync }, { join }, { serve }, { root }, { launch }, { writeFixtures }] = await Promise.all([
    import("node:fs"),
    import("node:path"),
    import("../../www/serve.mjs"),
    import("../../www/toolchain.mjs"),
    import("./browser.mjs"),
    import("./fixtures.mjs"),
  ]);
  const option = (name, otherwise) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : process.argv[at + 1];
  };
  const seed = Number(option("seed", 1));
  const minutes = Number(option("minutes", 3));
  assert.ok(Number.isInteger(seed) && minutes > 0, "a seed is a whole number, and minutes are a number above 0");
  const backends = option("backend") ? [option("backend")] : ["webgpu", "webgl2"];
  const places = option("where") ? [option("where")] : ["page", "worker"];
  const here = join(root, "tests/browser");
  const fixtures = join(here, "out", "storm_fixtures");
  mkdirSync(fixtures, { recursive: true });
  writeFixtures(fixtures);
  const mounts = {
    "/": join(here, "page"),
    "/gambol/": join(root, "dist"),
    "/fixtures/": fixtures,
    "/formats/": join(root, "tests/fixtures/formats"),
  };
  const server = await serve({ mounts });
  const browser = await launch();
  try {
    for (const backend of backends) {
      for (const where of places) {
        const page = await browser.newPage();
        const errors = [];
        page.on(
          "console",
          (message) =>
            message.type() === "error" &&
            !/Failed to load resource/.test(message.text()) &&
            errors.push(message.text()),
        );
        page.on("pageerror", (error) => errors.push(String(error?.stack ?? error)));
        await teachPatience(page, 60);
        const told = await storm({
          page,
          url: server.url,
          backend,
          worker: where === "worker",
          seed,
          millis: minutes * 60_000,
        });
        assert.deepEqual(errors, [], `the console, seed ${seed}`);
        console.log(`ok - ${backend} in the ${where}, seed ${seed}: ${JSON.stringify(told)}`);
        await page.close();
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await command();
