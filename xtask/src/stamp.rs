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

    /// Writes the stamp, and makes its folder if there is none.
    pub(crate) fn write(&self, stamp_path: &Path) -> Result<(), String> {
        stamp_path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(stamp_path, self.digest()))
            .map_err(|error| format!("cannot write {}: {error}", stamp_path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_current_once_written_into_a_folder_that_was_not_there() {
        let folder = std::env::temp_dir().join(format!("gambol-stamp-{}", std::process::id()));
        let path = folder.join("nested/a.stamp");
        let stamp = Stamp::new().add(b"a");
        assert!(!stamp.is_current(&path, &[]));
        stamp.write(&path).unwrap();
        assert!(stamp.is_current(&path, &[]) && stamp.is_current(&path, std::slice::from_ref(&path)));
        assert!(!Stamp::new().add(b"b").is_current(&path, &[]));
        assert!(!stamp.is_current(&path, &[folder.join("missing")]));
        fs::remove_dir_all(folder).unwrap();
    }
}
