//! Readers and a writer of bits, the lowest bit of a byte first.

/// Returns an element of a table, or zero outside of it.
#[inline(always)]
pub(super) fn at<T: Copy + Default>(table: &[T], index: usize) -> T {
    table.get(index).copied().unwrap_or_default()
}

/// Returns the lowest byte of a number.
#[inline(always)]
pub(super) fn low_byte(number: u32) -> u8 {
    (number & 0xff) as u8
}

/// Reads the 128 bits of a block.
#[derive(Clone, Copy)]
pub(super) struct BlockReader {
    low: u64,
    high: u64,
}

impl BlockReader {
    pub(super) fn new(block: &[u8; 16]) -> Self {
        let all = u128::from_le_bytes(*block);
        #[allow(clippy::cast_possible_truncation, reason = "the halves of the number")]
        Self { low: all as u64, high: (all >> 64) as u64 }
    }

    /// Returns the next bits, at most 31, without taking them.
    pub(super) fn peek(&self, count: u32) -> u32 {
        let mask = (1 << (count & 31)) - 1;
        (self.low & 0x7fff_ffff) as u32 & mask
    }

    /// Takes the next bits, at most 31. Zeros follow the last bit.
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let bits = self.peek(count);
        self.low = self.low >> (count & 31) | (self.high << 1) << (63 - (count & 31));
        self.high >>= count & 31;
        bits
    }
}

/// Writes the 128 bits of a block.
#[derive(Default)]
pub(super) struct BlockWriter {
    low: u64,
    high: u64,
    at: u32,
}

impl BlockWriter {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Appends the `count` lowest bits of a number.
    pub(super) fn put(&mut self, number: u32, count: u32) {
        self.put_at(self.at, number, count);
        self.at += count;
    }

    /// Writes the `count` lowest bits of a number at a position where only zeros are.
    pub(super) fn put_at(&mut self, at: u32, number: u32, count: u32) {
        let bits = u64::from(number) & ((1 << (count & 63)) - 1);
        if at < 64 {
            self.low |= bits << at;
            self.high |= (bits >> 1) >> (63 - at);
        } else {
            self.high |= bits << (at & 63);
        }
    }

    pub(super) fn finish(self) -> [u8; 16] {
        (u128::from(self.high) << 64 | u128::from(self.low)).to_le_bytes()
    }
}

/// Reads bits from a slice. Zeros follow its end, and [`overrun`](Self::overrun) tells that they were read.
pub(super) struct BitStream<'a> {
    bytes: &'a [u8],
    buffer: u64,
    filled: u32,
    /// Number of bits in the buffer that aren't from the slice.
    made_up: u32,
}

impl<'a> BitStream<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, buffer: 0, filled: 0, made_up: 0 }
    }

    /// Returns the next 16 bits without taking them.
    pub(super) fn peek16(&mut self) -> u32 {
        if self.filled < 16 {
            self.fill();
        }
        (self.buffer & 0xffff) as u32
    }

    /// Drops bits that were peeked at.
    pub(super) fn skip(&mut self, count: u32) {
        self.buffer >>= count & 31;
        self.filled = self.filled.saturating_sub(count);
    }

    /// Takes the next bits, at most 16.
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let bits = self.peek16() & ((1 << (count & 31)) - 1);
        self.skip(count);
        bits
    }

    /// Takes a number in groups of `bits` bits, the lowest first. A bit after each group tells whether more follow.
    pub(super) fn take_groups(&mut self, bits: u32) -> u32 {
        let (mut number, mut shift) = (0, 0);
        while shift < 32 {
            let group = self.take(bits + 1);
            number |= (group & ((1 << bits) - 1)) << shift;
            shift += bits;
            if group >> bits == 0 {
                break;
            }
        }
        number
    }

    /// Returns whether bits were taken that the slice doesn't have.
    pub(super) fn overrun(&self) -> bool {
        self.made_up > self.filled
    }

    fn fill(&mut self) {
        while self.filled <= 48 {
            match self.bytes.split_first() {
                Some((&byte, rest)) => {
                    self.buffer |= u64::from(byte) << self.filled;
                    self.bytes = rest;
                }
                None => self.made_up = self.made_up.saturating_add(8),
            }
            self.filled += 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_was_written_is_read_back() {
        let mut writer = BlockWriter::new();
        let parts = [(5, 3), (0x1ff, 9), (0, 1), (0x12345, 20), (0x7fff_fffe, 31), (3, 2), (0x5555_5555, 31)];
        parts.iter().for_each(|&(number, count)| writer.put(number, count));
        writer.put_at(127, 1, 1);
        let mut reader = BlockReader::new(&writer.finish());
        for (number, count) in parts {
            assert_eq!(reader.take(count), number);
        }
        assert_eq!((reader.take(30), reader.take(1), reader.take(5)), (1 << 30 & 0x3fff_ffff, 1, 0));
    }

    #[test]
    fn a_stream_reports_bits_past_its_end() {
        let mut stream = BitStream::new(&[0b1010_0101, 1]);
        assert_eq!((stream.take(4), stream.take(8), stream.take(4)), (5, 0x1a, 0));
        assert!(!stream.overrun());
        assert_eq!(stream.take(1), 0);
        assert!(stream.overrun());
    }
}
