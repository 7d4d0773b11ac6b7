//! Huffman codes of BasisLZ, which are canonical and stored with the highest bit first.
use super::bits::{BitStream, at};

/// Longest code.
const LONGEST: usize = 16;
/// Number of bits that one step of decoding looks at.
const FAST_BITS: u32 = 10;
/// Order in which the lengths of the codes of lengths are stored.
const LENGTH_ORDER: [u8; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];

/// A table that decodes symbols. The default table has no symbols.
#[derive(Default, Debug)]
pub(super) struct Huffman {
    /// For each value of the next bits, the symbol times 32 plus the length of its code. Zero means a longer code.
    fast: Vec<u32>,
    /// Symbols in the order of their codes.
    sorted: Vec<u16>,
    /// Number of codes of each length.
    counts: [u32; LONGEST + 1],
}

impl Huffman {
    /// Reads a table, which may be empty.
    pub(super) fn read(stream: &mut BitStream) -> Option<Self> {
        let symbol_count = stream.take(14) as usize;
        if symbol_count == 0 {
            return Some(Self::default());
        }
        let mut length_lengths = [0; 21];
        let length_count = stream.take(5) as usize;
        if !(1..=21).contains(&length_count) {
            return None;
        }
        for &symbol in LENGTH_ORDER.get(..length_count)? {
            *length_lengths.get_mut(usize::from(symbol))? = (stream.take(3) & 7) as u8;
        }
        let length_table = Self::new(&length_lengths)?;
        let mut lengths: Vec<u8> = Vec::with_capacity(symbol_count);
        while lengths.len() < symbol_count {
            let (length, repeats) = match length_table.decode(stream)? {
                length @ 0..=16 => ((length & 31) as u8, 1),
                17 => (0, 3 + stream.take(3)),
                18 => (0, 11 + stream.take(7)),
                19 => (*lengths.last()?, 3 + stream.take(2)),
                _ => (*lengths.last()?, 7 + stream.take(7)),
            };
            lengths.resize(lengths.len() + repeats as usize, length);
        }
        if lengths.len() > symbol_count || stream.overrun() {
            return None;
        }
        Self::new(&lengths)
    }

    /// Makes a table from the length of the code of each symbol. The codes must be complete, or only one.
    fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0; LONGEST + 1];
        for &length in lengths {
            *counts.get_mut(usize::from(length))? += 1;
        }
        counts[0] = 0;
        let space: u32 = counts.iter().enumerate().map(|(length, count)| count << (LONGEST - length)).sum();
        if space != 1 << LONGEST && counts.iter().sum::<u32>() != 1 {
            return None;
        }
        let mut next_code = [0_u32; LONGEST + 1];
        let mut next_place = [0_u32; LONGEST + 1];
        let (mut code, mut place) = (0, 0);
        for ((count, next_code), next_place) in counts.iter().zip(&mut next_code).zip(&mut next_place) {
            code <<= 1;
            (*next_code, *next_place) = (code, place);
            (code, place) = (code + count, place + count);
        }
        let mut fast = vec![0; 1 << FAST_BITS];
        let mut sorted = vec![0; place as usize];
        for (symbol, &length) in (0_u16..).zip(lengths) {
            if length == 0 {
                continue;
            }
            let (code, place) =
                (next_code.get_mut(usize::from(length))?, next_place.get_mut(usize::from(length))?);
            *sorted.get_mut(*place as usize)? = symbol;
            let length = u32::from(length);
            if length <= FAST_BITS {
                let first = code.reverse_bits() >> (32 - length);
                for entry in fast.iter_mut().skip(first as usize).step_by(1 << length) {
                    *entry = u32::from(symbol) << 5 | length;
                }
            }
            *code += 1;
            *place += 1;
        }
        Some(Self { fast, sorted, counts })
    }

    /// Decodes a symbol. Returns `None` for a code that isn't in the table.
    pub(super) fn decode(&self, stream: &mut BitStream) -> Option<u32> {
        let bits = stream.peek16();
        let entry = at(&self.fast, (bits & ((1 << FAST_BITS) - 1)) as usize);
        if entry != 0 {
            stream.skip(entry & 31);
            return Some(entry >> 5);
        }
        self.decode_slowly(stream, bits)
    }

    /// Decodes a symbol bit by bit.
    #[inline(never)]
    fn decode_slowly(&self, stream: &mut BitStream, bits: u32) -> Option<u32> {
        let (mut code, mut first, mut place) = (0, 0, 0);
        for (length, count) in (0..).zip(self.counts) {
            if code < first + count {
                stream.skip(length);
                return self.sorted.get((place + code - first) as usize).map(|&symbol| u32::from(symbol));
            }
            place += count;
            first = (first + count) << 1;
            code = code << 1 | bits >> length & 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_codes_agree_with_a_plain_decoder() {
        // A complete code with lengths from 1 to 16.
        let mut lengths: Vec<u8> = (1..=16).collect();
        lengths.push(16);
        let table = Huffman::new(&lengths).unwrap();
        let bytes: Vec<u8> = (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let bytes = [vec![0xff; 40], bytes].concat();
        let mut stream = BitStream::new(&bytes);
        let mut at = 0;
        while at + 16 < bytes.len() * 8 {
            let ones = (0..16).take_while(|i| bytes[(at + i) / 8] >> ((at + i) % 8) & 1 == 1).count();
            at += (ones + 1).min(16);
            assert_eq!(table.decode(&mut stream), Some(ones as u32));
        }
    }

    #[test]
    fn codes_that_are_not_complete_are_refused() {
        assert!(Huffman::new(&[1, 2]).is_none());
        assert!(Huffman::new(&[1, 1, 1]).is_none());
        assert!(Huffman::new(&[0, 0]).is_none());
        assert!(Huffman::new(&[0, 3]).is_some());
    }
}
