//! Builds the decoders: modules that import nothing, and export their memory and a few functions. The code that unpacks
//! is another such module.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::compile::{TARGET, remapped_paths};
use super::{Effort, make_dir, optimise, stamp};

/// Folder with a package for each decoder.
const FOLDER: &str = "decoders";

/// Folders with the sources of the decoders, and of the code that unpacks.
const SOURCES: [&str; 4] = [FOLDER, "src/decode", "xtask/src/build", "xtask/unpack"];

/// Options of the linker. A page reserves memory beyond `__heap_base`; no decoder recurses.
const LINKED: [&str; 4] = ["-C", "link-arg=--export=__heap_base", "-C", "link-arg=-zstack-size=65536"];

pub(super) fn build(root: &Path, effort: Effort) -> Result<(), String> {
    let dist = root.join("dist/wasm/decoders");
    make_dir(&dist)?;
    for name in names(root)? {
        build_one(root, &name, &dist.join(&name).with_extension("wasm"), effort)?;
    }
    Ok(())
}

/// Builds the package of a name, unless the output is current.
pub(super) fn build_one(root: &Path, name: &str, output: &Path, effort: Effort) -> Result<(), String> {
    let started = Instant::now();
    let stamp = stamp(root, &SOURCES, effort)?;
    let stamp_path = root.join("target/xtask").join(name).with_extension("stamp");
    if stamp.is_current(&stamp_path, &[output.to_path_buf()]) {
        println!("{name}: unchanged");
        return Ok(());
    }
    let compiled = compile(root, name)?;
    match effort {
        Effort::Ship => optimise::finish_alone(root, &compiled, output)?,
        Effort::Dev => fs::copy(&compiled, output)
            .map(drop)
            .map_err(|error| format!("cannot copy {}: {error}", compiled.display()))?,
    }
    stamp.write(&stamp_path)?;
    println!("{name}: built in {:.1} s", started.elapsed().as_secs_f32());
    Ok(())
}

/// Returns the names of the decoders, in alphabetical order.
fn names(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join(FOLDER);
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().join("Cargo.toml").exists() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Compiles a package, always for speed and size, and returns the path of the module.
fn compile(root: &Path, name: &str) -> Result<PathBuf, String> {
    let status = Command::new("cargo")
        .current_dir(root)
        .args([
            "rustc",
            "--package",
            &format!("gambol-{name}"),
            "--lib",
            "--target",
            TARGET,
            "--profile",
            "wasm",
        ])
        .args(["--config", &format!("target.{TARGET}.rustflags={:?}", remapped_paths()?)])
        .args(["--", "-D", "warnings"])
        .args(LINKED)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("the package gambol-{name} did not compile"));
    }
    Ok(root.join("target").join(TARGET).join("wasm").join(name).with_extension("wasm"))
}
