//! A stamp beside an output says what it was made from, so that unchanged inputs cost nothing.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// Digests everything an output depends on: content, not times, so a fresh checkout or a touched file is no news.
pub struct Stamp {
    hasher: DefaultHasher,
}

impl Stamp {
    pub fn new() -> Self {
        Self { hasher: DefaultHasher::new() }
    }

    pub fn add(mut self, input: &[u8]) -> Self {
        self.hasher.write_usize(input.len());
        self.hasher.write(input);
        self
    }

    fn digest(&self) -> String {
        format!("{:016x}\n", self.hasher.finish())
    }

    /// Whether `stamp_path` was written for these same inputs and every output is still there.
    pub fn is_current(&self, stamp_path: &Path, outputs: &[PathBuf]) -> bool {
        fs::read_to_string(stamp_path).is_ok_and(|found| found == self.digest())
            && outputs.iter().all(|output| output.exists())
    }

    pub fn write(&self, stamp_path: &Path) -> Result<(), String> {
        fs::write(stamp_path, self.digest())
            .map_err(|error| format!("cannot write {}: {error}", stamp_path.display()))
    }
}
