//! The command `gambol`: prints the contents of a file, or converts it to .glb.
//!
//! It uses the crate's public interface. Results go to stdout, errors to stderr.
// A wasm build of all targets includes this one, which is empty there.
#![cfg_attr(target_arch = "wasm32", no_main)]
#![cfg(not(target_arch = "wasm32"))]

mod arguments;
mod convert;
mod hierarchy;
mod inspect;
mod load;
mod sibling_files;
mod wording;

use arguments::{Arguments, Task, USAGE};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            print_error(&format!("{problem}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = match &arguments.task {
        Task::Help => write!(out, "{USAGE}").map_err(Failure::from),
        Task::Inspect { file } => inspect::run(file, &arguments, &mut out),
        Task::Convert { file, to } => convert::run(file, to, &arguments, &mut out),
    };
    match outcome.and_then(|()| Ok(out.flush()?)) {
        Ok(()) | Err(Failure::NobodyListens) => ExitCode::SUCCESS,
        Err(Failure::Message(problem)) => {
            print_error(&problem);
            ExitCode::FAILURE
        }
    }
}

/// The reason why the command ends early.
enum Failure {
    Message(String),
    /// The program that reads the output has ended, as in `gambol inspect … | head`.
    NobodyListens,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::NobodyListens,
            _ => Self::Message(format!("cannot write to the standard output: {error}")),
        }
    }
}

/// Prints an error. `eprintln!` would panic if stderr is closed.
fn print_error(problem: &str) {
    drop(writeln!(io::stderr(), "gambol: {}", problem.trim_end()));
}
