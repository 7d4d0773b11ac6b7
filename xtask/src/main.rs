//! Development tasks of this repository, run as `cargo xtask <task>`.

mod build;
mod character;
mod stamp;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  build [--flavour webgpu|webgl|webgl-reference|formats|decoders|all] [--dev]
        compile the crate to dist/wasm/<flavour>/, the decoders to dist/wasm/decoders/; --dev builds fast and large
  character [--outfit|--prop] OUT.glb
        write the character that the viewer opens with, a raincoat for it to wear, or a pinwheel to hold
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.first().map(String::as_str) {
        Some("build") => build::run(&args[1..]),
        Some("character") => character::run(&args[1..]),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
