//! Look-at: a node turns to a point, at once or smoothly.
use super::turned_within;
use crate::animation::{LocalPose, ModelPose, Rig};
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

/// Current rotation of a node from its animated pose towards its [`LookAt`] goal, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookTurn {
    pub(super) turn: Quat,
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
    /// Starts at a rotation.
    pub(crate) fn at(turn: Quat) -> Self {
        Self { turn, arrived: false }
    }

    pub(crate) fn rotation(&self) -> Quat {
        self.turn
    }

    /// Moves towards another rotation, and leaves the share `rest_share` of the way. Two steps leave the product of
    /// their shares, so that the result doesn't depend on the frame rate: a step multiplies the tangent of half the
    /// remaining angle by the share. A share of 1 changes nothing, not even by rounding.
    pub(crate) fn follow(&mut self, wanted: Quat, rest_share: f32) {
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

    /// Moves as [`follow`](Self::follow) does, by this angle at most.
    pub(super) fn follow_within(&mut self, wanted: Quat, rest_share: f32, most_radians: f32) {
        let before = self.turn;
        self.follow(wanted, rest_share);
        let turn = turned_within(before, self.turn, most_radians);
        self.arrived &= turn == self.turn;
        self.turn = turn;
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
    pub(super) fn wanted_turn(&self, node: NodeIndex, aim: &LookAt, model: &ModelPose) -> Quat {
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
