//! Inverse kinematics: joints turned so that something further out gets where it is wanted.
//!
//! No angles are computed, only arcs from one direction to another. A goal that can't be met is met as nearly as the
//! joints allow; one that makes no sense (a limb without length, a target where the joint is) changes nothing.
use super::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::{Quat, Vec3};

/// Where a node shall look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    pub target_in_model: Vec3,
    /// Which way the node looks, in its own space. `None` is what faces the model's front, +z, at rest.
    pub forward: Option<Vec3>,
    /// Cosine of the farthest that it turns away from where it looks as it plays; −1 lets it turn all the way.
    pub least_cosine: f32,
    /// From 0 to 1.
    pub weight: f32,
}

/// Bends a limb of two joints so that its end comes to a point: the node's parent and that one's parent turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The end: a hand or a foot.
    pub node: NodeIndex,
    pub target_in_model: Vec3,
    /// Towards where the middle joint bends, a point; `None` bends it as it is bent.
    pub pole_in_model: Option<Vec3>,
    /// From 0 to 1.
    pub weight: f32,
}

/// How far a node has turned from what plays, in the model's space, on its way to where it shall look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookTurn {
    turn: Quat,
    /// It is where it shall be.
    pub arrived: bool,
}

/// Sine of half the angle at which a turn has arrived: less than anybody sees.
const ARRIVED: f32 = 1e-4;

impl Default for LookTurn {
    /// Not turned at all, as a node is that just plays.
    fn default() -> Self {
        Self { turn: Quat::IDENTITY, arrived: true }
    }
}

impl LookTurn {
    /// Leaves this share of the way to another turn. Two steps leave the product of their shares, so that it doesn't
    /// matter how a time is cut into frames: the tangent of half the angle that is left shrinks, by arithmetic alone. A
    /// share of 1 changes nothing, not even by rounding.
    fn follow(&mut self, wanted: Quat, rest_share: f32) {
        let rest = self.turn * wanted.inverse();
        let rest = if rest.w < 0.0 { -rest } else { rest };
        let axis = Vec3::new(rest.x, rest.y, rest.z) * rest_share;
        // A half turn's tangent is infinite: it would never begin.
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
    /// Turns the node by `held`, which follows what the aim wants: of the way there it leaves `rest_share`. Without an
    /// aim it goes back. `model` is the resolved `local`, and is so again afterwards.
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

    /// In the model's space, from where the node looks as it plays.
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

    /// `model` is the resolved `local`, and is so again afterwards. Needs two nodes above the end; else changes nothing.
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
        // The triangle of both parts of the limb and the way from start to end: out of reach it is a line.
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
        // The inner turn first: what turns above it doesn't change it.
        self.turn(middle, first_turn.inverse() * second_turn * first_turn, goal.weight, local, model);
        self.turn(first, first_turn, goal.weight, local, model);
        self.resolve_into(local, model);
    }

    /// In the node's own space, what faces +z of the model at rest.
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

    /// Turns a node about its own place by a rotation of model space. `model` is as it was before.
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

/// From the one direction to the other; neither need have unit length.
fn arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// The direction nearest to the wanted one that lies no farther from the other than the cosine says.
fn within(other: Vec3, wanted: Vec3, least_cosine: f32) -> Vec3 {
    if other.dot(wanted) >= least_cosine {
        return wanted;
    }
    let aside = wanted.reject_from_normalized(other).try_normalize();
    let aside = aside.unwrap_or_else(|| other.any_orthonormal_vector());
    other * least_cosine + aside * (1.0 - least_cosine * least_cosine).max(0.0).sqrt()
}
