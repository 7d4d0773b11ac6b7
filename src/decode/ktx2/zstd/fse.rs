//! Tables of finite state entropy.
use super::bits::BackwardBits;
use crate::decode::ktx2::bits::{BitStream, at, low_byte};

/// More symbols than any table has.
const MOST_SYMBOLS: usize = 64;

/// What a state stands for, and which states can follow.
#[derive(Clone, Copy, Default)]
struct State {
    symbol: u8,
    /// Number of bits that are added to `next`.
    bits: u8,
    next: u16,
}

#[derive(Clone, Default)]
pub(super) struct FseTable {
    states: Vec<State>,
    log: u32,
}

impl FseTable {
    /// Reads the probabilities of symbols. Returns the table and how many bytes they take.
    pub(super) fn read(bytes: &[u8], largest_log: u32) -> Option<(Self, usize)> {
        let mut stream = BitStream::new(bytes);
        let log = 5 + stream.take(4);
        if log > largest_log {
            return None;
        }
        let mut used = 4;
        let mut counts = Vec::new();
        let mut left = 1_u32 << log;
        while left > 0 {
            // A number up to `left + 1`, of which the lowest ones take a bit less.
            let bits = 32 - (left + 1).leading_zeros();
            let short = (1 << bits) - 2 - left;
            let peeked = stream.peek16();
            let lower = peeked & ((1 << (bits - 1)) - 1);
            let (number, taken) = if lower < short {
                (lower, bits - 1)
            } else {
                let number = peeked & ((1 << bits) - 1);
                (if number >= 1 << (bits - 1) { number - short } else { number }, bits)
            };
            stream.skip(taken);
            used += taken;
            let count = i32::try_from(number).unwrap_or(0) - 1;
            left = left.checked_sub(count.unsigned_abs())?;
            counts.push(count);
            while count == 0 && counts.last() == Some(&0) {
                let zeros = stream.take(2);
                used += 2;
                counts.resize(counts.len() + zeros as usize, 0);
                if zeros < 3 || counts.len() > MOST_SYMBOLS {
                    break;
                }
            }
            if counts.len() > MOST_SYMBOLS || stream.overrun() {
                return None;
            }
        }
        Some((Self::new(&counts, log)?, used.div_ceil(8) as usize))
    }

    /// Makes a table from the number of states of each symbol. −1 is one state that is left for any other one.
    pub(super) fn new(counts: &[i32], log: u32) -> Option<Self> {
        let size = 1_usize << log;
        let mut states = vec![State::default(); size];
        let mut end = size;
        for (symbol, _) in (0..).zip(counts).filter(|(_, count)| **count < 0) {
            end = end.checked_sub(1)?;
            states.get_mut(end)?.symbol = symbol;
        }
        let mut place = 0;
        for (symbol, &count) in (0..).zip(counts) {
            for _ in 0..count {
                states.get_mut(place)?.symbol = symbol;
                loop {
                    place = (place + (size >> 1) + (size >> 3) + 3) % size;
                    if place < end || end == 0 {
                        break;
                    }
                }
            }
        }
        let mut next: Vec<u32> = counts.iter().map(|count| count.unsigned_abs()).collect();
        for state in &mut states {
            let next = next.get_mut(usize::from(state.symbol))?;
            let bits = log.checked_sub(next.checked_ilog2()?)?;
            state.bits = low_byte(bits);
            state.next = u16::try_from((*next << bits) - (1 << log)).ok()?;
            *next += 1;
        }
        Some(Self { states, log })
    }

    /// A table with one symbol.
    pub(super) fn single(symbol: u8) -> Self {
        Self { states: vec![State { symbol, bits: 0, next: 0 }], log: 0 }
    }

    /// Reads the first state.
    pub(super) fn start(&self, bits: &mut BackwardBits) -> u32 {
        bits.take(self.log)
    }

    pub(super) fn symbol(&self, state: u32) -> u8 {
        at(&self.states, state as usize).symbol
    }

    /// Returns the state that follows.
    pub(super) fn follow(&self, state: u32, bits: &mut BackwardBits) -> u32 {
        let State { bits: count, next, .. } = at(&self.states, state as usize);
        u32::from(next) + bits.take(u32::from(count))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}
