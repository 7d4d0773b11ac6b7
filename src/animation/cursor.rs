//! Search for the keys around a time. [`interpolate`](super::interpolate) computes the values between two keys.
use std::sync::Arc;

/// Ascending key times, shared by all tracks with the same key times.
///
/// ```text
/// key         0      1      2
/// time     0  t0─────t1─────t2──────▶
/// phase   (0,0)  (0,α)  (1,α)  (2,0)      every key starts an interval; the last one is endless and constant
/// ```
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timeline {
    pub(super) key_times_secs: Arc<[f32]>,
    /// Whether tracks keep each value until the next key, in which case alpha is always 0.
    pub(super) is_stepped: bool,
}

/// The key at or before a time, and the fraction of the way to the next one, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Phase {
    pub(super) key: u32,
    pub(super) alpha: f32,
}

impl Timeline {
    /// Returns the phase of a time. `hint` is a key near the result, or any number: a wrong hint costs a binary
    /// search and doesn't change the result.
    #[inline(always)]
    pub(super) fn phase_at(&self, time_secs: f32, hint: u32) -> Phase {
        let key = self.key_at(time_secs, hint as usize);
        let start = self.key_times_secs[key];
        let alpha = match self.key_times_secs.get(key + 1) {
            Some(&next) if time_secs > start && !self.is_stepped => (time_secs - start) / (next - start),
            _ => 0.0,
        };
        Phase { key: key as u32, alpha }
    }

    #[inline(always)]
    fn key_at(&self, time_secs: f32, hint: usize) -> usize {
        let times = &*self.key_times_secs;
        if holds(times, hint, time_secs) {
            hint
        } else if holds(times, hint.wrapping_add(1), time_secs) {
            hint + 1
        } else {
            times.partition_point(|&start| start <= time_secs).saturating_sub(1)
        }
    }
}

#[inline(always)]
fn holds(times: &[f32], key: usize, time_secs: f32) -> bool {
    times.get(key).is_some_and(|&start| start <= time_secs)
        && times.get(key + 1).is_none_or(|&next| time_secs < next)
}

/// Cache of the phases of the last sampling, so that the next one needn't search.
///
/// A cursor affects the speed only: a new one, or one that was used for another clip, gives the same bits.
#[derive(Clone, Debug, Default)]
pub struct ClipCursor {
    /// One per timeline of the clip last sampled.
    phases: Vec<Phase>,
}

impl ClipCursor {
    /// Moves to a time and returns its phase on each timeline.
    ///
    /// Allocates only if a clip has more timelines than any before it.
    pub(super) fn seek(&mut self, timelines: &[Timeline], time_secs: f32) -> &[Phase] {
        self.phases.resize(timelines.len(), Phase::default());
        for (phase, timeline) in self.phases.iter_mut().zip(timelines) {
            *phase = timeline.phase_at(time_secs, phase.key);
        }
        &self.phases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline() -> Timeline {
        Timeline { key_times_secs: [0.5, 1.0, 2.0, 4.0].into(), is_stepped: false }
    }

    #[test]
    fn every_key_starts_an_interval_and_the_last_is_flat() {
        let phases = [-1.0, 0.0, 0.5, 0.75, 1.0, 3.0, 4.0, 9.0].map(|time| timeline().phase_at(time, 0));
        let expected = [(0, 0.0), (0, 0.0), (0, 0.0), (0, 0.5), (1, 0.0), (2, 0.5), (3, 0.0), (3, 0.0)];
        assert_eq!(phases, expected.map(|(key, alpha)| Phase { key, alpha }));
    }

    #[test]
    fn a_stepped_timeline_stands_at_its_keys() {
        let stepped = Timeline { is_stepped: true, ..timeline() };
        let phases = [0.0, 0.75, 1.0, 3.9, 9.0].map(|time| stepped.phase_at(time, 0));
        assert_eq!(phases, [0, 0, 1, 2, 3].map(|key| Phase { key, alpha: 0.0 }));
    }

    #[test]
    fn a_hint_changes_no_bit() {
        for step in -10..100 {
            let time = step as f32 * 0.05;
            let searched = timeline().phase_at(time, u32::MAX);
            for hint in 0..8 {
                assert_eq!(timeline().phase_at(time, hint), searched, "time {time}, hint {hint}");
            }
        }
    }

    #[test]
    fn a_single_key_holds_everywhere() {
        let single = Timeline { key_times_secs: [1.0].into(), is_stepped: false };
        for time in [0.0, 1.0, 2.0] {
            assert_eq!(single.phase_at(time, 3), Phase::default());
        }
    }
}
