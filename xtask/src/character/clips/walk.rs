//! A bouncy walk on the spot. A standing foot moves backward at a constant speed.

use glam::Vec3;

use super::super::{
    curves::{double_wave, hermite, keyed, wave},
    pose::{Arm, Foot, Pose, x, y, z},
    skeleton::{Joint, SIDES, Side},
};
use super::FRAMES_PER_SEC;

pub(super) const DURATION_SECS: f32 = 22.0 / FRAMES_PER_SEC;
/// Share of the loop during which a foot is on the ground.
const STANCE: f32 = 0.58;
const HALF_STRIDE: f32 = 0.125;
const LIFT: f32 = 0.062;

pub(super) fn pose(time_secs: f32) -> Pose {
    // The left heel lands at phase 0, the right one at 0.5.
    let phase = time_secs / DURATION_SECS;
    let over_left = wave(phase, 0.28);
    let mut pose = Pose::rest();
    pose.hips_shift = Vec3::new(0.026 * over_left, -0.030 + 0.015 * double_wave(phase, 0.34), 0.004);
    // The hip over the standing leg is high and the other one drops; the shoulders do the opposite.
    pose.turn(Joint::Hips, y(-0.18 * wave(phase, 0.0)) * z(0.115 * wave(phase, 0.25)) * x(0.035));
    pose.turn(Joint::Spine, y(0.12 * wave(phase, 0.02)) * z(-0.095 * wave(phase, 0.27)) * x(0.01));
    pose.turn(
        Joint::Chest,
        y(0.22 * wave(phase, 0.04))
            * z(-0.090 * wave(phase, 0.30))
            * x(0.02 + 0.02 * double_wave(phase, 0.1)),
    );
    pose.turn(Joint::Neck, y(-0.09 * wave(phase, 0.05)) * x(-0.02 + 0.02 * double_wave(phase, 0.2)));
    pose.turn(
        Joint::Head,
        y(-0.08 * wave(phase, 0.06))
            * z(0.075 * wave(phase, 0.36))
            * x(-0.03 + 0.028 * double_wave(phase, 0.24)),
    );
    pose.stretch(Joint::Spine, 1.0 + 0.020 * double_wave(phase, 0.36));
    for side in SIDES {
        let own = if side == Side::Left { phase } else { phase + 0.5 };
        // The arm swings with the other leg. Elbow and wrist follow late.
        let forward = wave(own, 0.53);
        pose.arm(
            side,
            Arm {
                swing: 0.02 + 0.80 * forward,
                raise: 0.35 - 0.02 * forward,
                twist: -0.12 - 0.06 * forward,
                elbow: 0.40 + 0.28 * wave(own, 0.61),
                wrist: 0.05 + 0.10 * wave(own, 0.70),
                tilt: 0.24 * wave(own, 0.68),
                curl: 0.34,
                shrug: 0.05 * double_wave(phase, 0.38),
                ..Arm::default()
            },
        );
        pose.foot(side, step(own.rem_euclid(1.0)));
    }
    pose.morph("smile", 0.5);
    pose
}

/// Returns the placement of a foot at `phase`, counted from its heel's landing.
fn step(phase: f32) -> Foot {
    let pitch = keyed(
        phase,
        &[
            (0.0, -0.34),
            (0.10, 0.0),
            (0.34, 0.0),
            (STANCE, 0.72),
            (0.66, 0.85),
            (0.86, -0.10),
            (0.96, -0.40),
            (1.0, -0.34),
        ],
    );
    let (z, lift) = if phase < STANCE {
        (HALF_STRIDE - 2.0 * HALF_STRIDE * phase / STANCE, 0.0)
    } else {
        let t = (phase - STANCE) / (1.0 - STANCE);
        // The foot leaves and lands at the ground's speed, so that nothing jerks.
        let slope = -2.0 * HALF_STRIDE / STANCE * (1.0 - STANCE);
        let lift = keyed(t, &[(0.0, 0.0), (0.42, LIFT), (1.0, 0.0)]);
        (hermite(t, -HALF_STRIDE, slope, HALF_STRIDE, slope), lift)
    };
    Foot {
        shift: Vec3::new(0.0, lift, z),
        pitch,
        yaw: 0.05,
        toes_flat: keyed(phase, &[(0.42, 1.0), (STANCE, 0.88), (0.75, 0.2)]),
    }
}
