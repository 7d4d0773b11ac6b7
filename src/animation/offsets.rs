//! Offsets between two poses: what is left of the old motion's pose where a new motion begins.
use super::simd::{Components, IDENTITY, LANES, conjugate, dot, normalized, product};
use super::{LocalPose, Rig};
use glam::Vec4;

/// Offset from one pose to another, and its rate of change.
///
/// The buffers have their full size from the start, so that starting again doesn't allocate.
#[derive(Clone, Debug)]
pub(super) struct PoseOffsets {
    pub(super) translations: Offsets,
    /// In modified Rodrigues parameters: the axis times the tangent of a quarter of the angle.
    pub(super) rotations: Offsets,
    pub(super) scales: Offsets,
    pub(super) scalars: Offsets,
}

impl PoseOffsets {
    pub(super) fn new(rig: &Rig) -> Self {
        let rest = rig.rest();
        Self {
            translations: Offsets::new(rest.translations.len() * 3),
            rotations: Offsets::new(rest.rotations.len() * 3),
            scales: Offsets::new(rest.scales.len() * 3),
            scalars: Offsets::new(rest.scalars.len()),
        }
    }

    /// Measures the offset from `after` to `before`. Each has two poses, now and `dt_secs` later.
    pub(super) fn start(&mut self, before: [&LocalPose; 2], after: [&LocalPose; 2], dt_secs: f32) {
        let per_sec = Vec4::splat(if dt_secs > 0.0 { 1.0 / dt_secs } else { 0.0 });
        let poses = [before[0], before[1], after[0], after[1]];
        self.translations.start(poses.map(|pose| pose.translations.as_flattened()), per_sec);
        self.rotations.start_turns(poses.map(|pose| &*pose.rotations), per_sec);
        self.scales.start(poses.map(|pose| pose.scales.as_flattened()), per_sec);
        self.scalars.start(poses.map(|pose| pose.scalars.as_flattened()), per_sec);
    }
}

/// Offset of every lane at the start, and its rate of change per second.
#[derive(Clone, Debug)]
pub(super) struct Offsets {
    pub(super) at_start: Vec<Vec4>,
    pub(super) per_sec: Vec<Vec4>,
}

impl Offsets {
    fn new(count: usize) -> Self {
        Self { at_start: vec![Vec4::ZERO; count], per_sec: vec![Vec4::ZERO; count] }
    }

    fn start(&mut self, [before, before_later, after, after_later]: [&[Vec4]; LANES], per_sec: Vec4) {
        let before = before.iter().zip(before_later);
        let after = after.iter().zip(after_later);
        let offsets = self.at_start.iter_mut().zip(&mut self.per_sec);
        for ((at_start, rate), (before, after)) in offsets.zip(before.zip(after)) {
            *at_start = *before.0 - *after.0;
            *rate = ((*before.1 - *after.1) - *at_start) * per_sec;
        }
    }

    fn start_turns(
        &mut self,
        [before, before_later, after, after_later]: [&[[Vec4; 4]]; LANES],
        per_sec: Vec4,
    ) {
        let before = before.iter().zip(before_later);
        let after = after.iter().zip(after_later);
        let offsets = self.at_start.as_chunks_mut::<3>().0.iter_mut();
        let offsets = offsets.zip(self.per_sec.as_chunks_mut::<3>().0);
        for ((at_start, rate), (before, after)) in offsets.zip(before.zip(after)) {
            let turn = near(difference(before.0, after.0), &IDENTITY);
            let later = near(difference(before.1, after.1), &turn);
            *at_start = rodrigues(&turn);
            let later = rodrigues(&later);
            for ((rate, at_start), later) in rate.iter_mut().zip(at_start).zip(later) {
                *rate = (later - *at_start) * per_sec;
            }
        }
    }
}

/// Returns the rotations from `after` to `before`.
pub(super) fn difference(before: &[Vec4; 4], after: &[Vec4; 4]) -> [Vec4; 4] {
    normalized(product(before, &conjugate(after)))
}

/// Returns `turn` or its negative, which is the same rotation, whichever is nearer to another quaternion.
pub(super) fn near(turn: [Vec4; 4], other: &[Vec4; 4]) -> [Vec4; 4] {
    let is_near = dot(&turn, other).cmpge(Vec4::ZERO);
    Components::merge(
        Vec4::select(is_near, Vec4::ONE, Vec4::ZERO),
        turn,
        &[-turn[0], -turn[1], -turn[2], -turn[3]],
    )
}

/// Returns modified Rodrigues parameters, which are smooth below a full turn and need no trigonometry.
fn rodrigues([x, y, z, w]: &[Vec4; 4]) -> [Vec4; 3] {
    // The short way has w ≥ 0. A rotation so fast that w is far below 0 after one step is clamped.
    let scale = (Vec4::ONE + *w).max(Vec4::splat(0.5));
    [*x / scale, *y / scale, *z / scale]
}

/// Returns the rotations with the given modified Rodrigues parameters.
#[inline(always)]
pub(super) fn turn_of([x, y, z]: [Vec4; 3]) -> [Vec4; 4] {
    let squared = (x * x + y * y) + z * z;
    let length = Vec4::ONE + squared;
    [(x + x) / length, (y + y) / length, (z + z) / length, (Vec4::ONE - squared) / length]
}
