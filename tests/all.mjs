/**
 * `npm test`: runs every check of CI in order, from quick to slow.
 *
 * A failing step doesn't prevent later ones, except those that test its output. `npm test -- browser node` runs the
 * named steps only.
 */

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import {
  ensureBrowser,
  ensureFirefox,
  ensureNodeModules,
  ensureRust,
  ensureRustComponents,
  ensureWasmTarget,
  root,
} from "../www/toolchain.mjs";

const WASM = ["--lib", "--target", "wasm32-unknown-unknown"];
const DENY = ["--", "-D", "warnings"];

/**
 * Steps. One without `count` is a single test, which passes or fails. `needs` is the name of a step whose output is
 * tested.
 */
const STEPS = [
  { name: "format", run: ["cargo", "fmt", "--all", "--check"] },
  { name: "lint", run: ["cargo", "clippy", "--workspace", "--all-targets", "--features", "gambol/render", ...DENY] },
  // Several flavours at once. Code that a single flavour leaves unused fails in the step `build`.
  { name: "lint-wasm", run: ["cargo", "clippy", ...WASM, "--features", "webgpu,formats", ...DENY] },
  { name: "lint-webgl", run: ["cargo", "clippy", ...WASM, "--features", "webgl", ...DENY] },
  {
    name: "lint-reference",
    run: ["cargo", "clippy", ...WASM, "--features", "webgpu-reference,webgl-reference", ...DENY],
  },
  {
    name: "rust",
    run: ["cargo", "test", "--workspace", "--features", "gambol/render", "--no-fail-fast"],
    count: cargoCounts,
  },
  {
    name: "docs",
    run: ["cargo", "doc", "--no-deps", "--document-private-items", "--features", "render"],
    env: { RUSTDOCFLAGS: "-D warnings" },
  },
  { name: "biome", run: ["node", "node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings"] },
  { name: "types", run: ["node", "node_modules/typescript/bin/tsc", "-p", "tsconfig.json"] },
  { name: "build", run: ["node", "www/build.mjs"] },
  { name: "node", run: ["node", "--test", "--test-reporter=tap", ...nodeTests()], count: tapCounts, needs: "build" },
  { name: "bundler", run: ["node", "tests/bundlers/all.mjs", "vite"], count: tapCounts, needs: "build" },
  { name: "browser", run: ["node", "tests/browser/all.mjs"], count: tapCounts, needs: "build" },
  { name: "firefox", run: ["node", "tests/browser/firefox.mjs"], count: tapCounts, needs: "build" },
  { name: "reference", run: ["node", "tests/browser/reference.mjs"], count: tapCounts, needs: "build" },
];

const started = Date.now();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`No step is called ${unknown.join(", ")}; there are ${STEPS.map((step) => step.name).join(", ")}.`);
  process.exit(2);
}
const steps = STEPS.filter((step) => wanted.length === 0 || wanted.includes(step.name));

getReady();
const outcomes = [];
for (const step of steps) {
  const blocked = outcomes.some((outcome) => outcome.name === step.needs && outcome.failed > 0);
  outcomes.push(
    blocked ? { name: step.name, passed: 0, failed: 1, note: `not run: ${step.needs} failed` } : await take(step),
  );
}
summarise(outcomes);

function getReady() {
  try {
    ensureRust();
    ensureRustComponents();
    ensureWasmTarget();
    ensureNodeModules();
    const needs = (...names) => steps.some((step) => names.includes(step.name));
    if (needs("browser", "bundler", "reference")) process.env.CHROME_PATH = ensureBrowser();
    if (needs("firefox", "reference")) process.env.FIREFOX_PATH = ensureFirefox();
  } catch (error) {
    console.error(`test: ${error.message}`);
    console.log("0 passed, 1 failed");
    process.exit(1);
  }
}

/** Returns the test files by name, because Node's versions differ in how `--test` treats a folder. */
function nodeTests() {
  return readdirSync(join(root, "tests/node"))
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => `tests/node/${name}`);
}

async function take({ name, run: [command, ...args], env, count }) {
  console.log(`\n── ${name}: ${[command, ...args].join(" ")}`);
  const since = Date.now();
  const { output, status } = await tee(command === "node" ? process.execPath : command, args, env);
  const counted = count?.(output) ?? { passed: 0, failed: 0 };
  // A failure outside any test, such as a compile error, counts as one.
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  if (status === 0 && !count) counted.passed = 1;
  // A step in which no test ran has failed.
  if (status === 0 && counted.passed + counted.failed === 0) counted.failed = 1;
  return { name, ...counted, note: `${((Date.now() - since) / 1000).toFixed(1)} s` };
}

/** Runs a program, and both prints and returns its output. */
function tee(command, args, env = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, CARGO_TERM_COLOR: process.stdout.isTTY ? "always" : "never", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (stream) => (chunk) => {
      output += chunk;
      stream.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", keep(process.stdout));
    child.stderr.setEncoding("utf8").on("data", keep(process.stderr));
    child.on("error", (error) => done({ output: `${output}${error.message}`, status: 1 }));
    child.on("close", (status) => done({ output, status: status ?? 1 }));
  });
}

function cargoCounts(output) {
  const plain = stripVTControlCharacters(output);
  const results = [...plain.matchAll(/^test result: .*? (\d+) passed; (\d+) failed;/gm)];
  return total(results.map(([, passed, failed]) => ({ passed: Number(passed), failed: Number(failed) })));
}

/** Counts from the last lines of a TAP report, `# pass 3` and `# fail 0`. */
function tapCounts(output) {
  const last = (word) => Number([...output.matchAll(new RegExp(`^# ${word} (\\d+)`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: last("pass"), failed: last("fail") + last("cancelled") };
}

function total(counts) {
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

function summarise(outcomes) {
  const { passed, failed } = total(outcomes);
  console.log(`\n── summary, after ${Math.round((Date.now() - started) / 1000)} s`);
  for (const { name, passed, failed, note } of outcomes) {
    console.log(`${failed > 0 ? "FAILED" : "ok    "} ${name.padEnd(12)} ${passed} passed, ${failed} failed (${note})`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
