//! The clips by name. Each is a function from time to a pose that ends where it began; what swings is added after.

mod idle;
mod jump;
mod run;
mod walk;
mod wave;

use glam::Vec3;

use super::{bake::Recording, pose::Pose, swing::add_swing};

pub(super) const FRAMES_PER_SEC: f32 = 30.0;

struct Clip {
    name: &'static str,
    frame_count: usize,
    /// Air that streams past, as if the character moved: clips stay in place.
    wind: Vec3,
    pose: fn(f32) -> Pose,
}

const CLIPS: [Clip; 5] = [
    Clip { name: "Idle", frame_count: 150, wind: Vec3::ZERO, pose: idle::pose },
    Clip { name: "Walk", frame_count: 28, wind: Vec3::new(0.0, 0.4, -2.0), pose: walk::pose },
    Clip { name: "Run", frame_count: 18, wind: Vec3::new(0.0, 2.5, -8.0), pose: run::pose },
    Clip { name: "Wave", frame_count: 80, wind: Vec3::ZERO, pose: wave::pose },
    Clip { name: "Jump", frame_count: 56, wind: Vec3::ZERO, pose: jump::pose },
];

pub(super) fn recordings() -> Vec<Recording> {
    CLIPS
        .iter()
        .map(|clip| {
            let mut poses: Vec<Pose> =
                (0..clip.frame_count).map(|frame| (clip.pose)(frame as f32 / FRAMES_PER_SEC)).collect();
            poses.push(poses[0].clone());
            add_swing(&mut poses, clip.wind);
            Recording { name: clip.name, poses }
        })
        .collect()
}
