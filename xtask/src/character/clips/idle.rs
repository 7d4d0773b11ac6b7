//! Standing: breathing, shifting weight, and rising on the toes to look behind the viewer, with a wag of the tail.

use std::f32::consts::TAU;

use glam::Vec3;

use super::super::{
    curves::{blink, keyed, wave},
    pose::{Arm, Foot, Pose, x, y, z},
    skeleton::{Joint, SIDES, Side},
};

pub(super) const DURATION_SECS: f32 = 5.0;
const WAGS_PER_SEC: f32 = 3.0;

pub(super) fn pose(time_secs: f32) -> Pose {
    let end = DURATION_SECS;
    let key = |keys: &[(f32, f32)]| keyed(time_secs, keys);
    let phase = time_secs / DURATION_SECS;
    // On the toes, with a small dip before and after.
    let tiptoe = key(&[
        (0.0, 0.0),
        (1.75, 0.0),
        (1.95, -0.22),
        (2.30, 1.0),
        (2.95, 0.94),
        (3.25, -0.16),
        (3.5, 0.0),
        (end, 0.0),
    ]);
    let lean = wave(phase, 0.18) * (1.0 - 0.8 * tiptoe.max(0.0));
    let mut pose = standing(lean, wave(phase * 2.0, 0.3), tiptoe);
    let glance = key(&[
        (0.0, 0.10),
        (0.5, 0.14),
        (1.55, 0.10),
        (1.95, 0.42),
        (2.9, 0.36),
        (3.35, -0.06),
        (4.2, 0.06),
        (end, 0.10),
    ]);
    let tilt = key(&[(0.0, 0.03), (1.6, 0.02), (2.2, 0.14), (2.95, 0.12), (3.5, -0.06), (end, 0.03)]);
    pose.add(Joint::Neck, y(glance * 0.35));
    pose.add(Joint::Head, y(glance * 0.65) * z(tilt) * x(-0.10 * tiptoe));
    pose.add(Joint::Chest, y(glance * 0.22));
    // The eyes look first, and the head follows.
    let look = key(&[
        (0.0, 0.0),
        (0.55, 0.0),
        (0.62, -0.03),
        (1.05, -0.025),
        (1.12, 0.0),
        (1.70, 0.0),
        (1.80, 0.035),
        (2.6, 0.025),
        (2.95, 0.02),
        (3.05, -0.035),
        (3.7, -0.025),
        (3.8, 0.0),
        (end, 0.0),
    ]);
    for side in SIDES {
        pose.turn(Joint::Eye(side), y(look));
    }
    pose.morph("blink", blink(time_secs, 1.62).max(blink(time_secs, 3.12)).max(blink(time_secs, 4.35)));
    pose.morph("smile", key(&[(0.0, 0.1), (1.9, 0.1), (2.35, 0.85), (2.95, 0.8), (3.5, 0.15), (end, 0.1)]));
    let twitch =
        key(&[(0.0, 0.0), (0.85, 0.0), (0.93, 0.5), (1.02, 0.1), (1.10, 0.4), (1.25, 0.0), (end, 0.0)]);
    pose.add(Joint::Ear(Side::Left, 0), z(twitch * 0.6) * y(twitch * 0.4));
    let wag = key(&[(0.0, 0.0), (2.1, 0.0), (2.4, 1.0), (3.0, 0.9), (3.4, 0.0), (end, 0.0)]);
    pose.add(Joint::Tail(0), y(0.5 * wag * (time_secs * WAGS_PER_SEC * TAU).sin()));
    pose
}

/// Returns a relaxed, upright pose. `lean` in −1..1 shifts the weight, with 1 for the left leg. `breath` in −1..1
/// fills the chest. `tiptoe` in 0..1 lifts the heels, and below 0 bends the knees.
pub(super) fn standing(lean: f32, breath: f32, tiptoe: f32) -> Pose {
    let mut pose = Pose::rest();
    pose.hips_shift = Vec3::new(
        0.026 * lean,
        -0.010 - 0.006 * lean * lean
            + 0.0035 * breath
            + if tiptoe > 0.0 { 0.028 * tiptoe } else { 0.09 * tiptoe },
        0.012 * tiptoe,
    );
    pose.turn(Joint::Hips, z(0.060 * lean) * y(-0.06 * lean) * x(-0.10 * tiptoe.min(0.0)));
    pose.turn(Joint::Spine, z(-0.055 * lean) * x(-0.014 * breath - 0.03 * tiptoe));
    pose.turn(Joint::Chest, z(-0.04 * lean) * x(-0.030 * breath - 0.03 * tiptoe) * y(0.06 * lean));
    pose.turn(Joint::Neck, x(0.020 * breath) * z(0.02 * lean));
    pose.turn(Joint::Head, x(0.012 * breath) * z(0.035 * lean));
    pose.stretch(Joint::Spine, 1.0 + 0.010 * breath + 0.02 * tiptoe);
    for side in SIDES {
        let toward = lean * side.sign();
        pose.arm(
            side,
            Arm {
                swing: 0.06 - 0.02 * breath - 0.25 * tiptoe.max(0.0),
                raise: 0.22 + 0.025 * breath - 0.04 * toward + 0.20 * tiptoe.max(0.0),
                elbow: 0.32 + 0.03 * breath,
                twist: -0.12,
                wrist: 0.05,
                curl: 0.22,
                shrug: 0.026 * breath + 0.05 * tiptoe,
                ..Arm::default()
            },
        );
        pose.foot(side, Foot { yaw: 0.10, pitch: 0.36 * tiptoe.max(0.0), toes_flat: 1.0, ..Foot::default() });
    }
    pose
}
