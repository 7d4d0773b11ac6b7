//! The memory that one call of [`decode`](super::decode) may fill.
use super::error::{DracoProblem, Fault, Result};

/// A number of bytes from which every allocation is subtracted before it happens. Nothing is given back, so the number
/// limits time too: no loop is longer than a multiple of the memory that it was granted.
pub(super) struct Memory {
    left: usize,
}

impl Memory {
    pub(super) fn new(bytes: usize) -> Self {
        Self { left: bytes }
    }

    /// Subtracts the size of `count` elements, which the caller will allocate.
    ///
    /// # Errors
    /// If less is left.
    pub(super) fn charge<T>(&mut self, count: usize) -> Result<()> {
        self.charge_bytes(count, size_of::<T>())
    }

    #[inline(never)]
    fn charge_bytes(&mut self, count: usize, size: usize) -> Result<()> {
        let left = count.checked_mul(size).and_then(|bytes| self.left.checked_sub(bytes));
        self.left = left.ok_or(TOO_LARGE)?;
        Ok(())
    }

    /// Allocates an empty vector.
    ///
    /// # Errors
    /// If there isn't as much memory.
    pub(super) fn empty<T>(&mut self, capacity: usize) -> Result<Vec<T>> {
        self.charge::<T>(capacity)?;
        let mut elements = Vec::new();
        elements.try_reserve_exact(capacity).map_err(|_| TOO_LARGE)?;
        Ok(elements)
    }

    /// Allocates a vector of equal elements.
    ///
    /// # Errors
    /// If there isn't as much memory.
    pub(super) fn filled<T: Copy>(&mut self, element: T, count: usize) -> Result<Vec<T>> {
        let mut elements = self.empty(count)?;
        elements.resize(count, element);
        Ok(elements)
    }
}

const TOO_LARGE: &Fault = &Fault { problem: DracoProblem::DracoTooLarge, found: "too many elements" };
