//! Models that other projects made, from `GAMBOL_MODELS` or from `../shared/models`.
//!
//! A test that finds none is skipped. `REQUIRE_MODELS=1` makes it fail instead. Both are reported even where the output
//! of tests is captured.

use std::env;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// Extensions of the files that are imported.
pub const MODEL_EXTENSIONS: [&str; 6] = ["gltf", "glb", "vrm", "x", "dae", "iqm"];

/// Returns the folder of all models.
pub fn models() -> Option<PathBuf> {
    let folder = folder();
    if folder.is_dir() { Some(folder) } else { skipped(&folder) }
}

/// Returns the path of one model or one folder of models.
pub fn model(name: &str) -> Option<PathBuf> {
    let path = folder().join(name);
    if path.exists() { Some(path) } else { skipped(&path) }
}

/// Returns every file below `folder` that has one of the extensions, ordered by path.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if path.is_dir() {
                waiting.push(path);
            } else if extensions.contains(&extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reports how many models the current test has tested. Fails for none.
pub fn saw(count: usize) {
    assert!(count > 0, "no model was tested");
    report(&format!("MODELS {}: {count}", test_name()));
}

fn folder() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    env::var_os("GAMBOL_MODELS").map_or(beside, PathBuf::from)
}

fn skipped<T>(path: &Path) -> Option<T> {
    let is_required = env::var("REQUIRE_MODELS").is_ok_and(|value| value == "1");
    assert!(!is_required, "REQUIRE_MODELS is set, and there is no {}", path.display());
    report(&format!("SKIPPED {}: there is no {}", test_name(), path.display()));
    None
}

fn test_name() -> String {
    std::thread::current().name().unwrap_or("a test").to_owned()
}

/// `println!` would be captured.
fn report(line: &str) {
    writeln!(stderr(), "{line}").expect("stderr is open");
}
