//! The bytes of a block that aren't copied from before.
use super::bits::BackwardBits;
use super::{FseTable, LARGEST_BLOCK, take, take_array};
use crate::decode::ktx2::bits::low_byte;

/// The longest code.
const LONGEST: u32 = 11;

/// Decoder of literals. A block may use the table of the one before it.
#[derive(Default)]
pub(super) struct Literals {
    /// For each value of the next bits, a symbol and the length of its code.
    table: Vec<(u8, u8)>,
    /// Number of bits that the table looks at.
    bits: u32,
    bytes: Vec<u8>,
}

impl Literals {
    /// Reads the literals of a block.
    pub(super) fn read(&mut self, block: &mut &[u8]) -> Option<&[u8]> {
        let first = *block.first()?;
        let (kind, format) = (first & 3, first >> 2 & 3);
        // The numbers of bytes of the header, and of bits of each size.
        let (header_bytes, size_bits) = match (kind, format) {
            (0 | 1, 0 | 2) => (1, 5),
            (0 | 1, 1) => (2, 12),
            (0 | 1, _) => (3, 20),
            (_, 0 | 1) => (3, 10),
            (_, 2) => (4, 14),
            _ => (5, 18),
        };
        let header = take(block, header_bytes)?.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let size_at = |shift: u32| usize::try_from(header >> shift & ((1 << size_bits) - 1)).unwrap_or(0);
        let size = size_at(if size_bits == 5 { 3 } else { 4 });
        if size > LARGEST_BLOCK {
            return None;
        }
        self.bytes.clear();
        match kind {
            0 => self.bytes.extend_from_slice(take(block, size)?),
            1 => {
                let [byte] = *take_array(block)?;
                self.bytes.resize(size, byte);
            }
            _ => {
                let mut streams = take(block, size_at(4 + size_bits))?;
                if kind == 2 {
                    self.read_table(&mut streams)?;
                }
                if format == 0 {
                    self.decode(streams, size)?;
                } else {
                    let [a, b, c, d, e, f] = *take_array(&mut streams)?;
                    let each = size.div_ceil(4);
                    for length in [[a, b], [c, d], [e, f]] {
                        let stream = take(&mut streams, usize::from(u16::from_le_bytes(length)))?;
                        self.decode(stream, each)?;
                    }
                    self.decode(streams, size.checked_sub(3 * each)?)?;
                }
            }
        }
        Some(&self.bytes)
    }

    /// Decodes one stream.
    fn decode(&mut self, stream: &[u8], count: usize) -> Option<()> {
        let mut bits = BackwardBits::new(stream)?;
        for _ in 0..count {
            let &(symbol, length) = self.table.get(bits.peek(self.bits) as usize)?;
            bits.skip(u32::from(length));
            self.bytes.push(symbol);
        }
        bits.is_at_end().then_some(())
    }

    /// Reads the weights of symbols, from which the lengths of their codes follow.
    fn read_table(&mut self, input: &mut &[u8]) -> Option<()> {
        let [header] = *take_array(input)?;
        let mut weights = Vec::new();
        if header < 128 {
            let bytes = take(input, usize::from(header))?;
            let (table, used) = FseTable::read(bytes, 6)?;
            let mut bits = BackwardBits::new(bytes.get(used..)?)?;
            let (mut state, mut other) = (table.start(&mut bits), table.start(&mut bits));
            // Two states take turns. After the last bits, the other one has a symbol left.
            while weights.len() < 255 {
                weights.push(table.symbol(state));
                state = table.follow(state, &mut bits);
                if bits.overrun() {
                    weights.push(table.symbol(other));
                    break;
                }
                std::mem::swap(&mut state, &mut other);
            }
        } else {
            let count = usize::from(header) - 127;
            for &byte in take(input, count.div_ceil(2))? {
                weights.extend([byte >> 4, byte & 15]);
            }
            weights.truncate(count);
        }
        let share = |weight: u8| if weight == 0 { 0 } else { 1_u32 << (weight - 1) };
        if weights.len() > 255 || weights.iter().any(|&weight| u32::from(weight) > LONGEST) {
            return None;
        }
        let sum: u32 = weights.iter().map(|&weight| share(weight)).sum();
        // The last weight isn't stored: it completes a power of two.
        let bits = sum.checked_ilog2()? + 1;
        let rest = (1 << bits) - sum;
        if bits > LONGEST || !rest.is_power_of_two() {
            return None;
        }
        weights.push(low_byte(rest.ilog2() + 1));
        self.bits = bits;
        self.table.clear();
        for weight in 1..=low_byte(bits) {
            for (symbol, _) in (0..=255).zip(&weights).filter(|(_, other)| **other == weight) {
                let length = low_byte(bits + 1) - weight;
                self.table.resize(self.table.len() + share(weight) as usize, (symbol, length));
            }
        }
        Some(())
    }
}
