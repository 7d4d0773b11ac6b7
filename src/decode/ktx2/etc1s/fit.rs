//! Search for the ends of a ramp whose steps come close to the levels of an ETC1S block.
//!
//! The levels of a channel depend on few bits: its value, the table of modifiers, and which levels are used. The best
//! ends for these are searched once.
use super::codebooks::{Endpoint, Selector};
use crate::decode::ktx2::bits::{at, low_byte};
use crate::decode::ktx2::etc::{EAC_MODIFIERS, Eac, levels, nearest, wide5};

/// Two ends of a ramp, as places on the scale of each channel, and the index on the ramp for each level.
#[derive(Clone, Copy, Default)]
pub(super) struct Fit {
    pub(super) low: [u8; 3],
    pub(super) high: [u8; 3],
    pub(super) indices: [u8; 4],
}

/// A kind of ramp: its indices and where levels may be on it.
pub(super) struct Ramp {
    /// The share of the upper end for each index, of 64.
    weights: &'static [u8],
    /// The choices of an index for each level.
    choices: &'static [[u8; 4]],
}

/// Ramps with four steps in BC7 and ASTC.
pub(super) const FOUR: Ramp = Ramp { weights: &[0, 21, 43, 64], choices: &CHOICES_OF_4 };
/// Ramps with 16 steps in BC7 and, nearly, in ASTC.
pub(super) const SIXTEEN: Ramp =
    Ramp { weights: &[0, 4, 8, 13, 17, 21, 25, 30, 34, 39, 43, 47, 51, 56, 60, 64], choices: &CHOICES_OF_16 };

const CHOICES_OF_4: [[u8; 4]; 10] = [
    [0, 1, 2, 3],
    [0, 0, 1, 1],
    [0, 0, 1, 2],
    [0, 0, 1, 3],
    [0, 0, 2, 3],
    [0, 1, 1, 1],
    [0, 1, 2, 2],
    [0, 2, 3, 3],
    [1, 2, 2, 2],
    [1, 2, 3, 3],
];

/// The first four have the proportions of ETC1's tables. In the others, some levels are cut off at black or white.
const CHOICES_OF_16: [[u8; 4]; 16] = [
    [2, 6, 9, 13],
    [1, 6, 9, 14],
    [0, 5, 10, 15],
    [0, 6, 9, 15],
    [0, 0, 5, 15],
    [0, 0, 7, 15],
    [0, 1, 7, 15],
    [0, 2, 8, 15],
    [0, 3, 9, 15],
    [0, 4, 9, 15],
    [0, 10, 15, 15],
    [0, 8, 15, 15],
    [0, 8, 14, 15],
    [0, 7, 13, 15],
    [0, 6, 12, 15],
    [0, 6, 11, 15],
];

/// Results for the levels of one channel.
struct ByLevels<T> {
    /// For each value, table and set of levels, the place of the result plus one.
    slots: Vec<u16>,
    found: Vec<T>,
}

impl<T: Copy + Default> ByLevels<T> {
    fn new() -> Self {
        Self { slots: vec![0; 1 << 12], found: Vec::new() }
    }

    fn get(&mut self, value: u8, table: u8, used: u8, make: impl FnOnce([u8; 4]) -> T) -> T {
        let slot = usize::from(value & 31) << 7 | usize::from(table & 7) << 4 | usize::from(used & 15);
        let Some(slot) = self.slots.get_mut(slot) else { return T::default() };
        if *slot == 0 {
            self.found.push(make(levels([wide5(value); 3], table).map(|[level, ..]| level)));
            *slot = u16::try_from(self.found.len()).unwrap_or(0);
        }
        at(&self.found, usize::from(*slot).wrapping_sub(1))
    }
}

/// Ends for one channel with one choice of indices, and the sum of the squares of the errors.
#[derive(Clone, Copy, Default)]
struct Ends {
    low: u8,
    high: u8,
    error: u16,
}

/// Search for the ends of ramps with one scale.
pub(super) struct Fitter {
    ramp: Ramp,
    /// Values that an end can have, ascending.
    scale: Vec<u8>,
    /// The place on the scale that is nearest to each value.
    places: Vec<u8>,
    ends: ByLevels<[Ends; 16]>,
}

impl Fitter {
    pub(super) fn new(ramp: Ramp, scale: Vec<u8>) -> Self {
        let places = (0..=255).map(|value| nearest(&scale, value)).collect();
        Self { ramp, scale, places, ends: ByLevels::new() }
    }

    /// Fits a ramp to the colours of a block.
    pub(super) fn colors(&mut self, endpoint: &Endpoint, selector: &Selector) -> Fit {
        let channels = endpoint.base.map(|value| self.channel(value, endpoint.table, selector.used));
        self.best(channels.each_ref())
    }

    /// Fits a ramp to the green levels of a block. All channels of the result are the same.
    pub(super) fn greens(&mut self, endpoint: &Endpoint, selector: &Selector) -> Fit {
        let [_, green, _] = endpoint.base;
        let channel = self.channel(green, endpoint.table, selector.used);
        self.best([&channel; 3])
    }

    /// Fits a ramp to colours of which green has another scale.
    pub(super) fn colors_with(&mut self, other: &mut Self, endpoint: &Endpoint, selector: &Selector) -> Fit {
        let ([red, green, blue], table, used) = (endpoint.base, endpoint.table, selector.used);
        let [red, green, blue] = [
            self.channel(red, table, used),
            other.channel(green, table, used),
            self.channel(blue, table, used),
        ];
        self.best([&red, &green, &blue])
    }

    /// Chooses the indices with the smallest error in all channels.
    fn best(&self, channels: [&[Ends; 16]; 3]) -> Fit {
        let error =
            |choice: usize| channels.iter().map(|ends| u32::from(at(*ends, choice).error)).sum::<u32>();
        let choice = (0..self.ramp.choices.len()).min_by_key(|&choice| error(choice)).unwrap_or(0);
        let ends = channels.map(|ends| at(ends, choice));
        Fit {
            low: ends.map(|ends| ends.low),
            high: ends.map(|ends| ends.high),
            indices: at(self.ramp.choices, choice),
        }
    }

    fn channel(&mut self, value: u8, table: u8, used: u8) -> [Ends; 16] {
        let Self { ramp, scale, places, ends } = self;
        ends.get(value, table, used, |levels| {
            let mut all = [Ends::default(); 16];
            for (ends, indices) in all.iter_mut().zip(ramp.choices) {
                let weights = indices.map(|index| at(ramp.weights, usize::from(index)));
                *ends = best_ends(levels, weights, used, scale, places);
            }
            all
        })
    }
}

/// Returns the ends that come closest to the used levels, each of which has its weight.
fn best_ends(levels: [u8; 4], weights: [u8; 4], used: u8, scale: &[u8], places: &[u8]) -> Ends {
    let points = || {
        let points = levels.into_iter().zip(weights).enumerate().filter(|(level, _)| used >> level & 1 != 0);
        points.map(|(_, (value, weight))| (i32::from(weight), i32::from(value)))
    };
    // Least squares: a matrix of two rows, and the right side.
    let (mut a, mut b, mut c, mut p, mut q) = (0, 0, 0, 0, 0);
    for (weight, value) in points() {
        let rest = 64 - weight;
        (a, b, c) = (a + rest * rest, b + rest * weight, c + weight * weight);
        (p, q) = (p + rest * value, q + weight * value);
    }
    // At most 2^28, 2^28 and 2^36.
    let whole = i64::from(a * c - b * b);
    let solved = |x: i32, y: i32, z: i32, w: i32| {
        let part = i64::from(x) * i64::from(y) - i64::from(z) * i64::from(w);
        (64 * part).checked_div(whole).map(|value| usize::try_from(value.clamp(0, 255)).unwrap_or(0))
    };
    // One weight for all points leaves the ends open.
    let alone = usize::try_from(points().next().map_or(0, |(_, value)| value)).unwrap_or(0);
    let low = at(places, solved(c, p, b, q).unwrap_or(alone));
    let high = at(places, solved(a, q, b, p).unwrap_or(alone));

    let last = u8::try_from(scale.len().saturating_sub(1)).unwrap_or(255);
    let around = |place: u8| place.saturating_sub(1)..=place.saturating_add(1).min(last);
    let mut best = Ends { low, high, error: u16::MAX };
    for low in around(low) {
        for high in around(high) {
            let [from, to] = [low, high].map(|place| i32::from(at(scale, usize::from(place))));
            let difference = |(weight, value)| ((from * (64 - weight) + to * weight + 32) >> 6) - value;
            let error: i32 = points().map(difference).map(|difference| difference * difference).sum();
            if let Ok(error) = u16::try_from(error)
                && error < best.error
            {
                best = Ends { low, high, error };
            }
        }
    }
    best
}

/// Search for EAC blocks.
pub(super) struct EacFitter {
    found: ByLevels<(Eac, [u8; 4])>,
}

impl EacFitter {
    pub(super) fn new() -> Self {
        Self { found: ByLevels::new() }
    }

    /// Returns a block for the green levels, and the number of a modifier for each level.
    pub(super) fn greens(&mut self, endpoint: &Endpoint, selector: &Selector) -> (Eac, [u8; 4]) {
        let ([_, green, _], used) = (endpoint.base, selector.used);
        self.found.get(green, endpoint.table, used, |values| {
            let eac = best_eac(values, used);
            let steps = eac.values();
            (eac, values.map(|value| nearest(&steps, value)))
        })
    }
}

fn best_eac(values: [u8; 4], used: u8) -> Eac {
    let used_values =
        || (0..4).zip(values).filter(|(level, _)| used >> level & 1 != 0).map(|(_, value)| value);
    let least = used_values().min().unwrap_or(0);
    let most = used_values().max().unwrap_or(0);
    if least == most {
        return Eac::flat(least);
    }
    let mut best = (u32::MAX, Eac::flat(least));
    for (table, modifiers) in (0..16).zip(EAC_MODIFIERS) {
        let [_, _, _, lowest, _, _, _, highest] = modifiers.map(i32::from);
        let steps = highest - lowest;
        let nearest = (i32::from(most - least) + steps / 2) / steps;
        for multiplier in nearest.max(1)..=(nearest + 1).min(15) {
            let middle = (i32::from(least) + i32::from(most) - (lowest + highest) * multiplier) / 2;
            for base in middle - 2..=middle + 2 {
                let [base, multiplier] =
                    [base, multiplier].map(|number| low_byte(number.clamp(0, 255).unsigned_abs()));
                let eac = Eac { base, table, multiplier };
                let steps = eac.values();
                let distance = |value: u8| steps.iter().map(|step| u32::from(step.abs_diff(value))).min();
                let error = used_values().filter_map(distance).map(|distance| distance * distance).sum();
                if error < best.0 {
                    best = (error, eac);
                }
            }
        }
    }
    best.1
}
