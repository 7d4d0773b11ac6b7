//! Steps of a fixed length in frames of any length, so that simulations don't depend on the frame rate.

/// Length of a step in seconds. The drag of `VRMC_springBone` is per step, and files are made at 60 steps a second.
pub(super) const STEP_SECS: f64 = 1.0 / 60.0;
/// Largest number of steps for one frame. The rest of a longer time is left out.
const MOST_STEPS: usize = 60;

/// The steps between two frames.
pub(super) struct FixedSteps {
    pub(super) count: usize,
    left_secs: f64,
    passed_secs: f64,
}

impl FixedSteps {
    /// `left_secs` is the time of the last frame after its last step.
    pub(super) fn new(left_secs: f64, passed_secs: f64) -> Self {
        // Without the margin, rounding would leave out a step of a frame that is as long as a step.
        let count = ((left_secs + passed_secs) / STEP_SECS + 1e-6).floor() as usize;
        if count > MOST_STEPS {
            let passed_secs = STEP_SECS * MOST_STEPS as f64;
            return Self { count: MOST_STEPS, left_secs: 0.0, passed_secs };
        }
        Self { count, left_secs, passed_secs }
    }

    /// Returns where between the two frames a step ends, from 0 to 1. The first step is 1.
    pub(super) fn share(&self, nth: usize) -> f32 {
        ((nth as f64 * STEP_SECS - self.left_secs) / self.passed_secs).clamp(0.0, 1.0) as f32
    }

    /// Returns the time of the frame after its last step.
    pub(super) fn left_secs(&self) -> f64 {
        (self.left_secs + self.passed_secs - self.count as f64 * STEP_SECS).max(0.0)
    }
}
