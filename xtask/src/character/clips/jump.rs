//! A jump on the spot: crouch, stretch, float, land, squash, settle.

use glam::Vec3;

use super::super::{
    curves::{blink, keyed},
    pose::{Arm, Foot, Pose, x, z},
    skeleton::{Joint, SIDES},
};
use super::FRAMES_PER_SEC;

const LEAVE_SECS: f32 = 0.60;
const LAND_SECS: f32 = 1.10;
pub(super) const DURATION_SECS: f32 = 45.0 / FRAMES_PER_SEC;
const HEIGHT: f32 = 0.36;

pub(super) fn pose(time_secs: f32) -> Pose {
    let key = |keys: &[(f32, f32)]| keyed(time_secs, keys);
    let end = DURATION_SECS;
    // No force but gravity acts in the air, so the flight is a parabola.
    let flight = ((time_secs - LEAVE_SECS) / (LAND_SECS - LEAVE_SECS)).clamp(0.0, 1.0);
    let height = HEIGHT * 4.0 * flight * (1.0 - flight);
    let crouch = key(&[
        (0.0, 0.0),
        (0.10, -0.02),
        (0.42, 1.0),
        (0.50, 0.92),
        (LEAVE_SECS, -0.15),
        (LAND_SECS, 0.15),
        (1.24, 1.05),
        (1.52, -0.06),
        (1.70, 0.03),
        (end, 0.0),
    ]);
    let tuck = key(&[(0.0, 0.0), (LEAVE_SECS, 0.0), (0.84, 1.0), (1.06, 0.1), (LAND_SECS, 0.0), (end, 0.0)]);
    let mut pose = Pose::rest();
    pose.hips_shift = Vec3::new(0.0, -0.008 - 0.13 * crouch.max(-0.06) + height, -0.035 * crouch.max(0.0));
    pose.turn(Joint::Hips, x(0.38 * crouch));
    pose.turn(Joint::Spine, x(0.20 * crouch - 0.10 * tuck));
    pose.turn(Joint::Chest, x(0.14 * crouch - 0.08 * tuck));
    let look = key(&[
        (0.0, 0.0),
        (0.40, -0.30),
        (LEAVE_SECS, -0.35),
        (0.85, 0.05),
        (1.05, 0.22),
        (1.24, -0.22),
        (1.5, 0.03),
        (end, 0.0),
    ]);
    pose.turn(Joint::Neck, x(look * 0.5 - 0.25 * crouch));
    pose.turn(Joint::Head, x(look * 0.7 - 0.20 * crouch));
    let stretch = key(&[
        (0.0, 1.0),
        (0.42, 0.92),
        (0.54, 0.97),
        (0.66, 1.09),
        (0.85, 1.0),
        (LAND_SECS, 1.05),
        (1.20, 0.87),
        (1.42, 1.04),
        (1.60, 0.985),
        (end, 1.0),
    ]);
    pose.stretch(Joint::Spine, stretch);
    let swing = key(&[
        (0.0, 0.06),
        (0.42, -0.95),
        (0.50, -0.80),
        (0.68, 0.75),
        (0.90, 0.45),
        (LAND_SECS, 0.6),
        (1.26, -0.25),
        (1.55, 0.14),
        (end, 0.06),
    ]);
    let raise = key(&[
        (0.0, 0.20),
        (0.42, 0.30),
        (0.70, 2.15),
        (0.90, 1.85),
        (LAND_SECS, 1.25),
        (1.28, 0.42),
        (1.6, 0.18),
        (end, 0.20),
    ]);
    let elbow = key(&[
        (0.0, 0.30),
        (0.42, 0.35),
        (0.56, 0.8),
        (0.72, 0.25),
        (0.95, 0.45),
        (1.26, 0.85),
        (1.6, 0.28),
        (end, 0.30),
    ]);
    for side in SIDES {
        let curl = key(&[(0.0, 0.22), (0.42, 0.75), (0.66, 0.0), (1.05, 0.0), (1.3, 0.3), (end, 0.22)]);
        pose.arm(
            side,
            Arm {
                swing,
                raise,
                elbow,
                curl,
                twist: -0.12,
                shrug: 0.20 * tuck - 0.06 * crouch,
                wrist: 0.05,
                ..Arm::default()
            },
        );
        let lift = (height + 0.045 * tuck).max(0.0);
        let pitch = key(&[
            (0.0, 0.0),
            (0.50, 0.0),
            (LEAVE_SECS, 0.85),
            (0.70, 0.95),
            (0.90, 0.35),
            (1.04, 0.16),
            (LAND_SECS, 0.10),
            (1.15, 0.0),
            (end, 0.0),
        ]);
        let spread = 0.012 * tuck * side.sign();
        pose.foot(
            side,
            Foot {
                shift: Vec3::new(spread, lift, -0.05 * tuck),
                pitch,
                yaw: 0.10,
                toes_flat: key(&[
                    (0.0, 1.0),
                    (LEAVE_SECS, 0.9),
                    (0.7, -0.2),
                    (1.0, 0.0),
                    (LAND_SECS, 0.9),
                    (end, 1.0),
                ]),
            },
        );
    }
    pose.add(Joint::Head, z(0.05 * tuck));
    pose.morph(
        "smile",
        key(&[
            (0.0, 0.0),
            (0.5, 0.0),
            (0.66, 1.0),
            (1.0, 1.0),
            (1.15, 0.2),
            (1.45, 0.8),
            (1.6, 0.7),
            (end, 0.0),
        ]),
    );
    pose.morph(
        "blink",
        blink(time_secs, 0.30).max(key(&[
            (0.0, 0.0),
            (1.10, 0.0),
            (1.17, 1.0),
            (1.30, 1.0),
            (1.44, 0.0),
            (end, 0.0),
        ])),
    );
    pose
}
