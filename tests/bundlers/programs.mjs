/** Runs the programs of a project's packages: to their end, or as servers that are stopped again. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const PATIENCE_SECS = 120;

/** Runs `[program, …arguments]` to its end, and answers with what it said; throws that when it fails. */
export async function finish(folder, command) {
  const { ended, said } = launch(folder, command, "production");
  const status = await ended;
  if (status !== 0) throw new Error(`\`${command.join(" ")}\` failed (${status}):\n${said()}`);
  return said();
}

/** A server, which `close` ends with all that it started. */
export function start(folder, command) {
  const { child, ended, said } = launch(folder, command, "development");
  let gone = false;
  void ended.then(() => (gone = true));
  const close = async () => {
    if (!gone) process.kill(-child.pid);
    await ended;
  };
  return { said, close, gone: () => gone };
}

function launch(folder, [program, ...args], mode) {
  const child = spawn(process.execPath, [pathOf(folder, program), ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: mode, CI: "1", NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, to be ended as one.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise((done) => child.on("error", done).on("close", (status, signal) => done(status ?? signal)));
  return { child, ended, said: () => output };
}

/** A script of the project, or the program that a package calls by its own name, or its first. */
function pathOf(folder, program) {
  if (program.endsWith(".mjs")) return join(folder, program);
  const home = join(folder, "node_modules", program);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return join(home, typeof bin === "string" ? bin : (bin[program] ?? Object.values(bin)[0]));
}

/** Resolves when a server gives a page. */
export async function answers(server) {
  const deadline = Date.now() + PATIENCE_SECS * 1000;
  while (!(await isUp(server.url))) {
    if (server.gone?.()) throw new Error("The server ended by itself.");
    if (Date.now() > deadline) throw new Error(`No page after ${PATIENCE_SECS} s.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function isUp(url) {
  try {
    return (await fetch(url, { headers: { Accept: "text/html" } })).ok;
  } catch {
    return false;
  }
}

export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().on("error", fail);
    server.listen(0, () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
