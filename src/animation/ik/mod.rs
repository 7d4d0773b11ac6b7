//! Inverse kinematics: rotations of joints that bring a node to a goal.
//!
//! ```text
//! look    one node faces a point                     gaze    several nodes share the turn to a point
//! reach   a limb of two joints reaches a point       chain   any number of joints reach several points
//! feet    feet stand on the ground below them        limit   cones and hinges of a chain; steps: its iterations
//! ```
//!
//! A goal out of reach is approached as closely as the joints allow. A degenerate goal (a limb without length, a target
//! at the joint) changes nothing.
mod chain;
mod feet;
mod gaze;
mod limit;
mod look;
mod reach;
mod steps;

pub use chain::{Chain, ChainAim, ChainGoal, ChainOptions, ChainSolver, ChainTurns, MOST_GOALS};
pub use feet::{Foot, Stance};
pub use gaze::{Gaze, GazeJoint};
pub use limit::JointLimit;
pub use look::{LookAt, LookTurn};
pub use reach::Reach;
pub(super) use reach::limb_turns;

use super::{LocalPose, ModelPose, Rig};
use crate::angle::sin_cos;
use crate::model::NodeIndex;
use glam::{Affine3A, Quat, Vec3};

impl Rig {
    /// Rotates a node about its own origin by a rotation in model space. `model` is the pose before the rotation.
    fn turn(&self, node: NodeIndex, in_model: Quat, weight: f32, local: &mut LocalPose, model: &ModelPose) {
        let parent = self.model().node(node).parent;
        let model_from_parent =
            parent.map_or(Quat::IDENTITY, |parent| rotation_of(&model.model_from_node(parent)));
        let mut srt = local.srt(node);
        let turned = model_from_parent.inverse() * in_model * model_from_parent * srt.rotation;
        let near = if srt.rotation.dot(turned) < 0.0 { -turned } else { turned };
        let blended = srt.rotation * (1.0 - weight) + near * weight;
        if blended.is_finite() && blended.length_squared() > 0.0 {
            srt.rotation = blended.normalize();
            local.set_srt(node, srt);
        }
    }
}

/// Returns the rotation of a transform without its scale.
#[inline(never)]
pub(crate) fn rotation_of(transform: &Affine3A) -> Quat {
    transform.to_scale_rotation_translation().1
}

/// Returns a rotation, or the one on the way to it that differs from `from` by this angle if it differs by more.
fn turned_within(from: Quat, to: Quat, most_radians: f32) -> Quat {
    let way = to * from.inverse();
    let way = if way.w < 0.0 { -way } else { way };
    // The sine of half the angle grows up to a half turn, and no way is longer.
    let (sine, cosine) = sin_cos(most_radians.clamp(0.0, std::f32::consts::PI) * 0.5);
    match way.xyz().try_normalize() {
        Some(axis) if way.xyz().length() > sine => Quat::from_vec4((axis * sine).extend(cosine)) * from,
        _ => to,
    }
}

/// Returns the rotation from one direction to another; neither need have unit length.
pub(super) fn arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}
