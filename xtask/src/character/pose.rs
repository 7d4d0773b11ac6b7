//! A pose of the whole skeleton, and the methods with which clips set it: arms by angles, feet by position.

use glam::{Mat3, Quat, Vec3};

use super::{
    face::MORPH_NAMES,
    skeleton::{ANKLE, ARM_DROOP, BALL, FINGERS, Finger, HEEL, HIP, Joint, KNEE, Side, TOE_TIP, all_joints},
};

#[derive(Clone, Debug)]
pub(super) struct Pose {
    /// Local rotations in the order of the skin, all identity at rest.
    pub(super) turns: Vec<Quat>,
    /// Local scales. Clips stretch joints of the trunk only; their children inherit it.
    pub(super) scales: Vec<Vec3>,
    /// Offset of the hips from their rest position.
    pub(super) hips_shift: Vec3,
    pub(super) morph_weights: [f32; MORPH_NAMES.len()],
    /// Largest distance by which an ankle misses its requested position because the leg is too short.
    pub(super) overreach: f32,
}

/// Angles of one arm in radians, for the left arm. All zero is an arm that hangs straight down.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arm {
    /// Rotation of the arm forward.
    pub(super) swing: f32,
    /// Rotation of the arm outward, away from the body.
    pub(super) raise: f32,
    /// Rotation around the arm's length. Positive turns the palm backward.
    pub(super) twist: f32,
    pub(super) elbow: f32,
    /// Rotation around the lower arm's length.
    pub(super) roll: f32,
    /// Bends the hand towards its palm.
    pub(super) wrist: f32,
    /// Bends the hand towards its thumb.
    pub(super) tilt: f32,
    /// Closes the fingers: 0 is flat, 1 a fist.
    pub(super) curl: f32,
    /// Raises the shoulder.
    pub(super) shrug: f32,
}

/// Placement of a foot, relative to its rest placement. Angles are in radians.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Foot {
    pub(super) shift: Vec3,
    /// Rotation around the X axis. Positive lifts the heel: the foot turns around the joint of the toes, and what the
    /// toes don't undo around their tip. Negative lifts the toes and turns around the heel.
    pub(super) pitch: f32,
    /// Rotation around the vertical. Positive turns the toes outward.
    pub(super) yaw: f32,
    /// Share of a positive pitch that the toes undo, so that they stay flat on the ground.
    pub(super) toes_flat: f32,
}

pub(super) fn x(angle: f32) -> Quat {
    Quat::from_rotation_x(angle)
}

pub(super) fn y(angle: f32) -> Quat {
    Quat::from_rotation_y(angle)
}

pub(super) fn z(angle: f32) -> Quat {
    Quat::from_rotation_z(angle)
}

/// Returns a rotation mirrored to the other side of the body.
fn mirrored(turn: Quat) -> Quat {
    Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}

fn sided(side: Side, left: Quat) -> Quat {
    match side {
        Side::Left => left,
        Side::Right => mirrored(left),
    }
}

impl Pose {
    pub(super) fn rest() -> Pose {
        let joint_count = all_joints().len();
        Pose {
            turns: vec![Quat::IDENTITY; joint_count],
            scales: vec![Vec3::ONE; joint_count],
            hips_shift: Vec3::ZERO,
            morph_weights: [0.0; MORPH_NAMES.len()],
            overreach: 0.0,
        }
    }

    pub(super) fn turn(&mut self, joint: Joint, turn: Quat) {
        self.turns[joint.index()] = turn;
    }

    /// Applies a rotation, in the parent's axes, after the joint's current one.
    pub(super) fn add(&mut self, joint: Joint, turn: Quat) {
        let slot = &mut self.turns[joint.index()];
        *slot = (turn * *slot).normalize();
    }

    /// Stretches a joint along Y and narrows it in X and Z, so that its volume is preserved.
    pub(super) fn stretch(&mut self, joint: Joint, along: f32) {
        let across = along.sqrt().recip();
        let scale = Vec3::new(across, along, across);
        self.scales[joint.index()] = scale;
    }

    pub(super) fn morph(&mut self, name: &str, weight: f32) {
        let morph =
            MORPH_NAMES.iter().position(|listed| *listed == name).expect("clips name morphs that exist");
        self.morph_weights[morph] = weight.clamp(0.0, 1.0);
    }

    pub(super) fn arm(&mut self, side: Side, arm: Arm) {
        // Rotations are relative to a hanging arm; the rest pose holds the arm out.
        let hang = z(ARM_DROOP - std::f32::consts::FRAC_PI_2);
        let from_hanging = |turn: Quat| sided(side, hang.inverse() * turn * hang);
        let upper = z(arm.raise) * x(-arm.swing) * y(arm.twist) * hang;
        self.turn(Joint::Shoulder(side), sided(side, z(arm.shrug + arm.raise.max(0.0) * 0.12)));
        self.turn(Joint::UpperArm(side), sided(side, z(-arm.raise.max(0.0) * 0.12) * upper));
        self.turn(Joint::LowerArm(side), from_hanging(x(-arm.elbow) * y(arm.roll)));
        self.turn(Joint::Hand(side), from_hanging(z(-arm.wrist) * x(-arm.tilt)));
        for finger in FINGERS {
            let turns = if finger == Finger::Thumb {
                [y(0.55 * arm.curl) * x(0.35 * arm.curl), y(0.5 * arm.curl)]
            } else {
                [z(-1.25 * arm.curl), z(-1.35 * arm.curl)]
            };
            for (link, turn) in turns.into_iter().enumerate() {
                self.turn(Joint::Finger(side, finger, link as u8), from_hanging(turn));
            }
        }
    }

    /// Solves a leg's two-joint IK so that the foot reaches its placement. The hips must be set before.
    pub(super) fn foot(&mut self, side: Side, foot: Foot) {
        let yaw = sided(side, y(foot.yaw));
        let turn = yaw * x(foot.pitch);
        let [heel, ball, tip, rest] = [HEEL, BALL, TOE_TIP, ANKLE].map(|point| side.place(point));
        let pitched = if foot.pitch > 0.0 {
            let toes_turn = x(foot.pitch * (1.0 - foot.toes_flat));
            tip + toes_turn * (ball - tip) + x(foot.pitch) * (rest - ball)
        } else {
            heel + x(foot.pitch) * (rest - heel)
        };
        let ankle = heel + foot.shift + yaw * (pitched - heel);

        let hips = self.turns[Joint::Hips.index()];
        let hips_place = Joint::Hips.rest() + self.hips_shift;
        let hip = hips_place + hips * (side.place(HIP) - Joint::Hips.rest());
        let (upper_length, lower_length) = (HIP.distance(KNEE), KNEE.distance(ANKLE));
        let reach = ankle - hip;
        let longest = (upper_length + lower_length) * 0.9995;
        let distance = reach.length().min(longest);
        let toward = reach.normalize();
        // The knee points between the directions of the hips and the foot, a little outward.
        let forward = (hips * Vec3::new(0.12 * side.sign(), 0.0, 1.0)).normalize()
            + turn * Vec3::new(0.0, 0.0, 1.0).with_y(0.0);
        let pole = (forward - toward * forward.dot(toward)).normalize();
        let along = (distance * distance + upper_length * upper_length - lower_length * lower_length)
            / (2.0 * distance);
        let aside = (upper_length * upper_length - along * along).max(0.0).sqrt();
        let knee = hip + toward * along + pole * aside;
        let ankle_reached = hip + toward * distance;

        let hinge = pole.cross(toward).normalize();
        let upper = aim(side.place(KNEE) - side.place(HIP), Vec3::X, knee - hip, hinge);
        let lower = aim(side.place(ANKLE) - side.place(KNEE), Vec3::X, ankle_reached - knee, hinge);
        self.turn(Joint::UpperLeg(side), hips.inverse() * upper);
        self.turn(Joint::LowerLeg(side), upper.inverse() * lower);
        self.turn(Joint::Foot(side), lower.inverse() * turn);
        self.turn(Joint::Toes(side), x(-foot.pitch.max(0.0) * foot.toes_flat));
        self.overreach = self.overreach.max(reach.length() - longest);
    }

    /// Rotates the whole character, including the legs, around the Y axis of model space.
    pub(super) fn spin(&mut self, angle: f32) {
        self.hips_shift = y(angle) * self.hips_shift;
        self.add(Joint::Hips, y(angle));
    }

    /// Returns the matrix from each joint's space to model space.
    pub(super) fn resolve(&self) -> Vec<glam::Mat4> {
        let mut resolved: Vec<glam::Mat4> = Vec::new();
        for (index, joint) in all_joints().into_iter().enumerate() {
            let offset = match joint.parent() {
                Some(parent) => joint.rest() - parent.rest(),
                None => joint.rest() + self.hips_shift,
            };
            let local =
                glam::Mat4::from_scale_rotation_translation(self.scales[index], self.turns[index], offset);
            resolved.push(match joint.parent() {
                Some(parent) => resolved[parent.index()] * local,
                None => local,
            });
        }
        resolved
    }
}

/// Returns the rotation from a limb's rest direction and hinge axis to the given ones.
fn aim(rest_along: Vec3, rest_hinge: Vec3, along: Vec3, hinge: Vec3) -> Quat {
    let basis = |along: Vec3, hinge: Vec3| {
        let along = along.normalize();
        let hinge = (hinge - along * hinge.dot(along)).normalize();
        Mat3::from_cols(along, hinge, along.cross(hinge))
    };
    Quat::from_mat3(&(basis(along, hinge) * basis(rest_along, rest_hinge).transpose())).normalize()
}
