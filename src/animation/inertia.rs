//! Inertialization: a cut between two motions without a pop. The offset from the new motion to the old one decays.
//!
//! ```text
//! shown   ────────╮                    at the cut the pose keeps its value and its velocity,
//!                  ╲_                  and after the duration it is the pose of the new motion
//! new       ─────────────────────
//!                 cut      + duration
//! ```
use super::simd::{Components, LANES, conjugate, dot, normalized, product};
use super::{LocalPose, Rig};
use glam::Vec4;

/// Offset from the new motion to the old one, and its rate of change.
///
/// The buffers have their full size from the start, so that starting again doesn't allocate.
#[derive(Clone, Debug)]
pub struct Inertia {
    duration_secs: f32,
    translations: Offsets,
    /// In modified Rodrigues parameters: the axis times the tangent of a quarter of the angle.
    rotations: Offsets,
    scales: Offsets,
    scalars: Offsets,
}

impl Inertia {
    /// Returns an inertia that has no effect until it is started.
    pub fn new(rig: &Rig) -> Self {
        let rest = rig.rest();
        Self {
            duration_secs: 0.0,
            translations: Offsets::new(rest.translations.len() * 3),
            rotations: Offsets::new(rest.rotations.len() * 3),
            scales: Offsets::new(rest.scales.len() * 3),
            scalars: Offsets::new(rest.scalars.len()),
        }
    }

    /// Starts with the poses of the old motion (`before`) and of the new one (`after`), each now and `dt_secs` later.
    pub fn start(
        &mut self,
        before: [&LocalPose; 2],
        after: [&LocalPose; 2],
        dt_secs: f32,
        duration_secs: f32,
    ) {
        self.duration_secs = duration_secs;
        let per_sec = Vec4::splat(if dt_secs > 0.0 { 1.0 / dt_secs } else { 0.0 });
        let poses = [before[0], before[1], after[0], after[1]];
        self.translations.start(poses.map(|pose| pose.translations.as_flattened()), per_sec);
        self.rotations.start_turns(poses.map(|pose| &*pose.rotations), per_sec);
        self.scales.start(poses.map(|pose| pose.scales.as_flattened()), per_sec);
        self.scalars.start(poses.map(|pose| pose.scalars.as_flattened()), per_sec);
    }

    /// Adds the remaining offset to the new motion's pose. Has no effect once `elapsed_secs` reaches the duration.
    pub fn apply(&self, elapsed_secs: f32, pose: &mut LocalPose) {
        if elapsed_secs < self.duration_secs {
            let elapsed = Vec4::splat(elapsed_secs.max(0.0));
            let duration = Vec4::splat(self.duration_secs);
            self.translations.apply(elapsed, duration, pose.translations.as_flattened_mut());
            self.rotations.apply_turns(elapsed, duration, &mut pose.rotations);
            self.scales.apply(elapsed, duration, pose.scales.as_flattened_mut());
            self.scalars.apply(elapsed, duration, pose.scalars.as_flattened_mut());
        }
    }
}

/// Offset of every lane at the start, and its rate of change per second.
#[derive(Clone, Debug)]
struct Offsets {
    at_start: Vec<Vec4>,
    per_sec: Vec<Vec4>,
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
            let identity = [Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ONE];
            let turn = near(difference(before.0, after.0), &identity);
            let later = near(difference(before.1, after.1), &turn);
            *at_start = rodrigues(&turn);
            let later = rodrigues(&later);
            for ((rate, at_start), later) in rate.iter_mut().zip(at_start).zip(later) {
                *rate = (later - *at_start) * per_sec;
            }
        }
    }

    fn apply(&self, elapsed: Vec4, duration: Vec4, pose: &mut [Vec4]) {
        for ((at_start, per_sec), held) in self.at_start.iter().zip(&self.per_sec).zip(pose) {
            *held += left(*at_start, *per_sec, elapsed, duration);
        }
    }

    fn apply_turns(&self, elapsed: Vec4, duration: Vec4, pose: &mut [[Vec4; 4]]) {
        let (at_start, _) = self.at_start.as_chunks::<3>();
        let (per_sec, _) = self.per_sec.as_chunks::<3>();
        for ((at_start, per_sec), held) in at_start.iter().zip(per_sec).zip(pose) {
            let x = left(at_start[0], per_sec[0], elapsed, duration);
            let y = left(at_start[1], per_sec[1], elapsed, duration);
            let z = left(at_start[2], per_sec[2], elapsed, duration);
            let squared = (x * x + y * y) + z * z;
            let length = Vec4::ONE + squared;
            let turn = [(x + x) / length, (y + y) / length, (z + z) / length, (Vec4::ONE - squared) / length];
            *held = product(&turn, held);
        }
    }
}

/// Returns the rotations from `after` to `before`.
fn difference(before: &[Vec4; 4], after: &[Vec4; 4]) -> [Vec4; 4] {
    normalized(product(before, &conjugate(after)))
}

/// Returns `turn` or its negative, which is the same rotation, whichever is nearer to another quaternion.
fn near(turn: [Vec4; 4], other: &[Vec4; 4]) -> [Vec4; 4] {
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

/// Returns the remaining offset: a quintic that starts with the offset's value and velocity, and ends with zero
/// value, velocity and acceleration.
///
/// With u from 0 to 1 and v the velocity per duration:
///
/// ```text
/// x(u) = (1 − u)³ · (x₀ + (3·x₀ + v)·u + (6·x₀ + 3·v + bend)·u²)
/// ```
///
/// An offset that moves towards zero never passes it: `bend` slows down a fast one. If the offset is too fast for any
/// `bend`, its duration is shortened until the curve is (1 − u)⁵.
#[inline(always)]
fn left(at_start: Vec4, per_sec: Vec4, elapsed: Vec4, duration: Vec4) -> Vec4 {
    let five = Vec4::splat(5.0);
    let heads_home = (at_start * per_sec).cmplt(Vec4::ZERO);
    let arrival = Vec4::select(heads_home, -five * at_start / per_sec, duration);
    let duration = Vec4::select(arrival.cmplt(duration), arrival, duration);
    let u = Vec4::select(elapsed.cmplt(duration), elapsed / duration, Vec4::ONE);
    let speed = per_sec * duration;
    let bend = Vec4::splat(-4.0) * speed - (five + five) * at_start;
    let bend = Vec4::select((bend * at_start).cmpgt(Vec4::ZERO), bend, Vec4::ZERO);
    let three = Vec4::splat(3.0);
    let linear = three * at_start + speed;
    let squared = (linear + linear) + (speed + bend);
    let rest = Vec4::ONE - u;
    (rest * rest * rest) * ((squared * u + linear) * u + at_start)
}
