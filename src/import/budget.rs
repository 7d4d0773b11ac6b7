//! Limit on the memory that a file may fill.
//!
//! A few bytes of glTF can describe a lot: accessors without data, vertices shared by many primitives, morph targets
//! of one primitive only. Everything that can grow faster than the file is counted here before it is allocated.
use crate::import::{ImportError, ImportProblem};
use std::cell::Cell;

pub(super) struct Budget {
    left: Cell<u64>,
}

impl Budget {
    // Real files decode to a few times their size: bytes widen to singles, and primitives may share vertices.
    const PER_BYTE: u64 = 64;
    // Small files, too, may contain zeros that take no space in them.
    const BASE: u64 = 64 << 20;

    pub(super) fn of_file(byte_count: usize) -> Self {
        let scaled = Self::PER_BYTE.saturating_mul(byte_count as u64);
        // An allocation can't exceed half the address space, which is 2 GiB in wasm.
        let addressable = usize::MAX as u64 / 2;
        Self { left: Cell::new(Self::BASE.saturating_add(scaled).min(addressable)) }
    }

    /// Counts `count` elements that are about to be allocated.
    ///
    /// # Errors
    /// If they exceed what is left.
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
