//! Inertialization: a cut between two motions without a pop. The offset from the new motion to the old one decays.
//!
//! ```text
//! shown   ────────╮                    at the cut the pose keeps its value and its velocity,
//!                  ╲_                  and after the duration it is the pose of the new motion
//! new       ─────────────────────
//!                 cut      + duration
//! ```
use super::offsets::{Offsets, PoseOffsets, turn_of};
use super::simd::product;
use super::{LocalPose, Rig};
use glam::Vec4;

/// Offset from the new motion to the old one, and its rate of change.
///
/// The buffers have their full size from the start, so that starting again doesn't allocate.
#[derive(Clone, Debug)]
pub struct Inertia {
    duration_secs: f32,
    offsets: PoseOffsets,
}

impl Inertia {
    /// Returns an inertia that has no effect until it is started.
    pub fn new(rig: &Rig) -> Self {
        Self { duration_secs: 0.0, offsets: PoseOffsets::new(rig) }
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
        self.offsets.start(before, after, dt_secs);
    }

    /// Adds the remaining offset to the new motion's pose. Has no effect once `elapsed_secs` reaches the duration.
    pub fn apply(&self, elapsed_secs: f32, pose: &mut LocalPose) {
        if elapsed_secs < self.duration_secs {
            let elapsed = Vec4::splat(elapsed_secs.max(0.0));
            let duration = Vec4::splat(self.duration_secs);
            let PoseOffsets { translations, rotations, scales, scalars } = &self.offsets;
            apply(translations, elapsed, duration, pose.translations.as_flattened_mut());
            apply_turns(rotations, elapsed, duration, &mut pose.rotations);
            apply(scales, elapsed, duration, pose.scales.as_flattened_mut());
            apply(scalars, elapsed, duration, pose.scalars.as_flattened_mut());
        }
    }
}

fn apply(offsets: &Offsets, elapsed: Vec4, duration: Vec4, pose: &mut [Vec4]) {
    for ((at_start, per_sec), held) in offsets.at_start.iter().zip(&offsets.per_sec).zip(pose) {
        *held += left(*at_start, *per_sec, elapsed, duration);
    }
}

fn apply_turns(offsets: &Offsets, elapsed: Vec4, duration: Vec4, pose: &mut [[Vec4; 4]]) {
    let (at_start, _) = offsets.at_start.as_chunks::<3>();
    let (per_sec, _) = offsets.per_sec.as_chunks::<3>();
    for ((at_start, per_sec), held) in at_start.iter().zip(per_sec).zip(pose) {
        let x = left(at_start[0], per_sec[0], elapsed, duration);
        let y = left(at_start[1], per_sec[1], elapsed, duration);
        let z = left(at_start[2], per_sec[2], elapsed, duration);
        *held = product(&turn_of([x, y, z]), held);
    }
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
