//! A run on the spot, leaning forward, with both feet off the ground between steps.

use glam::Vec3;

use super::super::{
    curves::{double_wave, hermite, keyed, wave},
    pose::{Arm, Foot, Pose, x, y, z},
    skeleton::{Joint, SIDES, Side},
};
use super::FRAMES_PER_SEC;

pub(super) const DURATION_SECS: f32 = 14.0 / FRAMES_PER_SEC;
const STANCE: f32 = 0.34;
const HALF_STRIDE: f32 = 0.15;

pub(super) fn pose(time_secs: f32) -> Pose {
    let phase = time_secs / DURATION_SECS;
    let mut pose = Pose::rest();
    // Lowest in the middle of each stance, highest in flight.
    let bounce = double_wave(phase, 0.40);
    pose.hips_shift = Vec3::new(0.012 * wave(phase, 0.17), -0.020 + 0.040 * bounce, 0.0);
    pose.turn(Joint::Hips, x(0.16) * y(-0.22 * wave(phase, 0.02)) * z(0.05 * wave(phase, 0.17)));
    pose.turn(Joint::Spine, x(0.10) * y(0.20 * wave(phase, 0.04)) * z(-0.05 * wave(phase, 0.2)));
    pose.turn(Joint::Chest, x(0.08 + 0.04 * double_wave(phase, 0.22)) * y(0.26 * wave(phase, 0.05)));
    pose.turn(Joint::Neck, x(-0.12) * y(-0.12 * wave(phase, 0.06)));
    pose.turn(
        Joint::Head,
        x(-0.16 + 0.05 * double_wave(phase, 0.26))
            * y(-0.12 * wave(phase, 0.08))
            * z(0.05 * wave(phase, 0.25)),
    );
    pose.stretch(Joint::Spine, 1.0 + 0.045 * double_wave(phase, 0.42));
    for side in SIDES {
        let own = if side == Side::Left { phase } else { phase + 0.5 };
        let forward = wave(own, 0.55);
        pose.arm(
            side,
            Arm {
                swing: 0.02 + 0.86 * forward,
                // Fists stay clear of the bell and the scarf.
                raise: 0.30 + 0.10 * (1.0 - forward) * 0.5,
                twist: -0.02 + 0.16 * forward,
                elbow: 1.38 + 0.25 * wave(own, 0.6),
                curl: 0.75,
                shrug: 0.05 * bounce,
                ..Arm::default()
            },
        );
        pose.foot(side, step(own.rem_euclid(1.0)));
    }
    pose.morph("smile", 0.8);
    pose
}

fn step(phase: f32) -> Foot {
    let pitch = keyed(
        phase,
        &[
            (0.0, -0.12),
            (0.06, 0.0),
            (0.14, 0.05),
            (STANCE, 0.95),
            (0.46, 1.35),
            (0.62, 1.05),
            (0.84, 0.0),
            (0.95, -0.25),
            (1.0, -0.12),
        ],
    );
    let (z, lift) = if phase < STANCE {
        (HALF_STRIDE - 2.0 * HALF_STRIDE * phase / STANCE, 0.0)
    } else {
        let t = (phase - STANCE) / (1.0 - STANCE);
        let slope = -2.0 * HALF_STRIDE / STANCE * (1.0 - STANCE) * 0.6;
        let lift = keyed(t, &[(0.0, 0.0), (0.38, 0.150), (0.70, 0.095), (1.0, 0.0)]);
        (hermite(t, -HALF_STRIDE, slope, HALF_STRIDE, slope), lift)
    };
    let toes_flat = keyed(phase, &[(0.0, 1.0), (STANCE, 0.9), (0.5, 0.1), (1.0, 0.1)]);
    Foot { shift: Vec3::new(0.0, lift, z), pitch, yaw: 0.02, toes_flat }
}
