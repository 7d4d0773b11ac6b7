//! A greeting: weight onto one leg, the arm up after a little anticipation, three waves with the head at a tilt, and
//! down again with a small bow.

use super::{
    super::{
        curves::{blink, keyed},
        pose::{Arm, Pose, x, y, z},
        skeleton::{Joint, Side},
    },
    FRAMES_PER_SEC,
    idle::standing,
};

pub(super) const DURATION_SECS: f32 = 64.0 / FRAMES_PER_SEC;

pub(super) fn pose(time_secs: f32) -> Pose {
    let end = DURATION_SECS;
    let key = |keys: &[(f32, f32)]| keyed(time_secs, keys);
    let lean = key(&[(0.0, 0.0), (0.18, 0.15), (0.6, -0.9), (1.9, -0.9), (2.35, 0.1), (end, 0.0)]);
    let breath = key(&[(0.0, 0.0), (0.5, 0.8), (1.2, -0.2), (1.8, 0.4), (end, 0.0)]);
    let mut pose = standing(lean, breath, 0.0);
    let up = key(&[
        (0.0, 0.0),
        (0.16, -0.06),
        (0.55, 1.06),
        (0.68, 1.0),
        (1.85, 1.0),
        (2.02, 1.03),
        (2.42, -0.04),
        (end, 0.0),
    ]);
    // The hand swings out and in; the wrist follows a moment later.
    let swings = |late: f32| {
        keyed(
            time_secs - late,
            &[
                (0.0, 0.0),
                (0.5, 0.0),
                (0.68, 0.6),
                (0.90, -0.75),
                (1.12, 0.75),
                (1.34, -0.75),
                (1.56, 0.75),
                (1.78, -0.35),
                (2.05, 0.0),
                (end, 0.0),
            ],
        )
    };
    pose.arm(
        Side::Left,
        Arm {
            swing: 0.06 + 0.12 * up,
            raise: 0.20 + 1.45 * up + 0.10 * swings(0.0),
            twist: -0.12 + 1.45 * up,
            elbow: 0.30 + (0.48 + 0.36 * swings(0.0)) * up.max(0.0),
            roll: 0.25 * up,
            wrist: 0.05 * (1.0 - up),
            tilt: 0.42 * swings(0.07) * up.max(0.0),
            curl: 0.22 * (1.0 - up).max(0.0),
            shrug: 0.10 * up,
        },
    );
    // The bow begins while the arm comes down, and its end overlaps with the return to standing.
    let bow = key(&[(0.0, 0.0), (1.72, 0.0), (1.86, -0.12), (2.16, 1.0), (2.26, 1.0), (end, 0.0)]);
    pose.add(Joint::Spine, x(0.09 * bow));
    pose.add(Joint::Chest, z(-0.06 * up) * y(0.04 * swings(0.04)) * x(0.10 * bow));
    pose.add(Joint::Neck, z(0.09 * up) * x(0.12 * bow));
    pose.add(Joint::Head, z(0.14 * up + 0.05 * swings(0.10)) * x(-0.06 * up + 0.16 * bow) * y(0.08 * up));
    pose.morph("smile", key(&[(0.0, 0.0), (0.2, 0.0), (0.55, 1.0), (2.0, 1.0), (2.5, 0.2), (end, 0.0)]));
    pose.morph("blink", blink(time_secs, 0.12).max(blink(time_secs, 2.06)));
    pose
}
