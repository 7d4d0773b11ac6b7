//! The clips by name. Each is a function from time to a pose that ends where it began. Secondary motion is added
//! afterwards.

mod dance;
mod idle;
mod jump;
mod run;
mod walk;
mod wave;

use glam::Vec3;

use super::{bake::Recording, pose::Pose, swing::add_swing};

/// Sampling rate of the poses. Keys lie on these frames; frames that aren't needed are left out.
pub(super) const FRAMES_PER_SEC: f32 = 24.0;

struct Clip {
    name: &'static str,
    duration_secs: f32,
    /// Acceleration by the relative wind. Clips stay in place, so their motion causes none.
    wind: Vec3,
    pose: fn(f32) -> Pose,
}

const CLIPS: [Clip; 6] = [
    Clip { name: "Idle", duration_secs: idle::DURATION_SECS, wind: Vec3::ZERO, pose: idle::pose },
    Clip {
        name: "Walk",
        duration_secs: walk::DURATION_SECS,
        wind: Vec3::new(0.0, 0.4, -2.0),
        pose: walk::pose,
    },
    Clip { name: "Run", duration_secs: run::DURATION_SECS, wind: Vec3::new(0.0, 2.5, -8.0), pose: run::pose },
    Clip { name: "Wave", duration_secs: wave::DURATION_SECS, wind: Vec3::ZERO, pose: wave::pose },
    Clip { name: "Jump", duration_secs: jump::DURATION_SECS, wind: Vec3::ZERO, pose: jump::pose },
    Clip { name: "Dance", duration_secs: dance::DURATION_SECS, wind: Vec3::ZERO, pose: dance::pose },
];

pub(super) fn recordings() -> Vec<Recording> {
    CLIPS
        .iter()
        .map(|clip| {
            let frame_count = (clip.duration_secs * FRAMES_PER_SEC).round() as usize;
            let mut poses: Vec<Pose> =
                (0..frame_count).map(|frame| (clip.pose)(frame as f32 / FRAMES_PER_SEC)).collect();
            poses.push(poses[0].clone());
            add_swing(&mut poses, clip.wind);
            Recording { name: clip.name, poses }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_end_where_they_began() {
        for recording in recordings() {
            let (first, last) = (&recording.poses[0], &recording.poses[recording.poses.len() - 1]);
            assert_eq!(first.turns, last.turns, "{}", recording.name);
            assert_eq!(first.hips_shift, last.hips_shift, "{}", recording.name);
            assert_eq!(first.morph_weights, last.morph_weights, "{}", recording.name);
        }
    }

    #[test]
    fn feet_stay_within_reach() {
        for recording in recordings() {
            for (frame, pose) in recording.poses.iter().enumerate() {
                assert!(pose.overreach < 0.002, "{} frame {frame}: {}", recording.name, pose.overreach);
            }
        }
    }
}
