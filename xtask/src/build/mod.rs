//! `cargo xtask build`: compiles the crate, once per flavour, to the wasm file and JavaScript glue that
//! `www/element` loads.
//!
//! ```text
//! cargo ──▶ target/xtask/<flavour>.wasm ──wasm-bindgen──▶ target/xtask/<flavour>/
//!                                            ──wasm-opt, esbuild──▶ dist/wasm/<flavour>/
//! ```
//!
//! Those with playback are several wasm files: a page fetches all but one on first use (`late.rs`). Large files are
//! packed (`pack.rs`).
//!
//! A flavour that doesn't ship is written to `target/wasm` instead, and not optimised. The decoders of `decoders` need
//! no glue: they become `dist/wasm/decoders/<name>.wasm`.
//!
//! A file is skipped when its inputs haven't changed.

mod alignment;
mod blank_data;
mod calls;
mod compile;
mod decoders;
mod function_order;
mod late;
mod mute;
mod optimise;
mod pack;
mod same_imports;
mod short_names;
mod split;
mod trim_glue;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use wasm_bindgen_cli_support::Bindgen;

use crate::stamp::Stamp;
use pack::Unpacker;
use short_names::ShortNames;

/// Purpose of a wasm file. The names are the crate's features.
#[derive(Clone, Copy)]
enum Flavour {
    /// Playback, drawn with WebGPU.
    WebGpu,
    /// Playback, drawn with WebGL2.
    WebGl,
    /// Import of formats other than glTF and export of .glb, without rendering.
    Formats,
    /// Playback, drawn with WebGPU through wgpu's own backend: the reference for [`WebGpu`](Self::WebGpu).
    WebGpuReference,
    /// Playback, drawn with WebGL2 through wgpu's own backend: the reference for [`WebGl`](Self::WebGl).
    WebGlReference,
}

impl Flavour {
    /// The flavours that ship. Those that take longest to optimise come before those that compile fast.
    const SHIPPED: [Self; 3] = [Self::WebGpu, Self::WebGl, Self::Formats];
    const ALL: [Self; 5] =
        [Self::WebGpu, Self::WebGl, Self::Formats, Self::WebGpuReference, Self::WebGlReference];

    fn ships(self) -> bool {
        !matches!(self, Self::WebGpuReference | Self::WebGlReference)
    }

    /// Whether rarely used functions are in a file of their own.
    fn is_split(self) -> bool {
        !matches!(self, Self::Formats)
    }

    fn name(self) -> &'static str {
        match self {
            Self::WebGpu => "webgpu",
            Self::WebGl => "webgl",
            Self::Formats => "formats",
            Self::WebGpuReference => "webgpu-reference",
            Self::WebGlReference => "webgl-reference",
        }
    }

    /// Returns the flavours for the value of `--flavour`, or `None` for an unknown value.
    fn named(word: &str) -> Option<Vec<Self>> {
        if word == "all" {
            return Some(Self::SHIPPED.to_vec());
        }
        let wanted: Vec<Self> = Self::ALL.into_iter().filter(|flavour| word == flavour.name()).collect();
        (!wanted.is_empty()).then_some(wanted)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Effort {
    /// The shipped build, optimised for size.
    Ship,
    /// A fast build with names in stack traces.
    Dev,
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (flavours, with_decoders, effort) = parse(args)?;
    let root = repository_root();
    compile::ensure_wasm_target()?;
    if with_decoders {
        decoders::build(&root, effort)?;
    }
    let unpacker = Unpacker::build(&root, effort)?;
    // Optimising and linking use one core each, so one flavour is optimised while the next compiles.
    thread::scope(|scope| {
        let mut finishing = Vec::new();
        for flavour in flavours {
            let started = Instant::now();
            let stamp = stamp(&root, &SOURCES, effort)?;
            if stamp.is_current(&stamp_path(&root, flavour), &outputs(&root, flavour)) {
                println!("{}: unchanged", flavour.name());
                continue;
            }
            let compiled = compile::compile(&root, flavour, effort)?;
            let (root, unpacker) = (&root, &unpacker);
            let finish = move || finish(root, flavour, effort, &compiled, unpacker, &stamp, started);
            finishing.push(scope.spawn(finish));
        }
        finishing.into_iter().try_for_each(|finish| finish.join().expect("xtask's own threads don't panic"))
    })
}

/// Returns the flavours, whether the decoders are built, and the effort.
fn parse(args: &[String]) -> Result<(Vec<Flavour>, bool, Effort), String> {
    let mut flavours = Flavour::SHIPPED.to_vec();
    let mut with_decoders = true;
    let mut effort = Effort::Ship;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--dev" => effort = Effort::Dev,
            "--flavour" => {
                let word = args.next().map_or("nothing", String::as_str);
                with_decoders = matches!(word, "decoders" | "all");
                flavours = if word == "decoders" { Some(Vec::new()) } else { Flavour::named(word) }.ok_or_else(
                    || {
                        format!(
                            "--flavour takes webgpu, webgl, formats, webgpu-reference, webgl-reference, decoders or \
                             all, not {word}"
                        )
                    },
                )?;
            }
            other => return Err(format!("build doesn't know {other}")),
        }
    }
    Ok((flavours, with_decoders, effort))
}

/// Returns the repository's root, found from the manifest folder that cargo sets at run time. The one known at
/// compile time is wrong in a checkout that was moved.
fn repository_root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&xtask).parent().expect("xtask lies in the repository's root").to_path_buf()
}

/// Folders with the sources of the flavours.
const SOURCES: [&str; 5] = ["src", "build", "shaders", "xtask/src/build", "xtask/unpack"];

/// Returns the stamp of everything that a file is made from, with the files of some folders. It is compared before
/// cargo runs, because cargo links again whenever another flavour was built in between.
fn stamp(root: &Path, folders: &[&str], effort: Effort) -> Result<Stamp, String> {
    let mut inputs: Vec<PathBuf> = [
        "Cargo.toml",
        "Cargo.lock",
        ".cargo/config.toml",
        "rust-toolchain.toml",
        "build.rs",
        optimise::MINIFY,
        optimise::SHORTEN,
    ]
    .map(|name| root.join(name))
    .into();
    let mut unread: Vec<PathBuf> = folders.iter().map(|name| root.join(name)).collect();
    while let Some(folder) = unread.pop() {
        let entries =
            fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("cannot read {}: {error}", folder.display()))?.path();
            if path.is_dir() { unread.push(path) } else { inputs.push(path) }
        }
    }
    inputs.sort();
    let mut stamp = Stamp::new().add(compile::compiler_version()?.as_bytes());
    for tool in optimise::tools(root, effort)? {
        stamp = stamp.add(tool.as_bytes());
    }
    for path in inputs {
        let content = fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        stamp = stamp.add(path.as_os_str().as_encoded_bytes()).add(&content);
    }
    Ok(stamp)
}

fn stamp_path(root: &Path, flavour: Flavour) -> PathBuf {
    root.join("target/xtask").join(flavour.name()).join("stamp")
}

fn outputs(root: &Path, flavour: Flavour) -> Vec<PathBuf> {
    let dist_dir = dist_dir(root, flavour);
    file_names(flavour).map(|name| dist_dir.join(name)).collect()
}

/// Returns the names of a flavour's files, the glue first.
fn file_names(flavour: Flavour) -> impl Iterator<Item = &'static str> {
    let parts = late::FILES.into_iter().filter(move |_| flavour.is_split());
    ["gambol.js", "gambol_bg.wasm"].into_iter().chain(parts)
}

/// Returns the folder of a flavour's files. Those that don't ship stay out of the package.
fn dist_dir(root: &Path, flavour: Flavour) -> PathBuf {
    let parent = if flavour.ships() { "dist/wasm" } else { "target/wasm" };
    root.join(parent).join(flavour.name())
}

fn finish(
    root: &Path,
    flavour: Flavour,
    effort: Effort,
    compiled: &Path,
    unpacker: &Unpacker,
    stamp: &Stamp,
    started: Instant,
) -> Result<(), String> {
    let glue_dir = root.join("target/xtask").join(flavour.name());
    let dist_dir = dist_dir(root, flavour);
    let is_optimised = effort == Effort::Ship && flavour.ships();
    let names = write_glue(compiled, &glue_dir, effort, is_optimised)?;
    if let Flavour::WebGpu = flavour {
        calls::add(root, &glue_dir)?;
    }
    if flavour.is_split() {
        match &names {
            Some(names) if is_optimised => late::split_off(compiled, &glue_dir, names)?,
            _ => late::leave_whole(&glue_dir)?,
        }
        let declarations = glue_dir.join("gambol.d.ts");
        write(&declarations, read(&declarations)? + late::DECLARATIONS)?;
    }
    make_dir(&dist_dir)?;
    for name in file_names(flavour) {
        let (from, to) = (glue_dir.join(name), dist_dir.join(name));
        if is_optimised {
            optimise::finish(root, &from, &to)?;
            if name.ends_with(".wasm") {
                unpacker.pack(&to)?;
            }
        } else {
            copy(&from, &to)?;
        }
    }
    stamp.write(&stamp_path(root, flavour))?;
    println!("{}: built in {:.1} s", flavour.name(), started.elapsed().as_secs_f32());
    Ok(())
}

/// Writes the ES module that a browser imports and its wasm file, neither of them optimised yet. Returns their short
/// names, if they have any.
fn write_glue(
    compiled: &Path,
    glue_dir: &Path,
    effort: Effort,
    is_optimised: bool,
) -> Result<Option<ShortNames>, String> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .out_name("gambol")
        // `tests/wasm_exports` compares the declarations with the package's own.
        .typescript(true)
        // After a panic, the page resets and reuses the same module.
        .reset_state_function(true)
        // `www/element` passes the wasm file's address, in a form that bundlers recognise.
        .omit_default_module_path(true)
        .keep_debug(false)
        // `mute.rs` finds functions by their mangled names, which wasm-opt removes.
        .demangle(effort == Effort::Dev)
        .remove_producers_section(true);
    let failed = |error| format!("wasm-bindgen: {error:#}");
    let mut output = bindgen.web(true).and_then(Bindgen::generate_output).map_err(failed)?;
    if effort == Effort::Dev {
        output.emit(glue_dir).map_err(failed)?;
        trim(glue_dir)?;
        return Ok(None);
    }
    let module = output.wasm_mut();
    for section in compile::RELOCATIONS {
        module.customs.remove_raw(section);
    }
    let names = ShortNames::give(
        module.imports.iter_mut().map(|import| &mut import.name),
        module.exports.iter_mut().map(|export| &mut export.name),
    );
    output.emit(glue_dir).map_err(failed)?;
    trim(glue_dir)?;

    let (glue, wasm) = (glue_dir.join("gambol.js"), glue_dir.join("gambol_bg.wasm"));
    let (mut script, mut module) = (names.replace_in(&read(&glue)?)?, read_bytes(&wasm)?);
    if is_optimised {
        (script, module) = same_imports::merge(&script, &module)?;
    }
    write(&glue, script)?;
    let mut module = mute::mute(&module)?;
    blank_data::blank(&mut module)?;
    write(&wasm, module)?;
    // `tests/node/wasm.test.mjs` reads the imports' original names from this file.
    write(&glue_dir.join("names.json"), names.listing().to_string())?;
    Ok(Some(names))
}

/// Trims the glue and its declarations in place.
fn trim(glue_dir: &Path) -> Result<(), String> {
    let (glue, declarations) = (glue_dir.join("gambol.js"), glue_dir.join("gambol.d.ts"));
    write(&glue, trim_glue::trim(&read(&glue)?)?)?;
    write(&declarations, trim_glue::trim_declarations(&read(&declarations)?)?)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, content).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

fn make_dir(dir: &Path) -> Result<(), String> {
    fs::create_dir_all(dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))
}
