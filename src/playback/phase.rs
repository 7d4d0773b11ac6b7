//! Phase synchronization of clips of different lengths.
//!
//! The members of a group share one phase. Beats divide a pass into intervals. Clips with the same number of beats
//! are aligned at every beat, others only at the ends of their passes. The duration of an interval is the weighted
//! average over the members of the group.
//!
//! ```text
//! walk   0──────beat 0─────────────────beat 1──────1.2 s      phase 0.25 is half-way from beat 0 to beat 1
//! run    0───beat 0───────beat 1────0.7 s                     in every member
//! ```
use super::Playhead;
use super::motion::Leaf;
use crate::angle::wrapped;

/// Leaf of a phase group.
pub(super) struct Member<'a> {
    pub(super) leaf: &'a mut Leaf,
    /// Weight of the leaf relative to the other members.
    pub(super) weight: f64,
    /// Speed of the leaf's motion, multiplied by the controller's playback rate.
    pub(super) rate: f64,
}

/// Function that calls a visitor with every member of a group, each time in the same order.
pub(super) type Members<'a> = dyn FnMut(&mut dyn FnMut(Member<'_>)) + 'a;

/// Sets the step of every member so that the group stays in phase.
pub(super) fn step_together(members: &mut Members<'_>, dt_secs: f64) {
    let mut group = Group::default();
    members(&mut |member| group.include(&member));
    // If all weights are 0, the members count equally.
    let weight_of = |member: &Member<'_>| if group.weight > 0.0 { member.weight } else { 1.0 };
    let (mut weight, mut rate, mut pass_secs) = (0.0, 0.0, 0.0);
    members(&mut |member| {
        let own = weight_of(&member);
        weight += own;
        rate += own * member.rate;
        pass_secs += own * member.leaf.pass_secs();
    });
    if weight <= 0.0 || pass_secs <= 0.0 {
        members(&mut |member| member.leaf.step_secs = 0.0);
        return;
    }
    let secs = dt_secs * rate / weight;
    if group.beat_count == 0 {
        let passes = secs * weight / pass_secs;
        members(&mut |member| member.leaf.step_secs = passes * member.leaf.playhead.duration_secs());
        return;
    }
    let phase = walk(group.phase, secs, group.beat_count, |beat| {
        let mut interval_secs = 0.0;
        members(&mut |member| {
            let leaf = &member.leaf;
            let length_secs = leaf.playhead.duration_secs();
            let share = interval(&leaf.beats_secs, beat, length_secs) / length_secs;
            interval_secs += weight_of(&member) * share * leaf.pass_secs();
        });
        interval_secs / weight
    });
    members(&mut |member| {
        let length_secs = member.leaf.playhead.duration_secs();
        let at = |phase| secs_at(&member.leaf.beats_secs, phase, length_secs);
        member.leaf.step_secs = at(phase) - at(group.phase);
    });
}

/// Common properties of the members of a group.
#[derive(Default)]
struct Group {
    member_count: usize,
    weight: f64,
    /// Number of beats of every member; 0 if they differ, or if any member bounces.
    beat_count: usize,
    heaviest: f64,
    /// Phase of the member with the greatest weight.
    phase: f64,
}

impl Group {
    fn include(&mut self, member: &Member<'_>) {
        let Leaf { beats_secs, playhead, .. } = &*member.leaf;
        let beat_count = if playhead.looping().bounce { 0 } else { beats_secs.len() };
        if self.member_count == 0 {
            self.beat_count = beat_count;
        } else if self.beat_count != beat_count {
            self.beat_count = 0;
        }
        if self.beat_count > 0 && (self.member_count == 0 || member.weight > self.heaviest) {
            self.heaviest = member.weight;
            self.phase = phase_at(beats_secs, playhead);
        }
        self.member_count += 1;
        self.weight += member.weight;
    }
}

impl Leaf {
    /// Moves the playhead to the phase of another one.
    pub(super) fn follow(&mut self, leader: &Playhead, leader_beats: &[f64]) {
        let own = &*self.beats_secs;
        if own.is_empty() || own.len() != leader_beats.len() || leader.looping().bounce {
            self.playhead.seek_phase(leader.phase());
        } else {
            let length = self.playhead.duration_secs();
            let at_secs = secs_at(own, phase_at(leader_beats, leader), length);
            self.playhead.seek_phase(wrapped(at_secs, length) / length);
        }
    }
}

/// Returns the time from a beat to the next one, which for the last beat is the first of the next pass.
fn interval(beats_secs: &[f64], beat: usize, length_secs: f64) -> f64 {
    match beats_secs.get(beat + 1) {
        Some(next) => next - beats_secs[beat],
        None => beats_secs[0] + length_secs - beats_secs[beat],
    }
}

/// Returns the phase of a playhead in passes since the first beat; negative before it.
fn phase_at(beats_secs: &[f64], playhead: &Playhead) -> f64 {
    let length_secs = playhead.duration_secs();
    let at_secs = playhead.phase() * length_secs;
    let count = beats_secs.len();
    let (turn, at_secs) =
        if at_secs < beats_secs[0] { (-1.0, at_secs + length_secs) } else { (0.0, at_secs) };
    let beat = beats_secs.partition_point(|&beat| beat <= at_secs) - 1;
    let share = (at_secs - beats_secs[beat]) / interval(beats_secs, beat, length_secs);
    turn + (beat as f64 + share) / count as f64
}

/// Returns the time of a phase in seconds from the start of the part, the inverse of [`phase_at`]. Phases from 1 on
/// give times in the following passes.
fn secs_at(beats_secs: &[f64], phase: f64, length_secs: f64) -> f64 {
    let count = beats_secs.len();
    let turn = phase.floor();
    let beats = (phase - turn) * count as f64;
    let beat = (beats as usize).min(count - 1);
    turn * length_secs + beats_secs[beat] + (beats - beat as f64) * interval(beats_secs, beat, length_secs)
}

/// Returns the phase that is reached from `phase` after `secs`, where each interval has its own duration.
fn walk(phase: f64, secs: f64, beat_count: usize, mut interval_secs: impl FnMut(usize) -> f64) -> f64 {
    let pass_secs: f64 = (0..beat_count).map(&mut interval_secs).sum();
    if pass_secs <= 0.0 {
        return phase;
    }
    let count = beat_count as f64;
    let whole = (secs / pass_secs).trunc();
    let mut left_secs = secs - whole * pass_secs;
    let forwards = secs >= 0.0;
    let mut beats = (phase - phase.floor()) * count;
    // At most one pass and the current interval remain.
    for _ in 0..=beat_count {
        let ahead = if forwards { beats.floor() + 1.0 - beats } else { beats - (beats.ceil() - 1.0) };
        let beat = if forwards { beats.floor() } else { beats.ceil() - 1.0 };
        let lasts_secs = interval_secs(wrapped(beat, count) as usize);
        let until_secs = ahead * lasts_secs;
        if left_secs.abs() < until_secs {
            beats += left_secs / lasts_secs;
            break;
        }
        beats = if forwards { beat + 1.0 } else { beat };
        left_secs -= if forwards { until_secs } else { -until_secs };
    }
    phase.floor() + whole + beats / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playback::Looping;

    #[test]
    fn phase_and_seconds_are_each_others_inverse() {
        let beats = [0.25, 0.5, 1.5];
        for step in 0..40 {
            let at_secs = f64::from(step) * 0.05;
            let mut playhead = Playhead::new(0.0..2.0, Looping::REPEAT, 1.0);
            playhead.seek(at_secs);
            let phase = phase_at(&beats, &playhead);
            // Rounding of numbers up to 2.
            assert!((secs_at(&beats, phase, 2.0) - at_secs).abs() < 1e-12, "{at_secs}");
        }
    }

    #[test]
    fn walking_takes_each_interval_its_own_time() {
        let lasts = |beat: usize| [1.0, 3.0][beat];
        let near = |phase: f64, secs: f64, expected: f64| {
            let arrived = walk(phase, secs, 2, lasts);
            assert!((arrived - expected).abs() < 1e-12, "{phase} + {secs} s: {arrived} ≠ {expected}");
        };
        near(0.0, 0.5, 0.25);
        near(0.0, 1.0, 0.5);
        near(0.0, 2.5, 0.75);
        near(0.25, 4.0, 1.25);
        near(0.25, 402.0, 100.75);
        near(0.75, -1.5, 0.5);
        near(0.75, -2.0, 0.25);
        near(-0.25, 1.5, 0.0);
        near(0.0, -3.0, -0.5);
        near(0.5, -401.0, -100.0);
    }
}
