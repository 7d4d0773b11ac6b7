//! Gaze: several nodes, such as spine, neck, head and eyes, share the turn to a point, each at its own speed.
use super::look::{LookAt, LookTurn};
use super::turned_within;
use crate::animation::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::{Quat, Vec3};

/// Part of one node in a gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeJoint {
    pub node: NodeIndex,
    /// Direction in which the node looks, in its own space. `None` is the direction that faces the model's front, +z,
    /// at rest.
    pub forward: Option<Vec3>,
    /// Share of the turn to the target that is left by the joints before it, from 0 to 1.
    pub share: f32,
    /// Largest angle that the joint turns. `None` sets no limit.
    pub limit_radians: Option<f32>,
    /// Greatest speed of the joint. `None` sets no limit.
    pub speed_radians_per_sec: Option<f32>,
}

impl GazeJoint {
    /// Returns the part of a node that takes a share of the turn, without limits.
    pub fn new(node: NodeIndex, share: f32) -> Self {
        Self { node, forward: None, share, limit_radians: None, speed_radians_per_sec: None }
    }
}

/// What a gaze is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaze<'a> {
    /// Parents before children, so that each joint turns by what those above it leave. Slow joints are helped by quick
    /// ones below, which turn back as the slow ones follow.
    pub joints: &'a [GazeJoint],
    /// `None` turns the joints back to the animated pose.
    pub target_in_model: Option<Vec3>,
    /// Blend factor between the animated pose (0) and the turned one (1).
    pub weight: f32,
    /// Time since the last update.
    pub passed_secs: f32,
    /// Share of each joint's remaining turn that is left after this time.
    pub rest_share: f32,
}

impl Rig {
    /// Turns the joints of a gaze, and updates their rotations from frame to frame in `held`, one for each joint.
    /// `model` must be the resolved `local`, and is updated with it.
    pub fn gaze(&self, gaze: &Gaze, held: &mut [LookTurn], local: &mut LocalPose, model: &mut ModelPose) {
        if gaze.weight <= 0.0 {
            held.fill(LookTurn::default());
            return;
        }
        for (joint, held) in gaze.joints.iter().zip(held) {
            let GazeJoint { node, forward, share, limit_radians, speed_radians_per_sec } = *joint;
            let wanted = gaze.target_in_model.map_or(Quat::IDENTITY, |target_in_model| {
                let aim = LookAt { target_in_model, forward, least_cosine: -1.0, weight: share };
                let turn = self.wanted_turn(node, &aim, model);
                limit_radians.map_or(turn, |limit| turned_within(Quat::IDENTITY, turn, limit))
            });
            let most_radians = speed_radians_per_sec.map_or(f32::INFINITY, |speed| speed * gaze.passed_secs);
            held.follow_within(wanted, gaze.rest_share, most_radians);
            if held.turn != Quat::IDENTITY {
                self.turn(node, held.turn, gaze.weight, local, model);
                self.resolve_into(local, model);
            }
        }
    }
}
