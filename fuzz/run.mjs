/**
 * `npm run fuzz -- [TARGET …] [--minutes 1] [--others] [--keep]`: fuzzes importers and exporters with libFuzzer,
 * built by the compiler of rust-toolchain.toml. Targets: gltf, x, collada, iqm, picture, draco, ktx2, meshopt, export.
 * Without one, all run in turn.
 *
 * The seeds are the repository's fixtures, and new inputs are stored in fuzz/corpus. `--others` adds files from
 * ../shared/models to the seeds and uses a corpus of its own. `--keep` copies a minimal set of inputs with the same
 * coverage to an archive in tests/fixtures/fuzz; `tests/import/fuzz_corpus.rs` runs them. An input that fails is
 * written to fuzz/finds.
 */

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const others = join(root, "../shared/models");

/** Per target: the extensions of its seeds, the greatest input length in bytes, and the name of its dictionary. */
const TARGETS = {
  gltf: { extensions: [".gltf", ".glb"], longest: 8192, words: "gltf" },
  x: { extensions: [".x"], longest: 8192, words: "x" },
  collada: { extensions: [".dae"], longest: 8192, words: "collada" },
  iqm: { extensions: [".iqm"], longest: 4096, words: "iqm" },
  picture: { extensions: [".tga", ".bmp", ".dds"], longest: 4096, words: "picture" },
  draco: { extensions: [".drc"], longest: 4096 },
  meshopt: { extensions: [".meshopt"], longest: 2048 },
  ktx2: { extensions: [".ktx2"], longest: 4096, words: "ktx2" },
  export: { extensions: [".gltf", ".glb", ".x", ".dae", ".iqm"], longest: 8192 },
};

/** Limits of the inputs that are kept for one target, small enough for a repository. */
const KEPT = { inputs: 250, bytes: 150_000 };

/** Instrumentation flags of cargo-fuzz, in the form that a stable compiler accepts. */
const COVERAGE = [
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "-Ccodegen-units=1",
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "1" },
    others: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((target) => !(target in TARGETS));
const seconds = Math.round(Number(values.minutes) * 60);
if (unknown.length > 0 || !(seconds >= 0)) {
  console.error(`Usage: npm run fuzz -- [${Object.keys(TARGETS).join("|")}] [--minutes 10] [--others] [--keep]`);
  process.exit(2);
}

const host = /host: (.*)/.exec(output("rustc", ["-vV"]))[1];
// With `--target`, cargo doesn't apply these flags to build scripts, which couldn't link them.
const built = resolve(process.env.CARGO_TARGET_DIR ?? join(root, "target"));
const manifest = ["--manifest-path", join(here, "Cargo.toml"), "--target-dir", built];
run("cargo", ["build", "--release", ...manifest, "--target", host], { RUSTFLAGS: COVERAGE.join(" ") });
for (const target of positionals.length > 0 ? positionals : Object.keys(TARGETS)) {
  fuzz(target, join(built, host, "release", target));
}

function fuzz(target, program) {
  const { extensions, longest, words } = TARGETS[target];
  const corpus = join(here, "corpus", values.others ? `${target}-others` : target);
  const finds = join(here, "finds", target);
  const archive = join(root, "tests/fixtures/fuzz", `${target}.tar`);
  const kept = mkdtempSync(join(tmpdir(), "gambol-kept-"));
  [corpus, finds].forEach((folder) => mkdirSync(folder, { recursive: true }));
  if (existsSync(archive)) run("tar", ["-xf", archive, "-C", kept]);
  const seeds = gather([join(root, "tests/fixtures")].concat(values.others ? [others] : []), extensions);

  const limits = [`-max_len=${longest}`, "-rss_limit_mb=1024", "-timeout=10", `-artifact_prefix=${finds}/`];
  const dictionary = words ? [`-dict=${join(here, "words", `${words}.dict`)}`] : [];
  if (seconds > 0) {
    console.log(`\n── ${target}, ${values.minutes} minutes`);
    run(program, [...limits, ...dictionary, `-max_total_time=${seconds}`, "-print_final_stats=1", corpus, kept, seeds]);
  }
  if (values.keep && !values.others) {
    keep(program, corpus, kept, limits, archive);
  }
  rmSync(seeds, { recursive: true });
  rmSync(kept, { recursive: true });
}

/** Archives a minimal set of inputs with full coverage. Of too many it keeps some of every size. */
function keep(program, corpus, kept, limits, archive) {
  const merged = mkdtempSync(join(tmpdir(), "gambol-merged-"));
  run(program, ["-merge=1", ...limits, merged, kept, corpus]);
  const inputs = readdirSync(merged).map((name) => ({ name, size: statSync(join(merged, name)).size }));
  inputs.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
  const each = Math.ceil(inputs.length / KEPT.inputs);
  let room = KEPT.bytes;
  const names = [];
  for (const { name, size } of inputs.filter((_, index) => index % each === 0)) {
    room -= size;
    if (room < 0) break;
    names.push(name);
  }
  run("tar", ["--format=ustar", "-cf", archive, "-C", merged, ...names.sort()]);
  console.log(`${names.length} of ${inputs.length} inputs kept in ${archive}`);
  rmSync(merged, { recursive: true });
}

/** Copies all files with one of these extensions into a new folder, and returns its path. */
function gather(folders, extensions) {
  const seeds = mkdtempSync(join(tmpdir(), "gambol-seeds-"));
  const unread = folders.filter((folder) => existsSync(folder));
  let count = 0;
  for (const folder of unread) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== "fuzz") unread.push(path);
      if (extensions.some((extension) => entry.name.toLowerCase().endsWith(extension))) {
        copyFileSync(path, join(seeds, `${count++}`));
      }
    }
  }
  return seeds;
}

function output(program, options) {
  return spawnSync(program, options, { cwd: root, encoding: "utf8" }).stdout;
}

function run(program, options, env = {}) {
  const { status, error } = spawnSync(program, options, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (error || status !== 0) {
    console.error(error?.message ?? `${program} ended with ${status}`);
    process.exit(1);
  }
}
