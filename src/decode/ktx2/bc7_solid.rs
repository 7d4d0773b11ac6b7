//! BC7 blocks with a single colour.
use super::bc7::Bc7;
use super::bits::{at, low_byte};

/// For each value, the ends between which it is best interpolated.
pub(super) struct SolidBc7 {
    /// Of mode 6, with lowest bits 0 and 1, and of mode 5.
    tables: [Vec<Best>; 3],
}

#[derive(Clone, Copy, Default)]
struct Best {
    low: u8,
    high: u8,
    error: u8,
}

/// The index of the texels in mode 6 and in mode 5, and its weight.
const INDEX_6: u8 = 5;
const INDEX_5: u8 = 1;
const WEIGHT: u32 = 21;

impl SolidBc7 {
    /// Makes the tables if they are needed.
    pub(super) fn new(is_needed: bool) -> Self {
        if !is_needed {
            return Self { tables: Default::default() };
        }
        Self { tables: [table(|end| end << 1), table(|end| end << 1 | 1), table(|end| end << 1 | end >> 6)] }
    }

    /// Writes a block.
    pub(super) fn write(&self, color: [u8; 4]) -> [u8; 16] {
        let [even, odd, mode5] =
            self.tables.each_ref().map(|table| color.map(|value| at(table, usize::from(value))));
        let error = |best: &[Best; 4]| {
            best.iter().map(|best| u32::from(best.error) * u32::from(best.error)).sum::<u32>()
        };
        let (even_error, odd_error) = (error(&even), error(&odd));
        if even_error > 0 && odd_error > 0 {
            let [.., alpha] = color;
            let end = |of: fn(Best) -> u8| {
                let [red, green, blue, _] = mode5.map(of);
                [red, green, blue, alpha]
            };
            let ends = [[end(|best| best.low), end(|best| best.high)], [[0; 4]; 2], [[0; 4]; 2]];
            return Bc7 { mode: 5, ends, indices: [INDEX_5; 16], ..Bc7::default() }.write();
        }
        let (best, lowest) = if odd_error < even_error { (odd, 1) } else { (even, 0) };
        let ends = [[best.map(|best| best.low), best.map(|best| best.high)], [[0; 4]; 2], [[0; 4]; 2]];
        Bc7 { mode: 6, ends, lowest: [[lowest; 2]; 3], indices: [INDEX_6; 16], ..Bc7::default() }.write()
    }
}

/// Returns the first pair of ends of seven bits with the smallest error for each value.
fn table(expand: impl Fn(u32) -> u32) -> Vec<Best> {
    // The first pair of ends that gives each value, in the order of the pairs.
    let mut exact = vec![u32::MAX; 256];
    for pair in 0..1 << 14 {
        let value = (expand(pair >> 7) * (64 - WEIGHT) + expand(pair & 127) * WEIGHT + 32) >> 6;
        if let Some(first) = exact.get_mut(value as usize) {
            *first = pair.min(*first);
        }
    }
    let best = |value: u32| {
        let pairs = (0..).zip(&exact).filter(|&(_, &pair)| pair != u32::MAX);
        let (error, pair) =
            pairs.map(|(other, &pair)| (value.abs_diff(other), pair)).min().unwrap_or_default();
        Best { low: low_byte(pair >> 7), high: low_byte(pair & 127), error: low_byte(error) }
    };
    (0..256).map(best).collect()
}
