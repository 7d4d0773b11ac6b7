//! The sequences of a block: how many literals follow, and which bytes from before are copied after them.
use super::bits::BackwardBits;
use super::{FseTable, take, take_array};

/// The base value and the number of further bits for each code of a number of literals.
const LITERAL_LENGTHS: [(u32, u8); 36] = codes(
    0,
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16,
    ],
);
/// The same for the length of a copy.
const MATCH_LENGTHS: [(u32, u8); 53] = codes(
    3,
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ],
);
/// The largest code of a distance: 2 GiB.
const LARGEST_DISTANCE: u8 = 31;

/// The default tables: how many of their states each code has.
const LITERAL_COUNTS: [i32; 36] = [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
    -1, -1,
];
const MATCH_COUNTS: [i32; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];
const DISTANCE_COUNTS: [i32; 29] =
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1];

/// Decoder of sequences. A block may use tables and distances of the ones before it.
pub(super) struct Sequences {
    literals: FseTable,
    distances: FseTable,
    matches: FseTable,
    recent: [u32; 3],
}

impl Default for Sequences {
    fn default() -> Self {
        let [literals, distances, matches] = <[FseTable; 3]>::default();
        Self { literals, distances, matches, recent: [1, 4, 8] }
    }
}

impl Sequences {
    /// Appends what a block stands for. The frame begins at `start` of the output and may extend to `end`.
    pub(super) fn write(
        &mut self,
        mut block: &[u8],
        mut literals: &[u8],
        start: usize,
        end: usize,
        output: &mut Vec<u8>,
    ) -> Option<()> {
        let count = read_count(&mut block)?;
        if count > 0 {
            let [modes] = *take_array(&mut block)?;
            read_table(&mut self.literals, modes >> 6, &mut block, &LITERAL_COUNTS, 6, 9)?;
            read_table(&mut self.distances, modes >> 4, &mut block, &DISTANCE_COUNTS, 5, 8)?;
            read_table(&mut self.matches, modes >> 2, &mut block, &MATCH_COUNTS, 6, 9)?;
            let mut bits = BackwardBits::new(block)?;
            let mut literal_state = self.literals.start(&mut bits);
            let mut distance_state = self.distances.start(&mut bits);
            let mut match_state = self.matches.start(&mut bits);
            for index in 0..count {
                let code = self.distances.symbol(distance_state);
                if code > LARGEST_DISTANCE {
                    return None;
                }
                let distance = (1 << code) + bits.take(u32::from(code));
                let match_length = length(&MATCH_LENGTHS, self.matches.symbol(match_state), &mut bits)?;
                let literal_length =
                    length(&LITERAL_LENGTHS, self.literals.symbol(literal_state), &mut bits)?;
                if index + 1 < count {
                    literal_state = self.literals.follow(literal_state, &mut bits);
                    match_state = self.matches.follow(match_state, &mut bits);
                    distance_state = self.distances.follow(distance_state, &mut bits);
                }
                let distance = self.distance(distance, literal_length == 0)? as usize;
                let bytes = take(&mut literals, literal_length)?;
                if bits.overrun() || output.len() + bytes.len() + match_length > end {
                    return None;
                }
                output.extend_from_slice(bytes);
                copy(output, start, distance, match_length)?;
            }
            if !bits.is_at_end() {
                return None;
            }
        }
        if output.len() + literals.len() > end {
            return None;
        }
        output.extend_from_slice(literals);
        Some(())
    }

    /// Returns the distance of a copy. The lowest values stand for recent distances.
    fn distance(&mut self, value: u32, has_no_literals: bool) -> Option<u32> {
        let [first, second, third] = self.recent;
        let (distance, others) = match value + u32::from(has_no_literals && value <= 3) {
            1 => (first, [second, third]),
            2 => (second, [first, third]),
            3 => (third, [first, second]),
            4 if value <= 3 => (first.checked_sub(1)?, [first, second]),
            _ => (value - 3, [first, second]),
        };
        let [second, third] = others;
        self.recent = [distance, second, third];
        (distance > 0).then_some(distance)
    }
}

/// Reads the number of sequences.
fn read_count(block: &mut &[u8]) -> Option<u32> {
    let [first] = *take_array(block)?;
    let first = u32::from(first);
    let mut more = || take_array(block).map(|&[byte]| u32::from(byte));
    match first {
        0..128 => Some(first),
        128..255 => Some((first - 128) << 8 | more()?),
        _ => Some(more()? + (more()? << 8) + 0x7f00),
    }
}

fn read_table(
    table: &mut FseTable,
    mode: u8,
    block: &mut &[u8],
    default: &[i32],
    default_log: u32,
    largest_log: u32,
) -> Option<()> {
    match mode & 3 {
        0 => *table = FseTable::new(default, default_log)?,
        1 => {
            let [symbol] = *take_array(block)?;
            *table = FseTable::single(symbol);
        }
        2 => {
            let (read, used) = FseTable::read(block, largest_log)?;
            take(block, used)?;
            *table = read;
        }
        _ if table.is_empty() => return None,
        _ => {}
    }
    Some(())
}

/// Reads a length of which the code is known.
fn length(codes: &[(u32, u8)], code: u8, bits: &mut BackwardBits) -> Option<usize> {
    let &(base, more) = codes.get(usize::from(code))?;
    Some((base + bits.take(u32::from(more))) as usize)
}

/// Appends bytes from `distance` before the end of the output, which may be those that are being appended.
fn copy(output: &mut Vec<u8>, start: usize, distance: usize, mut length: usize) -> Option<()> {
    let from = output.len().checked_sub(distance).filter(|&from| from >= start)?;
    while length > 0 {
        // The copied bytes repeat, so that each step can copy twice as many.
        let step = length.min(output.len() - from);
        output.extend_from_within(from..from + step);
        length -= step;
    }
    Some(())
}

/// Makes a table of codes from the number of further bits of each one.
#[allow(clippy::indexing_slicing, reason = "checked when it is compiled")]
const fn codes<const N: usize>(first: u32, bits: [u8; N]) -> [(u32, u8); N] {
    let mut table = [(0, 0); N];
    let (mut base, mut code) = (first, 0);
    while code < N {
        table[code] = (base, bits[code]);
        base += 1 << bits[code];
        code += 1;
    }
    table
}
