//! Reader of bits from the end of a slice to its beginning.

/// The highest bit of the last byte marks the end of the bits, which come before it.
pub(super) struct BackwardBits<'a> {
    bytes: &'a [u8],
    left: usize,
    /// Number of bits that were taken though there weren't any.
    missing: usize,
}

impl<'a> BackwardBits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let padding = bytes.last().filter(|&&last| last != 0)?.leading_zeros() as usize + 1;
        Some(Self { bytes, left: bytes.len() * 8 - padding, missing: 0 })
    }

    /// Takes the next bits, at most 32. Zeros follow the last one.
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let bits = self.peek(count);
        self.skip(count);
        bits
    }

    /// Returns the next bits, at most 32, without taking them.
    pub(super) fn peek(&self, count: u32) -> u32 {
        let count = count & 63;
        let lacking = u32::try_from((count as usize).saturating_sub(self.left)).unwrap_or(0);
        let start = self.left.saturating_sub(count as usize);
        let word = self.word(start / 8) >> (start % 8);
        let bits = word << lacking & ((1 << count) - 1);
        (bits & 0xffff_ffff) as u32
    }

    pub(super) fn skip(&mut self, count: u32) {
        let count = count as usize;
        self.missing += count.saturating_sub(self.left);
        self.left = self.left.saturating_sub(count);
    }

    /// Returns whether all bits were taken, and not more.
    pub(super) fn is_at_end(&self) -> bool {
        self.left == 0 && self.missing == 0
    }

    /// Returns whether bits were taken that there weren't.
    pub(super) fn overrun(&self) -> bool {
        self.missing > 0
    }

    /// Returns eight bytes from an offset. Zeros follow the last one.
    fn word(&self, at: usize) -> u64 {
        let rest = self.bytes.get(at..).unwrap_or_default();
        match rest.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        }
    }
}
