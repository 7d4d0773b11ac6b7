/**
 * `npm run test:bundlers [name …]`: the package as `npm install` gives it, in a fresh project of each bundler. Built
 * and served for production, and by the bundler's own server for development, a character moves. Reports as TAP.
 *
 * The projects are copied out of this repository, lest they find what lies in it. Their own packages are installed
 * once, from their lock files, and stay there for the next run.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serve } from "../../www/serve.mjs";
import { ensureNodeModules, root, run } from "../../www/toolchain.mjs";
import { launch } from "../browser/browser.mjs";
import { checkMotion } from "../browser/motion.mjs";
import { PROJECTS } from "./projects.mjs";
import { answers, finish, freePort, start } from "./programs.mjs";

const here = join(root, "tests/bundlers");
const out = join(here, "out");

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PROJECTS[name]);
if (unknown.length > 0) {
  console.error(`No project is called ${unknown.join(", ")}; there are ${Object.keys(PROJECTS).join(", ")}.`);
  process.exit(2);
}

const counts = { pass: 0, fail: 0 };
const pack = packOnce();
for (const [name, project] of Object.entries(PROJECTS)) {
  if (wanted.length === 0 || wanted.includes(name)) await tryOut(name, project);
}
console.log(
  `1..${counts.pass + counts.fail}\n# tests ${counts.pass + counts.fail}\n# pass ${counts.pass}\n# fail ${counts.fail}`,
);
if (counts.fail > 0 || counts.pass === 0) process.exitCode = 1;

async function tryOut(name, project) {
  let folder;
  const ready = await tell(`${name}: installs`, () => {
    folder = install(name, project);
  });
  if (!ready) return;
  if (project.run) {
    await tell(`${name}: ${project.run.join(" ")}`, async () => {
      assert.equal(await finish(folder, project.run), project.says);
    });
    return;
  }
  await tell(`${name}: moves when built for production`, async () => {
    if (project.build) await finish(folder, project.build);
    const server = project.serve ? await startOn(folder, project.serve) : await serveFolder(folder, project);
    await seeMotion(server, `${name}.production`);
  });
  if (!project.dev && !project.watch) return;
  await tell(`${name}: moves in development`, async () => {
    const server = project.dev ? await startOn(folder, project.dev) : await watch(folder, project);
    await seeMotion(server, `${name}.development`);
  });
}

async function startOn(folder, command) {
  const port = String(await freePort());
  return { ...start(folder, command(port)), url: `http://localhost:${port}/` };
}

function serveFolder(folder, { page }) {
  return serve({ mounts: { "/": join(folder, page) } });
}

/** A server of a folder that a program builds into. */
async function watch(folder, project) {
  rmSync(join(folder, project.page, project.makes));
  const program = start(folder, project.watch);
  const server = await serveFolder(folder, project);
  await answers({ ...program, url: `${server.url}${project.makes}` });
  return { ...program, url: server.url, close: () => Promise.all([program.close(), server.close()]) };
}

async function seeMotion(server, picture) {
  const browser = await launch();
  try {
    await answers(server);
    // Whatever writes the page, the tag is in what it gives to those who run no script.
    assert.match(await (await fetch(server.url)).text(), /<gambol-player [^>]*src=/);
    await checkMotion(browser, server.url, { picture: join(out, `${picture}.png`) });
  } catch (error) {
    if (server.said) error.stack += `\nIts server said:\n${server.said()}`;
    throw error;
  } finally {
    await browser.close();
    await server.close();
  }
}

async function tell(title, attempt) {
  const started = performance.now();
  let trouble;
  try {
    await attempt();
  } catch (error) {
    trouble = error;
  }
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  counts[trouble ? "fail" : "pass"]++;
  console.log(`${trouble ? "not ok" : "ok"} ${counts.pass + counts.fail} - ${title} # ${took}`);
  if (trouble) console.log(String(trouble.stack ?? trouble).replace(/^/gm, "    "));
  return !trouble;
}

/** What would be published: a file that is installed as any package is. */
function packOnce() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  npm(["pack", "--ignore-scripts", "--pack-destination", out]);
  return join(out, readdirSync(out)[0]);
}

/** A fresh copy of the project, with its packages and ours. */
function install(name, { models: served }) {
  const id = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `gambol-bundlers-${id}`, name);
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    if (old !== "node_modules") rmSync(join(folder, old), { recursive: true });
  }
  cpSync(join(here, name), folder, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  // Bundlers keep there what they made of the packages before.
  for (const cache of [".vite", ".cache", ".parcel-cache"])
    rmSync(join(folder, "node_modules", cache), { recursive: true, force: true });
  rmSync(join(folder, "node_modules/gambol"), { recursive: true, force: true });
  ensureNodeModules(folder);
  npm(["install", "--prefix", folder, "--no-save", "--no-package-lock", "--prefer-offline", pack]);
  const models = join(folder, served);
  mkdirSync(models, { recursive: true });
  cpSync(join(root, "dist/viewer/character.glb"), join(models, "character.glb"));
  for (const file of ["flag.x", "flag.tga"]) cpSync(join(root, "tests/fixtures/formats", file), join(models, file));
  return folder;
}

function npm(args) {
  run("npm", [...args, "--loglevel", "error", "--no-audit", "--no-fund"], { quiet: true });
}
