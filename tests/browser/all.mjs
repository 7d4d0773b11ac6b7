/**
 * The browser tests of `npm test`: runs each file of `scenarios/` once per backend in a fresh page.
 *
 *     node tests/browser/all.mjs [--update-goldens] [--reference] [--hardware] [name …]
 *
 * With `--reference`, WebGL2 is drawn by wgpu's own backend, which `cargo xtask build --flavour webgl-reference`
 * builds, and WebGPU isn't tested.
 *
 * With `--hardware`, the machine's GPU draws. Golden images are those of the software GPU, so some can differ by more
 * than their tolerance.
 *
 * An error or a warning about WebGPU in the console, or an uncaught error, fails a scenario, unless its
 * `expectedErrors` match it. Reports as TAP.
 */

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { serve } from "../../www/serve.mjs";
import { root } from "../../www/toolchain.mjs";
import { realModels } from "../real_models.mjs";
import { launch } from "./browser.mjs";
import { writeFixtures } from "./fixtures.mjs";
import { inTime, patienceFor, teachPatience, watched } from "./patience.mjs";

/** Warnings of Chromium about what a page passes to WebGPU. Other warnings are the player's own, or about drivers. */
const OF_WEBGPU = /^(vertex|primitive|depthStencil|multisample|fragment)\b/;

const here = join(root, "tests/browser");
const out = join(here, "out");
const shared = realModels();
const LONGEST_SECS = 90;
const CLOSING_SECS = 30;
/**
 * Number of scenarios that run at the same time, each in a browser of its own. Those with `alone` don't, and those that
 * fail run again alone: some measure times, which other work makes longer.
 */
const SOFTWARE_LANES = 2;

const args = process.argv.slice(2);
const updateGoldens = args.includes("--update-goldens");
const isReference = args.includes("--reference");
const hardware = args.includes("--hardware");
// A software GPU keeps all cores busy by itself.
const lanes = hardware ? Math.ceil(availableParallelism() / 3) : SOFTWARE_LANES;
const BACKENDS = isReference ? ["webgl2"] : ["webgpu", "webgl2"];
const wanted = args.filter((arg) => !arg.startsWith("--"));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFixtures(join(out, "fixtures"));

const mounts = {
  "/": join(here, "page"),
  "/gambol/": join(root, "dist"),
  ...(isReference && { "/gambol/wasm/webgl/": join(root, "target/wasm/webgl-reference") }),
  "/fixtures/": join(out, "fixtures"),
  "/goldens/": join(here, "goldens"),
  "/reports/": join(root, "tests/fixtures/import"),
  "/formats/": join(root, "tests/fixtures/formats"),
  ...(shared && { "/shared/": shared }),
};
const server = await serve({ mounts });
const counts = { pass: 0, fail: 0 };

try {
  const [together, alone] = [[], []];
  for (const file of readdirSync(join(here, "scenarios")).sort()) {
    const name = file.replace(/\.mjs$/, "");
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const scenario = await import(pathToFileURL(join(here, "scenarios", file)));
    const runs = (scenario.backends ?? BACKENDS).map((backend) => ({ name, scenario, backend }));
    (scenario.alone ? alone : together).push(...runs);
  }
  await Promise.all(Array.from({ length: lanes }, () => runAll(together, alone)));
  await runAll(alone);
} finally {
  await server.close();
}
console.log(
  `1..${counts.pass + counts.fail}\n# tests ${counts.pass + counts.fail}\n# pass ${counts.pass}\n# fail ${counts.fail}`,
);
if (counts.fail > 0 || counts.pass === 0) process.exitCode = 1;

/** Takes runs from the list, one after the other, until it is empty. Those that fail are added to `again`, if given. */
async function runAll(runs, again) {
  const browsers = new Map();
  try {
    for (let next = runs.shift(); next; next = runs.shift()) await tell(next, browsers, again);
  } finally {
    await Promise.all([...browsers.values()].map(async (browser) => (await browser).close()));
  }
}

async function tell(run, browsers, again) {
  const { name, scenario, backend } = run;
  const started = performance.now();
  const title = `${name} (${backend})`;
  const trouble = await attempt(name, scenario, backend, browsers).catch((error) => error);
  if (trouble && again) {
    console.log(`# ${title} failed beside another scenario, and runs again alone`);
    console.log(String(trouble.stack ?? trouble).replace(/^/gm, "#   "));
    again.push(run);
    return;
  }
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const ok = !trouble;
  counts[ok ? "pass" : "fail"]++;
  console.log(`${ok ? "ok" : "not ok"} ${counts.pass + counts.fail} - ${title} # ${took}`);
  if (!ok) console.log(String(trouble.stack ?? trouble).replace(/^/gm, "    "));
}

/** Runs a scenario. Returns a description of its errors, or `undefined` if it succeeded. */
async function attempt(name, scenario, backend, browsers) {
  const browser = await browserFor(scenario, browsers);
  const page = watched(await browser.newPage());
  try {
    const errors = listen(page);
    await page.setViewport({ width: 800, height: 600, deviceScaleFactor: 1 });
    const longestSecs = scenario.longestSecs ?? LONGEST_SECS;
    await teachPatience(page, patienceFor(longestSecs));
    const telling = (async () => {
      await page.goto(new URL(scenario.address ?? "", server.url).href);
      if (!scenario.address) await page.waitForFunction(() => window.stage);
      await scenario.default({
        backend,
        errors,
        launch: (options) => launch({ hardware, ...options }),
        mounts,
        name,
        out,
        page,
        shared: mounts["/shared/"],
        updateGoldens,
        url: server.url,
      });
    })();
    const told = await inTime("the scenario", telling, longestSecs).catch((error) => {
      const doing = page.underWay();
      return doing ? new Error(`${error.message}\n  under way: ${doing}`, { cause: error }) : error;
    });
    const expected = scenario.expectedErrors ?? [];
    const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
    if (!told && unexpected.length === 0) return undefined;
    return [told?.stack ?? told, ...unexpected.map((error) => `console: ${error}`)].filter(Boolean).join("\n");
  } finally {
    // A page that doesn't close is ended with its browser.
    await inTime("the page to close", page.close(), CLOSING_SECS).catch(() => {
      browsers.delete(browserKey(scenario));
      browser.process()?.kill("SIGKILL");
    });
  }
}

function browserKey(scenario) {
  return scenario.webgpu === false ? "without WebGPU" : "with WebGPU";
}

function browserFor(scenario, browsers) {
  const key = browserKey(scenario);
  if (!browsers.has(key)) browsers.set(key, launch({ webgpu: scenario.webgpu !== false, hardware }));
  return browsers.get(key);
}

function listen(page) {
  const errors = [];
  page.on("console", (message) => {
    const isError = message.type() === "error" || (/^warn/.test(message.type()) && OF_WEBGPU.test(message.text()));
    if (isError) errors.push(`${message.text()} ${message.location().url ?? ""}`.trim());
  });
  page.on("pageerror", (error) => errors.push(String(error?.stack ?? error)));
  page.on("error", (error) => errors.push(`the page crashed: ${error.message}`));
  return errors;
}
