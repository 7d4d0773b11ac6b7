//! Search for the ends of a ramp whose steps come close to the levels of an ETC1S block.
use super::slice::Block;
use crate::decode::ktx2::bits::at;
use crate::decode::ktx2::etc::{EAC_MODIFIERS, Eac, nearest};

/// Two ends of a ramp, as positions in a scale for each channel, and the index on the ramp for each level.
#[derive(Clone, Copy, Default)]
pub(super) struct Fit {
    pub(super) low: [u8; 3],
    pub(super) high: [u8; 3],
    pub(super) indices: [u8; 4],
}

/// Values that the end of a ramp can have, ascending.
pub(super) type Scale = Vec<u8>;

/// Results for recent blocks. An image repeats its blocks a lot.
pub(super) struct FitCache {
    slots: Vec<(u32, Fit)>,
}

impl FitCache {
    const SLOTS: usize = 1024;

    pub(super) fn new() -> Self {
        Self { slots: vec![(0, Fit::default()); Self::SLOTS] }
    }

    /// Returns what `make` returns for the block's levels and a bit for each one that is used.
    pub(super) fn get(&mut self, block: &Block, make: impl FnOnce([[u8; 3]; 4], u8) -> Fit) -> Fit {
        let (endpoint, selector) = block;
        let [red, green, blue] = endpoint.base.map(u32::from);
        // Some level is used, so that no key is 0.
        let key =
            red << 17 | green << 12 | blue << 7 | u32::from(endpoint.table) << 4 | u32::from(selector.used);
        let slot = (key.wrapping_mul(0x9e37_79b1) >> 22) as usize % Self::SLOTS;
        match self.slots.get(slot) {
            Some((found, fit)) if *found == key => *fit,
            _ => {
                let fit = make(endpoint.levels(), selector.used);
                if let Some(slot) = self.slots.get_mut(slot) {
                    *slot = (key, fit);
                }
                fit
            }
        }
    }
}

/// Fits a ramp. `weights` has the share of the upper end for each index, of 64.
pub(super) fn ramp(levels: [[u8; 3]; 4], used: u8, scales: [&Scale; 3], weights: &[u8]) -> Fit {
    let is_used = |level: usize| used >> level & 1 != 0;
    let lowest = (0..4).find(|&level| is_used(level)).unwrap_or(0);
    let highest = (0..4).rfind(|&level| is_used(level)).unwrap_or(0);
    let mut ends = [at(&levels, lowest), at(&levels, highest)];
    let mut best = (i32::MAX, Fit::default());
    for _ in 0..ROUNDS {
        let [low, high] = ends;
        let mut fit = Fit { indices: levels.map(|level| nearest_index(level, low, high, weights)), ..best.1 };
        if lowest == highest {
            // A mixture of two ends has more values than an end alone.
            fit.indices = [2; 4];
        }
        let mut total = 0;
        for (channel, scale) in scales.into_iter().enumerate() {
            let points = fit.indices.map(|index| i32::from(at(weights, usize::from(index))));
            let mut points = points.into_iter().zip(levels.map(|level| i32::from(at(&level, channel))));
            let mut level = 0;
            let points: [Option<(i32, i32)>; 4] = std::array::from_fn(|_| {
                level += 1;
                points.next().filter(|_| is_used(level - 1))
            });
            let (error, low, high) = ends_of_channel(points, scale);
            total += error;
            if let (Some(to_low), Some(to_high)) = (fit.low.get_mut(channel), fit.high.get_mut(channel)) {
                (*to_low, *to_high) = (low, high);
            }
        }
        if total >= best.0 {
            break;
        }
        best = (total, fit);
        ends = [fit.low, fit.high].map(|places| {
            let mut values = places.into_iter().zip(scales);
            std::array::from_fn(|_| values.next().map_or(0, |(place, scale)| at(scale, usize::from(place))))
        });
    }
    best.1
}

/// Each round improves the ends for the indices of the round before. More of them change little.
const ROUNDS: usize = 3;

/// Returns the index whose colour on the ramp is the nearest one.
fn nearest_index(color: [u8; 3], low: [u8; 3], high: [u8; 3], weights: &[u8]) -> u8 {
    let error = |weight: u8| -> i32 {
        let channels = color.into_iter().zip(low).zip(high);
        let difference = |((value, low), high)| between(low, high, i32::from(weight)) - i32::from(value);
        channels.map(difference).map(|difference| difference * difference).sum()
    };
    (0..).zip(weights).min_by_key(|&(_, &weight)| error(weight)).map_or(0, |(index, _)| index)
}

/// Returns the ends, as places on the scale, that come closest to points with a weight and a value; before them, the
/// error.
fn ends_of_channel(points: [Option<(i32, i32)>; 4], scale: &Scale) -> (i32, u8, u8) {
    let points = || points.iter().flatten().copied();
    // Least squares: a matrix of two rows, and the right side.
    let (mut a, mut b, mut c, mut p, mut q) = (0, 0, 0, 0, 0);
    for (weight, value) in points() {
        let rest = 64 - weight;
        (a, b, c) = (a + rest * rest, b + rest * weight, c + weight * weight);
        (p, q) = (p + rest * value, q + weight * value);
    }
    let whole = i64::from(a) * i64::from(c) - i64::from(b) * i64::from(b);
    let solved = |x: i32, y: i32, z: i32, w: i32| {
        let part = i64::from(x) * i64::from(y) - i64::from(z) * i64::from(w);
        (64 * part).checked_div(whole).map(|value| u8::try_from(value.clamp(0, 255)).unwrap_or(0))
    };
    // One weight for all points leaves the ends open.
    let alone = u8::try_from(points().next().map_or(0, |(_, value)| value)).unwrap_or(0);
    let low = solved(c, p, b, q).unwrap_or(alone);
    let high = solved(a, q, b, p).unwrap_or(alone);
    // Steps of a coarse scale are wide, so that other mixtures of them may come closer.
    let (reach, last) = if scale.len() > 64 { (1, 255) } else { (3, scale.len() - 1) };
    let around = |value: u8| {
        let place = nearest(scale, value);
        place.saturating_sub(reach)..=place.saturating_add(reach).min(u8::try_from(last).unwrap_or(255))
    };
    let error = |low: u8, high: u8| -> i32 {
        let (low, high) = (at(scale, usize::from(low)), at(scale, usize::from(high)));
        let difference = |(weight, value)| between(low, high, weight) - value;
        points().map(difference).map(|difference| difference * difference).sum()
    };
    let pairs = around(low).flat_map(|low| around(high).map(move |high| (low, high)));
    pairs.map(|(low, high)| (error(low, high), low, high)).min().unwrap_or_default()
}

/// Fits an EAC block: `low` has the base, the table and the multiplier.
pub(super) fn eac(levels: [[u8; 3]; 4], used: u8) -> Fit {
    let values = levels.map(|[_, green, _]| green);
    let used_values = || (0..4).zip(values).filter(|(level, _)| used >> level & 1 != 0);
    let least = used_values().map(|(_, value)| value).min().unwrap_or(0);
    let most = used_values().map(|(_, value)| value).max().unwrap_or(0);
    let flat = Eac::flat(least);
    let mut best = (if least == most { 0 } else { u32::MAX }, flat);
    for (table, modifiers) in (0..16).zip(EAC_MODIFIERS) {
        if best.0 == 0 {
            break;
        }
        let [_, _, _, lowest, _, _, _, highest] = modifiers.map(i32::from);
        let range = i32::from(most - least);
        let multiplier = (range + (highest - lowest) / 2) / (highest - lowest);
        for multiplier in multiplier.max(1)..=(multiplier + 1).min(15) {
            let middle = (i32::from(least) + i32::from(most) - (lowest + highest) * multiplier) / 2;
            for base in middle - 1..=middle + 1 {
                let [base, multiplier] =
                    [base, multiplier].map(|x| u8::try_from(x.clamp(0, 255)).unwrap_or(0));
                let eac = Eac { base, table, multiplier };
                let steps = eac.values();
                let distance = |value: u8| steps.iter().map(|step| u32::from(step.abs_diff(value))).min();
                let error = used_values().filter_map(|(_, value)| distance(value)).map(|d| d * d).sum();
                if error < best.0 {
                    best = (error, eac);
                }
            }
        }
    }
    let (_, Eac { base, table, multiplier }) = best;
    let steps = best.1.values();
    Fit { low: [base, table, multiplier], high: [0; 3], indices: values.map(|value| nearest(&steps, value)) }
}

fn between(low: u8, high: u8, weight: i32) -> i32 {
    let (low, high) = (i32::from(low), i32::from(high));
    (low * (64 - weight) + high * weight + 32) >> 6
}
