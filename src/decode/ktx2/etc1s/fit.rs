//! Search for the ends of a ramp whose steps come close to the levels of an ETC1S block.
use super::slice::Block;
use crate::decode::ktx2::bits::{at, low_byte};
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
    let used_levels = || (0..4_usize).filter(|level| used >> level & 1 != 0);
    let (lowest, highest) = (used_levels().next().unwrap_or(0), used_levels().last().unwrap_or(0));
    let (low, high) = (at(&levels, lowest), at(&levels, highest));
    let mut fit = Fit::default();
    for level in used_levels() {
        let error = |weight: u8| -> i32 {
            let channels = at(&levels, level).into_iter().zip(low).zip(high);
            channels
                .map(|((value, low), high)| between(low, high, weight) - i32::from(value))
                .map(|d| d * d)
                .sum()
        };
        let best = (0..).zip(weights).min_by_key(|&(_, &weight)| error(weight));
        if let (Some(index), Some((best, _))) = (fit.indices.get_mut(level), best) {
            *index = best;
        }
    }
    // With a single level, a mixture of two ends gives more values than an end alone.
    if lowest == highest {
        fit.indices = [if weights.len() > 2 { 2 } else { 0 }; 4];
    }
    for (channel, scale) in scales.into_iter().enumerate() {
        let target = |level: usize| at(&at(&levels, level), channel);
        let around = |value: u8| {
            let place = nearest(scale, value);
            place.saturating_sub(1)..=place.saturating_add(1).min(low_byte(scale.len() as u32 - 1))
        };
        let error = |low: u8, high: u8| -> i32 {
            let (low, high) = (at(scale, usize::from(low)), at(scale, usize::from(high)));
            let one = |level: usize| {
                let weight = at(weights, usize::from(at(&fit.indices, level)));
                between(low, high, weight) - i32::from(target(level))
            };
            used_levels().map(one).map(|d| d * d).sum()
        };
        let pairs =
            around(target(lowest)).flat_map(|low| around(target(highest)).map(move |high| (low, high)));
        let best = pairs.min_by_key(|&(low, high)| error(low, high)).unwrap_or_default();
        if let (Some(low), Some(high)) = (fit.low.get_mut(channel), fit.high.get_mut(channel)) {
            (*low, *high) = best;
        }
    }
    fit
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

fn between(low: u8, high: u8, weight: u8) -> i32 {
    let (low, high, weight) = (i32::from(low), i32::from(high), i32::from(weight));
    (low * (64 - weight) + high * weight + 32) >> 6
}
