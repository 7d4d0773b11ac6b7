//! Stamp files, which record the inputs of an output so that a build with unchanged inputs is skipped.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// A hash of everything that an output depends on. It covers content and not modification times, so a fresh
/// checkout or a touched file doesn't cause a rebuild.
pub(crate) struct Stamp {
    hasher: DefaultHasher,
}

impl Stamp {
    pub(crate) fn new() -> Self {
        Self { hasher: DefaultHasher::new() }
    }

    pub(crate) fn add(mut self, input: &[u8]) -> Self {
        self.hasher.write_usize(input.len());
        self.hasher.write(input);
        self
    }

    fn digest(&self) -> String {
        format!("{:016x}\n", self.hasher.finish())
    }

    /// Returns whether the file at `stamp_path` holds the hash of these inputs and every output exists.
    pub(crate) fn is_current(&self, stamp_path: &Path, outputs: &[PathBuf]) -> bool {
        fs::read_to_string(stamp_path).is_ok_and(|found| found == self.digest())
            && outputs.iter().all(|output| output.exists())
    }

    pub(crate) fn write(&self, stamp_path: &Path) -> Result<(), String> {
        fs::write(stamp_path, self.digest())
            .map_err(|error| format!("cannot write {}: {error}", stamp_path.display()))
    }
}
