//! Keys that can be left out, because the interpolation between the others passes close by.
use super::reach::Lever;
use super::sampling::slerp;
use super::still::Still;
use crate::model::{Clip, Interpolation, Track, TrackValues};
use glam::{Quat, Vec3, Vec4};
use std::sync::Arc;

/// When keys are left out.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// How far a key that is left out may move anything.
    pub(super) metres: f32,
    /// Keys are left out of a track only if 4 of this many stay, or fewer. One key is always worth it.
    pub(super) worth: usize,
}

/// Returns the tracks of a clip without keys that move nothing farther than the rule says. The duration stays.
///
/// Every track keeps at least one key, since a property without keys takes its value from other layers. Only those of
/// properties that no clip moves from rest are left out.
pub(super) fn reduced(clip: &Clip, still: &Still, levers: &[Lever], rule: Rule) -> Vec<Track> {
    // One track must have a key at the end.
    let ends = |track: &Track| track.key_times_secs.last().is_some_and(|&last| last >= clip.duration_secs);
    let moves = |track: &Track| !still.contains(track);
    let longest = clip.tracks.iter().position(|track| ends(track) && moves(track));
    let longest = longest.or_else(|| clip.tracks.iter().position(ends));
    let none = Lever::default();
    let tracks = clip.tracks.iter().enumerate().filter_map(|(at, track)| {
        let is_longest = longest == Some(at);
        if !is_longest && !moves(track) {
            return None;
        }
        let kept = kept(track, levers.get(track.node.get()).unwrap_or(&none), rule.metres, is_longest);
        // Times are shared between tracks, and those of a track with fewer keys are its own.
        let is_shorter = kept.len() == 1 || kept.len() * rule.worth <= track.key_times_secs.len() * 4;
        Some(if is_shorter { picked(track, &kept) } else { track.clone() })
    });
    tracks.collect()
}

/// Returns the indices of keys that stay.
fn kept(track: &Track, lever: &Lever, metres: f32, keeps_last: bool) -> Vec<usize> {
    let count = track.key_times_secs.len();
    let keys = Keys { track, lever };
    let last = count.saturating_sub(1);
    let is_constant = match track.interpolation {
        Interpolation::CubicSpline if !keys.is_flat_spline() => return (0..count).collect(),
        Interpolation::CubicSpline => true,
        _ => (1..count).all(|at| keys.distance_between(0, 0, 0.0, at) <= metres),
    };
    if is_constant {
        return if keeps_last && last > 0 { vec![0, last] } else { vec![0] };
    }
    let mut kept = vec![0];
    let mut from = 0;
    if track.interpolation == Interpolation::Step {
        for at in 1..count {
            if keys.distance_between(from, from, 0.0, at) > metres || (keeps_last && at == last) {
                kept.push(at);
                from = at;
            }
        }
        return kept;
    }
    while from < last {
        from = keys.farthest_from(from, last, metres);
        kept.push(from);
    }
    kept
}

struct Keys<'a> {
    track: &'a Track,
    lever: &'a Lever,
}

impl Keys<'_> {
    /// Returns the last key to which the keys after `from` can be interpolated. It is found by doubling the distance
    /// and halving the rest, in n log n steps.
    fn farthest_from(&self, from: usize, last: usize, metres: f32) -> usize {
        let (mut good, mut step) = (from + 1, 1);
        let mut bad = loop {
            let to = (good + step).min(last);
            if to == good {
                return good;
            }
            if !self.can_skip(from, to, metres) {
                break to;
            }
            good = to;
            step *= 2;
        };
        while good + 1 < bad {
            let middle = good + (bad - good) / 2;
            if self.can_skip(from, middle, metres) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        good
    }

    fn can_skip(&self, from: usize, to: usize, metres: f32) -> bool {
        let time = |at: usize| self.track.key_times_secs.get(at).copied().unwrap_or_default();
        let (from_secs, to_secs) = (time(from), time(to));
        (from + 1..to).all(|at| {
            let alpha = (time(at) - from_secs) / (to_secs - from_secs);
            self.distance_between(from, to, alpha, at) <= metres
        })
    }

    /// Returns how far a key is, in metres at the farthest point, from the interpolation between two others.
    fn distance_between(&self, from: usize, to: usize, alpha: f32, at: usize) -> f32 {
        let distance = |values: &[Vec3]| {
            let value = |at: usize| values.get(at).copied().unwrap_or_default();
            value(from).lerp(value(to), alpha).distance(value(at))
        };
        match &self.track.values {
            TrackValues::Translation(values) => distance(values) * self.lever.translation,
            TrackValues::Scale(values) => distance(values) * self.lever.scale,
            TrackValues::Rotation(values) => {
                let value = |at: usize| values.get(at).copied().unwrap_or(Quat::IDENTITY);
                let between = Vec4::from(slerp(value(from), value(to), alpha));
                let key = Vec4::from(value(at).normalize());
                // The chord between unit quaternions is about half the angle, and not less than a fifth of a turn's.
                let chord = between.distance(key).min(between.distance(-key));
                chord * 2.0 * self.lever.rotation
            }
            TrackValues::MorphWeights(values) => {
                let count = values.len() / self.track.key_times_secs.len().max(1);
                let value =
                    |at: usize, target: usize| values.get(at * count + target).copied().unwrap_or_default();
                let targets = (0..count).zip(&self.lever.morph_weights).map(|(target, lever)| {
                    let (from, to) = (value(from, target), value(to, target));
                    (from + (to - from) * alpha - value(at, target)).abs() * lever
                });
                targets.sum()
            }
            // They are converted when they are written.
            TrackValues::Matrix(_) => f32::INFINITY,
        }
    }

    /// Returns whether all values of a spline are equal and all tangents 0.
    fn is_flat_spline(&self) -> bool {
        fn is_flat<T: Copy + PartialEq + Default>(values: &[T], width: usize) -> bool {
            let first = values.get(width..width * 2).unwrap_or_default();
            let zero = vec![T::default(); width];
            values.chunks_exact(width * 3).all(|key| {
                let (into, rest) = key.split_at_checked(width).unwrap_or_default();
                let (value, out) = rest.split_at_checked(width).unwrap_or_default();
                into == zero && value == first && out == zero
            })
        }
        match &self.track.values {
            TrackValues::Translation(values) | TrackValues::Scale(values) => is_flat(values, 1),
            TrackValues::Rotation(values) => {
                let values: Vec<Vec4> = values.iter().copied().map(Vec4::from).collect();
                is_flat(&values, 1)
            }
            TrackValues::MorphWeights(values) => {
                is_flat(values, (values.len() / (self.track.key_times_secs.len() * 3).max(1)).max(1))
            }
            TrackValues::Matrix(_) => false,
        }
    }
}

/// Returns a track with some of its keys.
fn picked(track: &Track, kept: &[usize]) -> Track {
    fn elements<T: Copy>(values: &[T], width: usize, kept: &[usize]) -> Vec<T> {
        let key = |&at: &usize| values.get(at * width..(at + 1) * width).unwrap_or_default();
        kept.iter().flat_map(key).copied().collect()
    }
    let times = &track.key_times_secs;
    if kept.len() == times.len() {
        return track.clone();
    }
    let width = track.interpolation.elements_per_key();
    let values = match &track.values {
        TrackValues::Translation(values) => TrackValues::Translation(elements(values, width, kept)),
        TrackValues::Scale(values) => TrackValues::Scale(elements(values, width, kept)),
        TrackValues::Rotation(values) => TrackValues::Rotation(elements(values, width, kept)),
        TrackValues::MorphWeights(values) => {
            TrackValues::MorphWeights(elements(values, values.len() / times.len().max(1), kept))
        }
        TrackValues::Matrix(values) => TrackValues::Matrix(elements(values, width, kept)),
    };
    Track { key_times_secs: Arc::from(elements(times, 1, kept)), values, ..track.clone() }
}
