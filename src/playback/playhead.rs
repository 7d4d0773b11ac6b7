//! Playhead: the current time in a clip, and looping at its ends.
//!
//! ```text
//! repeat      0 ───▶ d│0 ───▶ d│0 ───▶        every pass runs the same way
//! bounce      0 ───▶ d│d ───▶ 0│0 ───▶ d      every other pass runs back
//! ```

use crate::angle::wrapped;
use std::num::NonZeroU32;
use std::ops::Range;

/// 2^53: from here on an `f64` has no fractional part, and so no position within a pass.
const MOST_PASSES_A_STEP: f64 = 9_007_199_254_740_992.0;

/// Number of passes through the clip, and whether every other one is reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looping {
    /// Number of passes; `None` repeats forever.
    pub passes: Option<NonZeroU32>,
    /// Whether every other pass is reversed ("ping-pong").
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

/// Current time of a playing clip, or of the part of it that is played.
///
/// - `time_secs` is in the clip's own time, and always within the part;
/// - only [`advance`](Self::advance) wraps: [`seek`](Self::seek) to the end shows the last pose;
/// - splitting a step into smaller ones changes the time by rounding alone, and doesn't change the number of passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    from_secs: f64,
    duration_secs: f64,
    looping: Looping,
    /// Time since `from_secs`.
    at_secs: f64,
    /// Whether this pass runs against the sign of the step, as every other one does when bouncing.
    returning: bool,
    /// Whether the playhead hasn't moved since it was positioned, so that its current time is still to be passed.
    fresh: bool,
    passes: u32,
    finished: bool,
}

/// Result of one step of a playhead: the state before the step, and the passes that ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advanced {
    at_secs: f64,
    returning: bool,
    fresh: bool,
    passes: u32,
    finished: bool,
    step_secs: f64,
    /// Number of passes that ended during the step.
    pub ended: u32,
}

/// Part of the clip that a step went through without a turn or a jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Start in seconds of the clip, which is after `to_secs` if the clip ran backwards.
    pub from_secs: f64,
    pub to_secs: f64,
    /// Whether the stretch includes the time `from_secs` itself. It always includes `to_secs`.
    pub with_start: bool,
    /// Number of whole passes that this stretch represents if there are too many to report singly; otherwise 1.
    pub times: u32,
    /// Total number of ended passes, if a pass ended at the end of the stretch.
    pub ended_pass: Option<u32>,
    /// Time within the step at `from_secs`, in seconds of the clip.
    pub since_secs: f64,
}

/// Most stretches reported for ended passes of one step. The last of them represents all remaining passes.
const MOST_STRETCHES: u32 = 64;

impl Playhead {
    /// Returns a playhead at the start of the part, or at its end if `rate` is negative.
    ///
    /// # Panics
    /// If the part isn't finite or ends before it begins. Callers clamp it to the clip.
    pub fn new(part_secs: Range<f64>, looping: Looping, rate: f64) -> Self {
        let Range { start: from_secs, end: to_secs } = part_secs;
        let duration_secs = to_secs - from_secs;
        assert!(duration_secs.is_finite() && duration_secs >= 0.0, "a part of a clip lasts a finite time");
        let at_secs = if rate < 0.0 { duration_secs } else { 0.0 };
        Self {
            from_secs,
            duration_secs,
            looping,
            at_secs,
            returning: false,
            fresh: true,
            passes: 0,
            finished: false,
        }
    }

    pub fn time_secs(&self) -> f64 {
        self.from_secs + self.at_secs
    }

    /// Returns the duration of one pass.
    pub fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    /// Returns the position within the part, from 0 to 1; 0 if its duration is 0.
    pub fn phase(&self) -> f64 {
        if self.duration_secs > 0.0 { self.at_secs / self.duration_secs } else { 0.0 }
    }

    /// Returns the number of ended passes plus the fraction of the current one that has been played at this rate.
    pub fn progress(&self, rate: f64) -> f64 {
        let phase = if (rate < 0.0) != self.returning { 1.0 - self.phase() } else { self.phase() };
        f64::from(self.passes) + if self.finished { 0.0 } else { phase }
    }

    /// Returns the number of ended passes.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    pub fn looping(&self) -> Looping {
        self.looping
    }

    /// Sets the looping and restarts the count of passes. A finished playhead stays finished.
    pub fn set_looping(&mut self, looping: Looping) {
        self.looping = looping;
        self.passes = 0;
        self.returning &= looping.bounce;
    }

    /// Returns whether advancing would change the time or finish the playhead. A part without duration that repeats
    /// forever never moves.
    pub fn is_moving(&self) -> bool {
        !self.finished && (self.duration_secs > 0.0 || self.looping.passes.is_some())
    }

    /// Sets the time, clamped to the part. A finished playhead restarts its count of passes.
    pub fn seek(&mut self, time_secs: f64) {
        // Not `clamp`, here and elsewhere: its panic message formats numbers, which adds 20 KB of wasm.
        self.seek_at((time_secs - self.from_secs).max(0.0).min(self.duration_secs));
    }

    /// Sets the position within the part, from 0 to 1. A finished playhead restarts its count of passes.
    pub fn seek_phase(&mut self, phase: f64) {
        self.seek_at(phase.clamp(0.0, 1.0) * self.duration_secs);
    }

    /// Marks the current time as not yet passed.
    pub fn mark_unpassed(&mut self) {
        self.fresh = true;
    }

    /// Restarts at the start, or at the end if `rate` is negative.
    pub fn rewind(&mut self, rate: f64) {
        *self = Self::new(self.from_secs..self.from_secs + self.duration_secs, self.looping, rate);
    }

    /// Moves by a fraction of the part, wrapped at its end. Gives the characters of a crowd different phases.
    pub fn shift(&mut self, phase: f64) {
        if self.duration_secs > 0.0 && phase != 0.0 {
            self.at_secs = wrapped(self.at_secs + phase * self.duration_secs, self.duration_secs);
        }
    }

    fn seek_at(&mut self, at_secs: f64) {
        self.at_secs = at_secs;
        self.fresh = true;
        if self.finished {
            self.finished = false;
            self.returning = false;
            self.passes = 0;
        }
    }

    /// Advances by a time step in seconds, backwards if it is negative.
    pub fn advance(&mut self, step_secs: f64) -> Advanced {
        let Self { at_secs, returning, fresh, passes, finished, .. } = *self;
        let ended = self.pass(step_secs);
        Advanced { at_secs, returning, fresh, passes, finished, step_secs, ended }
    }

    /// Moves the playhead and returns the number of passes that ended.
    fn pass(&mut self, step_secs: f64) -> u32 {
        if self.finished || step_secs == 0.0 {
            return 0;
        }
        self.fresh = false;
        let forwards = self.runs_forwards(step_secs);
        let left = self.looping.passes.map(|limit| limit.get().saturating_sub(self.passes));
        if self.duration_secs == 0.0 {
            // A part without duration can't loop: it ends at once, or is held forever.
            return left.map_or(0, |left| self.finish(forwards, left));
        }

        let since_start_secs = if forwards { self.at_secs } else { self.duration_secs - self.at_secs };
        let travelled = ((since_start_secs + step_secs.abs()) / self.duration_secs).min(MOST_PASSES_A_STEP);
        if let Some(left) = left
            && travelled >= f64::from(left)
        {
            return self.finish(forwards, left);
        }
        // The boundary between two passes has the time 0, as with the Euclidean remainder: a backward step that
        // arrives exactly there hasn't ended its pass yet.
        let ended = if forwards || self.looping.bounce { travelled.floor() } else { travelled.ceil() - 1.0 };
        let into_pass_secs = ((travelled - ended) * self.duration_secs).max(0.0).min(self.duration_secs);
        let turned = self.looping.bounce && wrapped(ended, 2.0) == 1.0;
        self.returning ^= turned;
        self.at_secs = if forwards != turned { into_pass_secs } else { self.duration_secs - into_pass_secs };
        // `as` saturates: a longer step counts as `u32::MAX` passes.
        let ended = ended as u32;
        self.passes = self.passes.saturating_add(ended);
        ended
    }

    fn runs_forwards(&self, step_secs: f64) -> bool {
        (step_secs > 0.0) != self.returning
    }

    /// Moves to the end of the last of `left` passes, the first of which runs `forwards`. Returns `left`.
    fn finish(&mut self, forwards: bool, left: u32) -> u32 {
        let last_runs_forwards = forwards != (self.looping.bounce && left.is_multiple_of(2));
        self.at_secs = if last_runs_forwards { self.duration_secs } else { 0.0 };
        self.passes = self.passes.saturating_add(left);
        self.finished = true;
        left
    }
}

impl Advanced {
    /// Returns whether the step had a length and the playhead wasn't finished before it.
    pub fn moved(&self) -> bool {
        self.step_secs != 0.0 && !self.finished
    }

    /// Calls `visit` with each stretch of the step, in order of time. `after` is the playhead after the step.
    pub fn stretches(&self, after: &Playhead, mut visit: impl FnMut(Stretch)) {
        if !self.moved() {
            return;
        }
        let Playhead { from_secs, duration_secs, looping, .. } = *after;
        let mut forwards = (self.step_secs > 0.0) != self.returning;
        let mut at_secs = self.at_secs;
        let mut stretch = Stretch {
            from_secs: 0.0,
            to_secs: 0.0,
            with_start: self.fresh,
            times: 1,
            ended_pass: None,
            since_secs: 0.0,
        };
        let mut reported = 0;
        while reported < self.ended {
            stretch.times = if reported + 1 < MOST_STRETCHES { 1 } else { self.ended - reported };
            reported += stretch.times;
            let end_secs = if forwards { duration_secs } else { 0.0 };
            stretch.from_secs = from_secs + at_secs;
            stretch.to_secs = from_secs + end_secs;
            stretch.ended_pass = Some(self.passes.saturating_add(reported));
            visit(stretch);
            stretch.since_secs += (end_secs - at_secs).abs() * f64::from(stretch.times);
            if looping.bounce {
                // The stretch before includes the turning point.
                forwards ^= stretch.times % 2 == 1;
                at_secs = if forwards { 0.0 } else { duration_secs };
                stretch.with_start = false;
            } else {
                at_secs = duration_secs - end_secs;
                stretch.with_start = true;
            }
        }
        if !after.finished {
            stretch.times = 1;
            stretch.ended_pass = None;
            stretch.from_secs = from_secs + at_secs;
            stretch.to_secs = after.time_secs();
            visit(stretch);
        }
    }
}

impl Stretch {
    /// Returns whether the stretch includes a time, in seconds of the clip.
    pub fn passes(&self, time_secs: f64) -> bool {
        let (low, high) = (self.from_secs.min(self.to_secs), self.from_secs.max(self.to_secs));
        (low..=high).contains(&time_secs) && (self.with_start || time_secs != self.from_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playhead(duration_secs: f64, looping: Looping) -> Playhead {
        Playhead::new(0.0..duration_secs, looping, 1.0)
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
        assert_eq!(playhead.advance(107.0).ended, 1);
        assert_time(&playhead, 7.0);
    }

    #[test]
    #[allow(non_snake_case)]
    fn S58_big_and_backward_steps_wrap_by_the_euclidean_remainder() {
        let mut forwards = playhead(2.0, Looping::REPEAT);
        assert_eq!(forwards.advance(21.0).ended, 10);
        assert_time(&forwards, 1.0);
        let mut backwards = playhead(2.0, Looping::REPEAT);
        backwards.seek(0.5);
        assert_eq!(backwards.advance(-1.0).ended, 1);
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
        assert_eq!(playhead.advance(0.25).ended, 1);
        assert_time(&playhead, 0.25);
    }

    #[test]
    fn once_holds_the_last_pose() {
        let mut playhead = playhead(2.0, Looping::ONCE);
        assert_eq!(playhead.advance(5.0).ended, 1);
        assert!(playhead.is_finished());
        assert_time(&playhead, 2.0);
        assert_eq!(playhead.advance(5.0).ended, 0);
    }

    #[test]
    fn once_backwards_starts_at_the_end_and_holds_the_first_pose() {
        let mut playhead = Playhead::new(0.0..2.0, Looping::ONCE, -1.0);
        assert_time(&playhead, 2.0);
        assert_eq!(playhead.advance(-1.5).ended, 0);
        assert_eq!(playhead.advance(-0.5).ended, 1);
        assert!(playhead.is_finished());
        assert_time(&playhead, 0.0);
    }

    #[test]
    fn a_count_ends_with_its_last_pass() {
        let mut playhead = playhead(2.0, count(3));
        assert_eq!(playhead.advance(3.0).ended, 1);
        assert_eq!(playhead.advance(100.0).ended, 2);
        assert_eq!(playhead.passes(), 3);
        assert_time(&playhead, 2.0);
    }

    #[test]
    fn bouncing_runs_every_other_pass_back() {
        let mut playhead = playhead(2.0, Looping::PING_PONG);
        assert_eq!(playhead.advance(3.0).ended, 1);
        assert_time(&playhead, 1.0);
        assert_eq!(playhead.advance(1.5).ended, 1);
        assert_time(&playhead, 0.5);
        assert_eq!(playhead.advance(8.0).ended, 4);
        assert_time(&playhead, 0.5);
    }

    #[test]
    fn two_bouncing_passes_end_where_they_began() {
        let mut playhead = playhead(2.0, Looping { passes: NonZeroU32::new(2), bounce: true });
        assert_eq!(playhead.advance(4.0).ended, 2);
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
                let mut whole = Playhead::new(0.0..0.75, looping, direction);
                let mut split = whole;
                let whole_passes = whole.advance(direction * 7.0).ended;
                let split_passes: u32 = (0..224).map(|_| split.advance(direction / 32.0).ended).sum();
                assert_eq!(whole_passes, split_passes, "{looping:?} {direction}");
                assert_time(&split, whole.time_secs());
            }
        }
    }

    #[test]
    fn a_pose_never_loops() {
        let mut once = playhead(0.0, Looping::ONCE);
        assert_eq!(once.advance(0.1).ended, 1);
        assert!(once.is_finished());
        let mut held = playhead(0.0, Looping::REPEAT);
        assert_eq!(held.advance(1e9).ended, 0);
        assert!(!held.is_finished());
    }

    #[test]
    fn an_absurd_step_ends_in_the_clip() {
        let mut playhead = playhead(1e-3, Looping::REPEAT);
        playhead.advance(f64::MAX);
        assert!((0.0..=1e-3).contains(&playhead.time_secs()));
    }

    /// Advances and returns the grid times that the step passed, with `None` for each end of a pass.
    fn passed(playhead: &mut Playhead, step_secs: f64) -> Vec<Option<i64>> {
        let advanced = playhead.advance(step_secs);
        let mut passed = Vec::new();
        advanced.stretches(playhead, |stretch| {
            let forwards = stretch.from_secs <= stretch.to_secs;
            let grid = 0..=8;
            let ascending: Vec<i64> = grid.filter(|&n| stretch.passes(n as f64 * 0.25)).collect();
            let ordered: Vec<i64> = if forwards { ascending } else { ascending.into_iter().rev().collect() };
            passed.extend(ordered.into_iter().map(Some));
            passed.extend(stretch.ended_pass.map(|_| None));
        });
        passed
    }

    #[test]
    fn every_time_is_passed_once_a_pass_however_the_step_is_split() {
        for looping in [Looping::REPEAT, Looping::PING_PONG, Looping::ONCE, count(3)] {
            for direction in [1.0, -1.0] {
                let whole = passed(&mut Playhead::new(0.0..2.0, looping, direction), direction * 9.1);
                for pieces in [2, 3, 9, 36, 100] {
                    let mut split = Playhead::new(0.0..2.0, looping, direction);
                    let each = direction * 9.1 / f64::from(pieces);
                    let told: Vec<_> = (0..pieces).flat_map(|_| passed(&mut split, each)).collect();
                    assert_eq!(whole, told, "{looping:?} {direction} in {pieces}");
                }
            }
        }
    }

    #[test]
    fn a_start_is_passed_when_time_moves_on_and_a_turning_point_once() {
        let mut once = Playhead::new(0.0..0.5, Looping::ONCE, 1.0);
        assert_eq!(passed(&mut once, 0.0), []);
        assert_eq!(passed(&mut once, 1.0), [Some(0), Some(1), Some(2), None]);
        let mut bouncing = Playhead::new(0.0..0.5, Looping::PING_PONG, 1.0);
        assert_eq!(passed(&mut bouncing, 0.75), [Some(0), Some(1), Some(2), None, Some(1)]);
        bouncing.seek(0.25);
        assert_eq!(passed(&mut bouncing, 0.1), [Some(1)]);
    }

    #[test]
    fn a_part_keeps_the_clips_own_time() {
        let mut part = Playhead::new(1.0..3.0, Looping::REPEAT, 1.0);
        assert_time(&part, 1.0);
        assert_eq!(part.advance(2.5).ended, 1);
        assert_time(&part, 1.5);
        part.seek(9.0);
        assert_time(&part, 3.0);
        part.seek(0.0);
        assert_time(&part, 1.0);
    }

    #[test]
    fn thousands_of_passes_are_told_in_few_stretches() {
        let mut playhead = playhead(1.0, Looping::REPEAT);
        let advanced = playhead.advance(1e6 + 0.5);
        let mut count = 0;
        let mut passes = 0;
        advanced.stretches(&playhead, |stretch| {
            count += 1;
            passes += stretch.ended_pass.map_or(0, |_| stretch.times);
        });
        assert_eq!((count, passes), (65, 1_000_000));
    }
}
