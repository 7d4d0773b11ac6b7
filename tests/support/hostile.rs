//! Helpers for tests with malicious files: a limit on memory in proportion to the file's size, and reproducible damage.

use super::allocator::{HELD_BYTES, MOST_BYTES};

/// Reads a file, and asserts that it takes no more memory than its size justifies.
pub fn within_bounds<Outcome>(file: &[u8], read: impl FnOnce(&[u8]) -> Outcome) -> Outcome {
    let before = HELD_BYTES.get();
    MOST_BYTES.set(before);
    let outcome = read(file);
    let most = MOST_BYTES.get() - before;
    // `Budget` allows 64 MiB plus 64 times the file. Vectors grow by doubling, and several exist at once.
    let allowed = 3 * ((64 << 20) + 64 * file.len() as isize);
    assert!(most <= allowed, "{most} bytes for a file of {}", file.len());
    outcome
}

/// An xorshift64* generator, which causes the same damage on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound.max(1)
    }
}
