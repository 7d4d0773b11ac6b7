//! Standing: breath, weight that goes from one leg to the other, a glance, two blinks.

use glam::Vec3;

use super::super::{
    curves::{blink, keyed, wave},
    pose::{Arm, Foot, Pose, x, y, z},
    skeleton::{Joint, SIDES, Side},
};

pub(super) const DURATION_SECS: f32 = 5.0;

pub(super) fn pose(time_secs: f32) -> Pose {
    let phase = time_secs / DURATION_SECS;
    let mut pose = standing(wave(phase, 0.25), wave(phase * 2.0, 0.3));
    let glance = keyed(
        time_secs,
        &[(0.0, 0.0), (1.5, 0.0), (1.95, 0.34), (3.1, 0.30), (3.6, -0.10), (4.3, 0.0), (5.0, 0.0)],
    );
    let tilt =
        keyed(time_secs, &[(0.0, 0.0), (1.6, 0.0), (2.2, 0.11), (3.1, 0.10), (3.8, -0.03), (5.0, 0.0)]);
    pose.add(Joint::Neck, y(glance * 0.35));
    pose.add(Joint::Head, y(glance * 0.65) * z(tilt));
    pose.add(Joint::Chest, y(glance * 0.15));
    pose.morph("blink", blink(time_secs, 1.45).max(blink(time_secs, 3.05)).max(blink(time_secs, 4.35)));
    pose.morph(
        "smile",
        keyed(time_secs, &[(0.0, 0.0), (1.9, 0.0), (2.4, 0.35), (3.0, 0.35), (3.6, 0.0), (5.0, 0.0)]),
    );
    let twitch = keyed(
        time_secs,
        &[(0.0, 0.0), (2.55, 0.0), (2.63, 0.5), (2.72, 0.1), (2.80, 0.4), (2.95, 0.0), (5.0, 0.0)],
    );
    pose.add(Joint::Ear(Side::Left, 0), z(twitch * 0.6) * y(twitch * 0.4));
    pose
}

/// Relaxed and upright; `lean` in −1..1 puts the weight on the left leg, `breath` in −1..1 fills the chest.
pub(super) fn standing(lean: f32, breath: f32) -> Pose {
    let mut pose = Pose::rest();
    pose.hips_shift = Vec3::new(0.020 * lean, -0.008 - 0.004 * lean * lean + 0.0025 * breath, 0.0);
    pose.turn(Joint::Hips, z(0.045 * lean) * y(-0.05 * lean));
    pose.turn(Joint::Spine, z(-0.04 * lean) * x(-0.012 * breath));
    pose.turn(Joint::Chest, z(-0.03 * lean) * x(-0.022 * breath) * y(0.05 * lean));
    pose.turn(Joint::Neck, x(0.020 * breath) * z(0.02 * lean));
    pose.turn(Joint::Head, x(0.012 * breath) * z(0.035 * lean));
    pose.stretch(Joint::Spine, 1.0 + 0.008 * breath);
    for side in SIDES {
        let toward = lean * side.sign();
        pose.arm(
            side,
            Arm {
                swing: 0.06 - 0.02 * breath,
                raise: 0.20 + 0.018 * breath - 0.03 * toward,
                elbow: 0.30 + 0.02 * breath,
                twist: -0.12,
                wrist: 0.05,
                curl: 0.22,
                shrug: 0.018 * breath,
                ..Arm::default()
            },
        );
        pose.foot(side, Foot { yaw: 0.10, ..Foot::default() });
    }
    pose
}
