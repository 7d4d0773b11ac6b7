//! Optimises the shipped files for size with wasm-opt, esbuild and terser from `node_modules`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::function_order::name_by_similarity;
use super::{Effort, alignment, read_bytes, write};

const WASM_OPT: &str = "node_modules/binaryen/bin/wasm-opt";
/// Script that shortens and minifies the glue.
pub(super) const MINIFY: &str = "www/minify.mjs";
/// What it imports.
pub(super) const SHORTEN: &str = "www/glue.mjs";

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

/// Arguments of wasm-opt.
///
/// - `--low-memory-unused` lets it fold offsets into loads and stores, because the first kilobyte of memory is the far
///   end of the stack.
/// - `memory-packing` would split the data at runs of zeros. Zeros compress well, and hundreds of offsets don't: it
///   adds 0.9 KB to a page.
/// - A larger function isn't put into its only caller. A browser compiles a function again when it has run for long,
///   which took 150 ms for the whole importer as one. The files also compress better, by 0.4 %.
/// - `reorder-functions` would undo the order of `function_order.rs`.
const PASSES: [&str; 8] = [
    "-Oz",
    "--one-caller-inline-max-function-size=30",
    "--low-memory-unused",
    "--skip-pass=memory-packing",
    "--skip-pass=reorder-functions",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Leaves out the pass that stores the result of a repeated expression in a local. The files would be shorter, but
/// compress worse, by 0.4 %. Engines find such expressions themselves. Decoders keep the pass.
const WITHOUT_REUSE: &str = "--skip-pass=local-cse";

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

/// Optimises a module or the glue.
pub(super) fn finish(root: &Path, input: &Path, output: &Path) -> Result<(), String> {
    if input.extension().is_some_and(|extension| extension == "js") {
        let mut minify = node(root);
        minify.arg(MINIFY).arg(input).arg(output);
        return run(minify, "esbuild or terser");
    }
    let (optimised, named) = (input.with_extension("optimised.wasm"), input.with_extension("named.wasm"));
    wasm_opt(root, &[WITHOUT_REUSE], input, &optimised)?;
    write(&named, name_by_similarity(read_bytes(&optimised)?)?)?;
    wasm_opt(root, &["--reorder-functions-by-name", "--converge", WITHOUT_REUSE], &named, output)?;
    write(output, alignment::unify(&read_bytes(output)?)?)
}

/// Optimises a module without glue.
pub(super) fn finish_alone(root: &Path, input: &Path, output: &Path) -> Result<(), String> {
    wasm_opt(root, &[], input, output)
}

/// Runs wasm-opt with some arguments before the usual ones.
fn wasm_opt(root: &Path, before: &[&str], input: &Path, output: &Path) -> Result<(), String> {
    let mut command = node(root);
    command.arg(WASM_OPT).args(FEATURES).args(before).args(PASSES).arg(input).arg("-o").arg(output);
    run(command, "wasm-opt")
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
