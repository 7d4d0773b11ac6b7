//! Entropy coding with rANS (asymmetric numeral systems): single bits, and symbols of a larger alphabet.
//!
//! The state of a decoder is a number. Its low part selects the next symbol, and bytes from the end of the data refill
//! it when it becomes small. Data that ends too early yields some symbols, so that decoding can't fail in between.
use super::error::{Result, invalid};
use super::memory::Memory;
use super::reader::{Bits, Reader};

/// A sequence of bits with one fixed probability.
pub(super) struct RansBits<'a> {
    bytes: &'a [u8],
    state: u32,
    /// Probability of a one, times 256. It is zero if there are zeros only.
    one: u32,
}

impl<'a> RansBits<'a> {
    const SMALLEST: u32 = 4096;

    pub(super) fn start(reader: &mut Reader<'a>) -> Result<Self> {
        let zero = reader.u8()?;
        let (bytes, state) = start(reader.sized()?, Self::SMALLEST)?;
        Ok(Self { bytes, state, one: u32::from(zero.wrapping_neg()) })
    }

    pub(super) fn next(&mut self) -> bool {
        if self.state < Self::SMALLEST {
            refill(&mut self.bytes, &mut self.state);
        }
        let (high, low) = (self.state >> 8, self.state & 255);
        let is_one = low < self.one;
        self.state = if is_one { high * self.one + low } else { self.state - high * self.one - self.one };
        is_one
    }
}

/// Decodes `count` numbers, a multiple of `components`.
pub(super) fn symbols(
    reader: &mut Reader,
    memory: &mut Memory,
    count: usize,
    components: usize,
) -> Result<Vec<i32>> {
    let mut values = memory.empty(count)?;
    if count == 0 {
        return Ok(values);
    }
    match reader.u8()? {
        // The numbers of bits are coded, and the bits follow as they are.
        0 => {
            let mut lengths = RansSymbols::start(reader, 5)?;
            let mut bits = Bits::new(reader);
            while values.len() < count {
                let length = lengths.next();
                if length > 32 {
                    return Err(invalid!("a value of more than 32 bits"));
                }
                for _ in 0..components {
                    values.push(bits.take(length)?.cast_signed());
                }
            }
        }
        // The numbers are coded.
        1 => {
            let bits = reader.u8()?;
            if !(1..=18).contains(&bits) {
                return Err(invalid!("an alphabet of more than 18 bits"));
            }
            let mut symbols = RansSymbols::start(reader, u32::from(bits))?;
            values.extend((0..count).map(|_| symbols.next().cast_signed()));
        }
        _ => return Err(invalid!("an unknown coding of symbols")),
    }
    Ok(values)
}

/// A sequence of symbols whose probabilities come first.
struct RansSymbols<'a> {
    bytes: &'a [u8],
    state: u32,
    /// Number of bits of the state that select a symbol.
    precision: u32,
    /// Number of low bits of those that `first` ignores.
    shift: u32,
    /// Symbols with a probability. The last is a sentinel, which only marks the end.
    ranges: Vec<Range>,
    /// For each range of selectors, the index of the first symbol in it.
    first: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Range {
    symbol: u32,
    /// First selector of the symbol. Its probability is the distance to the next.
    start: u32,
}

/// Binary logarithm of the number of ranges of selectors. Within a range, symbols are searched for. A larger table
/// takes longer to fill than it saves in meshes of some thousand vertices.
const FIRST_BITS: u32 = 10;

impl<'a> RansSymbols<'a> {
    fn start(reader: &mut Reader<'a>, symbol_bits: u32) -> Result<Self> {
        let precision = (symbol_bits * 3 / 2).clamp(12, 20);
        let ranges = ranges(reader, 1 << precision)?;
        let shift = precision.saturating_sub(FIRST_BITS);
        let mut first = vec![0; 1 << (precision - shift)];
        // The pairs of neighbours start in order, so that the last symbol that starts before a selector stays.
        let mut index = 0;
        for (selector, first) in (0..).zip(&mut first) {
            while ranges.get(index as usize + 1).is_some_and(|next| next.start <= selector << shift) {
                index += 1;
            }
            *first = index;
        }
        let (bytes, state) = start(reader.sized()?, 4 << precision)?;
        Ok(Self { bytes, state, precision, shift, ranges, first })
    }

    fn next(&mut self) -> u32 {
        while self.state < 4 << self.precision && refill(&mut self.bytes, &mut self.state) {}
        let selector = self.state & ((1 << self.precision) - 1);
        let first = self.first.get((selector >> self.shift) as usize).copied().unwrap_or_default();
        let mut ranges = self.ranges.get(first as usize..).unwrap_or_default();
        while let [range, rest @ ..] = ranges
            && let [next, ..] = rest
        {
            if next.start > selector {
                let high = self.state >> self.precision;
                self.state = high * (next.start - range.start) + selector - range.start;
                return range.symbol;
            }
            ranges = rest;
        }
        0
    }
}

/// Reads the probabilities, whose sum must be `total`. A byte takes the place of up to 64 symbols without one.
fn ranges(reader: &mut Reader, total: u32) -> Result<Vec<Range>> {
    let symbol_count = reader.varint()?;
    let mut ranges = Vec::new();
    let (mut symbol, mut start) = (0_u32, 0_u32);
    while symbol < symbol_count {
        let byte = u32::from(reader.u8()?);
        let (kind, mut probability) = (byte & 3, byte >> 2);
        if kind == 3 {
            symbol = symbol.saturating_add(probability + 1);
            continue;
        }
        for extra in 0..kind {
            probability |= u32::from(reader.u8()?) << (8 * extra + 6);
        }
        if probability > 0 {
            ranges.push(Range { symbol, start });
        }
        start += probability;
        if start > total {
            break;
        }
        symbol += 1;
    }
    if start != total || symbol > symbol_count {
        return Err(invalid!("probabilities with another sum than 1"));
    }
    ranges.push(Range { symbol, start });
    Ok(ranges)
}

/// Returns the first state, which is stored at the end of the bytes, and the bytes before it.
fn start(bytes: &[u8], smallest: u32) -> Result<(&[u8], u32)> {
    let mut rest = bytes;
    let mut state = 0;
    refill(&mut rest, &mut state);
    let more = state >> 6;
    state &= 63;
    for _ in 0..more {
        refill(&mut rest, &mut state);
    }
    state += smallest;
    if bytes.len() <= more as usize || state >= smallest << 8 {
        return Err(invalid!("an impossible state of the entropy coder"));
    }
    Ok((rest, state))
}

/// Moves the last byte to the state. Returns whether there was one.
fn refill(bytes: &mut &[u8], state: &mut u32) -> bool {
    let Some((last, rest)) = bytes.split_last() else { return false };
    *bytes = rest;
    *state = *state << 8 | u32::from(*last);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appends a number in groups of seven bits.
    fn push_varint(bytes: &mut Vec<u8>, mut number: usize) {
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
    }

    /// Appends the state of an encoder to its bytes, and returns them behind their number.
    fn finished(mut bytes: Vec<u8>, state: u32) -> Vec<u8> {
        let size = [1 << 6, 1 << 14, 1 << 22, 1 << 30].iter().position(|limit| state < *limit).unwrap();
        let state = state | (size as u32) << (8 * size + 6);
        bytes.extend(&state.to_le_bytes()[..=size]);
        let mut sized = Vec::new();
        push_varint(&mut sized, bytes.len());
        sized.extend(bytes);
        sized
    }

    /// Encodes symbols in the straightforward way: the inverse of decoding, from the last to the first.
    fn encoded(symbols: &[usize], probabilities: &[u32], symbol_bits: u32) -> Vec<u8> {
        let precision = (symbol_bits * 3 / 2).clamp(12, 20);
        let smallest = 4 << precision;
        let (mut bytes, mut state) = (Vec::new(), smallest);
        for &symbol in symbols.iter().rev() {
            let probability = probabilities[symbol];
            while state >= (smallest >> precision << 8) * probability {
                bytes.push(state as u8);
                state >>= 8;
            }
            let start: u32 = probabilities[..symbol].iter().sum();
            state = ((state / probability) << precision) + state % probability + start;
        }
        let mut coded = vec![1, symbol_bits as u8];
        push_varint(&mut coded, probabilities.len());
        for probability in probabilities {
            let extra = [1 << 6, 1 << 14, 1 << 22].iter().position(|limit| probability < limit).unwrap();
            coded.extend(&(probability << 2 | extra as u32).to_le_bytes()[..=extra]);
        }
        coded.extend(finished(bytes, state - smallest));
        coded
    }

    /// Returns numbers that look random.
    fn noise() -> impl FnMut(u32) -> u32 {
        let mut state = 1_u32;
        move |bound| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % bound
        }
    }

    #[test]
    fn symbols_of_every_precision_are_decoded() {
        let mut noise = noise();
        for symbol_bits in 1..=18 {
            let total = 1 << (symbol_bits * 3 / 2).clamp(12, 20);
            let alphabet = 1 << symbol_bits.min(11);
            // Most symbols have the least probability, some have none, and the first has the rest.
            let mut probabilities: Vec<_> = (0..alphabet).map(|_| noise(3).min(1)).collect();
            probabilities[0] = 0;
            probabilities[0] = total - probabilities.iter().sum::<u32>();
            let used: Vec<_> = (0..alphabet as usize).filter(|symbol| probabilities[*symbol] > 0).collect();
            let symbols: Vec<_> = (0..999).map(|_| used[noise(used.len() as u32) as usize]).collect();
            let bytes = encoded(&symbols, &probabilities, symbol_bits);
            let mut reader = Reader::new(&bytes);
            let decoded = super::symbols(&mut reader, &mut Memory::new(1 << 20), symbols.len(), 1).unwrap();
            assert!(decoded.iter().zip(&symbols).all(|(decoded, symbol)| *decoded as usize == *symbol));
            assert_eq!((decoded.len(), reader.left()), (symbols.len(), 0));
        }
    }

    #[test]
    fn bits_of_every_probability_are_decoded() {
        let mut noise = noise();
        for zero in 1..=255_u32 {
            let bits: Vec<_> = (0..200).map(|_| noise(256) >= zero).collect();
            let (mut bytes, mut state) = (Vec::new(), 4096);
            for &bit in bits.iter().rev() {
                let one = 256 - zero;
                let probability = if bit { one } else { zero };
                if state >= probability << 12 {
                    bytes.push(state as u8);
                    state >>= 8;
                }
                state = ((state / probability) << 8) + state % probability + if bit { 0 } else { one };
            }
            let mut coded = vec![zero as u8];
            coded.extend(finished(bytes, state - 4096));
            let mut decoder = RansBits::start(&mut Reader::new(&coded)).unwrap();
            assert!(bits.iter().all(|bit| decoder.next() == *bit), "{zero}");
        }
    }

    #[test]
    fn impossible_probabilities_are_refused() {
        // No symbols, too small and too large a sum, and a run of zeros beyond the alphabet.
        for bytes in [&[0][..], &[1, 4], &[2, 1, 64, 1, 64], &[1, 255], &[1, 0x81]] {
            assert!(ranges(&mut Reader::new(bytes), 4096).is_err(), "{bytes:?}");
        }
        assert_eq!(ranges(&mut Reader::new(&[1, 1, 64]), 4096).unwrap().len(), 2);
    }
}
