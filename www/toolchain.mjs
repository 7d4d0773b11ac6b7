/** Tools for builds and tests beyond Rust and Node. Missing ones are installed, with a message. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command in the repository root and waits for it. Throws if it fails. */
export function run(command, args, { quiet = false } = {}) {
  const { status, error, signal } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", quiet ? "ignore" : "inherit", "inherit"],
    // On Windows `npm` is a batch file, which needs a shell.
    shell: process.platform === "win32",
  });
  if (error) throw new Error(`cannot run ${command}: ${error.message}`);
  if (status !== 0) throw new Error(`\`${[command, ...args].join(" ")}\` failed (${signal ?? `exit ${status}`})`);
}

export function ensureRust() {
  if (works("cargo", ["--version"])) return;
  throw new Error("Rust is missing: install it from https://rustup.rs, then try again");
}

/** Runs `npm ci` if the installed packages differ from the lock file. `folder` may be relative to the repository. */
export function ensureNodeModules(folder = ".") {
  if (nodeModulesAreCurrent(resolve(root, folder))) return;
  console.log("Node modules are missing or old: running `npm ci`.");
  run("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"]);
}

function nodeModulesAreCurrent(folder) {
  const installed = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const versions = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
  const wanted = versions(join(folder, "package-lock.json"));
  const found = versions(installed);
  // npm skips optional packages for other platforms.
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === "" || (found[path] ? found[path].version === version : optional === true),
  );
}

/** Installs rustfmt and clippy, which the minimal rustup profile doesn't include. */
export function ensureRustComponents() {
  for (const [component, command] of [
    ["rustfmt", "cargo-fmt"],
    ["clippy", "cargo-clippy"],
  ]) {
    if (works(command, ["--version"])) continue;
    console.log(`${component} is missing: running \`rustup component add ${component}\`.`);
    run("rustup", ["component", "add", component]);
  }
}

export function ensureWasmTarget() {
  const target = "wasm32-unknown-unknown";
  const libdir = execFileSync("rustc", ["--print", "target-libdir", "--target", target], {
    cwd: root,
    encoding: "utf8",
  });
  if (existsSync(libdir.trim())) return;
  console.log(`This toolchain can't build for ${target} yet: running \`rustup target add ${target}\`.`);
  run("rustup", ["target", "add", target]);
}

/** Returns the path of a Chromium. Installs Debian's package if none is found and the process may install it. */
export function ensureBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
  const elsewhere = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ];
  return ensureProgram("Chromium", "CHROME_PATH", { names, elsewhere, packages: ["chromium"] });
}

/** Returns the path of a Firefox, which is installed in the same way. */
export function ensureFirefox() {
  const names = ["firefox-esr", "firefox"];
  const elsewhere = [
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ];
  // Firefox needs Mesa for WebGL.
  const packages = ["firefox-esr", "libgl1-mesa-dri", "libegl1", "libgl1"];
  return ensureProgram("Firefox", "FIREFOX_PATH", { names, elsewhere, packages });
}

/** Returns the path of `xvfb-run`, which provides a virtual screen for programs that need one. */
export function ensureVirtualScreen() {
  return ensureProgram("xvfb-run", "XVFB_RUN_PATH", { names: ["xvfb-run"], packages: ["xvfb", "xauth"] });
}

function ensureProgram(title, variable, { names, elsewhere = [], packages }) {
  const named = process.env[variable];
  if (named && existsSync(named)) return named;
  if (named) throw new Error(`${variable} names ${named}, which isn't there`);
  const find = () => {
    const folders = (process.env.PATH ?? "").split(process.platform === "win32" ? ";" : ":");
    const usual = names.flatMap((name) => folders.map((folder) => join(folder, name)));
    return [...usual, ...elsewhere].find((path) => existsSync(path));
  };
  const found = find() ?? (mayInstall() && installPackages(title, packages) && find());
  if (found) return found;
  throw new Error(`No ${title} found: install it, or set ${variable} to one`);
}

function mayInstall() {
  return process.platform === "linux" && process.getuid() === 0 && works("apt-get", ["--version"]);
}

function installPackages(title, packages) {
  console.log(`No ${title} found: running \`apt-get install ${packages.join(" ")}\`.`);
  const apt = (args) => run("apt-get", ["-qq", "-o", "Dpkg::Use-Pty=0", ...args], { quiet: true });
  process.env.DEBIAN_FRONTEND = "noninteractive";
  apt(["update"]);
  apt(["install", "-y", "--no-install-recommends", ...packages]);
  return true;
}

function works(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: "ignore" }).status === 0;
}
