//! Compiles one flavour with cargo and keeps its wasm file apart from the other flavours'.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Effort, Flavour, make_dir};

pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// Sections that tell where the addresses of functions and data are, which `split` reads. Later steps outdate them.
pub(super) const RELOCATIONS: [&str; 3] = ["linking", "reloc.CODE", "reloc.DATA"];
const WITH_RELOCATIONS: [&str; 2] = ["-C", "link-arg=--emit-relocs"];

/// A stack of 896 KiB, so that the data behind it ends below 1 MiB: addresses above take four bytes instead of three.
const STACK: [&str; 2] = ["-C", "link-arg=-zstack-size=917504"];

/// Installs the standard library for wasm if this toolchain lacks it, and prints a message when it does.
pub(super) fn ensure_wasm_target() -> Result<(), String> {
    let libdir = output_of_rustc(&["--print", "target-libdir", "--target", TARGET])?;
    if Path::new(libdir.trim()).exists() {
        return Ok(());
    }
    println!("This toolchain can't build for {TARGET} yet: running `rustup target add {TARGET}`.");
    let status = Command::new("rustup").args(["target", "add", TARGET]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`rustup target add {TARGET}` failed ({status})")),
        Err(error) => {
            Err(format!("cannot run rustup ({error}); install the {TARGET} standard library by hand"))
        }
    }
}

pub(super) fn compiler_version() -> Result<String, String> {
    output_of_rustc(&["-vV"])
}

fn output_of_rustc(args: &[&str]) -> Result<String, String> {
    let output =
        Command::new("rustc").args(args).output().map_err(|error| format!("cannot run rustc: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles a flavour, and returns the path of a copy of the module that only this flavour writes.
///
/// Cargo names a wasm `cdylib` after its crate alone, so all flavours overwrite one file. Cargo compares
/// modification times and would report a file of another flavour as fresh. Each flavour is therefore copied, and an
/// output that equals none of the copies is removed first.
pub(super) fn compile(root: &Path, flavour: Flavour, effort: Effort) -> Result<PathBuf, String> {
    let (profile, profile_dir) = match effort {
        Effort::Ship => ("wasm", "wasm"),
        Effort::Dev => ("dev", "debug"),
    };
    let copies_dir = root.join("target/xtask").join(profile);
    make_dir(&copies_dir)?;
    let copy_path = |flavour: Flavour| copies_dir.join(flavour.name()).with_extension("wasm");

    let out_dir = root.join("target").join(TARGET).join(profile_dir);
    let produced = out_dir.join("deps/gambol.wasm");
    let left_over = fs::read(&produced).ok();
    let is_ours = Flavour::ALL
        .into_iter()
        .any(|other| left_over.is_some() && fs::read(copy_path(other)).ok() == left_over);
    let copy = copy_path(flavour);
    if left_over.is_some() && (!is_ours || !copy.exists()) {
        fs::remove_file(&produced)
            .map_err(|error| format!("cannot remove {}: {error}", produced.display()))?;
    }

    let fresh = run_cargo(root, flavour, effort, profile)?;
    if !fresh || !copy.exists() {
        fs::copy(&produced, &copy)
            .map_err(|error| format!("cannot copy {} to {}: {error}", produced.display(), copy.display()))?;
    }
    Ok(copy)
}

/// Runs cargo, and returns whether the crate was built already.
fn run_cargo(root: &Path, flavour: Flavour, effort: Effort, profile: &str) -> Result<bool, String> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["rustc", "--package", "gambol", "--lib", "--crate-type", "cdylib", "--target", TARGET])
        .args(["--profile", profile, "--no-default-features", "--features", flavour.name()])
        .args(["--message-format", "json-render-diagnostics"])
        .args(["--config", &format!("target.{TARGET}.rustflags={:?}", remapped_paths()?)])
        .arg("--")
        .args(STACK)
        .args(if effort == Effort::Ship { ["-D", "warnings"].as_slice() } else { &[] })
        .args(if effort == Effort::Ship && flavour.is_split() { WITH_RELOCATIONS.as_slice() } else { &[] })
        // The paths below assume the repository's own target folder.
        .env("CARGO_TARGET_DIR", root.join("target"))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("the {} flavour did not compile", flavour.name()));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let artifact = messages
        .lines()
        .find(|line| line.contains(r#""reason":"compiler-artifact""#) && line.contains(r#"gambol.wasm""#))
        .ok_or("cargo reported no gambol.wasm")?;
    Ok(artifact.contains(r#""fresh":true"#))
}

/// Returns rustc's options that remove the folders of downloaded crates and of the toolchain from panic messages. The
/// wasm then contains no path of the machine that builds it.
pub(super) fn remapped_paths() -> Result<Vec<String>, String> {
    let mut options = vec![remapped_std()?];
    let Some(home) = cargo_home() else { return Ok(options) };
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(options) };
    for registry in registries {
        let path = registry.map_err(|error| format!("cannot read {}: {error}", home.display()))?.path();
        options.push(format!("--remap-path-prefix={}/=", path.display()));
    }
    options.sort();
    Ok(options)
}

/// Returns the option for the standard library, whose files have these names only where the component `rust-src` is
/// installed. Elsewhere they have the names that they get here.
fn remapped_std() -> Result<String, String> {
    let version = compiler_version()?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let sysroot = output_of_rustc(&["--print", "sysroot"])?;
    Ok(format!("--remap-path-prefix={}/lib/rustlib/src/rust=/rustc/{commit}", sysroot.trim()))
}

fn cargo_home() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}
