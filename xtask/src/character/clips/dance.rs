//! A dance of eight beats: four steps from side to side, two kicks, then a leap with a full turn.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::super::{
    curves::keyed,
    pose::{Arm, Foot, Pose, x, y, z},
    skeleton::{Joint, SIDES, Side},
};

const BEAT_SECS: f32 = 0.5;
pub(super) const DURATION_SECS: f32 = END * BEAT_SECS;
const END: f32 = 8.0;
const LEAVE: f32 = 6.45;
const LAND: f32 = 7.25;
const HEIGHT: f32 = 0.30;

pub(super) fn pose(time_secs: f32) -> Pose {
    let beat = time_secs / BEAT_SECS;
    let key = |keys: &[(f32, f32)]| keyed(beat, keys);
    // 1 while the left leg carries the weight, −1 while the right one does.
    let lean = key(&[
        (0.0, 0.0),
        (0.5, 1.0),
        (1.5, -1.0),
        (2.5, 1.0),
        (3.5, -1.0),
        (4.5, -0.8),
        (5.5, 0.8),
        (6.2, 0.0),
        (END, 0.0),
    ]);
    let steps = key(&[(0.0, 1.0), (3.8, 1.0), (4.1, 0.0), (7.6, 0.0), (END, 1.0)]);
    let kicks = key(&[(0.0, 0.0), (3.9, 0.0), (4.3, 1.0), (5.8, 1.0), (6.2, 0.0), (END, 0.0)]);
    let leap = key(&[(0.0, 0.0), (6.0, 0.0), (6.3, 1.0), (7.4, 1.0), (7.9, 0.0), (END, 0.0)]);
    // Down on the beat, up between.
    let dip = 0.5 + 0.5 * (beat * TAU).cos();
    let groove = dip * (1.0 - leap);
    let flight = ((beat - LEAVE) / (LAND - LEAVE)).clamp(0.0, 1.0);
    let height = HEIGHT * 4.0 * flight * (1.0 - flight);
    let crouch = key(&[
        (0.0, 0.0),
        (5.95, 0.0),
        (6.25, 1.0),
        (LEAVE, -0.1),
        (LAND, 0.1),
        (7.48, 0.9),
        (7.8, 0.05),
        (END, 0.0),
    ]);
    let tuck = (flight * PI).sin();

    let mut pose = Pose::rest();
    pose.hips_shift = Vec3::new(
        0.045 * lean * (1.0 - leap),
        -0.012 - 0.030 * groove - 0.105 * crouch.max(0.0) + height,
        -0.020 * kicks - 0.02 * crouch.max(0.0),
    );
    let twist = lean * (1.0 - leap);
    pose.turn(
        Joint::Hips,
        z(0.10 * twist) * y(-0.16 * twist) * x(0.04 * groove + 0.30 * crouch - 0.10 * kicks),
    );
    pose.turn(
        Joint::Spine,
        z(-0.11 * twist) * y(0.10 * twist) * x(0.05 * groove + 0.16 * crouch + 0.10 * kicks),
    );
    pose.turn(Joint::Chest, z(-0.10 * twist) * y(0.18 * twist) * x(0.04 * groove + 0.10 * crouch));
    pose.turn(Joint::Neck, z(0.06 * twist) * x(-0.02 - 0.20 * crouch));
    // The head nods a moment after the body has dropped.
    let nod = 0.5 + 0.5 * ((beat - 0.14) * TAU).cos();
    pose.turn(
        Joint::Head,
        z(0.13 * twist) * y(-0.08 * twist) * x(0.10 * nod * (1.0 - leap) - 0.05 - 0.18 * crouch),
    );
    pose.stretch(Joint::Spine, 1.02 - 0.05 * groove - 0.09 * crouch + 0.08 * tuck * (1.0 - flight));

    for side in SIDES {
        let own = if side == Side::Left { lean } else { -lean };
        // Steps: elbows bent, fists pump in turn. Kicks: the arms go the other way. Leap: both fly up and out.
        let pump = ((beat - 0.1) * PI).sin() * side.sign();
        let throw =
            key(&[(0.0, 0.0), (6.25, -0.35), (6.7, 1.0), (7.1, 0.9), (7.45, 0.25), (7.8, 0.0), (END, 0.0)]);
        pose.arm(
            side,
            Arm {
                swing: steps * (0.55 + 0.40 * pump)
                    + kicks * (0.25 - 0.75 * own)
                    + leap * (0.15 + 0.25 * throw - 0.8 * crouch.max(0.0)),
                raise: 0.34 + steps * 0.42 + kicks * 0.34 + leap * 1.75 * throw.max(0.0),
                // Fists stay clear of the bell and the scarf.
                twist: 0.22 * steps + 0.15 * kicks + 0.5 * leap * throw.max(0.0),
                elbow: 0.35 + steps * (1.25 + 0.25 * pump) + kicks * 0.75 + leap * 0.15,
                curl: 0.25 + 0.5 * steps - 0.25 * leap,
                tilt: 0.15 * pump * steps,
                shrug: 0.10 * groove + 0.12 * leap * throw.max(0.0),
                ..Arm::default()
            },
        );
        pose.foot(side, foot(side, beat, own, height, tuck));
    }
    pose.spin(TAU * keyed(beat, &[(0.0, 0.0), (LEAVE - 0.05, 0.0), (LAND + 0.05, 1.0), (END, 1.0)]));
    pose.morph(
        "smile",
        key(&[
            (0.0, 0.65),
            (3.8, 0.7),
            (4.4, 1.0),
            (5.9, 0.9),
            (6.25, 0.5),
            (6.7, 1.0),
            (7.6, 1.0),
            (END, 0.65),
        ]),
    );
    let shut = key(&[
        (0.0, 0.0),
        (2.55, 0.0),
        (2.8, 1.0),
        (3.3, 1.0),
        (3.6, 0.0),
        (7.25, 0.0),
        (7.42, 1.0),
        (7.6, 1.0),
        (7.85, 0.0),
        (END, 0.0),
    ]);
    pose.morph("blink", shut);
    pose
}

fn foot(side: Side, beat: f32, own: f32, height: f32, tuck: f32) -> Foot {
    // The free foot leaves the ground while the other carries: once a step, higher and forward in a kick.
    let free = (-own).max(0.0);
    let tap = if beat < 4.0 { 0.055 * free * free } else { 0.0 };
    let kick_beat = if side == Side::Left { 4.5 } else { 5.5 };
    let kick = keyed(
        beat,
        &[(kick_beat - 0.5, 0.0), (kick_beat - 0.02, 1.0), (kick_beat + 0.08, 1.0), (kick_beat + 0.5, 0.0)],
    );
    let toe_off = keyed(
        beat,
        &[
            (LEAVE - 0.12, 0.0),
            (LEAVE, 0.8),
            (LEAVE + 0.2, 0.9),
            (LAND - 0.2, 0.25),
            (LAND, 0.12),
            (LAND + 0.12, 0.0),
        ],
    );
    Foot {
        shift: Vec3::new(
            side.sign() * (0.018 + 0.012 * tuck) - 0.02 * kick * side.sign(),
            tap + 0.105 * kick + height + 0.05 * tuck,
            0.15 * kick + tap * 0.4,
        ),
        pitch: 2.2 * tap - 0.45 * kick + toe_off,
        yaw: 0.14,
        toes_flat: if height > 0.0 { 0.0 } else { 0.8 },
    }
}
