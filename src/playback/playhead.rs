//! Where in a clip we are, and what advancing does at its ends.
//!
//! ```text
//! repeat      0 ───▶ d│0 ───▶ d│0 ───▶        every pass runs the same way
//! bounce      0 ───▶ d│d ───▶ 0│0 ───▶ d      every other pass runs back
//! ```

use std::num::NonZeroU32;

/// From here on an `f64` has no fraction left that could say where in a pass it stands.
const MOST_PASSES_A_STEP: f64 = 9_007_199_254_740_992.0;

/// How many passes through the clip, and in which direction every other one goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looping {
    /// `None` repeats for ever.
    pub passes: Option<NonZeroU32>,
    /// Every other pass runs the other way ("ping-pong").
    pub bounce: bool,
}

impl Looping {
    pub const ONCE: Self = Self { passes: Some(NonZeroU32::MIN), bounce: false };
    pub const REPEAT: Self = Self { passes: None, bounce: false };
    pub const PING_PONG: Self = Self { passes: None, bounce: true };

    pub fn count(passes: NonZeroU32) -> Self {
        Self { passes: Some(passes), bounce: false }
    }
}

impl Default for Looping {
    fn default() -> Self {
        Self::REPEAT
    }
}

/// The one truth about the time of a playing clip.
///
/// - `time_secs` is always within `[0, duration_secs]`;
/// - only [`advance`](Self::advance) wraps: [`seek`](Self::seek) to the duration shows the last pose;
/// - splitting a step into smaller ones changes neither the passes counted nor, but for rounding, the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Playhead {
    duration_secs: f64,
    looping: Looping,
    time_secs: f64,
    /// This pass runs against the sign of the step: every other one when bouncing.
    returning: bool,
    passes: u32,
    finished: bool,
}

impl Playhead {
    /// At the start of the clip, or at its end where `rate` will run it backwards.
    ///
    /// # Panics
    /// On a negative or non-finite duration: `Model` has none.
    pub fn new(duration_secs: f64, looping: Looping, rate: f64) -> Self {
        assert!(duration_secs.is_finite() && duration_secs >= 0.0, "a clip lasts a finite time");
        let time_secs = if rate < 0.0 { duration_secs } else { 0.0 };
        Self { duration_secs, looping, time_secs, returning: false, passes: 0, finished: false }
    }

    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    pub fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    /// Passes that have ended.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    pub fn looping(&self) -> Looping {
        self.looping
    }

    /// Counts passes anew, from where it stands; what has finished stays so until it is sought or resumed.
    pub fn set_looping(&mut self, looping: Looping) {
        self.looping = looping;
        self.passes = 0;
        self.returning &= looping.bounce;
    }

    /// Whether passing time would change the time, or finish it: a pose that is held for ever stands still.
    pub fn is_moving(&self) -> bool {
        !self.finished && (self.duration_secs > 0.0 || self.looping.passes.is_some())
    }

    /// Jumps, clamped to the clip. A finished playhead has all its passes before it again.
    pub fn seek(&mut self, time_secs: f64) {
        self.time_secs = time_secs.clamp(0.0, self.duration_secs);
        if self.finished {
            self.finished = false;
            self.returning = false;
            self.passes = 0;
        }
    }

    /// Moves by a fraction of the clip, round its end: how the members of a crowd fall out of step.
    pub fn shift(&mut self, phase: f64) {
        if self.duration_secs > 0.0 {
            self.time_secs = (self.time_secs + phase * self.duration_secs).rem_euclid(self.duration_secs);
        }
    }

    /// Passes time, forwards or backwards. Returns how many passes ended on the way.
    pub fn advance(&mut self, step_secs: f64) -> u32 {
        if self.finished || step_secs == 0.0 {
            return 0;
        }
        let forwards = (step_secs > 0.0) != self.returning;
        let left = self.looping.passes.map(|limit| limit.get().saturating_sub(self.passes));
        if self.duration_secs == 0.0 {
            // A pose has no length to loop over: it ends at once, or is held for ever.
            return left.map_or(0, |left| self.finish(forwards, left));
        }

        let since_start_secs = if forwards { self.time_secs } else { self.duration_secs - self.time_secs };
        let travelled = ((since_start_secs + step_secs.abs()) / self.duration_secs).min(MOST_PASSES_A_STEP);
        if let Some(left) = left
            && travelled >= f64::from(left)
        {
            return self.finish(forwards, left);
        }
        // The Euclidean remainder puts the border between two passes at 0: running back, it is the end of the one.
        let ended = if forwards || self.looping.bounce { travelled.floor() } else { travelled.ceil() - 1.0 };
        let into_pass_secs = ((travelled - ended) * self.duration_secs).clamp(0.0, self.duration_secs);
        let turned = self.looping.bounce && ended % 2.0 == 1.0;
        self.returning ^= turned;
        self.time_secs =
            if forwards != turned { into_pass_secs } else { self.duration_secs - into_pass_secs };
        // `as` saturates: a step over four thousand million passes counts as that many.
        let ended = ended as u32;
        self.passes = self.passes.saturating_add(ended);
        ended
    }

    /// Stands at the end of the last of `left` passes, the first of which runs `forwards`.
    fn finish(&mut self, forwards: bool, left: u32) -> u32 {
        let last_runs_forwards = forwards != (self.looping.bounce && left.is_multiple_of(2));
        self.time_secs = if last_runs_forwards { self.duration_secs } else { 0.0 };
        self.passes = self.passes.saturating_add(left);
        self.finished = true;
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playhead(duration_secs: f64, looping: Looping) -> Playhead {
        Playhead::new(duration_secs, looping, 1.0)
    }

    fn count(passes: u32) -> Looping {
        Looping::count(NonZeroU32::new(passes).expect("tests count from one"))
    }

    #[track_caller]
    fn assert_time(playhead: &Playhead, expected_secs: f64) {
        // Rounding of one division and one product, for times of a few seconds.
        assert!(
            (playhead.time_secs() - expected_secs).abs() < 1e-12,
            "{} ≠ {expected_secs}",
            playhead.time_secs()
        );
    }

    #[test]
    #[allow(non_snake_case)]
    fn S57_107_of_100_becomes_7() {
        let mut playhead = playhead(100.0, Looping::REPEAT);
        assert_eq!(playhead.advance(107.0), 1);
        assert_time(&playhead, 7.0);
    }

    #[test]
    #[allow(non_snake_case)]
    fn S58_big_and_backward_steps_wrap_by_the_euclidean_remainder() {
        let mut forwards = playhead(2.0, Looping::REPEAT);
        assert_eq!(forwards.advance(21.0), 10);
        assert_time(&forwards, 1.0);
        let mut backwards = playhead(2.0, Looping::REPEAT);
        backwards.seek(0.5);
        assert_eq!(backwards.advance(-1.0), 1);
        assert_time(&backwards, 1.5);
        let mut exactly = playhead(2.0, Looping::REPEAT);
        exactly.seek(1.5);
        exactly.advance(-1.5);
        assert_time(&exactly, 0.0);
    }

    #[test]
    fn seeking_to_the_duration_shows_the_last_pose_and_only_advancing_wraps() {
        let mut playhead = playhead(2.0, Looping::REPEAT);
        playhead.seek(2.0);
        assert_time(&playhead, 2.0);
        playhead.advance(0.0);
        assert_time(&playhead, 2.0);
        assert_eq!(playhead.advance(0.25), 1);
        assert_time(&playhead, 0.25);
    }

    #[test]
    fn once_holds_the_last_pose() {
        let mut playhead = playhead(2.0, Looping::ONCE);
        assert_eq!(playhead.advance(5.0), 1);
        assert!(playhead.is_finished());
        assert_time(&playhead, 2.0);
        assert_eq!(playhead.advance(5.0), 0);
    }

    #[test]
    fn once_backwards_starts_at_the_end_and_holds_the_first_pose() {
        let mut playhead = Playhead::new(2.0, Looping::ONCE, -1.0);
        assert_time(&playhead, 2.0);
        assert_eq!(playhead.advance(-1.5), 0);
        assert_eq!(playhead.advance(-0.5), 1);
        assert!(playhead.is_finished());
        assert_time(&playhead, 0.0);
    }

    #[test]
    fn a_count_ends_with_its_last_pass() {
        let mut playhead = playhead(2.0, count(3));
        assert_eq!(playhead.advance(3.0), 1);
        assert_eq!(playhead.advance(100.0), 2);
        assert_eq!(playhead.passes(), 3);
        assert_time(&playhead, 2.0);
    }

    #[test]
    fn bouncing_runs_every_other_pass_back() {
        let mut playhead = playhead(2.0, Looping::PING_PONG);
        assert_eq!(playhead.advance(3.0), 1);
        assert_time(&playhead, 1.0);
        assert_eq!(playhead.advance(1.5), 1);
        assert_time(&playhead, 0.5);
        assert_eq!(playhead.advance(8.0), 4);
        assert_time(&playhead, 0.5);
    }

    #[test]
    fn two_bouncing_passes_end_where_they_began() {
        let mut playhead = playhead(2.0, Looping { passes: NonZeroU32::new(2), bounce: true });
        assert_eq!(playhead.advance(4.0), 2);
        assert!(playhead.is_finished());
        assert_time(&playhead, 0.0);
    }

    #[test]
    fn a_turned_rate_retraces_its_way() {
        let mut playhead = playhead(2.0, Looping::PING_PONG);
        playhead.advance(3.3);
        playhead.advance(-3.3);
        assert_time(&playhead, 0.0);
    }

    #[test]
    fn splitting_a_step_changes_neither_passes_nor_time() {
        for looping in [Looping::REPEAT, Looping::PING_PONG, Looping::ONCE, count(5)] {
            for direction in [1.0, -1.0] {
                let mut whole = Playhead::new(0.75, looping, direction);
                let mut split = whole.clone();
                let whole_passes = whole.advance(direction * 7.0);
                let split_passes: u32 = (0..224).map(|_| split.advance(direction / 32.0)).sum();
                assert_eq!(whole_passes, split_passes, "{looping:?} {direction}");
                assert_time(&split, whole.time_secs());
            }
        }
    }

    #[test]
    fn a_pose_never_loops() {
        let mut once = playhead(0.0, Looping::ONCE);
        assert_eq!(once.advance(0.1), 1);
        assert!(once.is_finished());
        let mut held = playhead(0.0, Looping::REPEAT);
        assert_eq!(held.advance(1e9), 0);
        assert!(!held.is_finished());
    }

    #[test]
    fn an_absurd_step_ends_in_the_clip() {
        let mut playhead = playhead(1e-3, Looping::REPEAT);
        playhead.advance(f64::MAX);
        assert!((0.0..=1e-3).contains(&playhead.time_secs()));
    }
}
