//! How much memory a file may fill.
//!
//! Accessors without data, vertices shared by many primitives, targets that only one primitive has: glTF can say much
//! in few bytes. All that grows faster than the file is counted here before it is allocated.
use crate::import::{ImportError, ImportProblem};
use std::cell::Cell;

pub(super) struct Budget {
    left: Cell<u64>,
}

impl Budget {
    // A real file decodes to a few times its size: bytes widen to singles, and primitives may share vertices.
    const PER_BYTE: u64 = 64;
    // Small files too may hold zeros that take no room in them.
    const BASE: u64 = 64 << 20;

    pub(super) fn of_file(byte_count: usize) -> Self {
        let scaled = Self::PER_BYTE.saturating_mul(byte_count as u64);
        // Half an address space at most: no allocation can be larger, and in wasm that is 2 GiB.
        let addressable = usize::MAX as u64 / 2;
        Self { left: Cell::new(Self::BASE.saturating_add(scaled).min(addressable)) }
    }

    /// Counts `count` things that are about to be made.
    ///
    /// # Errors
    /// When they are too many.
    pub(super) fn charge(
        &self,
        count: u64,
        bytes_each: usize,
        place: impl FnOnce() -> String,
    ) -> Result<(), ImportError> {
        let bytes = count.saturating_mul(bytes_each as u64);
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(ImportProblem::ModelTooLarge.at(place(), format!("{bytes} bytes more"))),
        }
    }
}
