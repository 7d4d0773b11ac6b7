//! Times at which borrowed motion is computed, and the keys that are left of it.
use crate::model::{Clip, Interpolation, NodeIndex, Track, TrackValues};
use crate::order::sort;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// Longest time between two samples: motion between keys isn't linear in another body. Splines need more.
const STEP_SECS: f32 = 1.0 / 30.0;
const SPLINE_STEP_SECS: f32 = 1.0 / 60.0;
/// Times nearer to each other than this are one sample.
const SAME_SECS: f32 = 1e-4;
/// Most samples of a clip. Longer clips have fewer in a second.
const MOST_SAMPLES: usize = 1 << 14;
/// Sine of half the angle by which a rotation may differ when keys are left out.
const SAME_ROTATION: f32 = 1e-5;
/// A key is compared with at most so many before it.
const LONGEST_SPAN: usize = 64;

/// Returns the times at which a clip is sampled: those of its keys, from 0 to its end, and more where they are sparse.
pub(super) fn sample_times(clip: &Clip) -> Vec<f32> {
    let end = clip.duration_secs;
    let mut times = vec![0.0, end];
    let mut step = STEP_SECS;
    let mut before: Option<&Arc<[f32]>> = None;
    for track in &clip.tracks {
        if track.interpolation == Interpolation::CubicSpline {
            step = SPLINE_STEP_SECS;
        }
        // Most files have one list of times for many tracks.
        let is_new = !before.is_some_and(|before| before[..] == track.key_times_secs[..]);
        if is_new && times.len() + track.key_times_secs.len() <= 4 * MOST_SAMPLES {
            times.extend(track.key_times_secs.iter().copied().filter(|time| (0.0..=end).contains(time)));
        }
        before = Some(&track.key_times_secs);
    }
    sort(&mut times, |a, b| a < b);
    let longest = step.max(end / (MOST_SAMPLES / 2) as f32);
    let mut samples = vec![0.0];
    for &time in &times {
        let last = samples.last().copied().unwrap_or(0.0);
        let is_end = time == end;
        if time - last < SAME_SECS && !(is_end && time > last) {
            continue;
        }
        let parts = ((time - last) / longest - 1e-3).ceil().max(1.0);
        for part in 1..parts as usize {
            samples.push(last + (time - last) * part as f32 / parts);
        }
        samples.push(time);
        if samples.len() >= 2 * MOST_SAMPLES {
            break;
        }
    }
    samples
}

/// Returns a track of rotations with the keys that it needs.
pub(super) fn rotations(node: NodeIndex, times: &Arc<[f32]>, mut values: Vec<Quat>) -> Track {
    for at in 1..values.len() {
        if values[at].dot(values[at - 1]) < 0.0 {
            values[at] = -values[at];
        }
    }
    let kept = kept(times, &|first, last, at, share| {
        let between = (values[first] * (1.0 - share) + values[last] * share).normalize();
        (values[at] * between.inverse()).xyz().length() < SAME_ROTATION
    });
    let values = kept.iter().map(|&at| values[at]).collect();
    track(node, times, &kept, TrackValues::Rotation(values))
}

/// Returns a track of translations with the keys that it needs, within a distance.
pub(super) fn translations(node: NodeIndex, times: &Arc<[f32]>, values: &[Vec3], within: f32) -> Track {
    let kept = kept(times, &|first, last, at, share| {
        values[first].lerp(values[last], share).distance(values[at]) <= within
    });
    let values = kept.iter().map(|&at| values[at]).collect();
    track(node, times, &kept, TrackValues::Translation(values))
}

fn track(node: NodeIndex, times: &Arc<[f32]>, kept: &[usize], values: TrackValues) -> Track {
    let key_times_secs = match kept.len() == times.len() {
        true => times.clone(),
        false => kept.iter().map(|&at| times[at]).collect(),
    };
    Track { node, interpolation: Interpolation::Linear, key_times_secs, values }
}

/// Returns the keys without which some other would differ. `is_same` compares a key with the value between two others.
fn kept(times: &[f32], is_same: &dyn Fn(usize, usize, usize, f32) -> bool) -> Vec<usize> {
    let mut kept = vec![0];
    let (mut first, mut last) = (0, 0);
    while last + 1 < times.len() {
        let next = last + 1;
        let fits = next - first <= LONGEST_SPAN
            && (first + 1..next).all(|at| {
                is_same(first, next, at, (times[at] - times[first]) / (times[next] - times[first]))
            });
        if !fits {
            kept.push(last);
            first = last;
        }
        last = next;
    }
    if last > 0 {
        kept.push(last);
    }
    // A value that never changes needs one key.
    if kept.iter().all(|&at| is_same(0, 0, at, 0.0)) && (0..times.len()).all(|at| is_same(0, 0, at, 0.0)) {
        kept.truncate(1);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(interpolation: Interpolation, times: &[f32]) -> Clip {
        let count = times.len() * interpolation.elements_per_key();
        let track = Track {
            node: NodeIndex::new(0),
            interpolation,
            key_times_secs: times.into(),
            values: TrackValues::Translation(vec![Vec3::ZERO; count]),
        };
        Clip { duration_secs: *times.last().unwrap(), tracks: vec![track], ..Clip::default() }
    }

    #[test]
    fn sparse_keys_get_samples_between_them() {
        assert_eq!(sample_times(&clip(Interpolation::Linear, &[0.0, 0.02, 0.05])), [0.0, 0.02, 0.05]);
        assert_eq!(sample_times(&clip(Interpolation::Linear, &[0.0, 1.0])).len(), 31);
        assert_eq!(sample_times(&clip(Interpolation::CubicSpline, &[0.0, 1.0])).len(), 61);
        assert_eq!(sample_times(&clip(Interpolation::Linear, &[0.0])), [0.0]);
    }

    #[test]
    fn any_clip_has_a_bounded_number_of_samples() {
        let dense: Vec<f32> = (0..200_000).map(|key| key as f32 * 0.01).collect();
        assert!(sample_times(&clip(Interpolation::Linear, &dense)).len() <= 3 * MOST_SAMPLES);
        let long = sample_times(&clip(Interpolation::Linear, &[0.0, 1e6]));
        assert!(long.len() <= MOST_SAMPLES);
        assert_eq!(long.last(), Some(&1e6));
    }

    #[test]
    fn only_keys_that_others_tell_are_left_out() {
        let times: Arc<[f32]> = (0..5).map(|key| key as f32).collect();
        let bend = [0.0, 1.0, 2.0, 3.0, 0.0].map(|x| Vec3::X * x);
        let track = translations(NodeIndex::new(0), &times, &bend, 1e-6);
        assert_eq!(track.key_times_secs[..], [0.0, 3.0, 4.0]);
        assert_eq!(track.values, TrackValues::Translation(vec![bend[0], bend[3], bend[4]]));
        let still = rotations(
            NodeIndex::new(0),
            &times,
            vec![Quat::IDENTITY, -Quat::IDENTITY, Quat::IDENTITY, Quat::IDENTITY, Quat::IDENTITY],
        );
        assert_eq!(still.values, TrackValues::Rotation(vec![Quat::IDENTITY]));
    }
}
