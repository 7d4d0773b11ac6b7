//! Optimises the shipped files for size with wasm-opt, esbuild and terser from `node_modules`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Effort;

const WASM_OPT: &str = "node_modules/binaryen/bin/wasm-opt";
/// Script that calls the packages as libraries. Their `bin` entries are scripts or native programs, depending on
/// npm's settings.
const MINIFY: &str = "const [entry, outfile] = process.argv.slice(1);
const { readFileSync, writeFileSync } = require('node:fs');
const { code } = require('esbuild').transformSync(readFileSync(entry, 'utf8'), { minify: true, format: 'esm' });
const squeezed = require('terser').minify(code, { module: true, ecma: 2020, compress: { passes: 2 } });
squeezed.then(({ code }) => writeFileSync(outfile, code));";

/// WebAssembly features that rustc and wasm-bindgen emit. wasm-opt rejects a module that uses other ones.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Arguments of wasm-opt. `--low-memory-unused` lets it fold offsets into loads and stores, because the first
/// kilobyte of memory is the far end of the stack.
const PASSES: [&str; 6] = [
    "-Oz",
    "--converge",
    "--low-memory-unused",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Returns the manifests of the tools that `finish` runs. They are part of the stamp.
pub(super) fn tools(root: &Path, effort: Effort) -> Result<Vec<String>, String> {
    if effort == Effort::Dev {
        return Ok(vec!["dev".into()]);
    }
    ["binaryen", "esbuild", "terser"]
        .iter()
        .map(|package| {
            let manifest = root.join("node_modules").join(package).join("package.json");
            fs::read_to_string(&manifest).map_err(|_| {
                format!("{package} is missing: run `npm ci` first, or build with --dev, which needs no npm package")
            })
        })
        .collect()
}

pub(super) fn finish(root: &Path, glue_dir: &Path, dist_dir: &Path, effort: Effort) -> Result<(), String> {
    let (wasm, glue) = ("gambol_bg.wasm", "gambol.js");
    if effort == Effort::Dev {
        copy(&glue_dir.join(glue), &dist_dir.join(glue))?;
        return copy(&glue_dir.join(wasm), &dist_dir.join(wasm));
    }
    let mut wasm_opt = node(root);
    wasm_opt
        .arg(WASM_OPT)
        .args(FEATURES)
        .args(PASSES)
        .arg(glue_dir.join(wasm))
        .arg("-o")
        .arg(dist_dir.join(wasm));
    run(wasm_opt, "wasm-opt")?;

    let mut minify = node(root);
    minify.args(["-e", MINIFY]).arg(glue_dir.join(glue)).arg(dist_dir.join(glue));
    run(minify, "esbuild or terser")
}

fn node(root: &Path) -> Command {
    let mut command = Command::new("node");
    command.current_dir(root);
    command
}

fn run(mut command: Command, name: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cannot run {name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed ({status})")) }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}
