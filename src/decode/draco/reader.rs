//! Readers of bytes and bits.
use super::error::{DracoProblem, Fault, Result, invalid};

/// A reader of consecutive little-endian numbers.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns how many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Takes the next `count` bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(TRUNCATED)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or(TRUNCATED)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT]> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(TRUNCATED)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn i32(&mut self) -> Result<i32> {
        self.array().map(i32::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// Takes a number in groups of seven bits, the lowest first. The high bit of a byte announces another group.
    #[inline(never)]
    pub(super) fn varint(&mut self) -> Result<u32> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(value).map_err(|_| invalid!("a number of more than 32 bits"));
            }
        }
        Err(invalid!("a number of more than 32 bits"))
    }

    /// Takes a number of bytes, and as many bytes.
    pub(super) fn sized(&mut self) -> Result<&'a [u8]> {
        let count = self.varint()?;
        self.bytes(count as usize)
    }
}

const TRUNCATED: &Fault = &Fault { problem: DracoProblem::DracoTruncated, found: "the end of the data" };

/// Bits of a reader's bytes, the lowest bit of a byte first. It takes only the bytes whose bits were taken.
pub(super) struct Bits<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// Bits that were read and not taken, fewer than eight between calls.
    buffer: u64,
    count: u32,
}

impl<'r, 'a> Bits<'r, 'a> {
    pub(super) fn new(reader: &'r mut Reader<'a>) -> Self {
        Self { reader, buffer: 0, count: 0 }
    }

    /// Takes at most 32 bits.
    pub(super) fn take(&mut self, count: u32) -> Result<u32> {
        while self.count < count {
            self.buffer |= u64::from(self.reader.u8()?) << self.count;
            self.count += 8;
        }
        let [low, _] = halves(self.buffer & ((1 << count) - 1));
        self.buffer >>= count;
        self.count -= count;
        Ok(low)
    }
}

/// Returns the lower and the higher 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "the other half is returned too")]
fn halves(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}
