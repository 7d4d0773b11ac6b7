//! Inverse kinematics: rotations of joints that bring a node to a goal.
//!
//! Rotations are computed as arcs from one direction to another, without angles. A goal out of reach is approached as
//! closely as the joints allow. A degenerate goal (a limb without length, a target at the joint) changes nothing.
use super::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::{Quat, Vec3};

/// Goal of a node that looks at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    pub target_in_model: Vec3,
    /// Direction in which the node looks, in its own space. `None` is the direction that faces the model's front, +z,
    /// at rest.
    pub forward: Option<Vec3>,
    /// Cosine of the largest angle from the animated direction; −1 sets no limit.
    pub least_cosine: f32,
    /// Weight from 0 to 1.
    pub weight: f32,
}

/// Goal of a limb of two joints, whose end is to be at a point. The node's parent and grandparent are rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// End of the limb: a hand or a foot.
    pub node: NodeIndex,
    pub target_in_model: Vec3,
    /// Point towards which the middle joint bends; `None` keeps the animated bend direction.
    pub pole_in_model: Option<Vec3>,
    /// Weight from 0 to 1.
    pub weight: f32,
}

/// Current rotation of a node from its animated pose towards its [`LookAt`] goal, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookTurn {
    turn: Quat,
    /// Whether the rotation has arrived at the goal.
    pub arrived: bool,
}

/// Sine of half the remaining angle below which a rotation has arrived, which isn't visible.
const ARRIVED: f32 = 1e-4;

impl Default for LookTurn {
    /// Returns the identity rotation, for a node that only plays its animation.
    fn default() -> Self {
        Self { turn: Quat::IDENTITY, arrived: true }
    }
}

impl LookTurn {
    /// Moves towards another rotation, and leaves the share `rest_share` of the way. Two steps leave the product of
    /// their shares, so that the result doesn't depend on the frame rate: a step multiplies the tangent of half the
    /// remaining angle by the share. A share of 1 changes nothing, not even by rounding.
    fn follow(&mut self, wanted: Quat, rest_share: f32) {
        let rest = self.turn * wanted.inverse();
        let rest = if rest.w < 0.0 { -rest } else { rest };
        let axis = Vec3::new(rest.x, rest.y, rest.z) * rest_share;
        // The tangent for a half turn is infinite: without this limit the rotation would never start.
        let rest = Quat::from_xyzw(axis.x, axis.y, axis.z, rest.w.max(1e-3)).normalize();
        self.arrived = axis.length() < ARRIVED;
        if self.arrived {
            self.turn = wanted;
        } else if rest_share < 1.0 {
            self.turn = rest * wanted;
        }
    }
}

impl Rig {
    /// Moves `held` towards the rotation for the aim, leaving `rest_share` of the way, and rotates the node by it.
    /// Without an aim, `held` returns to the identity. `model` must be the resolved `local`, and is updated with it.
    pub fn look_at(
        &self,
        node: NodeIndex,
        aim: Option<&LookAt>,
        held: &mut LookTurn,
        rest_share: f32,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        held.follow(aim.map_or(Quat::IDENTITY, |aim| self.wanted_turn(node, aim, model)), rest_share);
        if held.turn != Quat::IDENTITY {
            self.turn(node, held.turn, 1.0, local, model);
            self.resolve_into(local, model);
        }
    }

    /// Returns the rotation for an aim in model space, from the animated direction of the node.
    fn wanted_turn(&self, node: NodeIndex, aim: &LookAt, model: &ModelPose) -> Quat {
        let forward = aim.forward.unwrap_or_else(|| self.front_of(node));
        let model_from_node = model.model_from_node(node);
        let looks = model_from_node.transform_vector3(forward).normalize_or_zero();
        let wanted = (aim.target_in_model - Vec3::from(model_from_node.translation)).normalize_or_zero();
        if looks == Vec3::ZERO || wanted == Vec3::ZERO {
            return Quat::IDENTITY;
        }
        let wanted = within(looks, wanted, aim.least_cosine.clamp(-1.0, 1.0));
        let turn = Quat::from_rotation_arc(looks, wanted);
        (Quat::IDENTITY * (1.0 - aim.weight) + turn * aim.weight).normalize()
    }

    /// Rotates the two joints above the end of a limb. Changes nothing if the end has fewer than two ancestors.
    /// `model` must be the resolved `local`, and is updated with it.
    pub fn reach(&self, goal: &Reach, local: &mut LocalPose, model: &mut ModelPose) {
        let parent = |node: NodeIndex| self.model().node(node).parent;
        let Some(middle) = parent(goal.node) else { return };
        let Some(first) = parent(middle) else { return };
        if goal.weight <= 0.0 {
            return;
        }
        let place = |node: NodeIndex| Vec3::from(model.model_from_node(node).translation);
        let (start, bend, end) = (place(first), place(middle), place(goal.node));
        let (upper, lower) = (start.distance(bend), bend.distance(end));
        let ahead = (goal.target_in_model - start).normalize_or_zero();
        if upper == 0.0 || lower == 0.0 || ahead == Vec3::ZERO {
            return;
        }
        // Triangle of both parts of the limb and the line from start to end; flat if the target is out of reach.
        let away = start.distance(goal.target_in_model).max((upper - lower).abs()).min(upper + lower);
        let along = (upper * upper - lower * lower + away * away) / (2.0 * away);
        let aside = (upper * upper - along * along).max(0.0).sqrt();
        let side = goal.pole_in_model.map_or(bend, |pole| pole) - start;
        let side = side.reject_from_normalized(ahead).try_normalize();
        let side = side.unwrap_or_else(|| ahead.any_orthonormal_vector());
        let new_bend = start + ahead * along + side * aside;
        let new_end = start + ahead * away;

        let first_turn = arc(bend - start, new_bend - start);
        let second_turn = arc(first_turn * (end - bend), new_end - new_bend);
        // The middle joint first: the rotation of the joint above doesn't change its local rotation.
        self.turn(middle, first_turn.inverse() * second_turn * first_turn, goal.weight, local, model);
        self.turn(first, first_turn, goal.weight, local, model);
        self.resolve_into(local, model);
    }

    /// Returns the direction in the node's own space that faces +z of the model at rest.
    fn front_of(&self, node: NodeIndex) -> Vec3 {
        let mut model_from_node = Quat::IDENTITY;
        let mut above = Some(node);
        while let Some(node) = above {
            let node = self.model().node(node);
            model_from_node = node.rest.rotation * model_from_node;
            above = node.parent;
        }
        model_from_node.inverse() * Vec3::Z
    }

    /// Rotates a node about its own origin by a rotation in model space. `model` is the pose before the rotation.
    fn turn(&self, node: NodeIndex, in_model: Quat, weight: f32, local: &mut LocalPose, model: &ModelPose) {
        let parent = self.model().node(node).parent;
        let model_from_parent = parent
            .map_or(Quat::IDENTITY, |parent| model.model_from_node(parent).to_scale_rotation_translation().1);
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

/// Returns the rotation from one direction to another; neither need have unit length.
fn arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// Returns the direction nearest to `wanted` whose angle to `other` has at least the cosine `least_cosine`.
fn within(other: Vec3, wanted: Vec3, least_cosine: f32) -> Vec3 {
    if other.dot(wanted) >= least_cosine {
        return wanted;
    }
    let aside = wanted.reject_from_normalized(other).try_normalize();
    let aside = aside.unwrap_or_else(|| other.any_orthonormal_vector());
    other * least_cosine + aside * (1.0 - least_cosine * least_cosine).max(0.0).sqrt()
}
