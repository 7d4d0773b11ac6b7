//! Dead blending: a crossfade from a motion that no longer plays. Its last pose is extrapolated instead.
//!
//! ```text
//! old     ────────╮╌╌╌╌╌╌╌╌╌╌          goes on with its last velocity, which decays
//! shown            ╲__                 at the cut the pose keeps its value, and fades from one to the other
//! new       ─────────────────────
//!                 cut      + duration
//! ```
use super::offsets::{Offsets, PoseOffsets, difference, near, turn_of};
use super::simd::{Components, IDENTITY, normalized, product};
use super::{LocalPose, Rig};
use glam::Vec4;

/// Time constants of the decay of velocities. The shortest and the longest are half-lives of 0.05 s and 1 s, divided
/// by the logarithm of 2, as in Daniel Holden's “Dead Blending”.
const SHORTEST_DECAY_SECS: f32 = 0.05 * std::f32::consts::LOG2_E;
const LONGEST_DECAY_SECS: f32 = std::f32::consts::LOG2_E;

/// Last pose of the old motion, and its velocity.
///
/// - Each number that moves towards the new motion's first pose comes to rest there. The others come to rest soon.
/// - Nodes that both motions leave at the same place follow the new motion alone.
/// - Scales don't change their sign by extrapolation.
///
/// The buffers have their full size from the start, so that starting again doesn't allocate.
#[derive(Clone, Debug)]
pub struct DeadBlending {
    /// First pose of the new motion.
    goal: LocalPose,
    /// From `goal` to the old motion.
    offsets: PoseOffsets,
}

impl DeadBlending {
    /// Returns a blending that has no effect until it is started.
    pub fn new(rig: &Rig) -> Self {
        Self { goal: rig.rest().clone(), offsets: PoseOffsets::new(rig) }
    }

    /// Starts with the pose of the old motion, now and `dt_secs` later, and the pose of the new one.
    pub fn start(&mut self, before: [&LocalPose; 2], after: &LocalPose, dt_secs: f32) {
        self.goal.copy_from(after);
        self.offsets.start(before, [after, after], dt_secs);
    }

    /// Blends the new motion's pose with the old one's, extrapolated over `elapsed_secs`. A `new_weight` of 1 has no
    /// effect.
    pub fn apply(&self, elapsed_secs: f32, new_weight: f32, pose: &mut LocalPose) {
        if new_weight < 1.0 {
            let elapsed = Vec4::splat(elapsed_secs.max(0.0));
            let weight = Vec4::splat(new_weight);
            let PoseOffsets { translations, rotations, scales, scalars } = &self.offsets;
            let (goal, held) = (&self.goal, pose);
            let now = [elapsed, weight];
            let goals = goal.translations.as_flattened();
            apply(translations, now, goals, held.translations.as_flattened_mut(), Vec4::NEG_INFINITY);
            apply_turns(rotations, now, &goal.rotations, &mut held.rotations);
            apply(scales, now, goal.scales.as_flattened(), held.scales.as_flattened_mut(), Vec4::ZERO);
            let goals = goal.scalars.as_flattened();
            apply(scalars, now, goals, held.scalars.as_flattened_mut(), Vec4::NEG_INFINITY);
        }
    }
}

/// A number becomes 0 where its product with the number at the start is below `least`.
fn apply(offsets: &Offsets, [elapsed, weight]: [Vec4; 2], goals: &[Vec4], pose: &mut [Vec4], least: Vec4) {
    let offsets = offsets.at_start.iter().zip(&offsets.per_sec);
    for (((at_start, per_sec), goal), held) in offsets.zip(goals).zip(pose) {
        let old = *goal + extrapolated(*at_start, *per_sec, elapsed);
        let old = Vec4::select((old * (*goal + *at_start)).cmplt(least), Vec4::ZERO, old);
        let is_same = at_start.cmpeq(Vec4::ZERO);
        *held = Vec4::select(is_same, *held, old + (*held - old) * weight);
    }
}

/// Blends the rotations from the goal to both motions. Blending the motions the short way would flip where the other
/// way becomes the shorter one.
fn apply_turns(offsets: &Offsets, [elapsed, weight]: [Vec4; 2], goals: &[[Vec4; 4]], pose: &mut [[Vec4; 4]]) {
    let (at_start, _) = offsets.at_start.as_chunks::<3>();
    let (per_sec, _) = offsets.per_sec.as_chunks::<3>();
    for (((at_start, per_sec), goal), held) in at_start.iter().zip(per_sec).zip(goals).zip(pose) {
        let x = extrapolated(at_start[0], per_sec[0], elapsed);
        let y = extrapolated(at_start[1], per_sec[1], elapsed);
        let z = extrapolated(at_start[2], per_sec[2], elapsed);
        let new = near(difference(held, goal), &IDENTITY);
        let turn = normalized(Components::lerp(&turn_of([x, y, z]), &new, weight));
        let distance = (at_start[0].abs() + at_start[1].abs()) + at_start[2].abs();
        *held = Components::merge(distance, product(&turn, goal), held);
    }
}

/// Returns an offset after its velocity has decayed for some time.
///
/// ```text
/// x(t) = x₀ + v·τ·(1 − exp(−t / τ))          comes to rest at x₀ + v·τ, which is 0 for τ = −x₀ / v
/// ```
#[inline(always)]
fn extrapolated(at_start: Vec4, per_sec: Vec4, elapsed: Vec4) -> Vec4 {
    let heads_home = (at_start * per_sec).cmplt(Vec4::ZERO);
    let arrival = -at_start / per_sec;
    let (shortest, longest) = (Vec4::splat(SHORTEST_DECAY_SECS), Vec4::splat(LONGEST_DECAY_SECS));
    let is_between = heads_home & arrival.cmpgt(shortest);
    let decay = Vec4::select(is_between, arrival, shortest);
    let decay = Vec4::select(decay.cmplt(longest), decay, longest);
    at_start + (per_sec * decay) * (Vec4::ONE - decayed(elapsed / decay))
}

/// Returns exp(−x) for x ≥ 0, to within 1e-5, from operations that IEEE 754 defines exactly: 1 / exp(x / 16)¹⁶.
#[inline(always)]
fn decayed(x: Vec4) -> Vec4 {
    let x = x * Vec4::splat(1.0 / 16.0);
    let quarter = Vec4::ONE + x * Vec4::splat(0.25);
    let third = Vec4::ONE + x * Vec4::splat(1.0 / 3.0) * quarter;
    let half = Vec4::ONE + x * Vec4::splat(0.5) * third;
    let grown = Vec4::ONE + x * half;
    let grown = grown * grown;
    let grown = grown * grown;
    let grown = grown * grown;
    Vec4::ONE / (grown * grown)
}
